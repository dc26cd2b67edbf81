"""A challenge between a shrine and a monastery."""

CHALLENGE = """
    A cult.shrine@0,1{heretic}
    B base.V@1,0 ffrr
    A base.U@1,1 rfrf
    B base.A@1,2 rfff{monk}
    A base.V@-1,0 frrf
    B base.U@-1,1 rfrf
    A base.U@-1,2 rfrf
"""
LAST_TURN = "B base.E@0,2 ffcf"


def format_challenge(heretic=" shrine", monk=" monastery"):
    return CHALLENGE.format(heretic=heretic, monk=monk)
