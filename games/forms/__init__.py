"""What pages take in."""
