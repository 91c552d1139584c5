//! Reading a segment: one file, memory-mapped, nothing copied but the small things asked for.

use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use loci_text::varint;
use memmap2::Mmap;
use safetensors::{Dtype, SafeTensors};
use serde::{Deserialize, Serialize};

use crate::SegmentError;

/// Number of the file layout; a reader refuses every other.
pub const FORMAT: u32 = 2;

/// The file name that the content of a file gives it; another one than it has means that the file was damaged.
///
/// # Errors
/// What the system says when it cannot be read.
pub fn name_by_content(path: &Path) -> std::io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    std::io::copy(&mut File::open(path)?, &mut hasher)?;
    Ok(named(&hasher.finalize()))
}

/// How a segment of this hash is called.
pub(crate) fn named(hash: &blake3::Hash) -> String {
    format!("{}.safetensors", &hash.to_hex()[..32])
}

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

enum Bytes {
    Mapped(Mmap),
    Owned(Arc<AlignedBytes>),
}

/// Bytes whose start lies on an 8-byte border, as the integer views need.
struct AlignedBytes {
    words: Vec<u64>,
    length: usize,
}

impl AlignedBytes {
    fn new(bytes: &[u8]) -> Self {
        let mut words = vec![0u64; bytes.len().div_ceil(8)];
        bytemuck::cast_slice_mut::<u64, u8>(&mut words)[..bytes.len()].copy_from_slice(bytes);
        Self { words, length: bytes.len() }
    }
}

impl Bytes {
    #[inline(always)]
    fn all(&self) -> &[u8] {
        match self {
            Bytes::Mapped(map) => map,
            Bytes::Owned(owned) => &bytemuck::cast_slice(&owned.words)[..owned.length],
        }
    }
}

#[derive(Default)]
struct Layout {
    roles: Range<usize>,
    owners: Range<usize>,
    lines: Range<usize>,
    lengths: Range<usize>,
    text_offsets: Range<usize>,
    text_first: Range<usize>,
    text_bytes: Range<usize>,
    path_offsets: Range<usize>,
    path_bytes: Range<usize>,
    file_paths: Range<usize>,
    file_digests: Range<usize>,
    file_lossy: Range<usize>,
    commit_ids: Range<usize>,
    commit_times: Range<usize>,
    commit_file_counts: Range<usize>,
    touched_offsets: Range<usize>,
    touched_paths: Range<usize>,
    term_offsets: Range<usize>,
    term_bytes: Range<usize>,
    term_df: Range<usize>,
    term_cf: Range<usize>,
    posting_offsets: Range<usize>,
    posting_bytes: Range<usize>,
    position_offsets: Range<usize>,
    position_bytes: Range<usize>,
}

/// An open segment. Cheap to share between threads; all methods only read.
pub struct Segment {
    path: PathBuf,
    bytes: Bytes,
    header: Header,
    layout: Layout,
}

impl std::fmt::Debug for Segment {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Segment")
            .field("path", &self.path)
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
        let file = File::open(path).map_err(|source| match source.kind() {
            std::io::ErrorKind::NotFound => SegmentError::Missing { path: path.to_owned() },
            _ => SegmentError::Io { path: path.to_owned(), source },
        })?;
        // SAFETY: segments are written once under a temporary name and never changed afterwards; a replaced segment is
        // unlinked, which leaves this mapping intact. A program that truncates the file in place breaks that promise.
        let map = unsafe { Mmap::map(&file) }.map_err(|source| SegmentError::Io { path: path.to_owned(), source })?;
        Self::parse(path.to_owned(), Bytes::Mapped(map), signature)
    }

    /// Reads a segment from memory, as [`crate::Draft::encode`] made it.
    ///
    /// # Errors
    /// As [`Segment::open`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SegmentError> {
        Self::parse(PathBuf::new(), Bytes::Owned(Arc::new(AlignedBytes::new(bytes))), None)
    }

    /// Gives the mapped pages back to the system; what is read next is mapped again, from its cache or from disk.
    ///
    /// The segment stays open, and other threads may be reading it. Does nothing where it is in memory, and on systems
    /// without such a call.
    pub fn release(&self) {
        #[cfg(unix)]
        if let Bytes::Mapped(map) = &self.bytes {
            // SAFETY: the mapping is read-only, and its file is never changed: a page that is dropped, also under a reader,
            // comes back with the same bytes. A failure leaves everything as it was.
            let _ = unsafe { map.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) };
        }
    }

    fn parse(path: PathBuf, bytes: Bytes, signature: Option<&str>) -> Result<Self, SegmentError> {
        let damaged = |detail: &str| SegmentError::Damaged { path: path.clone(), detail: detail.to_owned() };
        let all = bytes.all();
        let (_, metadata) = SafeTensors::read_metadata(all).map_err(|error| damaged(&error.to_string()))?;
        let header: Header = metadata
            .metadata()
            .as_ref()
            .and_then(|entries| entries.get("loci"))
            .ok_or_else(|| damaged("no loci header"))
            .and_then(|text| serde_json::from_str(text).map_err(|error| damaged(&error.to_string())))?;
        if header.format != FORMAT {
            return Err(SegmentError::Outdated {
                path,
                found: format!("format {}", header.format),
                expected: format!("format {FORMAT}"),
            });
        }
        if let Some(expected) = signature.filter(|expected| *expected != header.signature) {
            return Err(SegmentError::Outdated { path, found: header.signature, expected: expected.to_owned() });
        }
        let tensors = SafeTensors::deserialize(all).map_err(|error| damaged(&error.to_string()))?;
        let range = |name: &str, dtype: Dtype| -> Result<Range<usize>, SegmentError> {
            let view = tensors.tensor(name).map_err(|_| damaged(&format!("no tensor {name}")))?;
            if view.dtype() != dtype {
                return Err(damaged(&format!("tensor {name} is {:?}, not {dtype:?}", view.dtype())));
            }
            let start = view.data().as_ptr() as usize - all.as_ptr() as usize;
            if dtype != Dtype::U8 && view.data().as_ptr().align_offset(dtype.bitsize() / 8) != 0 {
                return Err(damaged(&format!("tensor {name} is not aligned")));
            }
            Ok(start..start + view.data().len())
        };
        let layout = Layout {
            roles: range("passage.roles", Dtype::U8)?,
            owners: range("passage.owners", Dtype::U32)?,
            lines: range("passage.lines", Dtype::U32)?,
            lengths: range("passage.lengths", Dtype::U16)?,
            text_offsets: range("text.offsets", Dtype::U64)?,
            text_first: range("text.first", Dtype::U32)?,
            text_bytes: range("text.bytes", Dtype::U8)?,
            path_offsets: range("path.offsets", Dtype::U32)?,
            path_bytes: range("path.bytes", Dtype::U8)?,
            file_paths: range("file.paths", Dtype::U32)?,
            file_digests: range("file.digests", Dtype::U8)?,
            file_lossy: range("file.lossy", Dtype::U8)?,
            commit_ids: range("commit.ids", Dtype::U8)?,
            commit_times: range("commit.times", Dtype::I64)?,
            commit_file_counts: range("commit.file_counts", Dtype::U32)?,
            touched_offsets: range("touched.offsets", Dtype::U32)?,
            touched_paths: range("touched.paths", Dtype::U32)?,
            term_offsets: range("term.offsets", Dtype::U32)?,
            term_bytes: range("term.bytes", Dtype::U8)?,
            term_df: range("term.df", Dtype::U32)?,
            term_cf: range("term.cf", Dtype::U32)?,
            posting_offsets: range("posting.offsets", Dtype::U32)?,
            posting_bytes: range("posting.bytes", Dtype::U8)?,
            position_offsets: range("position.offsets", Dtype::U32)?,
            position_bytes: range("position.bytes", Dtype::U8)?,
        };
        let segment = Self { path: path.clone(), bytes, header, layout };
        segment.check().map_err(damaged)?;
        Ok(segment)
    }

    /// Whether the tables agree with each other, so that later look-ups need no test of their own. Does not decode postings.
    fn check(&self) -> Result<(), &'static str> {
        fn ascending<T: PartialOrd + Copy>(offsets: &[T]) -> bool {
            offsets.windows(2).all(|pair| pair[0] <= pair[1])
        }
        let layout = &self.layout;
        let total: u64 = self.header.kinds.iter().map(|&count| u64::from(count)).sum();
        let passages = usize::try_from(total).map_err(|_| "passage count")?;
        let fits = layout.roles.len() == passages
            && self.u32s(&layout.owners).len() == passages
            && self.u32s(&layout.lines).len() == 2 * passages
            && self.u16s(&layout.lengths).len() == 3 * passages;
        if !fits {
            return Err("passage tables differ in length");
        }
        for (offsets, bytes, what) in [
            (&layout.path_offsets, layout.path_bytes.len(), "path offsets"),
            (&layout.term_offsets, layout.term_bytes.len(), "term offsets"),
            (&layout.posting_offsets, layout.posting_bytes.len(), "posting offsets"),
            (&layout.position_offsets, layout.position_bytes.len(), "position offsets"),
            (&layout.touched_offsets, layout.touched_paths.len() / 4, "touched offsets"),
        ] {
            let offsets = self.u32s(offsets);
            if offsets.first() != Some(&0)
                || offsets.last().map(|&end| end as usize) != Some(bytes)
                || !ascending(offsets)
            {
                return Err(what);
            }
        }
        if self.raw(&layout.roles).iter().any(|&role| role >= ROLES) {
            return Err("roles");
        }
        let terms = self.term_count() as usize;
        if self.u32s(&layout.term_df).len() != terms
            || self.u32s(&layout.term_cf).len() != terms
            || self.u32s(&layout.posting_offsets).len() != terms + 1
            || self.u32s(&layout.position_offsets).len() != terms + 1
        {
            return Err("term tables differ in length");
        }
        let commits = self.header.kinds[2] as usize;
        if layout.commit_ids.len() != 20 * commits
            || layout.commit_times.len() != 16 * commits
            || self.u32s(&layout.commit_file_counts).len() != commits
            || self.u32s(&layout.touched_offsets).len() != commits + 1
        {
            return Err("commit tables differ in length");
        }
        let files = self.file_count() as usize;
        let paths = self.path_count() as u32;
        if layout.file_digests.len() != 16 * files
            || layout.file_lossy.len() != files
            || self.u32s(&layout.file_paths).iter().chain(self.u32s(&layout.touched_paths)).any(|&path| path >= paths)
        {
            return Err("file tables");
        }
        let (in_files, in_commits) = self.u32s(&layout.owners).split_at(passages - commits);
        if in_files.iter().any(|&file| file as usize >= files) || in_commits.iter().any(|&c| c as usize >= commits) {
            return Err("passage owners");
        }
        let (offsets, first) = (self.u64s(&layout.text_offsets), self.u32s(&layout.text_first));
        if offsets.len() != first.len()
            || offsets.first() != Some(&0)
            || first.first() != Some(&0)
            || offsets.last() != Some(&(layout.text_bytes.len() as u64))
            || first.last().map(|&end| end as usize) != Some(passages)
            || !ascending(offsets)
            || !ascending(first)
        {
            return Err("text tables");
        }
        if std::str::from_utf8(self.raw(&layout.term_bytes)).is_err()
            || std::str::from_utf8(self.raw(&layout.path_bytes)).is_err()
        {
            return Err("terms or paths are not UTF-8");
        }
        Ok(())
    }

    #[inline(always)]
    fn raw(&self, range: &Range<usize>) -> &[u8] {
        &self.bytes.all()[range.clone()]
    }

    #[inline(always)]
    fn u16s(&self, range: &Range<usize>) -> &[u16] {
        bytemuck::cast_slice(self.raw(range))
    }

    #[inline(always)]
    fn u32s(&self, range: &Range<usize>) -> &[u32] {
        bytemuck::cast_slice(self.raw(range))
    }

    #[inline(always)]
    fn u64s(&self, range: &Range<usize>) -> &[u64] {
        bytemuck::cast_slice(self.raw(range))
    }

    fn damaged(&self, detail: &str) -> SegmentError {
        SegmentError::Damaged { path: self.path.clone(), detail: detail.to_owned() }
    }

    /// The file; empty for a segment in memory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the segment is.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// All bytes, to check them against the hash in the file's name.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.all()
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
        self.raw(&self.layout.roles)[passage as usize]
    }

    /// The file (documents, source) or the commit (commits) that a passage belongs to.
    pub fn owner(&self, passage: u32) -> u32 {
        self.u32s(&self.layout.owners)[passage as usize]
    }

    /// Owners of all passages.
    pub fn owners(&self) -> &[u32] {
        self.u32s(&self.layout.owners)
    }

    /// First and last line, from 1; (0, 0) for a commit.
    pub fn lines(&self, passage: u32) -> (u32, u32) {
        let lines = self.u32s(&self.layout.lines);
        (lines[2 * passage as usize], lines[2 * passage as usize + 1])
    }

    /// Content positions of body, head and path.
    pub fn lengths(&self, passage: u32) -> [u16; 3] {
        let at = 3 * passage as usize;
        let lengths = self.u16s(&self.layout.lengths);
        [lengths[at], lengths[at + 1], lengths[at + 2]]
    }

    /// [`Segment::lengths`] of all passages, flat: three numbers each.
    pub fn all_lengths(&self) -> &[u16] {
        self.u16s(&self.layout.lengths)
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
        let first = self.u32s(&self.layout.text_first);
        let offsets = self.u64s(&self.layout.text_offsets);
        let packed = self.raw(&self.layout.text_bytes);
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
        self.u32s(&self.layout.path_offsets).len() - 1
    }

    /// A path, relative to the root, with `/`.
    pub fn path_at(&self, path: u32) -> &str {
        let offsets = self.u32s(&self.layout.path_offsets);
        let range = offsets[path as usize] as usize..offsets[path as usize + 1] as usize;
        std::str::from_utf8(&self.raw(&self.layout.path_bytes)[range]).unwrap_or("")
    }

    /// Number of files that were read.
    pub fn file_count(&self) -> u32 {
        self.u32s(&self.layout.file_paths).len() as u32
    }

    /// Path numbers of the files, ascending.
    pub fn file_paths(&self) -> &[u32] {
        self.u32s(&self.layout.file_paths)
    }

    /// Path of a file.
    pub fn file_path(&self, file: u32) -> &str {
        self.path_at(self.file_paths()[file as usize])
    }

    /// Content hash of a file: 16 bytes, the beginning of its BLAKE3.
    pub fn file_digest(&self, file: u32) -> [u8; 16] {
        let at = 16 * file as usize;
        let mut digest = [0; 16];
        digest.copy_from_slice(&self.raw(&self.layout.file_digests)[at..at + 16]);
        digest
    }

    /// Whether a file's bytes were not valid text and were read leniently.
    pub fn file_lossy(&self, file: u32) -> bool {
        self.raw(&self.layout.file_lossy)[file as usize] != 0
    }

    /// Number of commits.
    pub fn commit_count(&self) -> u32 {
        self.header.kinds[2]
    }

    /// Object id of a commit.
    pub fn commit_id(&self, commit: u32) -> [u8; 20] {
        let at = 20 * commit as usize;
        let mut id = [0; 20];
        id.copy_from_slice(&self.raw(&self.layout.commit_ids)[at..at + 20]);
        id
    }

    /// Author time and committer time in seconds since 1970.
    pub fn commit_times(&self, commit: u32) -> (i64, i64) {
        let times: &[i64] = bytemuck::cast_slice(self.raw(&self.layout.commit_times));
        (times[2 * commit as usize], times[2 * commit as usize + 1])
    }

    /// How many files a commit touched, also when [`Segment::touched`] holds fewer.
    pub fn commit_file_count(&self, commit: u32) -> u32 {
        self.u32s(&self.layout.commit_file_counts)[commit as usize]
    }

    /// Path numbers of the files that a commit touched.
    #[inline]
    pub fn touched(&self, commit: u32) -> &[u32] {
        let offsets = self.u32s(&self.layout.touched_offsets);
        &self.u32s(&self.layout.touched_paths)[offsets[commit as usize] as usize..offsets[commit as usize + 1] as usize]
    }

    /// Number of distinct terms.
    pub fn term_count(&self) -> u32 {
        self.u32s(&self.layout.term_offsets).len() as u32 - 1
    }

    /// A term.
    #[inline]
    pub fn term(&self, term: u32) -> &str {
        let offsets = self.u32s(&self.layout.term_offsets);
        let range = offsets[term as usize] as usize..offsets[term as usize + 1] as usize;
        // The whole table was checked to be UTF-8; a border inside a character gives an empty term, which nobody asks for.
        std::str::from_utf8(&self.raw(&self.layout.term_bytes)[range]).unwrap_or("")
    }

    /// Bytes of a term.
    #[inline]
    pub fn term_bytes(&self, term: u32) -> &[u8] {
        let offsets = self.u32s(&self.layout.term_offsets);
        let range = offsets[term as usize] as usize..offsets[term as usize + 1] as usize;
        &self.raw(&self.layout.term_bytes)[range]
    }

    /// Numbers of the terms that do not stand before `first`: numbers follow the order of the terms' bytes.
    pub fn terms_from(&self, first: &str) -> Range<u32> {
        let (mut low, mut high) = (0, self.term_count());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.term_bytes(middle) < first.as_bytes() {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low..self.term_count()
    }

    /// Number of a term, or `None` where the scope never uses it.
    pub fn find(&self, term: &str) -> Option<u32> {
        let offsets = self.u32s(&self.layout.term_offsets);
        let bytes = self.raw(&self.layout.term_bytes);
        let (mut low, mut high) = (0, offsets.len() - 1);
        while low < high {
            let middle = (low + high) / 2;
            match bytes[offsets[middle] as usize..offsets[middle + 1] as usize].cmp(term.as_bytes()) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(middle as u32),
            }
        }
        None
    }

    /// Passages that hold the term in any field.
    pub fn df(&self, term: u32) -> u32 {
        self.u32s(&self.layout.term_df)[term as usize]
    }

    /// Occurrences of the term in the texts.
    pub fn cf(&self, term: u32) -> u32 {
        self.u32s(&self.layout.term_cf)[term as usize]
    }

    /// The postings of a term, by ascending passage.
    pub fn postings(&self, term: u32) -> Postings<'_> {
        let offsets = self.u32s(&self.layout.posting_offsets);
        let range = offsets[term as usize] as usize..offsets[term as usize + 1] as usize;
        Postings {
            segment: self,
            bytes: &self.raw(&self.layout.posting_bytes)[range],
            at: 0,
            next: 0,
            total: self.passage_count(),
        }
    }

    /// The positions of a term, in the order of its postings.
    pub fn positions(&self, term: u32) -> Positions<'_> {
        let offsets = self.u32s(&self.layout.position_offsets);
        let range = offsets[term as usize] as usize..offsets[term as usize + 1] as usize;
        Positions { segment: self, bytes: &self.raw(&self.layout.position_bytes)[range], at: 0 }
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
