//! The facts of one small source in every language, written down by hand beside it: `sources/cart.py` and `sources/cart.py.facts`.
//!
//! A line is one fact; what has no value is `-`. To see what is read now, and judge it before it becomes the expectation:
//! `cargo run -p loci-graph --example facts -- crates/loci-graph/tests/sources/cart.py`.
#![allow(clippy::unwrap_used, reason = "a failing step of a test is a failing test")]

use std::fmt::Write;

use loci_graph::extract::{FileFacts, Limits, Outcome, extract};

fn rendered(facts: &FileFacts) -> String {
    let name = |index: Option<u32>| index.map_or("-", |index| facts.symbols[index as usize].qualified.as_str());
    let text = |text: &Option<String>| text.clone().unwrap_or("-".to_owned());
    let mut out = String::new();
    let outcome = match facts.outcome {
        Outcome::Partial { .. } => "Partial".to_owned(),
        other => format!("{other:?}"),
    };
    writeln!(out, "{:?} {outcome} {}", facts.language, text(&facts.module)).unwrap();
    for one in &facts.symbols {
        let exported = one.exported.map_or("-", |exported| if exported { "exported" } else { "private" });
        let test = if one.test { " test" } else { "" };
        let (from, to) = one.lines;
        writeln!(
            out,
            "{:?} {} of {} {from}-{to} at {} {exported}{test}",
            one.kind,
            one.qualified,
            name(one.parent),
            one.name_line
        )
        .unwrap();
        writeln!(out, "    {} | {} | {}", one.signature, text(&one.returns), one.documentation).unwrap();
    }
    for one in &facts.references {
        let arguments = one.arguments.map_or(String::new(), |count| format!("({count})"));
        let local = match one.block {
            Some(last) => format!(" local to {last}"),
            None if one.local => " local".to_owned(),
            None => String::new(),
        };
        writeln!(
            out,
            "{} {:?} {} {}{arguments} in {}{local}",
            one.line,
            one.kind,
            text(&one.qualifier),
            one.name,
            name(one.inside)
        )
        .unwrap();
    }
    for one in &facts.imports {
        let reexport = if one.reexport { " reexport" } else { "" };
        let reexport = if one.conditional { " conditional" } else { reexport };
        let (taken, alias) = (text(&one.name), text(&one.alias));
        writeln!(out, "{} import {} {taken} as {alias} in {}{reexport}", one.line, one.module, name(one.inside))
            .unwrap();
    }
    for one in &facts.bindings {
        let until = one.until.map_or(String::new(), |last| format!(" to {last}"));
        writeln!(out, "{} bind {} = {} in {}{until}", one.line, one.name, one.of, name(one.inside)).unwrap();
    }
    out
}

#[test]
fn every_language_gives_the_facts_written_down_beside_its_source() {
    let directory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sources");
    let mut read = 0;
    let mut wrong = String::new();
    let mut entries: Vec<_> = std::fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries.iter().filter(|path| path.extension().unwrap() != "facts") {
        let source = std::fs::read_to_string(path).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap();
        let expected = std::fs::read_to_string(path.with_file_name(format!("{name}.facts"))).unwrap();
        let found = rendered(&extract(&format!("shop/{name}"), &source, &Limits::default()));
        read += 1;
        for (expected, found) in expected.lines().zip(found.lines()) {
            if expected != found {
                writeln!(wrong, "{name}\n  written: {expected}\n  read:    {found}").unwrap();
                break;
            }
        }
        if expected.lines().count() != found.lines().count() {
            writeln!(wrong, "{name}: {} facts written, {} read", expected.lines().count(), found.lines().count())
                .unwrap();
        }
    }
    assert_eq!(27, read);
    assert!(wrong.is_empty(), "\n{wrong}");
}
