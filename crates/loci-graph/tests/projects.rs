//! A small shop in each language that no compiler judges: which calls, bases and overrides are found in it, and how surely.
//!
//! `projects/kotlin/*.kt` are its sources and `projects/kotlin/expected.edges` what was worked out by hand from them: a relation,
//! the place, what it leads from and to. In `projects/foreign` are calls of other people's types whose names are ours as well. Lines that an assistant of a language would draw and loci does not are not in it.
#![allow(clippy::unwrap_used, reason = "a failing step of a test is a failing test")]

use std::fmt::Write;
use std::path::Path;

use loci_collect::{Policy, Redactor};
use loci_graph::{Graph, build};

fn edges_of(sources: &Path, redactor: &Redactor) -> String {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    std::fs::create_dir_all(root.join(".git/objects")).unwrap();
    std::fs::create_dir_all(root.join(".git/refs")).unwrap();
    std::fs::write(root.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
    for entry in std::fs::read_dir(sources).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, root.join(path.file_name().unwrap())).unwrap();
    }
    let built = build(root, &Policy::default(), redactor, None, &|_, _, _| {}).unwrap();
    let graph = Graph::from_bytes(&built.0.bytes).unwrap();
    let mut found: Vec<String> = graph
        .all_edges(None)
        .into_iter()
        .map(|(from, edge)| {
            let relation = &graph.header().relations[edge.relation as usize];
            let way = &graph.header().resolutions[edge.resolution as usize];
            let (path, line) = (graph.file_path(graph.file_of(from)), edge.line);
            format!("{relation} {path}:{line} {} -> {} ({way})", graph.qualified(from), graph.qualified(edge.to))
        })
        .filter(|line| ["calls", "inherits", "implements", "overrides"].iter().any(|word| line.starts_with(word)))
        .collect();
    found.sort();
    found.join("\n") + "\n"
}

#[test]
fn every_language_gives_the_edges_worked_out_by_hand() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/projects");
    let redactor = Redactor::default();
    let (mut read, mut wrong) = (0, String::new());
    let mut languages: Vec<_> = std::fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    languages.sort();
    for language in languages {
        let expected = std::fs::read_to_string(language.join("expected.edges")).unwrap();
        let found = edges_of(&language, &redactor);
        let (expected, found): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), found.lines().collect());
        for line in expected.iter().filter(|line| !found.contains(line)) {
            writeln!(wrong, "{}: not found: {line}", language.display()).unwrap();
        }
        for line in found.iter().filter(|line| !expected.contains(line)) {
            writeln!(wrong, "{}: not expected: {line}", language.display()).unwrap();
        }
        read += 1;
    }
    assert_eq!(13, read);
    assert!(wrong.is_empty(), "\n{wrong}");
}
