"""Test of a complete game in real browsers: two people, one of them on a phone, and the house bot.

Nothing is mocked: the site runs as ``make run`` starts it, with web server, worker and beat, its own
database and broker, and a mail server on loopback. ``PICTURES=/some/folder`` keeps screenshots of the board.
"""

import html
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from games.rules.records.record import replay
from tests.games.mailserver import MailServer, listening

ROOT = Path(__file__).resolve().parents[2]
PASSWORD = "seven tiles of road"
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}}
PICTURED = (8, 30, 71)  # plies
MIDDLE = range(33, 60)  # plies that are played without a browser, which needs seconds for each
WATCHED_BOT_TURNS = 3  # of which a page learns by itself; later reloading saves time


class Site:
    """Running site with the mails that it sent."""

    def __init__(self, url: str, mails: MailServer) -> None:
        self.url = url
        self.mails = mails

    def mails_to(self, name: str) -> list[EmailMessage]:
        address = f"{name.lower()}@example.org"
        pairs = zip(self.mails.mails, self.mails.recipients, strict=True)
        return [mail for mail, recipients in pairs if address in recipients]

    def wait_for_mail(self, name: str, subject: str, seconds: float = 15) -> str:
        """The text of the first mail to *name* whose subject matches *subject*."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for mail in self.mails_to(name):
                if re.search(subject, str(mail["Subject"])):
                    return text_of(mail)
            time.sleep(0.1)
        raise AssertionError(f"no mail {subject!r} among {[str(m['Subject']) for m in self.mails_to(name)]}")


def text_of(mail: EmailMessage) -> str:
    body = mail.get_body(("plain",))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = MailServer()
    with listening(server) as mail_port:
        url = f"http://localhost:{port}"
        unset = {"DATABASE_URL", "REDIS_URL", "SECRET_KEY", "ALLOWED_HOSTS", "SECURE_SSL_REDIRECT"}
        environment = {name: value for name, value in os.environ.items() if name not in unset} | {
            "DJANGO_SETTINGS_MODULE": "carcassonne.settings",
            "DATA_DIR": str(tmp_path / "data"),
            "DEBUG": "1",
            "SITE_URL": url,
            "EMAIL_URL": f"smtp://127.0.0.1:{mail_port}",
            "SWEEP_SECONDS": "5",
            "NOTICE_PAUSE_SECONDS": "0",  # these players take their turns faster than any person does
        }
        command = [sys.executable, "manage.py", "serve", "--port", str(port), "--without-demo"]
        with (tmp_path / "log").open("w") as log:
            process = subprocess.Popen(
                command, cwd=ROOT, env=environment, stdout=log, stderr=subprocess.STDOUT
            )
        try:
            _wait_until_it_answers(process, port, tmp_path / "log")
            yield Site(url, server)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=30)
            print((tmp_path / "log").read_text())


def _wait_until_it_answers(process: "subprocess.Popen[bytes]", port: int, log: Path) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        assert process.poll() is None, log.read_text()
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise AssertionError(log.read_text())


class Person:
    """Player with a browser."""

    def __init__(self, browser: Browser, site: Site, name: str, screen: dict[str, Any]) -> None:
        self.browser, self.site, self.name, self.screen = browser, site, name, screen
        self.chance = random.Random(name)
        self.context = self._context()
        self.page = self._page(self.context)

    def _context(self, **more: Any) -> BrowserContext:
        return self.browser.new_context(**self.screen, **more, locale="en-GB", timezone_id="Europe/Warsaw")

    def _page(self, context: BrowserContext) -> Page:
        page = context.new_page()
        page.set_default_timeout(15_000)
        return page

    def sign_up(self) -> None:
        page = self.page
        page.goto(f"{self.site.url}/account/signup/")
        page.get_by_label("Email address").fill(f"{self.name.lower()}@example.org")
        page.get_by_label("Name", exact=True).fill(self.name)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign up").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Confirm your email")
        code = re.search(r"^    (\S+)$", self.site.wait_for_mail(self.name, "."), re.MULTILINE)
        assert code is not None
        page.get_by_label("Code").fill(code[1])
        page.get_by_role("button", name="Confirm").click()
        expect(page.get_by_role("navigation", name="Your account")).to_contain_text(self.name)

    def without_javascript(self) -> None:
        """Continue in a browser that runs no script."""
        state = self.context.storage_state()
        address = self.page.url
        self.context.close()
        self.context = self._context(java_script_enabled=False, storage_state=state)
        self.page = self._page(self.context)
        self.page.goto(address)

    def with_javascript(self) -> None:
        state = self.context.storage_state()
        address = self.page.url
        self.context.close()
        self.context = self._context(storage_state=state)
        self.page = self._page(self.context)
        self.page.goto(address)

    # ------------------------------------------------------------------------------------------ the turn

    def take_turn(self) -> None:
        """Play a turn by three taps: a space near the middle, a meeple or none, Send."""
        page = self.page
        self.choose(self.nearest_mark())
        turn = page.locator("#turn-map a.turn")
        if turn.count() and self.chance.random() < 0.3:
            before = page.url
            turn.focus()
            page.keyboard.press("Enter")
            page.wait_for_url(lambda url: url != before)
        self.choose_meeple()
        page.locator("#send").click()
        self.wait_until_played()

    def nearest_mark(self) -> Locator:
        marks = self.page.locator("svg.layer a.mark")
        expect(marks.first).to_be_visible()
        places = marks.evaluate_all("all => all.map((one) => one.getAttribute('href').split('at=')[1])")
        near = [sum(abs(int(n)) for n in place.split(",")) + self.chance.random() for place in places]
        return marks.nth(near.index(min(near)))

    def choose(self, mark: Locator) -> None:
        # A tap as the page gets it; on a phone the panel may lie over the mark until the board is moved.
        mark.scroll_into_view_if_needed()
        mark.focus()
        self.page.keyboard.press("Enter")
        expect(self.page.locator(".composer")).to_be_visible()

    def choose_meeple(self) -> None:
        page = self.page
        if page.locator("#send").count():
            return  # nothing but "no meeple": decided already
        rings = page.locator("#turn-map .spot")
        names = rings.locator("title").evaluate_all("titles => titles.map((one) => one.textContent)")
        good = [n for n, name in enumerate(names) if not name.startswith("Farmer")]
        chance = self.chance.random()
        if chance < 0.12:
            ring = rings.last
        elif good and chance < 0.74:
            ring = rings.nth(self.chance.choice(good))
        else:
            ring = page.get_by_role("link", name="No meeple", exact=True)
        ring.focus()
        page.keyboard.press("Enter")
        expect(page.locator(".strip [aria-current]")).to_have_count(1)
        expect(page.locator("#send")).to_be_visible()

    def wait_until_played(self) -> None:
        expect(self.page.get_by_text("Your turn is played.", exact=True).last).to_be_visible()

    def type_turn(self) -> None:
        """Play a turn on the text board: type a line, preview it, send it, and return to the drawn board."""
        page = self.page
        page.locator("a[data-tab=game]").click()
        page.get_by_role("link", name="The board in words", exact=True).last.click()
        place = page.locator("li", has_text="Your tile fits").first.inner_text()
        match = re.search(r"(?i)column ([−\d]+), row ([−\d]+).*fits: r(\d+)", place)
        assert match is not None, place
        page.get_by_label("Your turn as text").fill(f"{match[1]},{match[2]} {match[3]}".replace("−", "-"))
        page.keyboard.press("Enter")
        page.locator("#answer button").click()
        self.wait_until_played()
        page.get_by_role("link", name="To the drawn board").click()

    def send_line(self, table: str) -> bool:
        """Play a turn on the text board by its forms alone; return whether this seat was on turn."""
        request = self.context.request
        lines = re.findall(r"<code>([^<]+)</code>", request.get(f"{table}text/").text())
        if not lines:
            return False
        bare = [line for line in lines if len(line.split()) == 2]  # keeps the meeple for later turns
        line = self.chance.choice(bare if bare and self.chance.random() < 0.7 else lines)
        shown = request.get(f"{table}text/", params={"say": line}).text()
        fields = ("csrfmiddlewaretoken", "version", "line")
        form = dict(re.findall(rf'name="({"|".join(fields)})" value="([^"]*)"', shown))
        assert set(form) == set(fields), shown
        answer = request.post(f"{table}text/", form={name: html.unescape(form[name]) for name in fields})
        assert "Your turn is played." in answer.text()
        return True


def play_middle(people: dict[str, Person], turns: dict[str, int], table: str, end: float) -> None:
    """Play the turns of *people* up to the end of ``MIDDLE``, while a worker plays the bot's."""
    record = f"{table}record.json"
    anyone, *_ = people.values()
    while len(anyone.context.request.get(record).json()["turns"]) < MIDDLE.stop:
        assert time.monotonic() < end, f"the game takes too long, turns so far: {turns}"
        for name, person in people.items():
            turns[name] += person.send_line(table)


def awaited(page: Page) -> str:
    """The name of the player on turn that the page shows; "" if there is none."""
    seat = page.locator(".seat.awaited .name")
    return seat.inner_text().split("\n")[0].replace("(you)", "").strip() if seat.count() else ""


def ply(page: Page) -> int:
    return int((page.locator(".steps output").text_content() or "").split("/")[1])


def keep_picture(page: Page, folder: Path, number: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=folder / f"board-{number}-{page.viewport_size['width']}.png")  # type: ignore[index]


@pytest.mark.slow
def test_two_people_and_the_bot_play_a_whole_game(browser: Browser, site: Site, tmp_path: Path) -> None:
    pictures = Path(os.environ.get("PICTURES") or tmp_path / "pictures")
    anna, bruno = Person(browser, site, "Anna", DESK), Person(browser, site, "Bruno", PHONE)
    anna.sign_up()
    bruno.sign_up()

    # Anna sets a table for three, the bot takes one seat, and Bruno follows the link in his mail.
    page = anna.page
    page.goto(f"{site.url}/new/")
    page.get_by_label("Name of the table").fill("Minerve")
    page.locator("input[name=seats][value='3']").check()
    page.locator("input[name=bots][value='1']").check()
    page.get_by_label("Invite", exact=True).fill("bruno@example.org")
    page.get_by_role("button", name="Set up the table").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Minerve")
    table = page.url
    link = re.search(rf"{site.url}/i/\S+", site.wait_for_mail("Bruno", "Minerve|invite"))
    assert link is not None
    bruno.page.goto(link[0])
    bruno.page.get_by_role("button", name=re.compile("Accept|Sit down|Join")).first.click()
    expect(bruno.page.locator("#board-map")).to_be_visible()
    page.goto(table)

    people = {"Anna": anna, "Bruno": bruno}
    turns = {"Anna": 0, "Bruno": 0}
    watched = 0
    pictured: set[int] = set()
    end = time.monotonic() + 480  # usually a quarter of it
    while True:
        assert time.monotonic() < end, f"the game takes too long, turns so far: {turns}"
        page = anna.page
        who = awaited(page)
        if not who:
            break
        number = ply(page)
        for wanted in PICTURED:
            if number >= wanted and wanted not in pictured:
                pictured.add(wanted)
                keep_picture(page, pictures, wanted)
                keep_picture(bruno.page, pictures, wanted)
        if number in MIDDLE:
            play_middle(people, turns, table, end)
            page.goto(table)
            continue
        person = people.get(who)
        if person is None:
            # The bot: a worker plays its turn, and the page finds out by itself.
            watched += 1
            if watched > WATCHED_BOT_TURNS:
                page.goto(table)
            else:
                expect(page.locator(".seat.awaited .name")).not_to_contain_text("bot", timeout=20_000)
            continue
        turns[who] += 1
        if person is bruno:
            if turns[who] == 1:
                # The page of who waits learns of the turn by itself; later reloading saves time.
                expect(bruno.page.locator("svg.layer a.mark").first).to_be_visible(timeout=40_000)
            else:
                bruno.page.goto(table)
            if turns[who] == 4:
                bruno.without_javascript()
            elif turns[who] == 9:
                bruno.with_javascript()
        if turns[who] == 3:
            person.type_turn()
        elif who == "Anna" and turns[who] == 5:
            _a_second_tab_is_told_that_the_game_has_moved_on(anna, table)
        else:
            person.take_turn()
        if person is bruno:
            anna.page.goto(table)

    # The last tile is placed: the task does the final scoring, and the page finds out by itself.
    expect(anna.page.locator("#outcome")).to_be_visible(timeout=30_000)
    keep_picture(anna.page, pictures, 71)
    keep_picture(bruno.page, pictures, 71)
    scores = [int(score) for score in anna.page.locator(".final-scores tbody .total").all_inner_texts()]
    assert len(scores) == 3 and max(scores) > 0
    assert turns["Anna"] + turns["Bruno"] > 40
    record = anna.context.request.get(f"{table}record.json").json()
    played = replay(record)
    assert record["final"] and sorted(played.game.state.scores, reverse=True) == scores
    assert sum(len(turn) > 2 for turn in record["turns"]) + len(played.game.state.discarded) == 71

    anna.page.get_by_role("link", name="Score sheet").first.click()
    expect(anna.page.locator("tfoot td")).to_have_text([str(score) for score in played.game.state.scores])

    for person in (anna, bruno):
        assert table in site.wait_for_mail(person.name, "Your turn")
        assert "Minerve" in site.wait_for_mail(person.name, "over|ended|won|finished")
        person.context.close()


def _a_second_tab_is_told_that_the_game_has_moved_on(person: Person, table: str) -> None:
    other = person.context.new_page()
    other.goto(table)
    first, person.page = person.page, other
    person.choose(person.nearest_mark())
    person.choose_meeple()
    person.page = first
    person.take_turn()
    # The same page could now send an old turn: it is shown the board as it is, and why.
    other.locator("#send").click()
    expect(other.locator("#table")).to_contain_text(
        re.compile(r"The game has moved on|Your turn is played\.")
    )
    other.close()
