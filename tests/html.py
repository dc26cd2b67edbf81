"""Pages as tests read them: what stands where, not whether some letters are anywhere on the page."""

from __future__ import annotations

from typing import Any

from bs4 import BeautifulSoup
from bs4.element import Tag


class Page:
    """An answer of the site, whole page or part, to be asked by CSS selectors. May be made of markup, too."""

    def __init__(self, answer: Any) -> None:
        markup = answer if isinstance(answer, str) else answer.content
        self._soup = BeautifulSoup(markup, "html.parser")

    @property
    def all_text(self) -> str:
        """All that a reader sees of a part that has no element of its own."""
        return words(self._soup)

    def all(self, selector: str) -> list[Tag]:
        """Every element that *selector* finds, in the order of the page."""
        return self._soup.select(selector)

    def one(self, selector: str) -> Tag:
        """The only element that *selector* finds."""
        found = self.all(selector)
        assert len(found) == 1, f"{len(found)} of {selector} among {self._landmarks()}"
        return found[0]

    def has(self, selector: str) -> bool:
        return bool(self.all(selector))

    def text(self, selector: str) -> str:
        """What a reader finds in the only element of *selector*, with white space as a browser shows it."""
        return words(self.one(selector))

    def texts(self, selector: str) -> list[str]:
        """The same of every element."""
        return [words(one) for one in self.all(selector)]

    def link(self, words_of_link: str) -> str:
        """Where the only link with these words leads."""
        found = [one["href"] for one in self.all("a[href]") if words(one) == words_of_link]
        assert len(found) == 1, f"{len(found)} links {words_of_link!r} among {self.texts('a[href]')}"
        return str(found[0])

    def links(self, selector: str = "a[href]") -> list[str]:
        """Where all links of *selector* lead."""
        return [str(one["href"]) for one in self.all(selector)]

    def values(self, selector: str) -> list[str]:
        """What stands in all fields of *selector*, or is sent with them."""
        return [
            one.get_text() if one.name == "textarea" else str(one.get("value", ""))
            for one in self.all(selector)
        ]

    def rows(self, selector: str) -> list[list[str]]:
        """The cells of the rows that *selector* finds."""
        return [[words(cell) for cell in row.select("th, td")] for row in self.all(selector)]

    def facts(self, selector: str) -> dict[str, str]:
        """What the list of terms *selector* says of each term."""
        found = self.one(selector)
        terms, said = found.select("dt"), found.select("dd")
        return {words(term): words(one) for term, one in zip(terms, said, strict=True)}

    @property
    def title(self) -> str:
        """What the window is called."""
        return self.text("title:not(svg title)")

    def roots(self) -> list[str]:
        """What an answer consists of: its outermost elements, by name and id."""
        tops = [one for one in self._soup.children if isinstance(one, Tag)]
        return [f"{one.name}#{one['id']}" if one.get("id") else one.name for one in tops]

    def mentions(self, said: str) -> bool:
        """Whether *said* stands anywhere, also where no reader finds it: for what must be nowhere."""
        kept = [str(value) for one in self.all("*") for value in one.attrs.values()]
        return any(said in one for one in (self._soup.get_text(), words(self._soup), *kept))

    def inline_code(self) -> list[str]:
        """Scripts and styles that stand in the page itself: the site's content security policy stops them."""
        inside = self.all("style, [style], script:not([src]), [href^='javascript:']")
        called = [one for one in self.all("*") if any(name.startswith(("on", "hx-on")) for name in one.attrs)]
        return [str(one)[:80] for one in (*inside, *called)]

    def _landmarks(self) -> list[str]:
        return [f"{one.name}#{one['id']}" for one in self.all("[id]")][:40]


def words(element: Tag) -> str:
    """The text of *element* on one line."""
    return " ".join(element.get_text().split())
