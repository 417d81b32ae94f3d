"""What people use: command line, full-screen table, server and pages."""
