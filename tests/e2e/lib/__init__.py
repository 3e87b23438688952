"""What the end-to-end tests share. Nothing here uses the program's own libraries: expectations are computed independently."""
