"""A match at a table: options, seats, events, actions, clock, record and views."""
