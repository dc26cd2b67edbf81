"""Parsed pages for tests, which look in the right place instead of anywhere on the page."""

from __future__ import annotations

from typing import Any

from bs4 import BeautifulSoup
from bs4.element import Tag


class Page:
    """Response, whole page or part, queried by CSS selectors. Can be made from markup, too."""

    def __init__(self, answer: Any) -> None:
        markup = answer if isinstance(answer, str) else answer.content
        self._soup = BeautifulSoup(markup, "html.parser")

    @property
    def all_text(self) -> str:
        """All text of the page."""
        return words(self._soup)

    def all(self, selector: str) -> list[Tag]:
        """Return every element that matches *selector*, in the order of the page."""
        return self._soup.select(selector)

    def one(self, selector: str) -> Tag:
        """Return the only element that matches *selector*."""
        elements = self.all(selector)
        assert len(elements) == 1, f"{len(elements)} of {selector} among {self._landmarks()}"
        return elements[0]

    def has(self, selector: str) -> bool:
        return bool(self.all(selector))

    def text(self, selector: str) -> str:
        """Return the text of the only element that matches *selector*, with white space collapsed."""
        return words(self.one(selector))

    def texts(self, selector: str) -> list[str]:
        """Return the texts of all matching elements."""
        return [words(one) for one in self.all(selector)]

    def link(self, words_of_link: str) -> str:
        """Return the URL of the only link with these words."""
        links = [one["href"] for one in self.all("a[href]") if words(one) == words_of_link]
        assert len(links) == 1, f"{len(links)} links {words_of_link!r} among {self.texts('a[href]')}"
        return str(links[0])

    def links(self, selector: str = "a[href]") -> list[str]:
        """Return the URLs of all links that match *selector*."""
        return [str(one["href"]) for one in self.all(selector)]

    def values(self, selector: str) -> list[str]:
        """Return the values of all fields that match *selector*."""
        return [
            one.get_text() if one.name == "textarea" else str(one.get("value", ""))
            for one in self.all(selector)
        ]

    def rows(self, selector: str) -> list[list[str]]:
        """Return the cells of the rows that match *selector*."""
        return [[words(cell) for cell in row.select("th, td")] for row in self.all(selector)]

    def facts(self, selector: str) -> dict[str, str]:
        """Return the description of each term in the list *selector*."""
        element = self.one(selector)
        terms, said = element.select("dt"), element.select("dd")
        return {words(term): words(one) for term, one in zip(terms, said, strict=True)}

    @property
    def title(self) -> str:
        """The title of the page."""
        return self.text("title:not(svg title)")

    def roots(self) -> list[str]:
        """Return the outermost elements of the response, by name and id."""
        tops = [child for child in self._soup.children if isinstance(child, Tag)]
        return [f"{tag.name}#{tag['id']}" if tag.get("id") else tag.name for tag in tops]

    def mentions(self, said: str) -> bool:
        """Return whether *said* stands anywhere, also where no reader finds it: for what must be nowhere."""
        kept = [str(value) for one in self.all("*") for value in one.attrs.values()]
        return any(said in one for one in (self._soup.get_text(), words(self._soup), *kept))

    def inline_code(self) -> list[str]:
        """Return scripts and styles within the page, which the content security policy blocks."""
        inside = self.all("style, [style], script:not([src]), [href^='javascript:']")
        called = [one for one in self.all("*") if any(name.startswith(("on", "hx-on")) for name in one.attrs)]
        return [str(one)[:80] for one in (*inside, *called)]

    def _landmarks(self) -> list[str]:
        return [f"{one.name}#{one['id']}" for one in self.all("[id]")][:40]


def words(element: Tag) -> str:
    """The text of *element* on one line."""
    return " ".join(element.get_text().split())
