//! The law of omission: scores without something are those of a corpus that never held it.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use loci_index::{CommitRecord, FileRecord, ForwardBuilder, PassageRecord, Segment, SegmentWriter};
use loci_rank::{Corpus, Omission, Omit, Omitted, Question};
use proptest::prelude::*;

/// A passage: kind (0 document, 1 source, 2 commit), heading, lines of text, path.
#[derive(Clone, Debug)]
struct Passage {
    kind: usize,
    head: String,
    lines: Vec<String>,
    path: String,
}

impl Passage {
    fn text(&self) -> String {
        self.lines.join("\n")
    }

    /// Without its heading and one line.
    fn blinded(&self, line: usize) -> Self {
        let mut lines = self.lines.clone();
        lines.remove(line);
        Self { head: String::new(), lines, ..self.clone() }
    }

    /// The content positions of a line.
    fn positions(&self, line: usize) -> (u32, u32) {
        let before = Question::parse(&self.lines[..line].join("\n")).length;
        (before, before + Question::parse(&self.lines[line]).length)
    }
}

/// Passages in the order of a segment, by kind.
fn segment(passages: &[Passage]) -> Arc<Segment> {
    let mut writer = SegmentWriter { signature: "rules".into(), ..SegmentWriter::default() };
    let mut builder = ForwardBuilder::new();
    for (number, passage) in passages.iter().enumerate() {
        builder.push(&passage.text(), &passage.head, &passage.path);
        let owner = if passage.kind == 2 {
            writer.commits.push(CommitRecord {
                id: [0; 20],
                author_time: 0,
                commit_time: 0,
                touched: Vec::new(),
                file_count: 0,
            });
            writer.commits.len() - 1
        } else {
            let path = passage.path.clone();
            match writer.files.iter().position(|file| file.path == path) {
                Some(at) => at,
                None => {
                    writer.files.push(FileRecord { path, digest: [0; 16], lossy: false });
                    writer.files.len() - 1
                }
            }
        };
        writer.passages.push(PassageRecord {
            role: 0,
            owner: owner as u32,
            lines: (1, 1),
            head: passage.head.clone(),
            symbol: String::new(),
            text: passage.text(),
        });
        writer.sources.push((0, number as u32));
        writer.kinds[passage.kind] += 1;
    }
    writer.batches.push(builder.finish());
    Arc::new(Segment::from_bytes(&writer.encode().unwrap().bytes).unwrap())
}

const WORDS: [&str; 12] = [
    "invoice",
    "refundBook",
    "ledger_number",
    "sha256",
    "OAuth",
    "the",
    "running",
    "x-ray",
    "index",
    "rank",
    "cookie",
    "\u{6570}\u{636e}\u{5e93}",
];

fn words(most: usize) -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&WORDS[..]), 0..=most).prop_map(|words| words.join(" "))
}

fn passage() -> impl Strategy<Value = Passage> {
    let path = prop::sample::select(&["README.md", "src/index.rs", "docs/cookie.md", "setup.py"][..]);
    (0..3usize, words(3), prop::collection::vec(words(6), 1..4), path).prop_map(|(kind, head, lines, path)| Passage {
        kind,
        head,
        lines,
        path: path.to_owned(),
    })
}

fn scopes() -> impl Strategy<Value = Vec<Vec<Passage>>> {
    let scope = prop::collection::vec(passage(), 0..6).prop_map(|mut passages| {
        passages.sort_by_key(|passage| passage.kind);
        passages
    });
    prop::collection::vec(scope, 1..4)
}

/// What happens to each passage in turn: it stays, it goes, or it loses a line and its heading.
fn fates() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(0..6u8, 20)
}

fn corpus(scopes: &[(String, Vec<Passage>)]) -> Corpus {
    Corpus::new(scopes.iter().map(|(id, passages)| (id.clone(), segment(passages))).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn leaving_out_is_never_having_had(
        scopes in scopes(),
        fates in fates(),
        gone in prop::option::of(0..4usize),
        asked in words(8),
    ) {
        let scopes: Vec<(String, Vec<Passage>)> =
            scopes.into_iter().enumerate().map(|(number, passages)| (format!("s{number}"), passages)).collect();
        let whole = corpus(&scopes);
        let mut omitted = Omitted::new();
        let mut rest = Vec::new();
        let mut numbers: Vec<Vec<u32>> = Vec::new();
        let mut fate = fates.iter().cycle();
        for (at, (id, passages)) in scopes.iter().enumerate() {
            if gone == Some(at) {
                omitted.scope(at);
                continue;
            }
            let (mut kept, mut kept_numbers) = (Vec::new(), Vec::new());
            for (number, passage) in (0u32..).zip(passages) {
                let what = match fate.next() {
                    Some(4) => Omit::Passage,
                    Some(5) => {
                        let line = number as usize % passage.lines.len();
                        kept.push(passage.blinded(line));
                        kept_numbers.push(number);
                        let (from, to) = passage.positions(line);
                        Omit::Words(from, to)
                    }
                    _ => {
                        kept.push(passage.clone());
                        kept_numbers.push(number);
                        continue;
                    }
                };
                omitted.passage(at, Omission { passage: number, what });
            }
            rest.push((id.clone(), kept));
            numbers.push(kept_numbers);
        }
        let question = Question::parse(&asked);
        let without = whole.score_without(&question, &omitted).unwrap();
        let never = corpus(&rest).score(&question).unwrap();
        prop_assert_eq!(without.scopes.len(), never.scopes.len());
        for (term, expected) in without.terms.iter().zip(&never.terms) {
            prop_assert_eq!(term.idf, expected.idf);
            prop_assert_eq!(term.plain_idf, expected.plain_idf);
            prop_assert_eq!(&term.in_scopes, &expected.in_scopes);
        }
        for ((scope, expected), numbers) in without.scopes.iter().zip(&never.scopes).zip(&numbers) {
            prop_assert_eq!(scope.features, expected.features);
            prop_assert_eq!(scope.raw, expected.raw);
            prop_assert_eq!(scope.matched, expected.matched);
            prop_assert_eq!(&scope.held, &expected.held);
            let top: Vec<(u32, f64)> = expected.top.iter().map(|&(at, score)| (numbers[at as usize], score)).collect();
            prop_assert_eq!(&scope.top, &top);
        }
        let left = whole.merged_bm25_without(&question, 5, &omitted).unwrap();
        let expected: Vec<(usize, u32, f32)> = corpus(&rest)
            .merged_bm25(&question, 5, None)
            .unwrap()
            .into_iter()
            .map(|(scope, passage, score)| (scope, numbers[scope][passage as usize], score))
            .collect();
        prop_assert_eq!(left, expected);
    }

    #[test]
    fn nothing_left_out_changes_nothing(scopes in scopes(), asked in words(8)) {
        let scopes: Vec<(String, Vec<Passage>)> =
            scopes.into_iter().enumerate().map(|(number, passages)| (format!("s{number}"), passages)).collect();
        let whole = corpus(&scopes);
        let question = Question::parse(&asked);
        let without = whole.score_without(&question, &Omitted::new()).unwrap();
        for (scope, expected) in without.scopes.iter().zip(&whole.score(&question).unwrap().scopes) {
            prop_assert_eq!(scope.features, expected.features);
            prop_assert_eq!(&scope.top, &expected.top);
        }
    }
}

fn commit(text: &str) -> Passage {
    Passage { kind: 2, head: String::new(), lines: vec![text.to_owned()], path: String::new() }
}

#[test]
fn what_quotes_a_question_is_found_in_every_scope() {
    let whole = corpus(&[
        ("a".into(), vec![commit("retry the failed upload twice"), commit("upload the avatar")]),
        ("b".into(), vec![commit("0.3: retry the failed upload twice, faster start")]),
    ]);
    let question = Question::parse("retry the failed upload twice");
    assert_eq!(question.pairs.len(), 3);
    let found = whole.quotes(&question, 0.8).unwrap();
    assert_eq!(found, [(0, 0, 1.0), (1, 0, 1.0)]);
    assert!(whole.quotes(&Question::parse("upload"), 0.8).unwrap().is_empty());
}
