"""Where everything lies, how values look there, and the way in and out."""
