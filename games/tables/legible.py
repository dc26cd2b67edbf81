"""What can be read of a text that somebody typed in one line."""


def legible(text: str) -> str:
    """*text* in one line, without what nobody sees and what turns the words after it round."""
    return " ".join("".join(filter(str.isprintable, " ".join(text.split()))).split())
