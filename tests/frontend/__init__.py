"""What the front end is made of, looked at from outside; `npm test` has its units."""
