//! What holds for every text: nothing is lost, spans are true, limits are kept, and the same text is cut the same way.

use loci_collect::{Decoded, Kind, Policy, chunk, decode, role_of};
use proptest::prelude::*;

const PATHS: &[&str] = &[
    "a.md",
    "a.rst",
    "a.adoc",
    "a.org",
    "a.txt",
    "a.1",
    "docs/a.html",
    "a.tex",
    "a.pod",
    "a.py",
    "a.ts",
    "a.vue",
    "a.go",
    "a.rs",
    "a.c",
    "a.cpp",
    "a.java",
    "a.kt",
    "a.php",
    "a.rb",
    "a.ex",
    "a.lua",
    "a.sh",
    "a.sql",
    "a.css",
    "a.toml",
    "a.yml",
    "Makefile",
    "Dockerfile",
    "a.el",
    "a.zig",
    "a.json",
];

/// Lines that mean something to one rule or another, mixed with anything.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => proptest::sample::select(vec![
            "", "", "  ", "# title", "## sub", "===", "---", "```", "~~~", "class A {", "class A:", "    def f(self):", "def g():", "fn f() {", "impl A {",
            "    fn m() {", "}", "    }", "end", "function f() {", "const a = () => {", "/*", "*/", "/** x", "`", "\"\"\"", "'''", "@dec(", ")", "#[a]", "int",
            "main(void)", "{", "func (a *T) M() {", "type T struct {", "interface I {", "<script>", "</script>", "[table]", "key: v", "target: dep", "FROM a",
            ".SH NAME", ".TH A 1", "= T", "== S", "----", "* h", "#+BEGIN_SRC", "#+END_SRC", "<h1>T</h1>", "<!--", "-->", "---", "title: x", "<<EOF", "EOF",
            "describe('a', () => {", "});", "CREATE TABLE a (", ");", ".a {", "\\section{a}", "=head1 A", "(defun a (b)", "module A", "defmodule A do", "\ttab",
            "日本語の文。もう一つ。", "é\u{301}", "x = 'it''s'", "#define A(x) \\", "case 1:", "out:", "#ifdef X", "#endif", "template <T>",
        ]).prop_map(str::to_owned),
        1 => "[ -~]{0,60}",
        1 => "\\PC{0,40}",
    ]
}

fn text() -> impl Strategy<Value = String> {
    proptest::collection::vec(line(), 0..120).prop_map(|lines| lines.join("\n"))
}

fn small_policy() -> impl Strategy<Value = Policy> {
    (1usize..80, 1usize..12, 20usize..200, 0usize..8).prop_map(|(document, lines, chars, merge)| Policy {
        document_passage_chars: document,
        source_passage_lines: lines,
        source_passage_chars: chars,
        source_merge_lines: merge,
        max_line_chars: 30,
        ..Policy::default()
    })
}

fn check(path: &str, text: &str, policy: &Policy) -> Result<(), TestCaseError> {
    let chunked = chunk(path, text, policy);
    prop_assert_eq!(&chunked, &chunk(path, text, policy), "the same text is cut the same way");
    let lines: Vec<&str> = text.split('\n').collect();
    let mut covered = vec![0u32; lines.len() + 1];
    let mut previous = 0;
    for passage in &chunked.passages {
        let (first, last) = (passage.lines.0 as usize, passage.lines.1 as usize);
        prop_assert!(1 <= first && first <= last && last <= lines.len(), "{:?}", passage.lines);
        prop_assert!(first >= previous, "passages come in the order of their lines");
        previous = last;
        prop_assert_eq!(passage.role, role_of(path));
        prop_assert!(!passage.text.trim().is_empty());
        let original = lines[first - 1..last].join("\n");
        match passage.kind {
            Kind::Document => {
                prop_assert!(passage.text.chars().count() <= policy.document_passage_chars);
                let is_part = first == last && original.contains(&passage.text);
                prop_assert!(is_part || original == passage.text, "{:?} is not {:?}", passage.text, original);
            }
            Kind::Source => {
                prop_assert!(last - first < policy.source_passage_lines);
                let clipped: Vec<String> = lines[first - 1..last]
                    .iter()
                    .map(|line| line.chars().take(policy.max_line_chars).collect())
                    .collect();
                prop_assert_eq!(clipped.join("\n"), passage.text.clone());
                prop_assert!(first == last || passage.text.len() <= policy.source_passage_chars * 4);
            }
            Kind::Commit => prop_assert!(false, "a file holds no commits"),
        }
        if passage.kind == Kind::Source {
            covered[first..=last].iter_mut().for_each(|count| *count += 1);
        } else {
            covered[first..=last].iter_mut().for_each(|count| *count = 1);
        }
    }
    for (number, line) in lines.iter().enumerate() {
        let count = covered[number + 1];
        prop_assert!(count <= 1, "line {} is in {} passages", number + 1, count);
        prop_assert!(count == 1 || line.trim().is_empty(), "line {} is lost: {:?}", number + 1, line);
    }
    // Words of documents survive the cutting of lines, whatever the limit.
    let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).count();
    if chunked.passages.iter().all(|passage| passage.kind == Kind::Document) {
        prop_assert_eq!(letters(text), chunked.passages.iter().map(|passage| letters(&passage.text)).sum::<usize>());
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.max(600), ..ProptestConfig::default() })]

    #[test]
    fn passages_tile_the_text(path in proptest::sample::select(PATHS.to_vec()), text in text()) {
        check(path, &text, &Policy::default())?;
    }

    #[test]
    fn small_limits_are_kept(path in proptest::sample::select(PATHS.to_vec()), text in text(), policy in small_policy()) {
        check(path, &text, &policy)?;
    }

    #[test]
    fn any_bytes_are_decoded_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        if let Decoded::Text { text, lossy } = decode(&bytes) {
            prop_assert!(!text.contains('\0'));
            prop_assert!(lossy || std::str::from_utf8(&bytes).is_ok() || bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff"));
        }
    }
}
