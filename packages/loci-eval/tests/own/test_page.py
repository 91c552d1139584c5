"""The page of an evaluation: whole, self-contained, and nothing in it is obeyed."""

import json
import os
import re
import stat
from html.parser import HTMLParser
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from loci.core import Memory
from loci.eval import report_page, write_report
from loci.eval._command import command
from loci.eval.own.page import LONGEST, MISSES_SHOWN, ReportError

SLY = "</script><script>alert(1)</script><!-- \u2028 & \" '"


COUNTS = ("questions", "right", "answered", "passages", "drawn_to_it")


def share(successes, n):
    return {"successes": successes, "n": n, "share": successes / n, "low": 0.5, "high": 0.9}


EVALUATION = {
    "corpus": {"scopes": 2, "passages": 1234, "questions": 60},
    "seed": 0,
    "seconds": 1.5,
    "families": [
        {
            "name": "commit_subjects",
            "title": SLY,
            "group": "answerable",
            "measure": "right project first",
            **share(24, 30),
            "by_scope": [0.6, 0.9],
            "answered": share(20, 30),
            "right_if_answered": share(19, 20),
            "baselines": {"merged-bm25": share(21, 30), "prominence": share(15, 30)},
            "role": "estimate",
            "shows": SLY,
            "shows_not": "",
        }
    ],
    "estimate": {"top1": 0.8, "low": 0.7, "high": 0.9, "n": 30, "rule": "", "from": []},
    "risk_coverage": {"answerable": [{"coverage": 0.5, "answered": 15, "accuracy": 1.0}], "mix": []},
    "operating": {
        "threshold": 0.68,
        "answered": share(20, 30),
        "wrong_if_answered": share(1, 20),
        "unanswerable_share": 0.15,
    },
    "confusion": [{"right": SLY, "got": "search", "n": 4}],
    "scopes": [
        {
            "id": SLY,
            "name": SLY,
            "questions": 15,
            "right": 10,
            "answered": 9,
            "passages": 600,
            "drawn_to_it": 0,
            "advice": SLY,
        },
        {
            "id": "search",
            "name": "search",
            "questions": 15,
            "right": 14,
            "answered": 11,
            "passages": 634,
            "drawn_to_it": 4,
        },
    ],
    "retrieval": [
        {"name": "r", "title": "Docstrings", "n": 30, "@1": share(10, 30), "@3": share(20, 30), "@10": share(27, 30)}
    ],
    "misses": [
        {
            "family": "f",
            "question": SLY,
            "right": SLY,
            "got": None,
            "confidence": float("nan"),
            "answered": False,
            "reason": "gate",
            "detail": SLY,
        }
    ],
    "advice": [SLY],
    "calibration": None,
}


class Elements(HTMLParser):
    """Start tags with their attributes, and the text of every script."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.scripts, self._script = [], [], False
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._script = tag == "script"
        if self._script:
            self.scripts.append("")

    def handle_data(self, data):
        if self._script:
            self.scripts[-1] += data

    def handle_endtag(self, tag):
        self._script = False


def data_of(page):
    return json.loads(Elements(page).scripts[0])


def test_nothing_from_a_repository_is_markup():
    page = report_page(EVALUATION)
    elements = Elements(page)
    assert [tag for tag, _ in elements.tags].count("script") == 2
    assert "alert(1)</script>" not in page
    # What the page was given it still has, character by character.
    assert data_of(page)["scopes"][0]["name"] == SLY
    assert data_of(page)["advice"] == [SLY]
    # It reaches the page as text only: the script has no way to make markup of it.
    assert (
        re.findall(r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\(|Function\(", elements.scripts[1]) == []
    )


def test_the_page_loads_nothing():
    page = report_page(EVALUATION)
    attributes = [(tag, key) for tag, found in Elements(page).tags for key in found if key in ("src", "href", "srcset")]
    assert attributes == []
    assert "default-src 'none'" in page
    assert re.findall(r"https?://(?!www\.w3\.org/2000/svg)", page) == []
    assert "@import" not in page and "url(" not in page


def test_what_no_browser_reads_is_left_out():
    data = data_of(report_page(EVALUATION))
    assert data["misses"][0]["confidence"] is None
    lone = {**EVALUATION, "advice": ["\ud800", "x" * 1000]}
    page = report_page(lone)
    page.encode("utf-8")
    assert data_of(page)["advice"] == ["\ud800", "x" * (LONGEST - 1) + "…"]


def test_misses_are_bounded_and_counted():
    many = {**EVALUATION, "misses": [EVALUATION["misses"][0]] * (MISSES_SHOWN + 7)}
    data = data_of(report_page(many))
    assert (len(data["misses"]), data["all_misses"]) == (MISSES_SHOWN, MISSES_SHOWN + 7)


def test_a_part_of_an_evaluation_is_a_page_too():
    for key in EVALUATION:
        page = report_page({name: value for name, value in EVALUATION.items() if name != key})
        assert key not in data_of(page) or key == "misses"
    assert data_of(report_page({}))["misses"] == []


def test_every_place_that_the_script_fills_is_in_the_page():
    page = report_page(EVALUATION)
    ids = {found["id"] for _, found in Elements(page).tags if "id" in found}
    named = set(re.findall(r"""(?:at|show)\("#([\w-]+)"\)""", Elements(page).scripts[1]))
    assert named and named <= ids


def test_it_is_replaced_whole(tmp_path):
    path = tmp_path / "report.html"
    path.write_text("old", encoding="utf-8")
    write_report(EVALUATION, path)
    text = path.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>") and text.endswith("</html>\n")
    assert [each.name for each in tmp_path.iterdir()] == ["report.html"]
    if os.name != "nt":
        mask = os.umask(0)
        os.umask(mask)
        assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~mask


def test_a_folder_that_is_not_there_is_said(tmp_path):
    with pytest.raises(ReportError, match="cannot write the report"):
        write_report(EVALUATION, tmp_path / "nowhere" / "report.html")


# The command


@pytest.fixture(scope="module")
def home(tmp_path_factory, make_repository):
    root = tmp_path_factory.mktemp("html")
    memory = Memory.open(root / "home")
    subjects = {
        "billing": ["Reverse the charge when an invoice is refunded", "Send the invoice on renewal of a subscription"],
        "search": ["Obey robots rules before the crawler fetches pages", "Rank documents by the proximity of terms"],
    }
    for name, messages in subjects.items():
        text = f"# {name}\n\n" + "\n\n".join(f"## Part {n}\n\n{message}." for n, message in enumerate(messages))
        memory.add(make_repository(root / "work" / name, {"README.md": text}, *messages))
    memory.index()
    return root / "home"


def run(home, *arguments):
    return CliRunner().invoke(command, list(map(str, arguments)), obj=SimpleNamespace(home=str(home)))


def test_the_command_writes_the_page_of_what_it_measured(home, tmp_path):
    done = run(home, "--json", "--report", tmp_path / "out.html")
    assert done.exit_code == 0, done.output
    measured, drawn = json.loads(done.stdout), data_of((tmp_path / "out.html").read_text(encoding="utf-8"))
    assert drawn["families"] == measured["families"]
    assert drawn["corpus"] == measured["corpus"]
    assert "the report is in" in done.stderr


def test_the_command_asks_questions_of_ones_own(home, tmp_path):
    path = tmp_path / "q.jsonl"
    line = {"id": "q", "family": "asked", "question": "when is an invoice refunded?", "scopes": ["billing"]}
    path.write_text(json.dumps(line), encoding="utf-8")
    done = run(home, "--questions", path)
    assert done.exit_code == 0, done.output
    assert "asked" in done.stdout
    # Rows about families that nobody asked would only be dashes.
    assert not any(row.startswith("base ") for row in done.stdout.splitlines())
    assert json.loads(run(home, "--questions", path, "--json").stdout)["outcomes"][0]["scopes"] == ["billing"]
    path.write_text(json.dumps({**line, "scopes": ["biling"]}), encoding="utf-8")
    refused = run(home, "--questions", path)
    assert refused.exit_code == 2
    assert "q.jsonl:1: q: no project is called 'biling' (did you mean billing?)" in refused.stderr


def test_options_that_do_not_go_together(home, tmp_path):
    (tmp_path / "q.jsonl").touch()
    done = run(home, "--questions", tmp_path / "q.jsonl", "--report", tmp_path / "out.html")
    assert (done.exit_code, (tmp_path / "out.html").exists()) == (2, False)
    assert "--misses and --report show the questions made of your projects" in done.stderr
    done = run(home, "--questions", tmp_path / "q.jsonl", "bench")
    assert "--questions before `bench` says nothing; put it behind" in done.stderr
