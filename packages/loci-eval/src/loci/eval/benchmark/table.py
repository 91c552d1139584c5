"""The figures of a run as text: sections of aligned columns, shares in percent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

from .summary import COVERAGES, DEPTHS

__all__ = ["one_line", "render", "table"]

Json = dict[str, Any]


def render(summary: Json) -> str:
    """The figures as text: sections of aligned columns, shares in percent."""
    systems: dict[str, Json] = summary["systems"]
    sections = [_render_head(summary)]
    if not systems:
        return sections[0]
    sections += [
        _render_routing(systems),
        _render_sets(systems),
        _render_places(summary["places"]),
        _render_gate(summary["gate"]),
        _render_abstention(systems),
        _render_matched(systems),
        _render_curves(systems),
        _render_retrieval(systems),
        _render_timings(summary),
    ]
    return "\n\n".join(section for section in sections if section) + "\n"


def _render_head(summary: Json) -> str:
    count = summary["questions"]
    lines = [f"{count} question{'' if count == 1 else 's'}, seed {summary['seed']}; shares in %, [95 % interval]"]
    corpus = summary.get("corpus")
    if corpus:
        lines.append(f"corpus: {corpus['scopes']} scopes")
        if corpus.get("missing"):
            lines.append(
                f"MISSING, with {corpus['questions_left_out']} questions: {', '.join(corpus['missing'])}; "
                "figures of fewer scopes do not compare with those of all"
            )
        if corpus.get("not_as_pinned"):
            lines.append(f"not at the pinned commit, so figures do not compare: {', '.join(corpus['not_as_pinned'])}")
    index = summary.get("index")
    if index:
        parts = [f"index: {'built' if index['cold'] else 'brought up to date'} in {index['seconds']:.1f} s"]
        if index["peak_rss_bytes"] is not None:
            parts.append(f"peak memory {index['peak_rss_bytes'] / 1e6:.0f} MB")
        parts.append(f"{index['store_bytes'] / 1e6:.0f} MB on disk")
        lines.append(", ".join(parts))
        vectors = index.get("vectors")
        if vectors:
            how = (
                "of what each question's words find, nothing ahead"
                if vectors["candidates_only"]
                else f"{vectors['embedded']:,} made in {vectors['seconds']:.1f} s, {vectors['bytes'] / 1e6:.0f} MB"
            )
            lines.append(f"vectors: {vectors['model']}, {how}")
    return "\n".join(lines)


def _render_routing(systems: dict[str, Json]) -> str:
    blocks = []
    for name, system in systems.items():
        rows = [
            [
                "routing, no directory: " + name,
                "n",
                "first",
                "[by scope]",
                "best ranked",
                "[by scope]",
                "in first 3",
                "answered",
                "right if answered",
            ]
        ]
        for family, row in system["routing"].items():
            if not row["n"]:
                continue  # a file of one's own need not have base families
            label = f"base without {', '.join(system['excluded'])}" if family == "base without" else family
            rows.append(
                [
                    label,
                    str(row["n"]),
                    _percent(row["first"]),
                    _interval(row["first"]["by_scope"]),
                    _percent(row["best_ranked"]),
                    _interval(row["best_ranked"]["by_scope"]),
                    _percent(row["in_first_three"]),
                    _percent(row["answered"]),
                    _percent(row["right_if_answered"], interval=True),
                ]
            )
        mix = system["mix"]
        rows.append(
            [
                "all questions as mixed",
                str(mix["n"]),
                *[""] * 5,
                _percent(mix["answered"]),
                _percent(mix["right_if_answered"], interval=True),
            ]
        )
        blocks.append(table(rows))
    return "\n\n".join(blocks) + (
        "\nfirst: it answered, and the first selected scope is right."
        "\nbest ranked: the same, with an abstention counted by its best candidate."
    )


def _render_sets(systems: dict[str, Json]) -> str:
    rows = [
        [
            "sets: every right scope selected",
            "n",
            "recall",
            "if answered",
            "precision if answered",
            "all selected",
            "exactly",
        ]
    ]
    for name, system in systems.items():
        for family, row in system["sets"].items():
            rows.append(
                [
                    f"{family}: {name}",
                    str(row["n"]),
                    _number(row["recall"]),
                    _number(row["recall_if_answered"]),
                    _number(row["precision_if_answered"]),
                    _percent(row["all_selected"]),
                    _percent(row["exactly"]),
                ]
            )
    return table(rows) if len(rows) > 1 else ""


def _render_places(places: Json) -> str:
    right, wrong, here = places["right_place"], places["wrong_place"], places["deictic_with_directory"]
    rows = [["asked from a directory", "n", "first", "among selected"]]
    if right["n"]:
        rows.append(
            [
                "right place: base, from its own scope",
                str(right["n"]),
                _percent(right["first"]),
                _percent(right["selected"]),
            ]
        )
    if wrong["n"]:
        rows.append(
            [
                "wrong place: base, from another scope",
                str(wrong["n"]),
                _percent(wrong["first"]),
                _percent(wrong["selected"]),
            ]
        )
    if here["n"]:
        rows.append(
            [
                "deictic: answers from the directory",
                str(here["n"]),
                _percent(here["first"]),
                f"only it: {_percent(here['only'])}",
            ]
        )
    return table(rows) if len(rows) > 1 else ""


def _render_gate(gate: Json) -> str:
    if not gate["n"]:
        return ""
    return table(
        [
            ["gate, base", "n", "elsewhere: says nothing", "right scope @10", "with the gate", "lost"],
            [
                "put to another scope, and to the right one",
                str(gate["n"]),
                _percent(gate["elsewhere_silent"], interval=True),
                _percent(gate["right_ungated"]),
                _percent(gate["right_gated"]),
                _percent(gate["lost"], interval=True),
            ],
        ]
    )


def _render_abstention(systems: dict[str, Json]) -> str:
    rows = [["must abstain", "n", *(f"{name}" for name in systems)]]

    def add(label: str, pick: Callable[[Json], Json | None]) -> None:
        shares = [pick(system["abstention"]) for system in systems.values()]
        n = next((str(share["n"]) for share in shares if share is not None), "")
        rows.append([label, n, *("-" if share is None else _percent(share, interval=True) for share in shares)])

    any_system = next(iter(systems.values()))["abstention"]
    for family, row in any_system["families"].items():
        add(f"{family}: abstains", lambda a, f=family: a["families"][f]["abstains"])
        if "invented" in row:
            add(
                "  or, for invented features, finds nothing",
                lambda a, f=family: a["families"][f]["invented_may_find_nothing"],
            )
            add("  without invented features", lambda a, f=family: a["families"][f]["without_invented"]["abstains"])
            add("  invented features alone: abstains", lambda a, f=family: a["families"][f]["invented"]["abstains"])
            add(
                "  invented features alone: or finds nothing",
                lambda a, f=family: a["families"][f]["invented"]["abstains_or_finds_nothing"],
            )
        for kind in row.get("kinds", {}):
            if not kind.startswith("invented"):
                add(f"  {kind}", lambda a, f=family, k=kind: a["families"][f]["kinds"][k]["abstains"])
    for group in any_system["wrongly"]:
        add(f"wrongly abstains: {group}", lambda a, g=group: a["wrongly"][g]["abstains"])
    return table(rows) if len(rows) > 1 else ""


def _render_matched(systems: dict[str, Json]) -> str:
    first, *others = systems
    header = ["n", "AUROC", "of length", "answered", "abstained"]
    rows = [
        [
            f"abstention at equal length: {first}",
            *header,
            *(f"| matched {header[0]}", *header[1:]),
            *(f"| AUROC {name}" for name in others),
        ]
    ]
    for number, row in enumerate(systems[first]["matched"]):
        matched = row["matched"]
        rows.append(
            [
                f"{row['answerable']} / {row['refused']}",
                f"{row['n'][0]}/{row['n'][1]}",
                _decimal(row["auroc"]),
                _decimal(row["auroc_words"]),
                _number(row["answered"]),
                _number(row["abstained"]),
                f"| {matched['n']}",
                _decimal(matched["auroc"]),
                _decimal(matched["auroc_words"]),
                _number(matched["answered"]),
                _number(matched["abstained"]),
                *(f"| {_decimal(systems[name]['matched'][number]['matched']['auroc'])}" for name in others),
            ]
        )
    if len(rows) == 1:
        return ""
    lacking = "" if find_spec("sklearn") is not None else "\nAUROC needs scikit-learn: pip install 'loci-mem[eval]'"
    return table(rows) + (
        f"{lacking}\nAUROC: how well the confidence tells questions to answer from ones to refuse."
        "\nof length: how well the bare number of content words does."
        "\nmatched: both sides have the same number of content words, n questions of each; the baselines so as well."
    )


def _render_curves(systems: dict[str, Json]) -> str:
    rows = [["right among the most confident", *(f"{coverage:.0%}" for coverage in COVERAGES)]]
    for name, system in systems.items():
        for group, points in system["risk_coverage"].items():
            if points:
                rows.append([f"{name}: {group}", *(_number(point["accuracy"]) for point in points)])
    return table(rows) if len(rows) > 1 else ""


def _render_retrieval(systems: dict[str, Json]) -> str:
    blocks = []
    for setting, title in (("scope_given", "evidence, scope given"), ("end_to_end", "evidence, nothing given")):
        rows = [[title, "n", *(f"list @{k}" for k in DEPTHS), *(f"two lanes @{k}" for k in DEPTHS)]]
        for name, system in systems.items():
            for family, row in system.get("retrieval", {}).get(setting, {}).items():
                if not row["n"]:
                    continue
                label = f"base without {', '.join(system['excluded'])}" if family == "base without" else family
                rows.append(
                    [
                        f"{name}: {label}",
                        str(row["n"]),
                        *(_percent(row["list"][f"@{k}"]) for k in DEPTHS),
                        *(_percent(row["two_lanes"][f"@{k}"]) for k in DEPTHS),
                    ]
                )
        if len(rows) > 1:
            blocks.append(table(rows))
    if not blocks:
        return ""
    return "\n\n".join(blocks) + (
        "\nlist: rank in the one list as shown."
        "\ntwo lanes: in the first k files or the first k commits, so up to 2k sources."
    )


def _render_timings(summary: Json) -> str:
    rows = [["time", "n", "median ms", "p95 ms", "max ms"]]
    for name, row in summary["timings"].items():
        if row:
            rows.append(
                [
                    name.replace("_", " "),
                    str(row["n"]),
                    *(f"{row[key]:.1f}" for key in ("median_ms", "p95_ms", "max_ms")),
                ]
            )
    return table(rows) if len(rows) > 1 else ""


def _percent(figure: Json, *, interval: bool = False) -> str:
    if figure["share"] is None:
        return "-"
    text = f"{100 * figure['share']:.1f}"
    return f"{text} {_interval([figure['low'], figure['high']])}" if interval else text


def _interval(ends: Sequence[float] | None) -> str:
    return "" if ends is None else f"[{100 * ends[0]:.0f}-{100 * ends[1]:.0f}]"


def _number(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f}"


def _decimal(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def table(rows: Sequence[Sequence[str]]) -> str:
    """Aligned columns under a ruled header; the first column to the left, all others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for number, row in enumerate(rows):
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        lines.append("  ".join(cells).rstrip())
        if number == 0:
            lines.append("-" * len(lines[0]))
    return "\n".join(lines)


def one_line(text: str, longest: int = 100) -> str:
    """A question or a name on one line of a terminal: nothing in it is obeyed, and what is too long is cut."""
    text = " ".join("".join(character if character.isprintable() else " " for character in text).split())
    return text if len(text) <= longest else text[: longest - 1] + "…"
