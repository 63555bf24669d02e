"""Good manners: what is announced is kept, patience, secrets, and the ways of reaching a deployment."""
