"""What people use: the command line, the full-screen table, the server and its pages."""
