"""Roles: Django's groups, made by migrations; each application grants them its permissions there.

Members of a role read the admin, so they have ``is_staff``, too. ``games.access.may_moderate`` decides
whether a moderator may moderate a given game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MODERATOR, ORGANISER, ADMINISTRATOR = "moderator", "organiser", "administrator"
ROLES = (MODERATOR, ORGANISER, ADMINISTRATOR)


def grant(apps: Any, role: str, app: str, model: str, rights: Mapping[str, str]) -> None:
    """Grant members of *role* the *rights* on the *model* of *app*, given as names by codename; for
    migrations.

    Django creates permissions only after all migrations, so they are created here if missing. Idempotent.
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
