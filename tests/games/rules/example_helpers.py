"""Boards of worked examples that several tests play, as text."""

SIX_TILE_CITY = """
    B base.R@0,-1 fccc {knight}
    A base.L@1,0 crrr
    B base.B@0,1
    A base.L@-1,0 crrr
    B base.N@1,-1 ffcc
    A base.N@-1,-1 fccf
"""
TWO_FIELDS_OF_ONE_FARMER = """
    A base.E@0,-1 ffcf field ENE
    B base.H@0,-2 fcfc
    A base.E@1,-2 fffc field ENE
"""
BLUE_BESIDE_RED_AND_BLUE = """
    A base.E@0,-1 ffcf field ENE
    B base.E@0,-2 fcff
    A base.J@-1,0 crrf field ENE
    B base.E@1,-2 fffc field NNW
    A base.E@-1,-1 ffcf
    B base.B@1,-1
"""
FOUR_CITIES_ON_ONE_FIELD = """
    A base.J@-1,0 crrf
    B base.K@1,0 cfrr
    C base.E@0,-1 ffcf field ENE
    D base.E@0,-2 fcff
    A base.E@-1,-1 ffcf
    B base.B@0,1
    C base.E@1,-2 fffc field NNW
    D base.U@0,-3 frfr field NNE
    A base.A@1,-3 fffr
    B base.I@1,-1 fccf
"""
