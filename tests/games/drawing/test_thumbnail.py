"""Tests of thumbnails of boards: recognisable features, and size."""

import io

from PIL import Image

from games.drawing import palette
from games.drawing.board import BoardPicture, Figure, LaidTile, Outline
from games.drawing.thumbnail import FRAME, HEIGHT, LARGEST, WIDTH, render_thumbnail_webp
from tests.games.drawing.boards import board_picture


def image(picture: BoardPicture) -> Image.Image:
    return Image.open(io.BytesIO(render_thumbnail_webp(picture))).convert("RGBA")


def near(pixel: tuple[int, ...], colour: str) -> bool:
    wanted = tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return pixel[3] > 200 and all(abs(one - other) < 40 for one, other in zip(pixel, wanted, strict=False))


def test_a_whole_board_fits_its_frame_and_stays_under_eight_kilobytes() -> None:
    picture = board_picture()
    bitmap = image(picture)
    assert bitmap.width <= WIDTH and bitmap.height <= HEIGHT
    assert bitmap.width > WIDTH - 2 or bitmap.height > HEIGHT - 2  # to the nearest pixel of a tile
    assert len(render_thumbnail_webp(picture)) < 8_000


def test_the_first_tile_is_a_small_spot() -> None:
    bitmap = image(BoardPicture((LaidTile("base.D", 0, 0, 0),)))
    assert bitmap.size == (LARGEST + 2 * FRAME, LARGEST + 2 * FRAME)


def test_there_is_no_ground_where_no_tile_lies() -> None:
    bitmap = image(BoardPicture((LaidTile("base.E", 0, 0, 0), LaidTile("base.E", 1, 1, 0))))
    alpha = [bitmap.getpixel(at)[3] for at in ((26, 26), (70, 26), (26, 70), (70, 70))]
    assert [value > 128 for value in alpha] == [True, False, False, True]


def test_the_last_turn_is_framed_in_the_colour_of_its_seat_even_where_tiles_are_small() -> None:
    row = tuple(LaidTile("base.U", x, 0, 90) for x in range(20))
    bitmap = image(BoardPicture(row, outlines=(Outline(19, 0, 1),)))
    size = (bitmap.width - 2 * FRAME) // 20
    framed = [near(bitmap.getpixel((x, 2)), palette.SEATS[1].colour) for x in range(bitmap.width)]
    assert sum(framed[-size:]) > size / 2
    assert not any(framed[: -size - 2 * FRAME])


def test_figures_are_seen_on_their_tiles() -> None:
    bare = BoardPicture((LaidTile("base.E", 0, 0, 0),))
    held = BoardPicture(bare.laid, (Figure(0, "follower", 0, 0, "city", "N"),))
    blue = palette.SEATS[0].colour

    def pixels(picture: BoardPicture) -> int:
        bitmap = image(picture)
        return sum(
            near(bitmap.getpixel((x, y)), blue) for x in range(bitmap.width) for y in range(bitmap.height)
        )

    assert pixels(bare) == 0
    assert pixels(held) > 12


def test_the_edge_of_a_table_takes_no_room() -> None:
    plain = BoardPicture((LaidTile("base.D", 0, 0, 0),))
    walled = BoardPicture((LaidTile("base.D", 0, 0, 0),), room=(-5, 5, -5, 5))
    assert render_thumbnail_webp(walled) == render_thumbnail_webp(plain)
