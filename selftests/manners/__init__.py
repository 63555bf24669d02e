"""Good manners: limits that are announced and kept, patience, secrets, and the ways of reaching a deployment."""
