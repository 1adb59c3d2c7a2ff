"""What is in deploy/, run as it is deployed."""
