# Needs Python 3.11 and make; everything else is installed into .venv.
#
#   make run      the site on this machine (PORT=8001 make run for another port)
#   make test     the tests; DATABASE_URL and REDIS_URL name other services than the embedded ones
#   make slow     the tests that take long: whole games, killed workers, large leagues
#   make browser  the tests that drive a browser (needs Debian's chromium)
#   make check    linter, formatter, types, migrations (DATABASE_URL: of PostgreSQL), production settings
#   make leagues  plays large leagues of every format, with faults, and works each out again
#   make fuzz     asks what no honest browser asks, and sends replies that no mail program sends
#                 (REQUESTS=20000 REPLIES=10000 SEED=1 make fuzz for more, or for others)
#   make mail-game  two mail programs play a whole game, by SMTP alone (LOG=/some/folder keeps its mails)
#   make mail-kills  a thousand moves are mailed while the worker is killed every fifty (MOVES=100 for fewer)
#   make mutants  changes the program here and there, and says which changes no test notices
#   make audit    known holes in the packages that are installed (asks PyPI)
#   make lock     requirements.lock anew, from requirements.txt (asks PyPI)
#   make bench    the benchmarks
#   make bench-load     a site of its own under load by Locust, and while its parts are killed (needs Debian's
#                       postgresql and redis-server); LOAD="--games 300 --seconds 60" and
#                       FAULTS="--games 1000 --seconds 600" size them
#   make bench-browser  what a page costs a slow browser (needs Debian's chromium)
#   make messages collect the texts to translate (needs Debian's gettext)

PYTHON ?= $(shell command -v python3.11 || command -v python3)
PORT ?= 8000
WORKERS ?= auto
bin := .venv/bin

.PHONY: run test slow browser check leagues fuzz mail-game mail-kills audit lock mutants bench bench-load bench-browser messages clean
.DEFAULT_GOAL := help

.PHONY: help
help:
	@sed -n 's/^#   //p' Makefile

run: .venv/run
	@PORT=$(PORT) exec $(bin)/python manage.py serve

test: .venv/test
	@$(bin)/pytest -n $(WORKERS) -m "not browser and not slow" $(ARGS)

slow: .venv/dev
	@$(bin)/pytest -n $(WORKERS) -m "slow and not browser" $(ARGS)

browser: .venv/dev
	@# Some tests take minutes: whoever is done with its own takes from the others.
	@$(bin)/pytest -n $(WORKERS) --dist worksteal -m browser $(ARGS)

check: .venv/dev
	@$(bin)/ruff check .
	@$(bin)/ruff format --check .
	@$(bin)/mypy
	@$(bin)/python manage.py makemigrations --check --dry-run
	@$(bin)/python manage.py translations
	@# On SQLite a changed table is another table, which says nothing of PostgreSQL's locks.
	@case "$$DATABASE_URL" in postgres*) DJANGO_SETTINGS_MODULE=tests.migration_settings \
	    $(bin)/python -m django lintmigrations --project-root-path . --verbosity 1;; \
	    *) echo "Migrations not linted: DATABASE_URL names no PostgreSQL";; esac
	@. ./.ci/production.env && $(bin)/python manage.py check --deploy --fail-level WARNING

messages: .venv/dev
	@$(bin)/python manage.py translations --update

leagues: .venv/dev
	@$(bin)/python -m tests.leagues.large $(ARGS)

fuzz: .venv/test
	@REQUESTS=$${REQUESTS:-20000} REPLIES=$${REPLIES:-10000} $(bin)/pytest -s tests/fuzz $(ARGS)

mail-game: .venv/test
	@$(bin)/pytest -s -m slow tests/games/mail_in/test_mail_only_game.py $(ARGS)

mail-kills: .venv/test
	@MOVES=$${MOVES:-1000} $(bin)/pytest -s -m slow tests/games/notices/test_kills.py $(ARGS)

mutants: .venv/dev
	@$(bin)/python -m tests.mutants $(ARGS)

audit: .venv/audit/installed
	@$(bin)/python -m tests.audit

lock: .venv/audit/installed
	@.venv/audit/bin/python -m piptools compile --quiet --generate-hashes --allow-unsafe --strip-extras --no-header \
	    --no-annotate --no-emit-options --no-emit-index-url --no-emit-trusted-host --no-emit-find-links \
	    --output-file requirements.lock $(ARGS) requirements.txt
	@sed -i '/^#/d; 1i # The packages of requirements.txt and all that they need, each with the hashes of its files. Made by `make lock`.' \
	    requirements.lock

bench: .venv/run
	@$(bin)/python -m benchmarks $(ARGS)

bench-browser: .venv/dev
	@$(bin)/python -m benchmarks.browser

bench-load: .venv/dev
	@$(bin)/python -m benchmarks.load $(LOAD)
	@$(bin)/python -m benchmarks.load.faults $(FAULTS)

.venv/audit/installed: requirements-audit.txt | .venv/run
	@echo "Installing what asks for known holes"
	@$(bin)/python -m venv .venv/audit
	@.venv/audit/bin/python -m pip install --quiet --disable-pip-version-check --requirement requirements-audit.txt
	@touch $@

clean:
	rm -rf .venv

# Each file in .venv says that a list of packages is installed as it stands.
.venv/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "Python 3.11 or newer is needed; $(PYTHON) is older. Say which: make PYTHON=/path/to/python3.11 …"; exit 1; }
	@echo "Making the virtual environment .venv with $(PYTHON)"
	@$(PYTHON) -m venv .venv || { rm -rf .venv; \
	    echo "Python's venv module is incomplete. On Debian and Ubuntu: sudo apt install python3-venv"; exit 1; }
	@touch $@

.venv/run: requirements.txt | .venv/python
	@echo "Installing what the site needs (once; about 250 MB)"
	@$(bin)/python -m pip install --quiet --disable-pip-version-check --requirement requirements.txt
	@touch $@

.venv/test: requirements-test.txt requirements.txt | .venv/python
	@echo "Installing what the tests need"
	@$(bin)/python -m pip install --quiet --disable-pip-version-check --requirement requirements-test.txt
	@touch $@ .venv/run

.venv/dev: requirements-dev.txt requirements-test.txt requirements.txt | .venv/python
	@echo "Installing what the checks need"
	@$(bin)/python -m pip install --quiet --disable-pip-version-check --requirement requirements-dev.txt
	@touch $@ .venv/test .venv/run
