"""Parts that several pages show: addresses, the drawn board, seats, story, scores, talk, notes."""
