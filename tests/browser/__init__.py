"""What people see, in a real Chromium against a real server."""
