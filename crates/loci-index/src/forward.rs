//! The forward form: for each passage its terms with their counts per field and their positions.
//!
//! Both ways into a segment produce it, tokenizing new text and taking over the passages of an older segment, so that
//! there is one way of writing and an incremental build gives the bytes of a fresh one.

use loci_text::{expand, words};
use rustc_hash::FxHashMap;

use crate::SegmentError;
use crate::segment::Segment;

/// Occurrences of one term in one passage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Number of the term in [`Forward::terms`].
    pub(crate) term: u32,
    /// Occurrences in the text; also how many positions belong to the entry.
    pub(crate) body: u16,
    /// Occurrences in the heading, symbol or subject.
    pub(crate) head: u8,
    /// Occurrences in the path or paths.
    pub(crate) path: u8,
}

/// Terms of a run of passages, numbered locally.
#[derive(Debug, Default)]
pub struct Forward {
    pub(crate) terms: Vec<String>,
    pub(crate) entries: Vec<Entry>,
    /// Positions of all entries one after another, `entry.body` of each.
    pub(crate) positions: Vec<u32>,
    /// Per passage the end of its entries and of its positions.
    pub(crate) ends: Vec<(u32, u32)>,
    /// Per passage the number of content positions of body, head and path.
    pub(crate) lengths: Vec<[u16; 3]>,
}

impl Forward {
    /// Number of passages.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no passage.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub(crate) fn entries_of(&self, passage: usize) -> (&[Entry], &[u32]) {
        let (entry_start, position_start) = if passage == 0 { (0, 0) } else { self.ends[passage - 1] };
        let (entry_end, position_end) = self.ends[passage];
        (
            &self.entries[entry_start as usize..entry_end as usize],
            &self.positions[position_start as usize..position_end as usize],
        )
    }

    /// Takes the passages `keep` (ascending ids) over from a segment, in that order.
    ///
    /// # Errors
    /// [`SegmentError::Damaged`] when a posting list of the segment cannot be decoded.
    pub fn from_segment(segment: &Segment, keep: &[u32]) -> Result<Self, SegmentError> {
        const DROPPED: u32 = u32::MAX;
        let mut target = vec![DROPPED; segment.passage_count() as usize];
        for (new, &old) in keep.iter().enumerate() {
            target[old as usize] = new as u32;
        }
        // First pass: how many entries and positions each kept passage has. Second pass: put them in place.
        let mut counts = vec![(0u32, 0u32); keep.len()];
        for term in 0..segment.term_count() {
            let mut postings = segment.postings(term);
            while let Some(posting) = postings.next_posting()? {
                let new = target[posting.passage as usize];
                if new != DROPPED {
                    counts[new as usize].0 += 1;
                    counts[new as usize].1 += posting.body;
                }
            }
        }
        let mut cursors = Vec::with_capacity(keep.len());
        let mut ends = Vec::with_capacity(keep.len());
        let (mut entry_total, mut position_total) = (0u32, 0u32);
        for (entries, positions) in counts {
            cursors.push((entry_total, position_total));
            entry_total += entries;
            position_total += positions;
            ends.push((entry_total, position_total));
        }
        let mut forward = Forward {
            terms: Vec::new(),
            entries: vec![Entry { term: 0, body: 0, head: 0, path: 0 }; entry_total as usize],
            positions: vec![0; position_total as usize],
            ends,
            lengths: keep.iter().map(|&old| segment.lengths(old)).collect(),
        };
        let mut scratch = Vec::new();
        for term in 0..segment.term_count() {
            let mut postings = segment.postings(term);
            let mut positions = segment.positions(term);
            let mut local = None;
            while let Some(posting) = postings.next_posting()? {
                scratch.clear();
                positions.read(posting.body, &mut scratch)?;
                let new = target[posting.passage as usize];
                if new == DROPPED {
                    continue;
                }
                let local = *local.get_or_insert_with(|| {
                    forward.terms.push(segment.term(term).to_owned());
                    forward.terms.len() as u32 - 1
                });
                let cursor = &mut cursors[new as usize];
                forward.entries[cursor.0 as usize] = Entry {
                    term: local,
                    body: posting.body as u16,
                    head: posting.head as u8,
                    path: posting.path as u8,
                };
                let start = cursor.1 as usize;
                forward.positions[start..start + scratch.len()].copy_from_slice(&scratch);
                cursor.0 += 1;
                cursor.1 += posting.body;
            }
        }
        Ok(forward)
    }
}

/// Tokenizes passages into a [`Forward`].
///
/// Words repeat, so the builder expands each distinct word once and keeps the numbers of its terms.
#[derive(Default)]
pub struct ForwardBuilder {
    forward: Forward,
    term_numbers: FxHashMap<String, u32>,
    /// Distinct raw word -> (start, end) in `pieces`, and the width of the word.
    words: FxHashMap<String, (u32, u32, u32)>,
    /// (term number, offset) of the expansions, one after another.
    pieces: Vec<(u32, u32)>,
    occurrences: Vec<(u32, u32)>,
    counted: Vec<(u32, u8, u8)>,
}

impl ForwardBuilder {
    /// An empty builder.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one passage: its text, its heading or symbol, and its path or paths.
    pub fn push(&mut self, body: &str, head: &str, path: &str) {
        let mut occurrences = std::mem::take(&mut self.occurrences);
        let mut counted = std::mem::take(&mut self.counted);
        occurrences.clear();
        counted.clear();
        let body_length = self.scan(body, |term, position| occurrences.push((term, position)));
        let head_length = self.scan(head, |term, _| counted.push((term, 1, 0)));
        let path_length = self.scan(path, |term, _| counted.push((term, 0, 1)));
        occurrences.sort_unstable();
        counted.sort_unstable();

        let (mut next, mut at) = (0, 0);
        while next < occurrences.len() || at < counted.len() {
            let term = match (occurrences.get(next), counted.get(at)) {
                (Some(&(a, _)), Some(&(b, _, _))) => a.min(b),
                (Some(&(a, _)), None) => a,
                (None, Some(&(b, _, _))) => b,
                (None, None) => unreachable!("one of the two has a next item"),
            };
            let mut entry = Entry { term, body: 0, head: 0, path: 0 };
            while let Some(&(other, position)) = occurrences.get(next) {
                if other != term {
                    break;
                }
                if entry.body < u16::MAX {
                    entry.body += 1;
                    self.forward.positions.push(position);
                }
                next += 1;
            }
            while let Some(&(other, in_head, in_path)) = counted.get(at) {
                if other != term {
                    break;
                }
                entry.head = entry.head.saturating_add(in_head);
                entry.path = entry.path.saturating_add(in_path);
                at += 1;
            }
            self.forward.entries.push(entry);
        }
        self.forward.ends.push((self.forward.entries.len() as u32, self.forward.positions.len() as u32));
        let clip = |length: u32| length.min(u32::from(u16::MAX)) as u16;
        self.forward.lengths.push([clip(body_length), clip(head_length), clip(path_length)]);
        self.occurrences = occurrences;
        self.counted = counted;
    }

    /// The passages added so far.
    pub fn finish(mut self) -> Forward {
        // `term_numbers` holds the only copies of the terms; give them back in order of their numbers.
        let mut terms = vec![String::new(); self.term_numbers.len()];
        for (term, number) in self.term_numbers {
            terms[number as usize] = term;
        }
        self.forward.terms = terms;
        self.forward
    }

    fn scan(&mut self, text: &str, mut emit: impl FnMut(u32, u32)) -> u32 {
        let mut position = 0u32;
        for word in words(text) {
            let (start, end, width) = match self.words.get(word) {
                Some(&found) => found,
                None => self.learn(word),
            };
            for &(term, offset) in &self.pieces[start as usize..end as usize] {
                emit(term, position + offset);
            }
            position += width;
        }
        position
    }

    fn learn(&mut self, word: &str) -> (u32, u32, u32) {
        let expansion = expand(word);
        let start = self.pieces.len() as u32;
        for term in expansion.terms {
            let next = self.term_numbers.len() as u32;
            let number = *self.term_numbers.entry(term.text).or_insert(next);
            self.pieces.push((number, term.offset));
        }
        let learned = (start, self.pieces.len() as u32, expansion.width);
        self.words.insert(word.to_owned(), learned);
        learned
    }
}
