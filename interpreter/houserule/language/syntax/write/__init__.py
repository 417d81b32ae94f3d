"""From tree to text: nodes printed, and files brought into the usual form."""
