"""A picture of all projects as one HTML file: no network, no library, nothing that comes from a repository as markup.

The page holds its data as JSON, in which every `<` is escaped, and builds what it shows with `textContent` and
attributes: a project may be called anything.
"""

from __future__ import annotations

import json
import time
from collections import defaultdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from loci.core._memory import ScopeStatus
    from loci.core._uses import Uses

LONGEST = 200  # Characters of a name or a path that are shown.


def map_page(scopes: Sequence[ScopeStatus], table: Uses | None) -> str:
    """The whole page. `table`: who uses whom; None when it was never collected, which the page says."""
    data = json.dumps(_data(scopes, table), ensure_ascii=False, separators=(",", ":"))
    # What ends a script element, begins a comment in it, or is a line end to JavaScript alone.
    for character in "<>&\u2028\u2029":
        data = data.replace(character, f"\\u{ord(character):04x}")
    data = "".join(f"\\u{ord(c):04x}" if "\ud800" <= c <= "\udfff" else c for c in data)
    return _PAGE.replace("/*STYLE*/", _STYLE).replace("/*SCRIPT*/", _SCRIPT).replace("/*DATA*/", data)


def _data(scopes: Sequence[ScopeStatus], table: Uses | None) -> dict[str, Any]:
    listed = [
        {
            "id": _short(scope.id),
            "name": _short(scope.name),
            "path": _short(str(scope.path)),
            "groups": [_short(group) for group in scope.groups],
            "state": _state(scope),
            "bytes": scope.bytes,
            "passages": sum(scope.counts.get("passages", {}).values()),
            "commits": scope.counts.get("passages", {}).get("commit", 0),
            "listed": scope.counts.get("listed", 0),
            "read": scope.counts.get("read", 0),
            "skipped": scope.counts.get("skipped", {}),
        }
        for scope in scopes
    ]
    place = {scope.id: position for position, scope in enumerate(scopes)}
    mentions: dict[tuple[int, int], list[str]] = defaultdict(list)
    direct: set[tuple[int, int]] = set()
    for use in table.uses if table is not None else ():
        if use.user not in place or use.used not in place:
            continue
        pair = (place[use.user], place[use.used])
        where = f"{use.places[0][0]}:{use.places[0][1]}" if use.places else ""
        what = "only locked" if use.indirect else use.kind
        mentions[pair].append(_short(f"{where}  {what} {use.name}"))
        if not use.indirect:
            direct.add(pair)
    uses = [
        {"user": user, "used": used, "direct": (user, used) in direct, "places": places[:6], "more": len(places[6:])}
        for (user, used), places in sorted(mentions.items())
    ]
    return {
        "made": time.strftime("%Y-%m-%d %H:%M"),
        "scopes": listed,
        "uses": uses,
        "gaps": ["who uses whom was not collected: loci uses"] if table is None else table.gaps(),
    }


def _state(scope: ScopeStatus) -> str:
    if scope.state == "indexed":
        return "up to date" if scope.commit == scope.head else "behind"
    return scope.state.replace("_", " ")


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>loci map</title>
<style>/*STYLE*/</style>
</head>
<body>
<header>
<h1>Projects</h1><p id="summary"></p>
<label>Find <input id="find" type="search" autocomplete="off"></label>
<label>Group <select id="group"></select></label>
<label class="check"><input id="indirect" type="checkbox"> only locked</label>
</header>
<main>
<svg id="picture" role="img" aria-label="Projects and which of them uses which"></svg>
<aside id="details" aria-live="polite"></aside>
</main>
<section><table id="table"><thead></thead><tbody></tbody></table></section>
<footer id="gaps"></footer>
<script id="data" type="application/json">/*DATA*/</script>
<script>/*SCRIPT*/</script>
</body>
</html>
"""

_STYLE = """
:root { color-scheme: light dark; --page: #fbfbf9; --ink: #1f2328; --quiet: #646b74; --line: #d9dad5; --card: #fff;
  --node: #3567a8; --behind: #b26a00; --none: #9aa0a8; --lost: #b3362b; --use: #7d8894; --strong: #14181d; --mark: #d4562a; }
@media (prefers-color-scheme: dark) { :root { --page: #15181c; --ink: #dfe3e8; --quiet: #949ca6; --line: #30363d;
  --card: #1c2127; --node: #6ea3e8; --behind: #e0a13c; --none: #666e78; --lost: #ee7d72; --use: #69747f; --strong: #fff;
  --mark: #ff8a5c; } }
* { box-sizing: border-box; }
body { margin: 0; font: 14px/1.45 system-ui, sans-serif; background: var(--page); color: var(--ink); }
header { display: flex; flex-wrap: wrap; gap: 6px 20px; align-items: baseline; padding: 14px 20px 10px;
  border-bottom: 1px solid var(--line); }
h1 { font-size: 18px; margin: 0; } #summary { margin: 0; color: var(--quiet); flex: 1 1 260px; }
label { color: var(--quiet); } input[type=search], select { font: inherit; color: var(--ink); background: var(--card);
  border: 1px solid var(--line); border-radius: 5px; padding: 3px 7px; max-width: 220px; }
main { display: grid; grid-template-columns: minmax(0, 1fr) 320px; min-height: 420px; }
#picture { width: 100%; height: 560px; display: block; }
#details { border-left: 1px solid var(--line); padding: 14px 18px; overflow: auto; }
#details h2 { font-size: 16px; margin: 0 0 4px; overflow-wrap: anywhere; } #details h3 { font-size: 13px; margin: 14px 0 4px;
  color: var(--quiet); } #details p { margin: 2px 0; overflow-wrap: anywhere; }
#details .place { font: 12px/1.5 ui-monospace, monospace; color: var(--quiet); }
.node circle { stroke: var(--page); stroke-width: 1.5; cursor: pointer; }
.node text { fill: var(--ink); paint-order: stroke; stroke: var(--page); stroke-width: 3px; stroke-linejoin: round;
  pointer-events: none; }
.use { fill: none; stroke: var(--use); stroke-opacity: .75; } .use.locked { stroke-dasharray: 3 3; }
.hit { fill: none; stroke: transparent; stroke-width: 9px; cursor: help; }
.far { opacity: .12; } .use.near { stroke: var(--mark); stroke-opacity: 1; } .node.chosen circle { stroke: var(--strong);
  stroke-width: 2.5; } .node.hidden text { display: none; } .node.near text, .node:hover text,
  .node:focus text { display: block; }
.up circle { fill: var(--node); } .behind circle { fill: var(--behind); } .not circle { fill: var(--none); }
.lost circle { fill: var(--lost); } #arrow path { fill: context-stroke; }

.head { fill: var(--quiet); font-weight: 600; }
section { padding: 0 20px 10px; overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 4px 10px 4px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--quiet); font-weight: 600; white-space: nowrap; cursor: pointer; } th.n, td.n { text-align: right;
  font-variant-numeric: tabular-nums; } td { max-width: 380px; overflow-wrap: anywhere; } tbody tr { cursor: pointer; }
tbody tr:hover { background: var(--card); } .bar { display: inline-block; width: 60px; height: 7px; border-radius: 4px;
  background: var(--line); overflow: hidden; vertical-align: middle; margin-left: 7px; } .bar i { display: block; height: 100%;
  background: var(--node); } footer { padding: 6px 20px 24px; color: var(--quiet); } footer p { margin: 3px 0; }
@media (max-width: 860px) { main { grid-template-columns: 1fr; } #details { border-left: 0; border-top: 1px solid var(--line);
 } }
"""

_SCRIPT = r"""
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const scopes = data.scopes, uses = data.uses, count = scopes.length;
const SVG = "http://www.w3.org/2000/svg";
const byId = (id) => document.getElementById(id);
const make = (name, attributes, text, svg) => {
  const element = svg ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const key in attributes || {}) element.setAttribute(key, attributes[key]);
  if (text !== undefined) element.textContent = text;
  return element;
};
const number = (n) => n.toLocaleString("en");
const size = (n) => n >= 1e7 ? Math.round(n / 1e6) + " MB" : n >= 1e6 ? (n / 1e6).toFixed(1) + " MB" : Math.ceil(n / 1e3) + " kB";
const kind = (scope) => ({"up to date": "up", "behind": "behind", "not indexed": "not"})[scope.state] || "lost";
const degree = scopes.map(() => 0);
uses.forEach((use) => { if (use.direct) { degree[use.user]++; degree[use.used]++; } });

// Where each stands, in pixels of a picture at full width: those that use each other are drawn together, all others keep
// away. The same data gives the same picture.
const many = count > 80, most = Math.max(1, ...scopes.map((scope) => scope.passages));
const radius = scopes.map((scope) => (many ? 4 : 7) + (many ? 11 : 17) * Math.sqrt(scope.passages / most));
const linked = scopes.map((_, i) => i).filter((i) => degree[i]), alone = scopes.map((_, i) => i).filter((i) => !degree[i]);
const x = new Float64Array(count), y = new Float64Array(count);
const springs = uses.filter((use) => use.direct), want = 100;
function layout() {
  const n = linked.length, wide = Math.min(980, 190 * Math.sqrt(n)), high = Math.min(many ? 780 : 520, 110 * Math.sqrt(n));
  linked.forEach((i, at) => {
    const angle = at * 2.399963, distance = want * 0.8 * Math.sqrt(at + 0.5);
    x[i] = distance * Math.cos(angle); y[i] = distance * Math.sin(angle);
  });
  const rounds = n > 200 ? 240 : 420;
  for (let round = 0; round < rounds; round++) {
    const dx = new Float64Array(count), dy = new Float64Array(count), step = want * 0.6 * (1 - round / rounds) + 0.5;
    for (let a = 0; a < n; a++) for (let b = a + 1; b < n; b++) {
      const i = linked[a], j = linked[b], ex = x[i] - x[j], ey = y[i] - y[j];
      const force = want * want / Math.max(ex * ex + ey * ey, 1);
      dx[i] += ex * force; dy[i] += ey * force; dx[j] -= ex * force; dy[j] -= ey * force;
    }
    springs.forEach((use) => {
      const i = use.user, j = use.used, ex = x[i] - x[j], ey = y[i] - y[j];
      const force = Math.hypot(ex, ey) / want / (1 + 0.25 * Math.min(degree[i], degree[j]));
      dx[i] -= ex * force; dy[i] -= ey * force; dx[j] += ex * force; dy[j] += ey * force;
    });
    for (const i of linked) {
      dx[i] -= x[i] * 0.6; dy[i] -= y[i] * 0.6;
      const far = Math.hypot(dx[i], dy[i]) || 1, by = Math.min(far, step) / far;
      x[i] += dx[i] * by; y[i] += dy[i] * by;
    }
  }
  const stretch = (values, room) => {
    const its = linked.map((i) => values[i]), low = Math.min(...its), high = Math.max(...its);
    const by = high > low ? room / (high - low) : 1;
    for (const i of linked) values[i] = (values[i] - (low + high) / 2) * by;
  };
  if (n > 1) { stretch(x, wide); stretch(y, high); }
  // Nobody stands on another, nor on another's name.
  for (let round = 0; round < 80; round++) for (let a = 0; a < n; a++) for (let b = a + 1; b < n; b++) {
    const i = linked[a], j = linked[b], ex = x[i] - x[j], ey = (y[i] - y[j]) * (many ? 1 : 1.2), far = Math.hypot(ex, ey) || 1;
    const least = radius[i] + radius[j] + (many ? 9 : 34);
    if (far < least) { const by = (least - far) / 2 / far; x[i] += ex * by; y[i] += ey * by; x[j] -= ex * by; y[j] -= ey * by; }
  }
  // Those without any use stand in rows below, by name.
  const bottom = n ? Math.max(...linked.map((i) => y[i])) : 0, cell = many ? 98 : 120;
  const columns = Math.min(Math.max(1, Math.floor(980 / cell)), Math.max(1, alone.length)), start = -(columns - 1) * cell / 2;
  const top = n ? bottom + 105 : 0;
  alone.forEach((i, at) => { x[i] = start + at % columns * cell; y[i] = top + Math.floor(at / columns) * (many ? 46 : 66); });
  return n && alone.length ? [0, top - 42] : null;
}
const heading = layout();
const picture = byId("picture");
const edge = 50;
const lefts = Math.min(...x) - edge, rights = Math.max(...x) + edge, tops = Math.min(...y) - edge, bottoms = Math.max(...y) + edge;
const view = {x: lefts, y: tops, w: Math.max(rights - lefts, 1000), h: Math.max(bottoms - tops, 380)};
view.x -= (view.w - (rights - lefts)) / 2; view.y -= (view.h - (bottoms - tops)) / 2;
const show = () => picture.setAttribute("viewBox", [view.x, view.y, view.w, view.h].join(" "));
show();
picture.style.height = Math.round(Math.max(420, Math.min(view.h * (picture.clientWidth || 1000) / view.w, 1600))) + "px";
const definitions = make("defs", {}, undefined, true), arrow = make("marker", {id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4,
  markerWidth: 6, markerHeight: 6, orient: "auto-start-reverse"}, undefined, true);
arrow.append(make("path", {d: "M0 0L8 4L0 8z"}, undefined, true)); definitions.append(arrow); picture.append(definitions);
const lines = make("g", {}, undefined, true), nodes = make("g", {}, undefined, true); picture.append(lines, nodes);
const fontSize = many ? 10 : 12;
if (heading) picture.append(make("text", {class: "head", x: heading[0], y: heading[1], "text-anchor": "middle", "font-size": fontSize},
  "no use of another, or by another, was seen", true));
const cited = (use) => use.places.concat(use.more ? ["and " + use.more + " more"] : []);
const drawn = uses.map((use) => {
  const i = use.user, j = use.used, ex = x[j] - x[i], ey = y[j] - y[i], far = Math.hypot(ex, ey) || 1;
  const ux = ex / far, uy = ey / far, bend = Math.min(40, far * 0.12);
  const fromX = x[i] + ux * radius[i], fromY = y[i] + uy * radius[i], toX = x[j] - ux * (radius[j] + 3), toY = y[j] - uy * (radius[j] + 3);
  const middle = (fromX + toX) / 2 - uy * bend + " " + ((fromY + toY) / 2 + ux * bend);
  const d = "M" + fromX + " " + fromY + "Q" + middle + " " + toX + " " + toY;
  const line = make("path", {d, class: "use" + (use.direct ? "" : " locked"), "marker-end": "url(#arrow)", "stroke-width": many ? 1 : 1.4},
    undefined, true);
  const hit = make("path", {d, class: "hit"}, undefined, true);
  hit.append(make("title", {}, scopes[i].id + " uses " + scopes[j].id + "\n" + cited(use).join("\n"), true));
  hit.addEventListener("click", () => choose(i));
  lines.append(line, hit);
  return {use, line, hit};
});
// A name is drawn where it covers no other name and no project; the others appear under the pointer and when chosen.
const placed = scopes.map((_, i) => [x[i] - radius[i], y[i] - radius[i], x[i] + radius[i], y[i] + radius[i]]);
const order = scopes.map((_, i) => i).sort((a, b) => degree[b] - degree[a] || scopes[b].passages - scopes[a].passages);
const labelled = new Set();
for (const i of order) {
  const half = scopes[i].name.slice(0, 24).length * fontSize * 0.28, low = y[i] + radius[i] + 3;
  const box = [x[i] - half, low, x[i] + half, low + fontSize * 1.25];
  const free = placed.every((b) => box[2] < b[0] || b[2] < box[0] || box[3] < b[1] || b[3] < box[1]);
  if (free || count <= 12) { placed.push(box); labelled.add(i); }
}
const shown = scopes.map((scope, i) => {
  const node = make("g", {class: "node " + kind(scope) + (labelled.has(i) ? "" : " hidden"), tabindex: 0, role: "button"}, undefined, true);
  const circle = make("circle", {cx: x[i], cy: y[i], r: radius[i]}, undefined, true);
  circle.append(make("title", {}, scope.id + "\n" + scope.path + "\n" + number(scope.passages) + " passages, " + scope.state, true));
  const name = scope.name.length > 24 ? scope.name.slice(0, 23) + "…" : scope.name;
  node.append(circle, make("text", {x: x[i], y: y[i] + radius[i] + fontSize + 2, "text-anchor": "middle", "font-size": fontSize}, name, true));
  node.addEventListener("click", () => choose(chosen === i ? -1 : i));
  node.addEventListener("keydown", (event) => { if (event.key === "Enter") choose(i); });
  nodes.append(node);
  return node;
});
let chosen = -1;
function details() {
  const aside = byId("details"); aside.replaceChildren();
  const line = (text, name) => aside.append(make("p", name ? {class: name} : {}, text));
  if (chosen < 0) {
    aside.append(make("h2", {}, "Who uses whom"));
    line("Choose a project, here or in the table; hold the pointer over a line to see where a use is written.");
    const legend = [["up to date", "--node"], ["behind its repository", "--behind"], ["not indexed", "--none"], ["gone, moved or out of reach", "--lost"]];
    legend.forEach(([text, colour]) => {
      const p = make("p"); const dot = make("span", {style: "color:var(" + colour + ")"}, "● "); p.append(dot, document.createTextNode(text)); aside.append(p);
    });
    line("The larger, the more passages. A dashed line: only a lock file names it.");
    return;
  }
  const scope = scopes[chosen];
  aside.append(make("h2", {}, scope.name)); line(scope.path, "place");
  line(scope.state + ", " + number(scope.passages) + " passages (" + number(scope.commits) + " commits), " + size(scope.bytes));
  if (scope.groups.length) line("groups: " + scope.groups.join(", "));
  if (scope.listed) line(number(scope.read) + " of " + number(scope.listed) + " files read");
  const left = Object.entries(scope.skipped).sort((a, b) => b[1] - a[1]).map(([reason, n]) => number(n) + " " + reason);
  if (left.length) line("left out: " + left.join(", "));
  [["uses", "user", "used"], ["is used by", "used", "user"]].forEach(([title, own, other]) => {
    const its = uses.filter((use) => use[own] === chosen);
    if (its.length) aside.append(make("h3", {}, title));
    its.forEach((use) => { line(scopes[use[other]].id + (use.direct ? "" : " (only locked)")); cited(use).forEach((text) => line(text, "place")); });
  });
}
function refresh() {
  const find = byId("find").value.trim().toLowerCase(), group = byId("group").value, locked = byId("indirect").checked;
  const fits = scopes.map((scope) => (!find || (scope.id + " " + scope.name + " " + scope.path).toLowerCase().includes(find))
    && (!group || scope.groups.includes(group)));
  const near = new Set(chosen < 0 ? [] : [chosen]);
  drawn.forEach(({use, line, hit}) => {
    const visible = use.direct || locked, touches = use.user === chosen || use.used === chosen;
    line.style.display = hit.style.display = visible ? "" : "none";
    if (visible && touches) { near.add(use.user); near.add(use.used); }
    line.classList.toggle("near", touches);
    line.classList.toggle("far", chosen >= 0 ? !touches : !(fits[use.user] && fits[use.used]));
  });
  const filtered = find || group;
  shown.forEach((node, i) => {
    node.classList.toggle("far", chosen >= 0 ? !near.has(i) : !fits[i]);
    node.classList.toggle("near", chosen >= 0 ? near.has(i) : Boolean(filtered) && fits[i] && fits.filter(Boolean).length < 40);
    node.classList.toggle("chosen", i === chosen);
  });
  rows(fits); details();
}
function choose(i) { chosen = i; refresh(); }
const columns = [["Project", (s) => s.id], ["State", (s) => s.state], ["Passages", (s) => s.passages], ["Size", (s) => s.bytes],
  ["Files read", (s) => s.listed ? s.read / s.listed : 0], ["Uses", (s, i) => uses.filter((u) => u.user === i && u.direct).length],
  ["Used by", (s, i) => uses.filter((u) => u.used === i && u.direct).length], ["Groups", (s) => s.groups.join(", ")], ["Path", (s) => s.path]];
let sorted = 0, down = false;
const headRow = make("tr");
columns.forEach(([title], at) => {
  const cell = make("th", at > 1 && at < 7 ? {class: "n"} : {}, title);
  cell.addEventListener("click", () => { down = sorted === at ? !down : at > 1 && at < 7; sorted = at; refresh(); });
  headRow.append(cell);
});
byId("table").tHead.append(headRow);
function rows(fits) {
  const body = byId("table").tBodies[0]; body.replaceChildren();
  const value = columns[sorted][1];
  const list = scopes.map((scope, i) => [value(scope, i), i]).filter(([, i]) => fits[i]);
  list.sort(([a, i], [b, j]) => (a < b ? -1 : a > b ? 1 : i - j) * (down && a !== b ? -1 : 1));
  list.forEach(([, i]) => {
    const scope = scopes[i], row = make("tr"), own = columns.map(([, get]) => get(scope, i));
    const texts = [own[0], own[1], number(own[2]), scope.bytes ? size(own[3]) : "-", "", number(own[5]), number(own[6]), own[7], own[8]];
    texts.forEach((text, at) => {
      const cell = make("td", at > 1 && at < 7 ? {class: "n"} : {}, text);
      if (at === 4 && scope.listed) {
        cell.textContent = Math.round(own[4] * 100) + " %";
        const bar = make("span", {class: "bar"}), part = make("i"); part.style.width = own[4] * 100 + "%"; bar.append(part); cell.append(bar);
      }
      row.append(cell);
    });
    row.addEventListener("click", () => { choose(i); picture.scrollIntoView({block: "nearest"}); });
    body.append(row);
  });
}
const groups = [...new Set(scopes.flatMap((scope) => scope.groups))].sort();
byId("group").append(make("option", {value: ""}, "all"), ...groups.map((group) => make("option", {value: group}, group)));
["find", "group", "indirect"].forEach((id) => byId(id).addEventListener("input", () => { chosen = -1; refresh(); }));
document.addEventListener("keydown", (event) => { if (event.key === "Escape") choose(-1); });
picture.addEventListener("wheel", (event) => {
  if (!event.ctrlKey && !event.metaKey) return;
  event.preventDefault();
  const point = picture.createSVGPoint(); point.x = event.clientX; point.y = event.clientY;
  const at = point.matrixTransform(picture.getScreenCTM().inverse()), by = event.deltaY < 0 ? 0.85 : 1.18;
  view.x = at.x - (at.x - view.x) * by; view.y = at.y - (at.y - view.y) * by; view.w *= by; view.h *= by; show();
}, {passive: false});
let held = null;
picture.addEventListener("pointerdown", (event) => { if (event.target === picture) held = [event.clientX, event.clientY]; });
window.addEventListener("pointermove", (event) => {
  if (!held) return;
  const scale = 1 / picture.getScreenCTM().a;
  view.x -= (event.clientX - held[0]) * scale; view.y -= (event.clientY - held[1]) * scale; held = [event.clientX, event.clientY]; show();
});
window.addEventListener("pointerup", () => { held = null; });
const direct = uses.filter((use) => use.direct).length;
byId("summary").textContent = number(count) + (count === 1 ? " project, " : " projects, ")
  + number(scopes.reduce((sum, scope) => sum + scope.passages, 0)) + " passages, " + size(scopes.reduce((sum, scope) => sum + scope.bytes, 0))
  + "; " + number(direct) + (direct === 1 ? " uses another" : " pairs in which one uses another") + "; made " + data.made;
data.gaps.forEach((gap) => byId("gaps").append(make("p", {}, gap)));
refresh();
"""
