//! Segments against a plain reference: what goes in is what is found, and taking passages over changes no byte.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use std::collections::BTreeMap;

use loci_index::{
    CommitRecord, FileRecord, Forward, ForwardBuilder, PassageKind, PassageRecord, Segment, SegmentError, SegmentWriter,
};
use loci_text::tokenize;
use proptest::prelude::*;

/// A document, a piece of source or a commit: (text, head, path).
type Parts = (String, String, String);

fn writer(documents: &[Parts], source: &[Parts], commits: &[Parts]) -> SegmentWriter {
    let mut writer = SegmentWriter {
        signature: "rules".into(),
        commit: "00".repeat(20),
        kinds: [documents.len() as u32, source.len() as u32, commits.len() as u32],
        ..SegmentWriter::default()
    };
    let mut builder = ForwardBuilder::new();
    for (number, (text, head, path)) in documents.iter().chain(source).enumerate() {
        builder.push(text, head, path);
        writer.files.push(FileRecord { path: format!("{number:04}/{path}"), digest: [number as u8; 16], lossy: false });
        writer.passages.push(passage(number as u32, text, head));
    }
    for (number, (text, head, path)) in commits.iter().enumerate() {
        builder.push(text, head, path);
        writer.commits.push(CommitRecord {
            id: [number as u8; 20],
            author_time: -5,
            commit_time: number as i64,
            touched: vec![path.clone()],
            file_count: 1,
        });
        writer.passages.push(passage(number as u32, text, head));
    }
    writer.sources = (0..writer.passages.len() as u32).map(|index| (0, index)).collect();
    writer.batches.push(builder.finish());
    writer
}

fn passage(owner: u32, text: &str, head: &str) -> PassageRecord {
    PassageRecord { role: 3, owner, lines: (7, 9), head: head.into(), symbol: "S.f".into(), text: text.into() }
}

fn parts() -> impl Strategy<Value = Parts> {
    let words = proptest::collection::vec(
        prop_oneof![
            Just("cookie"),
            Just("signed_cookie"),
            Just("why"),
            Just("Ünïcode"),
            Just("設定値"),
            Just("retry"),
            Just("x9")
        ],
        0..12,
    )
    .prop_map(|words| words.join(" "));
    (prop_oneof![words.clone(), "\\PC{0,40}"], words, "[a-z]{1,3}(/[a-z_]{1,8}){0,2}")
}

/// term -> passage -> (body, head, path, positions), straight from the tokenizer.
type Reference = BTreeMap<String, BTreeMap<u32, (u32, u32, u32, Vec<u32>)>>;

fn reference(all: &[&Parts]) -> Reference {
    let mut terms = Reference::new();
    for (number, (text, head, path)) in all.iter().enumerate() {
        for token in tokenize(text) {
            let entry = terms.entry(token.term).or_default().entry(number as u32).or_default();
            entry.0 += 1;
            entry.3.push(token.position);
        }
        for token in tokenize(head) {
            terms.entry(token.term).or_default().entry(number as u32).or_default().1 += 1;
        }
        for token in tokenize(path) {
            terms.entry(token.term).or_default().entry(number as u32).or_default().2 += 1;
        }
    }
    terms
}

fn contents(segment: &Segment) -> Reference {
    let mut terms = Reference::new();
    for term in 0..segment.term_count() {
        let mut postings = segment.postings(term);
        let mut positions = segment.positions(term);
        let list = terms.entry(segment.term(term).to_owned()).or_default();
        let mut occurrences = 0;
        while let Some(posting) = postings.next_posting().unwrap() {
            let mut at = Vec::new();
            positions.read(posting.body, &mut at).unwrap();
            occurrences += posting.body;
            list.insert(posting.passage, (posting.body, posting.head, posting.path, at));
        }
        assert_eq!(segment.df(term) as usize, list.len());
        assert_eq!(segment.cf(term), occurrences);
        assert_eq!(Some(term), segment.find(segment.term(term)));
    }
    terms
}

proptest! {
    #[test]
    fn a_segment_holds_what_was_written(
        documents in proptest::collection::vec(parts(), 0..6),
        source in proptest::collection::vec(parts(), 0..6),
        commits in proptest::collection::vec(parts(), 0..6),
    ) {
        let writer = writer(&documents, &source, &commits);
        let segment = Segment::from_bytes(&writer.encode().unwrap().bytes).unwrap();
        let all: Vec<&Parts> = documents.iter().chain(&source).chain(&commits).collect();
        let mut expected = reference(&all);
        for list in expected.values_mut().flat_map(|list| list.values_mut()) {
            list.3.sort_unstable();
        }
        prop_assert_eq!(expected, contents(&segment));
        for (number, (text, head, path)) in (0u32..).zip(&all) {
            let stored = segment.text(number).unwrap();
            prop_assert_eq!((&stored.text, &stored.head), (text, head));
            let owner = segment.owner(number);
            match segment.kind(number) {
                PassageKind::Commit => {
                    prop_assert_eq!(segment.commit_times(owner), (-5, i64::from(owner)));
                    prop_assert_eq!(segment.touched(owner).iter().map(|&p| segment.path_at(p)).collect::<Vec<_>>(), vec![path.as_str()]);
                }
                _ => prop_assert!(segment.file_path(owner).ends_with(path.as_str())),
            }
        }
        prop_assert_eq!(None, segment.find("nowhere-to-be-found"));
    }

    /// FIELD 41: passages of removed functions must not live on, and an incremental build must not differ from a fresh one.
    #[test]
    fn taking_passages_over_gives_the_bytes_of_a_fresh_build(
        before in proptest::collection::vec(parts(), 1..10),
        after in proptest::collection::vec(parts(), 0..10),
        kept in proptest::collection::vec(any::<bool>(), 10),
    ) {
        let old = Segment::from_bytes(&writer(&before, &[], &[]).encode().unwrap().bytes).unwrap();
        let keep: Vec<u32> = (0..before.len() as u32).filter(|&number| kept[number as usize]).collect();
        let mut wanted: Vec<Parts> = keep.iter().map(|&number| before[number as usize].clone()).collect();
        wanted.extend(after.iter().cloned());
        let fresh = writer(&wanted, &[], &[]).encode().unwrap();

        let mut mixed = writer(&wanted, &[], &[]);
        let mut builder = ForwardBuilder::new();
        for (text, head, path) in &after {
            builder.push(text, head, path);
        }
        // The order of the batches is not the order of the passages.
        mixed.batches = vec![builder.finish(), Forward::from_segment(&old, &keep).unwrap()];
        mixed.sources = (0..keep.len() as u32).map(|index| (1, index)).chain((0..after.len() as u32).map(|index| (0, index))).collect();
        let mixed = mixed.encode().unwrap();
        prop_assert_eq!(&fresh.name, &mixed.name);
        prop_assert!(fresh.bytes == mixed.bytes);
    }

    #[test]
    fn damaged_bytes_are_refused_or_read_without_panic(flip in any::<prop::sample::Index>(), mask in 1u8..=255) {
        let texts = ["the cookie is signed", "a retry of the signed request", "設定 of the cookie"];
        let mut bytes = SegmentWriter::from_texts(texts, "rules").encode().unwrap().bytes;
        let at = flip.index(bytes.len());
        bytes[at] ^= mask;
        if let Ok(segment) = Segment::from_bytes(&bytes) {
            for term in 0..segment.term_count() {
                let mut postings = segment.postings(term);
                let mut positions = segment.positions(term);
                let mut at = Vec::new();
                while let Ok(Some(posting)) = postings.next_posting() {
                    if positions.read(posting.body.min(1_000), &mut at).is_err() {
                        break;
                    }
                }
            }
            for passage in 0..segment.passage_count() {
                let _ = segment.text(passage);
            }
            let everything: Vec<u32> = (0..segment.passage_count()).collect();
            let _ = Forward::from_segment(&segment, &everything);
        }
    }

    #[test]
    fn a_truncated_file_is_refused(cut in 0usize..2_000) {
        let bytes = SegmentWriter::from_texts(["the cookie is signed"], "rules").encode().unwrap().bytes;
        let cut = cut.min(bytes.len() - 1);
        let refused = matches!(Segment::from_bytes(&bytes[..cut]), Err(SegmentError::Damaged { .. }));
        prop_assert!(refused);
    }
}

#[test]
fn golden_postings() {
    let segment = Segment::from_bytes(
        &SegmentWriter::from_texts(["retry the retry", "signed", "one retry"], "rules").encode().unwrap().bytes,
    )
    .unwrap();
    let retry = segment.find("retri").expect("Snowball English takes y to i after a consonant");
    assert_eq!((2, 3), (segment.df(retry), segment.cf(retry)));
    let mut postings = segment.postings(retry);
    let first = postings.next_posting().unwrap().unwrap();
    let second = postings.next_posting().unwrap().unwrap();
    assert_eq!((0, 2), (first.passage, first.body));
    assert_eq!((2, 1), (second.passage, second.body));
    assert_eq!(None, postings.next_posting().unwrap());
    // "the" is a stop word: it takes no position, so the two are neighbours.
    let mut at = Vec::new();
    segment.positions(retry).read(2, &mut at).unwrap();
    assert_eq!(vec![0, 1], at);
}

#[test]
fn an_empty_scope_is_a_segment_too() {
    let segment = Segment::from_bytes(&SegmentWriter::default().encode().unwrap().bytes).unwrap();
    assert_eq!((0, 0, 0), (segment.passage_count(), segment.term_count(), segment.file_count()));
    assert_eq!(None, segment.find("anything"));
}

#[test]
fn files_missing_damaged_and_of_other_rules_are_told_apart() {
    let directory = tempfile::tempdir().unwrap();
    let encoded = SegmentWriter::from_texts(["the cookie"], "old rules").encode().unwrap();
    encoded.write(directory.path()).unwrap();
    encoded.write(directory.path()).unwrap();
    assert_eq!(1, std::fs::read_dir(directory.path()).unwrap().count(), "no temporary file is left");
    let path = directory.path().join(&encoded.name);
    assert!(Segment::open(&path, Some("old rules")).is_ok());
    assert!(matches!(Segment::open(&path, Some("new rules")), Err(SegmentError::Outdated { .. })));
    assert!(matches!(Segment::open(&directory.path().join("none"), None), Err(SegmentError::Missing { .. })));
    let mut writer = SegmentWriter::from_texts(["the cookie"], "rules");
    writer.signature = "x".repeat(3);
    std::fs::write(directory.path().join("broken"), b"not a segment").unwrap();
    assert!(matches!(Segment::open(&directory.path().join("broken"), None), Err(SegmentError::Damaged { .. })));
}

#[test]
fn a_damaged_body_of_the_right_length_is_not_kept() {
    let directory = tempfile::tempdir().unwrap();
    let encoded = SegmentWriter::from_texts(["the cookie"], "rules").encode().unwrap();
    for length in [encoded.bytes.len() - 1, encoded.bytes.len()] {
        std::fs::write(directory.path().join(&encoded.name), vec![0; length]).unwrap();
        encoded.write(directory.path()).unwrap();
        assert!(Segment::open(&directory.path().join(&encoded.name), Some("rules")).is_ok());
    }
}
