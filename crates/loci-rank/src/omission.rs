//! What of a corpus does not count for one question: whole scopes, passages, or some words of a passage.
//!
//! A question made from the corpus itself (a commit's subject, a heading) finds the very text it was made from. With that
//! text left out of every count, the scores are those of a corpus that never held it, and nothing is indexed again.

use loci_index::{Positions, Posting, Segment, SegmentError};

/// What is left out of one passage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Omission {
    /// Number of the passage in its segment.
    pub passage: u32,
    /// How much of it.
    pub what: Omit,
}

/// How much of a passage is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Omit {
    /// All of it: there are fewer passages.
    Passage,
    /// Its heading, and the content positions of its text from the first number up to, and without, the second.
    Words(u32, u32),
}

impl Omission {
    /// Whether the whole passage is gone.
    pub(crate) fn is_whole(&self) -> bool {
        self.what == Omit::Passage
    }

    /// The passage's lengths by field, of what is left; `None` when it is gone.
    pub(crate) fn lengths(&self, before: [u16; 3]) -> Option<[u16; 3]> {
        match self.what {
            Omit::Passage => None,
            Omit::Words(from, to) => {
                let body = u32::from(before[0]);
                let out = to.min(body).saturating_sub(from.min(body));
                Some([(body - out) as u16, 0, before[2]])
            }
        }
    }

    /// Whether a position of the text still counts.
    pub(crate) fn keeps(&self, position: u32) -> bool {
        match self.what {
            Omit::Passage => false,
            Omit::Words(from, to) => position < from || position >= to,
        }
    }

    /// Of positions in the text those that still count, with the gap closed: its two sides become neighbours.
    pub(crate) fn close(&self, positions: &mut Vec<u32>) {
        positions.retain(|&position| self.keeps(position));
        if let Omit::Words(from, to) = self.what {
            for position in positions.iter_mut().filter(|position| **position >= to) {
                *position -= to.saturating_sub(from);
            }
        }
    }

    /// The omission of a passage, if any, among those of its scope.
    pub(crate) fn at(omitted: &[Omission], passage: u32) -> Option<&Omission> {
        omitted.binary_search_by_key(&passage, |omission| omission.passage).ok().map(|at| &omitted[at])
    }
}

/// What is left out of a corpus. Scopes are given by their places in it.
#[derive(Clone, Debug, Default)]
pub struct Omitted {
    scopes: Vec<usize>,
    passages: Vec<(usize, Vec<Omission>)>,
}

impl Omitted {
    /// Nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Leaves out a scope.
    pub fn scope(&mut self, scope: usize) {
        self.scopes.push(scope);
    }

    /// Leaves something of a passage out; of several for one passage the first counts, but a whole passage before all.
    pub fn passage(&mut self, scope: usize, omission: Omission) {
        let at = match self.passages.iter().position(|(known, _)| *known == scope) {
            Some(at) => at,
            None => {
                self.passages.push((scope, Vec::new()));
                self.passages.len() - 1
            }
        };
        let list = &mut self.passages[at].1;
        match list.binary_search_by_key(&omission.passage, |known| known.passage) {
            Ok(at) if omission.is_whole() => list[at] = omission,
            Ok(_) => {}
            Err(at) => list.insert(at, omission),
        }
    }

    /// How many whole passages of a scope are left out.
    pub fn whole_passages(&self, scope: usize) -> u32 {
        self.of(scope).iter().filter(|omission| omission.is_whole()).count() as u32
    }

    pub(crate) fn has_scope(&self, scope: usize) -> bool {
        self.scopes.contains(&scope)
    }

    pub(crate) fn of(&self, scope: usize) -> &[Omission] {
        self.passages.iter().find(|(known, _)| *known == scope).map_or(&[], |(_, list)| list)
    }
}

/// A posting as far as it counts, and the lengths of its passage where they changed.
pub(crate) type Left = (Posting, Option<[u16; 3]>);

/// Turns the postings of one term, in their order, into what is left of them. Without `OMITS` it does nothing.
pub(crate) struct Adjuster<'a, const OMITS: bool> {
    segment: &'a Segment,
    omitted: &'a [Omission],
    positions: Positions<'a>,
    /// Positions of passed postings that were not read.
    unread: u32,
    read: Vec<u32>,
}

impl<'a, const OMITS: bool> Adjuster<'a, OMITS> {
    pub(crate) fn new(segment: &'a Segment, number: u32, omitted: &'a [Omission]) -> Self {
        Self { segment, omitted, positions: segment.positions(number), unread: 0, read: Vec::new() }
    }

    /// What is left of a posting, with the lengths of its passage where they changed; `None` when nothing is left.
    #[inline(always)]
    pub(crate) fn adjust(&mut self, posting: Posting) -> Result<Option<Left>, SegmentError> {
        if OMITS && !self.omitted.is_empty() {
            return self.left(posting);
        }
        Ok(Some((posting, None)))
    }

    fn left(&mut self, posting: Posting) -> Result<Option<Left>, SegmentError> {
        while self.omitted.first().is_some_and(|omission| omission.passage < posting.passage) {
            self.omitted = &self.omitted[1..];
        }
        let Some(omission) = self.omitted.first().filter(|omission| omission.passage == posting.passage) else {
            self.unread += posting.body;
            return Ok(Some((posting, None)));
        };
        let Some(lengths) = omission.lengths(self.segment.lengths(posting.passage)) else {
            self.unread += posting.body;
            return Ok(None);
        };
        self.positions.skip(std::mem::take(&mut self.unread))?;
        self.read.clear();
        self.positions.read(posting.body, &mut self.read)?;
        let body = self.read.iter().filter(|&&position| omission.keeps(position)).count() as u32;
        let left = Posting { body, head: 0, ..posting };
        Ok((left.body > 0 || left.path > 0).then_some((left, Some(lengths))))
    }
}
