"""The development stack: what it is made of (settings, jars, servers) and its commands."""
