//! Passages that hold what a question cites: a version, the number of an issue, a date.
//!
//! Such a literal is no term. Numbers are as many as passages and say nothing of what a passage is about; but who asks what
//! changed in 2.32.5 wants that section and no other. So the texts themselves are read, all of them: 0.1 s for the largest
//! repository of the public benchmark, and only for a question that has a literal.

use loci_index::{PassageKind, Segment, SegmentError};
use rayon::prelude::*;

/// Passages that one thread unpacks and reads at a time.
const AT_ONCE: u32 = 2048;

/// A literal in a passage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// The passage.
    pub passage: u32,
    /// Which of the literals, from 0.
    pub literal: u32,
    /// Whether it stands in the heading of the passage, or the first line of a commit's message.
    pub in_head: bool,
}

/// Every passage that holds one of `literals` as [`stands_in`] has it, by passage and literal.
///
/// # Errors
/// [`SegmentError::Damaged`] when a block of texts does not unpack.
pub fn holding(segment: &Segment, literals: &[&str]) -> Result<Vec<Held>, SegmentError> {
    let count = segment.passage_count();
    let starts: Vec<u32> = (0..count).step_by(AT_ONCE as usize).collect();
    let parts: Vec<Vec<Held>> = starts
        .into_par_iter()
        .map(|start| {
            let wanted: Vec<u32> = (start..count.min(start + AT_ONCE)).collect();
            let mut found = Vec::new();
            segment.for_texts(&wanted, |passage, text| {
                let first_line = text.text.split('\n').next().unwrap_or_default();
                let head = if segment.kind(passage) == PassageKind::Commit && text.head.is_empty() {
                    first_line
                } else {
                    &text.head
                };
                for (literal, wanted) in (0..).zip(literals) {
                    let in_head = stands_in(head, wanted);
                    if in_head || stands_in(&text.text, wanted) {
                        found.push(Held { passage, literal, in_head });
                    }
                }
            })?;
            Ok(found)
        })
        .collect::<Result<_, SegmentError>>()?;
    Ok(parts.concat())
}

/// The numbers of the commits whose id begins with `prefix`, hexadecimal in any case; none for an empty one.
pub fn commits_of(segment: &Segment, prefix: &str) -> Vec<u32> {
    let prefix = prefix.to_ascii_lowercase();
    (0..segment.commit_count())
        .filter(|&commit| {
            let id: String = segment.commit_id(commit).iter().map(|byte| format!("{byte:02x}")).collect();
            !prefix.is_empty() && id.starts_with(&prefix)
        })
        .collect()
}

/// Whether `text` has `literal` as a whole: not as a part of a longer number or word, nor 2.32.5 in 2.32.50, 1.2.32.5 or
/// 2.32.5-rc1. A `v` may stand before a number. A literal that ends in a dot may go on with anything.
pub fn stands_in(text: &str, literal: &str) -> bool {
    if literal.is_empty() {
        return false;
    }
    let in_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(literal).any(|(at, _)| {
        let mut before = text[..at].chars().rev();
        let begins_word = literal.starts_with(in_word);
        let free = match before.next() {
            Some('v' | 'V') if literal.starts_with(|c: char| c.is_ascii_digit()) => {
                before.next().is_none_or(|c| !in_word(c))
            }
            Some('.' | ',') => !(begins_word && before.next().is_some_and(|c| c.is_ascii_digit())),
            Some(c) => !(begins_word && in_word(c)),
            None => true,
        };
        let mut after = text[at + literal.len()..].chars();
        free && (literal.ends_with('.')
            || match after.next() {
                Some('.' | ',') => after.next().is_none_or(|c| !c.is_ascii_digit()),
                Some('-') => !literal.contains('.') || after.next().is_none_or(|c| !c.is_ascii_alphabetic()),
                Some(c) => !in_word(c),
                None => true,
            })
    })
}

#[cfg(test)]
mod tests {
    use loci_index::SegmentWriter;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_literal_stands_there_as_a_whole() {
        for (text, literal, stands) in [
            ("released 2.32.5 (2025-08-18)", "2.32.5", true),
            ("## v2.32.5", "2.32.5", true),
            ("requests==2.32.5.", "2.32.5", true),
            ("2.32.5", "2.32.5", true),
            ("2.32.50", "2.32.5", false),
            ("12.32.5", "2.32.5", false),
            ("1.2.32.5", "2.32.5", false),
            ("2.32.5.1", "2.32.5", false),
            ("2.32.5-rc1", "2.32.5", false),
            ("2.32.5rc1", "2.32.5", false),
            ("rev2.32.5", "2.32.5", false),
            ("2.32.50, and 2.32.5", "2.32.5", true),
            ("fixes #6767.", "#6767", true),
            ("fixes requests#6767", "#6767", true),
            ("fixes #67670", "#6767", false),
            ("limit = 4_096", "4096", false),
            ("limit = 4096;", "4096", true),
            ("2.32.4 and 2.32.5", "2.32.", true),
            ("größe 4096ß", "4096", false),
            ("", "1", false),
            ("1", "", false),
        ] {
            assert_eq!(stands, stands_in(text, literal), "{literal} in {text}");
        }
    }

    #[test]
    fn passages_are_found_by_what_they_hold() -> Result<(), SegmentError> {
        let writer =
            SegmentWriter::from_texts(["Release 1.2.0 of today", "nothing", "1.2.0 and #7", "see #7"], "rules");
        let segment = Segment::from_bytes(&writer.encode()?.bytes)?;
        let found = holding(&segment, &["1.2.0", "#7", "9"])?;
        let found: Vec<(u32, u32)> = found.iter().map(|held| (held.passage, held.literal)).collect();
        assert_eq!(vec![(0, 0), (2, 0), (2, 1), (3, 1)], found);
        assert!(commits_of(&segment, "").is_empty() && commits_of(&segment, "ab").is_empty());
        Ok(())
    }

    proptest! {
        /// The plain reference: cut at everything that no number has, and compare.
        #[test]
        fn digits_are_found_as_a_reference_finds_them(text in "[0-9 v#a]{0,30}", literal in "[0-9]{1,3}") {
            let words: Vec<&str> = text.split([' ', '#']).collect();
            let reference = words.iter().any(|word| word.strip_prefix('v').unwrap_or(word) == literal);
            prop_assert_eq!(reference, stands_in(&text, &literal));
        }
    }
}
