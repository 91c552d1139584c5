//! Sources that nobody would write by hand: nothing panics, nothing runs away, and what can be read is read.
#![allow(clippy::unwrap_used, reason = "a failing step of a test is a failing test")]

use std::time::{Duration, Instant};

use loci_graph::extract::{FileFacts, Limits, Outcome, extract};
use proptest::prelude::*;

const EXTENSIONS: [&str; 25] = [
    "py", "js", "ts", "tsx", "go", "rs", "c", "cpp", "java", "cs", "kt", "rb", "php", "swift", "scala", "ex", "lua",
    "sh", "zig", "sql", "html", "css", "vue", "y", "l",
];

fn opening(extension: &str) -> &'static str {
    match extension {
        "php" => "<?php ",
        "vue" => "<script>\n",
        "y" | "l" => "%%\n",
        _ => "",
    }
}

/// Every index points at a symbol, and every line exists.
fn consistent(facts: &FileFacts, text: &str) {
    let symbols = facts.symbols.len() as u32;
    let lines = text.bytes().filter(|byte| *byte == b'\n').count() as u32 + 1;
    for (index, symbol) in facts.symbols.iter().enumerate() {
        assert!(symbol.parent.is_none_or(|parent| parent < symbols && parent != index as u32), "{symbol:?}");
        assert!(
            1 <= symbol.lines.0 && symbol.lines.0 <= symbol.lines.1 && symbol.lines.1 <= lines,
            "{symbol:?} of {lines}"
        );
        assert!(symbol.name_line >= 1 && symbol.name_line <= lines);
        assert!(symbol.signature.chars().count() <= 200 && symbol.documentation.chars().count() <= 200);
    }
    for reference in &facts.references {
        assert!(reference.inside.is_none_or(|inside| inside < symbols), "{reference:?}");
        assert!(!reference.name.is_empty() && reference.line >= 1 && reference.line <= lines, "{reference:?}");
    }
    assert!(facts.imports.iter().all(|import| import.inside.is_none_or(|inside| inside < symbols)));
    assert!(facts.bindings.iter().all(|binding| binding.inside.is_none_or(|inside| inside < symbols)));
}

fn within_time(extension: &str, text: &str) -> FileFacts {
    let started = Instant::now();
    let facts = extract(&format!("hostile.{extension}"), text, &Limits::default());
    // Parsing may take its time twice; the rest is the walk, on a machine that has other things to do.
    assert!(started.elapsed() < Duration::from_secs(60), "{extension} took {:?}", started.elapsed());
    assert_ne!(Outcome::Unparsed, facts.outcome, "{extension}");
    consistent(&facts, text);
    facts
}

#[test]
fn fifty_thousand_nested_brackets_need_no_stack() {
    // A test thread's stack is 2 MiB; recursion by depth would not fit.
    for extension in EXTENSIONS {
        let closed = format!("{}x = {}1{}\n", opening(extension), "(".repeat(50_000), ")".repeat(50_000));
        within_time(extension, &closed);
        let open = format!("{}x = {}\n", opening(extension), "[".repeat(50_000));
        within_time(extension, &open);
    }
}

#[test]
fn a_generated_table_of_three_megabytes_is_read() {
    let rows: String = (0..110_000).map(|row| format!("  [{row}, \"abc{row}\", 0x{row:x}],\n")).collect();
    for (extension, before, after) in
        [("py", "def first(): pass\ntable = [\n", "]\n"), ("js", "function first() {}\nconst table = [\n", "]\n")]
    {
        let text = format!("{before}{rows}{after}");
        assert!(text.len() > 3_000_000);
        let facts = within_time(extension, &text);
        assert_eq!(Some("first"), facts.symbols.first().map(|symbol| symbol.name.as_str()), "{extension}");
    }
}

#[test]
fn a_file_of_one_line_is_read() {
    let text = "function a(){b()}".repeat(20_000);
    let facts = within_time("js", &text);
    assert_eq!((Outcome::Whole, 20_000, 20_000), (facts.outcome, facts.symbols.len(), facts.references.len()));
    assert_eq!(1, facts.references[19_999].line);
}

#[test]
fn a_file_above_the_limit_is_left_out() {
    let limits = Limits { bytes: 10, ..Limits::default() };
    let facts = extract("a.py", "def f(): pass\n", &limits);
    assert_eq!((Outcome::Unparsed, 0), (facts.outcome, facts.symbols.len()));
}

#[test]
fn no_more_facts_than_the_limit() {
    let limits = Limits { facts: 3, ..Limits::default() };
    let facts = extract("a.py", "def f(): a(); b(); c(); d()\n".repeat(5).as_str(), &limits);
    assert_eq!((3, 3), (facts.symbols.len(), facts.references.len()));
    consistent(&facts, &"def f(): a(); b(); c(); d()\n".repeat(5));
}

#[test]
fn no_budget_at_all_is_a_time_out() {
    let limits = Limits { time: Duration::ZERO, ..Limits::default() };
    let text = "def f():\n    return g(1)\n".repeat(5_000);
    assert_eq!(Outcome::TimedOut, extract("a.py", &text, &limits).outcome);
}

#[test]
fn definitions_around_a_syntax_error_are_found() {
    let text = "def before():\n    return a()\n\ndef broken(:\n    return ((\n\ndef after():\n    return b()\n";
    let facts = extract("a.py", text, &Limits::default());
    assert!(matches!(facts.outcome, Outcome::Partial { errors } if errors > 0));
    let names: Vec<&str> = facts.symbols.iter().map(|symbol| symbol.name.as_str()).collect();
    assert!(names.contains(&"before") && names.contains(&"after"), "{names:?}");
}

#[test]
fn undecodable_bytes_and_other_scripts_spoil_nothing() {
    let text = "\u{feff}# caf\u{fffd}\u{fffd}\ndef größe(ширина):\n    return 計算(ширина, '\u{0}\u{fffd}')\n";
    let facts = extract("a.py", text, &Limits::default());
    assert_eq!("größe", facts.symbols[0].name);
    let call = &facts.references[0];
    assert_eq!(("計算", 3, Some(2)), (call.name.as_str(), call.line, call.arguments));
    consistent(&facts, text);
}

#[test]
fn the_empty_file_has_no_facts() {
    // An empty grammar is none: it has no `%%`.
    for extension in EXTENSIONS.into_iter().filter(|extension| !matches!(*extension, "y" | "l")) {
        let facts = within_time(extension, "");
        assert_eq!((0, 0), (facts.symbols.len(), facts.references.len()), "{extension}");
    }
}

fn sources() -> Vec<(String, String)> {
    let directory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sources");
    let mut found: Vec<(String, String)> = std::fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().unwrap() != "facts")
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), std::fs::read_to_string(path).unwrap()))
        .collect();
    found.sort();
    found
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any damage to any source: the facts stay consistent, and the same text gives the same facts.
    #[test]
    fn damaged_sources_give_consistent_facts(which in 0usize..27, cuts in prop::collection::vec((0.0f64..1.0, 0usize..40, ".{0,3}"), 1..6)) {
        let (name, source) = sources().swap_remove(which);
        let mut chars: Vec<char> = source.chars().collect();
        for (at, length, inserted) in cuts {
            let start = (at * chars.len() as f64) as usize;
            let end = (start + length).min(chars.len());
            chars.splice(start..end, inserted.chars());
        }
        let text: String = chars.into_iter().collect();
        let facts = extract(&name, &text, &Limits::default());
        consistent(&facts, &text);
        prop_assert_eq!(facts, extract(&name, &text, &Limits::default()));
    }
}

/// Bash's scanner read beyond a table of 256 characters, and the process died.
#[test]
fn letters_of_any_script_in_shell_files() {
    for character in ['é', '漢', '😀', '\u{10ffff}'] {
        let text = format!(
            "é() {{\n  echo {character} {character}<<{character}\n}}\n{character}>&1 <<'E'\n{character}\nE\nlast() {{ :; }}\n"
        );
        let facts = extract("run.sh", &text, &Limits::default());
        consistent(&facts, &text);
        for length in 0..text.chars().count() {
            let cut: String = text.chars().skip(length).collect();
            consistent(&extract("run.sh", &cut, &Limits::default()), &cut);
        }
    }
}
