"""User interfaces: command line, full-screen table, server and pages."""
