"""Roles are Django's groups, made by migrations; each application says there what its members may do.

Who has a role reads the admin by it, so ``is_staff`` goes with it. Whether a moderator may moderate this very
game, ``games.access.may_moderate`` says.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MODERATOR, ORGANISER, ADMINISTRATOR = "moderator", "organiser", "administrator"
ROLES = (MODERATOR, ORGANISER, ADMINISTRATOR)


def grant(apps: Any, role: str, app: str, model: str, rights: Mapping[str, str]) -> None:
    """Let members of *role* do what *rights* of the *model* of *app* say, name by codename; for migrations.

    Django makes the rights themselves only when all migrations have run. Again is harmless.
    """
    types = apps.get_model("contenttypes", "ContentType")
    permissions = apps.get_model("auth", "Permission")
    group, _new = apps.get_model("auth", "Group").objects.get_or_create(name=role)
    type, _new = types.objects.get_or_create(app_label=app, model=model)
    for codename, name in rights.items():
        right, _new = permissions.objects.get_or_create(
            content_type=type, codename=codename, defaults={"name": name}
        )
        group.permissions.add(right)
