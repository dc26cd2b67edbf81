"""Tests that the commands by which docs/deployment.md sets up a proxy work in their order, from nothing.

They run as they stand on the page, in a folder instead of ``/``, with the real proxy. apt, certbot and
systemctl are stand-ins: the second leaves a certificate where the real one would.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
APT = "mkdir -p {root}/etc/nginx/sites-enabled {root}/etc/caddy {root}/var/www/html"
CERTBOT = """
while [ $# -gt 0 ]; do
    case $1 in --domain) domain=$2;; --webroot-path) [ -d "$2" ] || exit 1;; esac
    shift
done
mkdir -p {root}/etc/letsencrypt/live/$domain
cd {root}/etc/letsencrypt/live/$domain
exec openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=$domain -keyout privkey.pem -out fullchain.pem
"""
# Ports of root's, and IPv6, need not be there.
NGINX = r"""
cd {root}/etc/nginx/sites-enabled
sed -i 's#/etc/letsencrypt#{root}&#; /listen \[::\]/d; s/listen \(80\|443\)/listen 8\1/' *
PATH=${{PATH#*:}} exec nginx -c {root}/nginx.conf "$@"
"""
# Debian's own configuration includes what is enabled; no place of the machine is written to.
NGINX_CONF = """
pid {root}/pid;
error_log {root}/error.log;
events {{}}
http {{ access_log off; {folders} include {root}/etc/nginx/sites-enabled/*; }}
"""


@pytest.mark.parametrize("proxy", ["caddy", "nginx"])
def test_the_page_sets_up_a_proxy_from_nothing(proxy: str, tmp_path: Path) -> None:
    for program in (proxy, "openssl"):
        if shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin") is None:
            pytest.skip(f"{program} is not installed")
    programs = _make_stand_ins(tmp_path)
    env = {"PATH": f"{programs}:{os.environ['PATH']}:/usr/sbin", "HOME": str(tmp_path)}
    lines = _read_block(f"apt install {proxy}")
    assert any(f"{proxy} validate" in line or f"{proxy} -t" in line for line in lines), "the page checks it"
    for line in lines:
        here = re.sub(r"(?<=[ >])/(?=etc/|var/)", f"{tmp_path}/", line)
        here = here.replace("/srv/carcassonne", str(ROOT))
        done = subprocess.run(["bash", "-c", here], env=env, capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
    kept = {"caddy": "etc/caddy/Caddyfile", "nginx": "etc/nginx/sites-enabled/carcassonne"}[proxy]
    written = (tmp_path / kept).read_text()
    assert "your.name" in written and "carcassonne.example" not in written


def _read_block(first: str) -> list[str]:
    """Return the commands of the page from the line that begins with *first* to the end of its block."""
    page = (ROOT / "docs" / "deployment.md").read_text()
    (block,) = [block for block in page.split("\n\n") if block.startswith(f"    {first}")]
    return [line.strip() for line in block.splitlines()]


def _make_stand_ins(root: Path) -> Path:
    """Write the stand-ins, and an nginx that reads the machine's configuration below *root*."""
    folders = " ".join(
        f"{kind}_temp_path {root}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (root / "nginx.conf").write_text(NGINX_CONF.format(root=root, folders=folders))
    programs = root / "bin"
    programs.mkdir()
    for name, script in {"apt": APT, "certbot": CERTBOT, "nginx": NGINX, "systemctl": ""}.items():
        (programs / name).write_text(f"#!/bin/bash\n{script.format(root=root)}\n")
        (programs / name).chmod(0o755)
    return programs
