"""Pages as tests read them: what stands where, not whether some letters are anywhere on the page."""

from __future__ import annotations

from typing import Any

from bs4 import BeautifulSoup
from bs4.element import Tag


class Page:
    """An answer of the site, whole page or part, to be asked by CSS selectors."""

    def __init__(self, response: Any) -> None:
        self._soup = BeautifulSoup(response.content, "html.parser")

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

    def _landmarks(self) -> list[str]:
        return [f"{one.name}#{one['id']}" for one in self.all("[id]")][:40]


def words(element: Tag) -> str:
    """The text of *element* on one line."""
    return " ".join(element.get_text().split())
