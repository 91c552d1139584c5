//! Reading a segment: one file, mapped, nothing copied but the small things asked for.

use std::ops::Range;
use std::path::Path;

use loci_container::{Container, Lists, Strings, layout};
use loci_text::varint;
use serde::{Deserialize, Serialize};

use crate::SegmentError;

/// Number of the file layout; a reader refuses every other.
pub const FORMAT: u32 = 2;

/// The noun for these files in errors.
pub(crate) const WHAT: &str = "segment";
/// How the names of these files end.
pub(crate) const ENDING: &str = ".safetensors";

/// Number of roles that a collector knows; see `loci_collect::Role`.
const ROLES: u8 = 7;

/// What kind of passage an id stands for. Ids of one kind are contiguous: documents, then source, then commits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum PassageKind {
    /// A piece of a document.
    Document = 0,
    /// A piece of source.
    Source = 1,
    /// A commit message.
    Commit = 2,
}

/// The part of the header that says what a segment is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// [`FORMAT`] of the writer.
    pub format: u32,
    /// Signature of the term, chunking and redaction rules of the writer.
    pub signature: String,
    /// Commit that was HEAD, hexadecimal; empty where there was none.
    pub commit: String,
    /// Passages per kind: documents, source, commits.
    pub kinds: [u32; 3],
    /// Sum of the content lengths per field over all passages: body, head, path.
    pub field_totals: [u64; 3],
}

/// One posting: a term in a passage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posting {
    /// Passage id.
    pub passage: u32,
    /// Occurrences in the text.
    pub body: u32,
    /// Occurrences in the heading, symbol or subject.
    pub head: u32,
    /// Occurrences in the path.
    pub path: u32,
}

/// The verbatim part of a passage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassageText {
    /// Heading path, signature or subject.
    pub head: String,
    /// Qualified symbol, or empty.
    pub symbol: String,
    /// The passage.
    pub text: String,
}

layout! {
    struct Layout {
        roles: u8 = "passage.roles",
        owners: u32 = "passage.owners",
        lines: u32 = "passage.lines",
        lengths: u16 = "passage.lengths",
        text_offsets: u64 = "text.offsets",
        text_first: u32 = "text.first",
        text_bytes: u8 = "text.bytes",
        path_offsets: u32 = "path.offsets",
        path_bytes: u8 = "path.bytes",
        file_paths: u32 = "file.paths",
        file_digests: u8 = "file.digests",
        file_lossy: u8 = "file.lossy",
        commit_ids: u8 = "commit.ids",
        commit_times: i64 = "commit.times",
        commit_file_counts: u32 = "commit.file_counts",
        touched_offsets: u32 = "touched.offsets",
        touched_paths: u32 = "touched.paths",
        term_offsets: u32 = "term.offsets",
        term_bytes: u8 = "term.bytes",
        term_df: u32 = "term.df",
        term_cf: u32 = "term.cf",
        posting_offsets: u32 = "posting.offsets",
        posting_bytes: u8 = "posting.bytes",
        position_offsets: u32 = "position.offsets",
        position_bytes: u8 = "position.bytes",
    }
}

/// An open segment. Cheap to share between threads; all methods only read.
pub struct Segment {
    file: Container,
    header: Header,
    layout: Layout,
    paths: Strings,
    touched: Lists<u32>,
    terms: Strings,
    postings: Lists<u8>,
    positions: Lists<u8>,
}

impl std::fmt::Debug for Segment {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Segment")
            .field("path", &self.file.path())
            .field("header", &self.header)
            .finish_non_exhaustive()
    }
}

impl Segment {
    /// Maps the file at `path`.
    ///
    /// # Errors
    /// [`SegmentError::Missing`], [`SegmentError::Io`], [`SegmentError::Damaged`] when the layout does not hold together,
    /// [`SegmentError::Outdated`] when the file has another format number or, where `signature` is given, other rules.
    pub fn open(path: &Path, signature: Option<&str>) -> Result<Self, SegmentError> {
        Self::parse(Container::open(WHAT, path)?, signature)
    }

    /// Reads a segment from memory, as [`crate::SegmentWriter::encode`] made it.
    ///
    /// # Errors
    /// As [`Segment::open`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SegmentError> {
        Self::parse(Container::from_bytes(WHAT, bytes), None)
    }

    /// Gives the mapped pages back to the system; see [`Container::release`].
    pub fn release(&self) {
        self.file.release();
    }

    fn parse(file: Container, signature: Option<&str>) -> Result<Self, SegmentError> {
        let header = file.header(FORMAT, signature)?;
        let layout = Layout::read(&file)?;
        let segment = Self {
            paths: Strings::new(layout.path_offsets.clone(), layout.path_bytes.clone()),
            touched: Lists::new(layout.touched_offsets.clone(), layout.touched_paths.clone()),
            terms: Strings::new(layout.term_offsets.clone(), layout.term_bytes.clone()),
            postings: Lists::new(layout.posting_offsets.clone(), layout.posting_bytes.clone()),
            positions: Lists::new(layout.position_offsets.clone(), layout.position_bytes.clone()),
            file,
            header,
            layout,
        };
        segment.check()?;
        Ok(segment)
    }

    /// Whether the tables agree with each other, so that later look-ups need no test of their own. Does not decode postings.
    fn check(&self) -> Result<(), SegmentError> {
        let (file, layout) = (&self.file, &self.layout);
        let total: u64 = self.header.kinds.iter().map(|&count| u64::from(count)).sum();
        let passages = usize::try_from(total).map_err(|_| file.damaged("passage count"))?;
        file.ensure(
            layout.roles.len() == passages
                && layout.owners.len() == passages
                && layout.lines.len() == 2 * passages
                && layout.lengths.len() == 3 * passages,
            "passage tables differ in length",
        )?;
        self.paths.check(file, "paths")?;
        self.terms.check(file, "terms")?;
        self.postings.check(file, "posting offsets")?;
        self.positions.check(file, "position offsets")?;
        self.touched.check(file, "touched offsets")?;
        file.ensure(file.get(&layout.roles).iter().all(|&role| role < ROLES), "roles")?;
        let terms = self.terms.len();
        file.ensure(
            layout.term_df.len() == terms
                && layout.term_cf.len() == terms
                && self.postings.len() == terms
                && self.positions.len() == terms,
            "term tables differ in length",
        )?;
        let commits = self.header.kinds[2] as usize;
        file.ensure(
            layout.commit_ids.len() == 20 * commits
                && layout.commit_times.len() == 2 * commits
                && layout.commit_file_counts.len() == commits
                && self.touched.len() == commits,
            "commit tables differ in length",
        )?;
        let (files, paths) = (self.file_count() as usize, self.path_count() as u32);
        let mut numbers = self.file_paths().iter().chain(self.touched.all(file));
        file.ensure(
            layout.file_digests.len() == 16 * files
                && layout.file_lossy.len() == files
                && numbers.all(|&path| path < paths),
            "file tables",
        )?;
        let (in_files, in_commits) = self.owners().split_at(passages - commits);
        file.ensure(
            in_files.iter().all(|&owner| (owner as usize) < files)
                && in_commits.iter().all(|&commit| (commit as usize) < commits),
            "passage owners",
        )?;
        let (offsets, first) = (file.get(&layout.text_offsets), file.get(&layout.text_first));
        file.ensure(
            offsets.len() == first.len()
                && offsets.first() == Some(&0)
                && first.first() == Some(&0)
                && offsets.last() == Some(&(layout.text_bytes.len() as u64))
                && first.last().map(|&end| end as usize) == Some(passages)
                && offsets.is_sorted()
                && first.is_sorted(),
            "text tables",
        )
    }

    fn damaged(&self, detail: &str) -> SegmentError {
        self.file.damaged(detail)
    }

    /// The file; empty for a segment in memory.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// What the segment is.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// All bytes, to check them against the hash in the file's name.
    pub fn bytes(&self) -> &[u8] {
        self.file.bytes()
    }

    /// Number of passages.
    pub fn passage_count(&self) -> u32 {
        self.header.kinds.iter().sum()
    }

    /// Ids of the passages of one kind.
    pub fn passages_of(&self, kind: PassageKind) -> Range<u32> {
        let [documents, source, commits] = self.header.kinds;
        match kind {
            PassageKind::Document => 0..documents,
            PassageKind::Source => documents..documents + source,
            PassageKind::Commit => documents + source..documents + source + commits,
        }
    }

    /// Kind of a passage.
    #[inline]
    pub fn kind(&self, passage: u32) -> PassageKind {
        let [documents, source, _] = self.header.kinds;
        if passage < documents {
            PassageKind::Document
        } else if passage < documents + source {
            PassageKind::Source
        } else {
            PassageKind::Commit
        }
    }

    /// Role byte of a passage, as the collector gave it.
    pub fn role(&self, passage: u32) -> u8 {
        self.file.get(&self.layout.roles)[passage as usize]
    }

    /// The file (documents, source) or the commit (commits) that a passage belongs to.
    pub fn owner(&self, passage: u32) -> u32 {
        self.file.get(&self.layout.owners)[passage as usize]
    }

    /// Owners of all passages.
    pub fn owners(&self) -> &[u32] {
        self.file.get(&self.layout.owners)
    }

    /// First and last line, from 1; (0, 0) for a commit.
    pub fn lines(&self, passage: u32) -> (u32, u32) {
        let lines = self.file.get(&self.layout.lines);
        (lines[2 * passage as usize], lines[2 * passage as usize + 1])
    }

    /// Content positions of body, head and path.
    pub fn lengths(&self, passage: u32) -> [u16; 3] {
        let at = 3 * passage as usize;
        let lengths = self.file.get(&self.layout.lengths);
        [lengths[at], lengths[at + 1], lengths[at + 2]]
    }

    /// [`Segment::lengths`] of all passages, flat: three numbers each.
    pub fn all_lengths(&self) -> &[u16] {
        self.file.get(&self.layout.lengths)
    }

    /// The verbatim text, heading and symbol of a passage.
    ///
    /// # Errors
    /// [`SegmentError::Damaged`] when the block does not unpack.
    pub fn text(&self, passage: u32) -> Result<PassageText, SegmentError> {
        let mut found = None;
        self.for_texts(&[passage], |_, text| found = Some(text))?;
        found.ok_or_else(|| self.damaged("a passage is missing from its text block"))
    }

    /// Calls `each` with every passage of `wanted` (ascending ids) and its text; unpacks each block once.
    ///
    /// # Errors
    /// [`SegmentError::Damaged`] when a block does not unpack.
    pub fn for_texts(&self, wanted: &[u32], mut each: impl FnMut(u32, PassageText)) -> Result<(), SegmentError> {
        let first = self.file.get(&self.layout.text_first);
        let offsets = self.file.get(&self.layout.text_offsets);
        let packed = self.file.get(&self.layout.text_bytes);
        let mut next = 0;
        while next < wanted.len() {
            let block = first.partition_point(|&start| start <= wanted[next]) - 1;
            let range = offsets[block] as usize..offsets[block + 1] as usize;
            let unpacked = zstd::decode_all(&packed[range]).map_err(|error| self.damaged(&error.to_string()))?;
            let mut at = 0;
            for passage in first[block]..first[block + 1] {
                let mut parts = [""; 3];
                for part in &mut parts {
                    let length = varint::get(&unpacked, &mut at)
                        .ok_or_else(|| self.damaged("a text block ends early"))?
                        as usize;
                    let end = at.checked_add(length).filter(|&end| end <= unpacked.len());
                    let end = end.ok_or_else(|| self.damaged("a text block ends early"))?;
                    *part = std::str::from_utf8(&unpacked[at..end]).map_err(|_| self.damaged("a text is not UTF-8"))?;
                    at = end;
                }
                if wanted.get(next) == Some(&passage) {
                    let [head, symbol, text] = parts.map(str::to_owned);
                    each(passage, PassageText { head, symbol, text });
                    next += 1;
                }
            }
        }
        Ok(())
    }

    /// Number of paths, of files that are there and of files that only commits touched.
    pub fn path_count(&self) -> usize {
        self.paths.len()
    }

    /// A path, relative to the root, with `/`.
    pub fn path_at(&self, path: u32) -> &str {
        self.paths.get(&self.file, path)
    }

    /// Number of files that were read.
    pub fn file_count(&self) -> u32 {
        self.layout.file_paths.len() as u32
    }

    /// Path numbers of the files, ascending.
    pub fn file_paths(&self) -> &[u32] {
        self.file.get(&self.layout.file_paths)
    }

    /// Path of a file.
    pub fn file_path(&self, file: u32) -> &str {
        self.path_at(self.file_paths()[file as usize])
    }

    /// Content hash of a file: 16 bytes, the beginning of its BLAKE3.
    pub fn file_digest(&self, file: u32) -> [u8; 16] {
        let at = 16 * file as usize;
        let mut digest = [0; 16];
        digest.copy_from_slice(&self.file.get(&self.layout.file_digests)[at..at + 16]);
        digest
    }

    /// Whether a file's bytes were not valid text and were read leniently.
    pub fn file_lossy(&self, file: u32) -> bool {
        self.file.get(&self.layout.file_lossy)[file as usize] != 0
    }

    /// Number of commits.
    pub fn commit_count(&self) -> u32 {
        self.header.kinds[2]
    }

    /// Object id of a commit.
    pub fn commit_id(&self, commit: u32) -> [u8; 20] {
        let at = 20 * commit as usize;
        let mut id = [0; 20];
        id.copy_from_slice(&self.file.get(&self.layout.commit_ids)[at..at + 20]);
        id
    }

    /// Author time and committer time in seconds since 1970.
    pub fn commit_times(&self, commit: u32) -> (i64, i64) {
        let times = self.file.get(&self.layout.commit_times);
        (times[2 * commit as usize], times[2 * commit as usize + 1])
    }

    /// How many files a commit touched, also when [`Segment::touched`] holds fewer.
    pub fn commit_file_count(&self, commit: u32) -> u32 {
        self.file.get(&self.layout.commit_file_counts)[commit as usize]
    }

    /// Path numbers of the files that a commit touched.
    #[inline]
    pub fn touched(&self, commit: u32) -> &[u32] {
        self.touched.get(&self.file, commit)
    }

    /// Number of distinct terms.
    pub fn term_count(&self) -> u32 {
        self.terms.len() as u32
    }

    /// A term.
    #[inline]
    pub fn term(&self, term: u32) -> &str {
        self.terms.get(&self.file, term)
    }

    /// Bytes of a term.
    #[inline]
    pub fn term_bytes(&self, term: u32) -> &[u8] {
        self.terms.bytes(&self.file, term)
    }

    /// Numbers of the terms that do not stand before `first`: numbers follow the order of the terms' bytes.
    pub fn terms_from(&self, first: &str) -> Range<u32> {
        self.terms.first_from(&self.file, first)..self.term_count()
    }

    /// Number of a term, or `None` where the scope never uses it.
    pub fn find(&self, term: &str) -> Option<u32> {
        self.terms.find(&self.file, term)
    }

    /// Passages that hold the term in any field.
    pub fn df(&self, term: u32) -> u32 {
        self.file.get(&self.layout.term_df)[term as usize]
    }

    /// Occurrences of the term in the texts.
    pub fn cf(&self, term: u32) -> u32 {
        self.file.get(&self.layout.term_cf)[term as usize]
    }

    /// The postings of a term, by ascending passage.
    pub fn postings(&self, term: u32) -> Postings<'_> {
        Postings {
            segment: self,
            bytes: self.postings.get(&self.file, term),
            at: 0,
            next: 0,
            total: self.passage_count(),
        }
    }

    /// The positions of a term, in the order of its postings.
    pub fn positions(&self, term: u32) -> Positions<'_> {
        Positions { segment: self, bytes: self.positions.get(&self.file, term), at: 0 }
    }
}

/// Decodes the postings of one term.
pub struct Postings<'a> {
    segment: &'a Segment,
    bytes: &'a [u8],
    at: usize,
    next: u32,
    total: u32,
}

impl Postings<'_> {
    /// The next posting; `None` at the end.
    ///
    /// # Errors
    /// [`SegmentError::Damaged`] when the bytes are no posting list of this segment.
    #[inline(always)]
    pub fn next_posting(&mut self) -> Result<Option<Posting>, SegmentError> {
        if self.at >= self.bytes.len() {
            return Ok(None);
        }
        match self.decode() {
            Some(posting) => Ok(Some(posting)),
            None => Err(self.segment.damaged("a posting list does not decode")),
        }
    }

    #[inline(always)]
    fn decode(&mut self) -> Option<Posting> {
        let passage = self.next.checked_add(varint::get(self.bytes, &mut self.at)?)?;
        if passage >= self.total {
            return None;
        }
        self.next = passage + 1;
        let packed = varint::get(self.bytes, &mut self.at)?;
        if packed >> 1 > u32::from(u16::MAX) {
            return None;
        }
        let (mut head, mut path) = (0, 0);
        if packed & 1 == 1 {
            head = u32::from(*self.bytes.get(self.at)?);
            path = u32::from(*self.bytes.get(self.at + 1)?);
            self.at += 2;
        }
        Some(Posting { passage, body: packed >> 1, head, path })
    }
}

/// Decodes the positions of one term.
pub struct Positions<'a> {
    segment: &'a Segment,
    bytes: &'a [u8],
    at: usize,
}

impl Positions<'_> {
    /// Appends the next `count` positions, which belong to one posting, to `out`.
    ///
    /// # Errors
    /// [`SegmentError::Damaged`] when there are fewer.
    #[inline]
    pub fn read(&mut self, count: u32, out: &mut Vec<u32>) -> Result<(), SegmentError> {
        let mut position = 0u32;
        for _ in 0..count {
            let step = varint::get(self.bytes, &mut self.at)
                .ok_or_else(|| self.segment.damaged("a position list ends early"))?;
            position = position.wrapping_add(step);
            out.push(position);
        }
        Ok(())
    }

    /// Passes over the next `count` positions.
    ///
    /// # Errors
    /// As [`Positions::read`].
    #[inline]
    pub fn skip(&mut self, count: u32) -> Result<(), SegmentError> {
        let mut left = count;
        while left > 0 {
            let byte = self.bytes.get(self.at).ok_or_else(|| self.segment.damaged("a position list ends early"))?;
            self.at += 1;
            left -= u32::from(*byte < 0x80);
        }
        Ok(())
    }
}
