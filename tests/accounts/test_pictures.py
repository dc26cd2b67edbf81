"""Tests of players' pictures and of the line about themselves."""

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from PIL import Image

from accounts import acts, letters
from accounts.export import contents
from accounts.models import AccountAct, Player, PlayerPhoto
from accounts.pictures import ARMS, MEEPLES, PHOTO_SIDE, Picture, choose_default, encode_photo
from accounts.services import close_account
from games.drawing.portraits import render_portrait_png, render_set_png
from tests.accounts.signing_in import sign_in
from tests.games.factories import make_player
from tests.games.play.moderating import make_moderator
from tests.html import Page

URL = "/account/profile/"


def build_file(size: tuple[int, int] = (400, 300), kind: str = "JPEG", **options: Any) -> io.BytesIO:
    file = io.BytesIO()
    Image.new("RGB", size, "#2a5ca8").save(file, kind, **options)
    file.seek(0)
    return file


def upload(file: io.BytesIO) -> SimpleUploadedFile:
    return SimpleUploadedFile("me.jpg", file.getvalue(), "image/jpeg")


class TestEncoding:
    @pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "GIF"])
    def test_makes_a_square(self, kind: str) -> None:
        photo = encode_photo(build_file(kind=kind))
        with Image.open(io.BytesIO(photo.jpeg)) as stored:
            assert (stored.size, stored.format) == ((PHOTO_SIDE, PHOTO_SIDE), "JPEG")

    def test_keeps_no_metadata_and_turns_as_the_camera_was_held(self) -> None:
        exif = Image.Exif()
        exif[0x010E], exif[0x0112] = "home", 6
        photo = encode_photo(build_file(exif=exif))
        assert b"home" not in photo.jpeg
        with Image.open(io.BytesIO(photo.jpeg)) as stored:
            assert not stored.getexif()

    @pytest.mark.parametrize("content", [b"", b"<svg/>", b"\xff\xd8\xff", b"GIF89a", b"BM" + bytes(60)])
    def test_refuses_what_is_no_picture(self, content: bytes) -> None:
        with pytest.raises(ValidationError, match="We can't read this file"):
            encode_photo(io.BytesIO(content))

    def test_refuses_a_small_file_that_claims_to_be_huge(self) -> None:
        with pytest.raises(ValidationError):
            encode_photo(build_file((20_000, 20_000), "GIF"))


class TestDrawings:
    def test_every_coat_of_arms_is_drawn(self) -> None:
        sprite = (Path(__file__).parents[2] / "static/img/arms.svg").read_text()
        assert re.findall(r'<symbol id="([\w-]+)"', sprite) == list(ARMS)

    @pytest.mark.parametrize("picture", Picture)
    def test_a_mail_has_each_as_a_picture(self, picture: Picture) -> None:
        with Image.open(io.BytesIO(render_portrait_png(picture, 96))) as drawn:
            assert drawn.width == 96
            assert len(drawn.convert("RGBA").getcolors(100_000) or ()) > 3

    def test_a_mail_has_sets_as_pictures(self) -> None:
        assert len({render_set_png(name, 96) for name in ("base", "river1", "count")}) == 3


@pytest.mark.django_db
class TestChoosing:
    def test_newcomers_have_arms_by_their_key(self) -> None:
        anna = make_player("Anna")
        assert anna.shown_picture == choose_default(anna.pk) in ARMS

    def test_a_picture_and_a_line(self) -> None:
        anna = make_player("Anna")
        client = sign_in(Client(), anna)
        client.post(URL, {"picture": MEEPLES[2], "about": "I farm too early."})
        anna.refresh_from_db()
        assert (anna.picture, anna.about) == (MEEPLES[2], "I farm too early.")
        page = Page(client.get("/players/Anna/"))
        assert page.text(".about") == "I farm too early."
        assert page.has(".who .portrait")

    def test_a_photo_goes_before_the_picture_until_another_is_chosen(self) -> None:
        anna = make_player("Anna")
        client = sign_in(Client(), anna)
        client.post(URL, {"picture": ARMS[3], "photo_file": upload(build_file()), "about": ""})
        anna.refresh_from_db()
        address = anna.get_photo_url()
        assert Page(client.get("/players/Anna/")).one(".who img.photo")["src"] == address
        answer = client.get(address)
        assert (answer["Content-Type"], answer.content) == (
            "image/jpeg",
            bytes(PlayerPhoto.objects.get().jpeg),
        )
        client.post(URL, {"about": "Still here"})
        anna.refresh_from_db()
        assert anna.photo
        client.post(URL, {"picture": ARMS[4], "about": ""})
        anna.refresh_from_db()
        assert (anna.photo, anna.picture, PlayerPhoto.objects.count()) == ("", ARMS[4], 0)
        assert client.get(address).status_code == 404

    def test_what_is_refused_changes_nothing(self) -> None:
        anna = make_player("Anna", about="As before")
        client = sign_in(Client(), anna)
        file = SimpleUploadedFile("me.jpg", b"no picture", "image/jpeg")
        for sent, told in (
            ({"photo_file": file, "about": "New"}, "We can't read this file."),
            ({"about": "www.example.org"}, "No links"),
            ({"about": "x" * 121}, "at most 120 characters"),
            ({"picture": "crown", "about": "New"}, "crown"),
        ):
            assert told in " ".join(Page(client.post(URL, sent)).texts(".errorlist li")), sent
        anna.refresh_from_db()
        assert (anna.about, anna.photo, anna.picture) == ("As before", "", "")

    def test_not_more_than_twenty_photos_a_day(self) -> None:
        client = sign_in(Client(), make_player("Anna"))
        for _ in range(20):
            client.post(URL, {"photo_file": upload(build_file((8, 8))), "about": ""})
        answer = client.post(URL, {"photo_file": upload(build_file((8, 8))), "about": "New"}, follow=True)
        assert Page(answer).texts("#messages .error") == [
            "That's many photos for one day. Please try again tomorrow."
        ]
        assert Player.objects.get().about == ""

    def test_a_picture_that_a_release_has_lost_is_replaced(self) -> None:
        anna = make_player("Anna", picture="crown")
        assert anna.shown_picture in ARMS
        assert Page(sign_in(Client(), anna).get(URL)).has(".as-seen .portrait")


@pytest.mark.django_db
class TestEndings:
    def test_a_closed_account_keeps_nothing_of_it(self) -> None:
        anna = make_player("Anna", about="Me", photo="a" * 16, picture=ARMS[1])
        PlayerPhoto.objects.create(player=anna, jpeg=b"x")
        close_account(player=anna, now=timezone.now())
        anna.refresh_from_db()
        assert (anna.about, anna.photo, anna.picture, PlayerPhoto.objects.count()) == ("", "", "", 0)

    def test_the_own_data_have_it(self) -> None:
        anna = make_player("Anna", about="Me")
        profile = dict(contents(anna))["account.json"]["profile"]
        assert json.loads(json.dumps(profile["about"])) == "Me"


@pytest.mark.django_db
class TestModerators:
    def test_remove_photo_and_line_and_tell_why(self) -> None:
        anna = make_player("Anna", about="Rude", photo="a" * 16)
        PlayerPhoto.objects.create(player=anna, jpeg=b"x")
        helen = make_moderator("Helen")
        client = sign_in(Client(), helen)
        assert Page(client.get("/desk/p/Anna/")).has("#profile")
        client.post("/desk/p/Anna/profile/", {"why": "It's rude."})
        anna.refresh_from_db()
        assert (anna.about, anna.photo, PlayerPhoto.objects.count()) == ("", "", 0)
        act = AccountAct.objects.get()
        assert (act.actor, act.player, act.act, act.why) == (helen, anna, "profile", "It's rude.")
        letters.deliver(now=timezone.now())
        (sent,) = mail.outbox
        assert "It's rude." in sent.body and sent.to == [anna.email]

    def test_a_reason_is_needed(self) -> None:
        make_player("Anna", about="Rude")
        sign_in(Client(), make_moderator("Helen")).post("/desk/p/Anna/profile/", {"why": ""})
        assert Player.objects.get(username="Anna").about == "Rude"

    def test_not_of_who_ranks_as_high(self) -> None:
        felix, helen = (make_player(name, is_staff=True, about="Mine") for name in ("Felix", "Helen"))
        with pytest.raises(PermissionDenied):
            acts.clear_profile(actor=helen, player=felix, why="No.", now=timezone.now())
        assert Player.objects.get(username="Felix").about == "Mine"
