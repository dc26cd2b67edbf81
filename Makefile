# Needs Python 3.11 and make; everything else is installed into .venv.
#
#   make run      the site on this machine (PORT=8001 make run for another port)
#   make test     the tests; DATABASE_URL and REDIS_URL name other services than the embedded ones
#   make slow     the tests that take long: whole games, killed workers, large leagues
#   make browser  the tests that drive a browser (needs Debian's chromium)
#   make check    linter, formatter, types, migrations (DATABASE_URL: of PostgreSQL), production settings
#   make leagues  simulates large leagues of every format, with faults, and recomputes their results
#   make fuzz     fuzz tests: hostile requests, and mutated replies by mail
#                 (REQUESTS=20000 REPLIES=10000 SEED=1 make fuzz for other numbers)
#   make mail-game  two mail clients play a whole game by SMTP (LOG=/some/folder keeps its mails)
#   make mail-kills  sends the mails of a thousand moves; the worker is killed after every fifty (MOVES=100 for fewer)
#   make golden   stores a snapshot of every page and mail, or compares with one, to verify a refactoring
#                 (ARGS="--out after.json.gz --against before.json.gz")
#   make mutants  mutation tests: lists mutants that no test detects
#   make audit    known vulnerabilities in the installed packages (asks PyPI)
#   make lock     updates requirements.lock from requirements.txt (asks PyPI)
#   make bench    the benchmarks
#   make bench-load     load test by Locust, while parts of the site are killed (needs Debian's postgresql
#                       and redis-server); FAULTS="--games 1000 --seconds 600" sizes it
#   make messages collect the texts to translate (needs Debian's gettext)

PYTHON ?= $(shell command -v python3.11 || command -v python3)
PORT ?= 8000
WORKERS ?= auto
bin := .venv/bin

.PHONY: run test slow browser check leagues fuzz mail-game mail-kills golden audit lock mutants bench bench-load messages clean
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
	@# Some tests take minutes, so idle workers take tests from busy ones.
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
	@$(bin)/pytest -s -m slow tests/games/mail_in/test_whole_game.py $(ARGS)

mail-kills: .venv/test
	@MOVES=$${MOVES:-1000} $(bin)/pytest -s -m slow tests/games/notices/test_delivery_killed_workers.py $(ARGS)

golden: .venv/dev
	@PYTHONHASHSEED=0 $(bin)/python -m tests.golden $(ARGS)

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

bench-load: .venv/dev
	@$(bin)/python -m benchmarks.load.faults $(FAULTS)

.venv/audit/installed: requirements-audit.txt | .venv/run
	@echo "Installing the vulnerability scanner"
	@$(bin)/python -m venv .venv/audit
	@.venv/audit/bin/python -m pip install --quiet --disable-pip-version-check --requirement requirements-audit.txt
	@touch $@

clean:
	rm -rf .venv

# The timestamp of each file in .venv shows that a list of packages is installed.
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
