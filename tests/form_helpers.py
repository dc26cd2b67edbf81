"""Iteration over all forms of the project."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

from django import forms

from tests.source_files import PACKAGES


def list_project_forms() -> Iterator[type[forms.BaseForm]]:
    for package in PACKAGES:
        for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
            if ".migrations" not in module.name and not module.name.endswith("wsgi"):
                importlib.import_module(module.name)
    waiting: list[type[forms.BaseForm]] = [forms.BaseForm]
    seen = set()
    while waiting:
        for form in waiting.pop().__subclasses__():
            if form not in seen:
                seen.add(form)
                waiting.append(form)
                if form.__module__.split(".")[0] in PACKAGES:
                    yield form
