"""The reference deployment, where neither the catalogue nor the matrix gets to."""
