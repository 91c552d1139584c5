//! Writing a segment: a writer holds everything in final order, `encode` gives the bytes.

use std::collections::BTreeSet;
use std::path::Path;

use loci_container::{Part, encode, name_of};
use loci_text::varint;
use rustc_hash::FxHashMap;

use crate::SegmentError;
use crate::forward::{Entry, Forward};
use crate::segment::{ENDING, FORMAT, Header, WHAT};

/// Uncompressed bytes of a text block: large enough to pack well, small enough to unpack in a blink for one passage.
const TEXT_BLOCK_BYTES: usize = 48 * 1024;
/// zstd's own default; higher levels cost a multiple of the time for a few percent.
const TEXT_LEVEL: i32 = 3;

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileRecord {
    /// Path relative to the root, with `/`.
    pub path: String,
    /// Beginning of the BLAKE3 of its bytes.
    pub digest: [u8; 16],
    /// Whether its bytes were not valid text and were read leniently.
    pub lossy: bool,
}

/// A commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitRecord {
    /// Object id.
    pub id: [u8; 20],
    /// Seconds since 1970.
    pub author_time: i64,
    /// Seconds since 1970.
    pub commit_time: i64,
    /// Paths touched, possibly clipped.
    pub touched: Vec<String>,
    /// Paths touched, all of them counted.
    pub file_count: u32,
}

/// A passage without its terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassageRecord {
    /// Role byte.
    pub role: u8,
    /// Number of its file in [`SegmentWriter::files`], or of its commit in [`SegmentWriter::commits`].
    pub owner: u32,
    /// First and last line, from 1; (0, 0) for a commit.
    pub lines: (u32, u32),
    /// Heading path, signature or subject.
    pub head: String,
    /// Qualified symbol, or empty.
    pub symbol: String,
    /// Verbatim text.
    pub text: String,
}

/// A segment about to be written.
///
/// `passages` stand in final order: documents by path and line, source by path and line, commits by `commits`.
/// `sources[i]` says which passage of which [`Forward`] holds the terms of passage `i`.
#[derive(Debug, Default)]
pub struct SegmentWriter {
    /// Signature of the rules that made the terms and passages.
    pub signature: String,
    /// HEAD in hexadecimal, or empty.
    pub commit: String,
    /// By ascending path.
    pub files: Vec<FileRecord>,
    /// In the order of their passages.
    pub commits: Vec<CommitRecord>,
    /// In final order.
    pub passages: Vec<PassageRecord>,
    /// How many of `passages` are documents, source and commits.
    pub kinds: [u32; 3],
    /// Terms.
    pub batches: Vec<Forward>,
    /// Per passage (batch, passage in the batch).
    pub sources: Vec<(u32, u32)>,
}

/// The bytes of a segment and the name that their hash gives it.
#[derive(Debug)]
pub struct Encoded {
    /// The safetensors container.
    pub bytes: Vec<u8>,
    /// `<first 32 hexadecimal digits of BLAKE3>.safetensors`.
    pub name: String,
}

fn too_large(what: &str) -> SegmentError {
    SegmentError::TooLarge { what: WHAT, detail: what.to_owned() }
}

fn offset(length: usize, what: &str) -> Result<u32, SegmentError> {
    u32::try_from(length).map_err(|_| too_large(what))
}

impl SegmentWriter {
    /// Lays the writer out as a safetensors container.
    ///
    /// # Errors
    /// [`SegmentError::TooLarge`] when a table would pass 4 GiB.
    ///
    /// # Panics
    /// When `sources`, `passages` and `kinds` disagree, which is a mistake of the caller.
    pub fn encode(&self) -> Result<Encoded, SegmentError> {
        assert_eq!(self.passages.len(), self.sources.len(), "every passage needs its terms");
        assert_eq!(
            self.passages.len() as u64,
            self.kinds.iter().map(|&n| u64::from(n)).sum::<u64>(),
            "kinds must add up"
        );
        assert_eq!(self.commits.len(), self.kinds[2] as usize, "every commit is one passage");

        let terms = self.encode_terms()?;
        let texts = self.encode_texts();

        // One table of paths, sorted, so that files and touched paths compare as numbers.
        let mut paths: BTreeSet<&str> = self.files.iter().map(|file| file.path.as_str()).collect();
        paths.extend(self.commits.iter().flat_map(|commit| commit.touched.iter().map(String::as_str)));
        let numbers: FxHashMap<&str, u32> =
            paths.iter().enumerate().map(|(number, path)| (*path, number as u32)).collect();
        let mut path_offsets = vec![0u32];
        let mut path_bytes = Vec::new();
        for path in &paths {
            path_bytes.extend_from_slice(path.as_bytes());
            path_offsets.push(offset(path_bytes.len(), "paths")?);
        }
        let file_paths: Vec<u32> = self.files.iter().map(|file| numbers[file.path.as_str()]).collect();
        let file_digests: Vec<u8> = self.files.iter().flat_map(|file| file.digest).collect();
        let file_lossy: Vec<u8> = self.files.iter().map(|file| u8::from(file.lossy)).collect();
        let mut touched_offsets = vec![0u32];
        let mut touched_paths = Vec::new();
        for commit in &self.commits {
            touched_paths.extend(commit.touched.iter().map(|path| numbers[path.as_str()]));
            touched_offsets.push(offset(touched_paths.len(), "touched paths")?);
        }
        let commit_ids: Vec<u8> = self.commits.iter().flat_map(|commit| commit.id).collect();
        let commit_times: Vec<i64> =
            self.commits.iter().flat_map(|commit| [commit.author_time, commit.commit_time]).collect();
        let commit_file_counts: Vec<u32> = self.commits.iter().map(|commit| commit.file_count).collect();

        let roles: Vec<u8> = self.passages.iter().map(|passage| passage.role).collect();
        let owners: Vec<u32> = self.passages.iter().map(|passage| passage.owner).collect();
        let lines: Vec<u32> = self.passages.iter().flat_map(|passage| [passage.lines.0, passage.lines.1]).collect();
        let mut lengths = Vec::with_capacity(3 * self.passages.len());
        let mut field_totals = [0u64; 3];
        for &(batch, index) in &self.sources {
            let passage = self.batches[batch as usize].lengths[index as usize];
            for (total, length) in field_totals.iter_mut().zip(passage) {
                *total += u64::from(length);
            }
            lengths.extend(passage);
        }

        let header = Header {
            format: FORMAT,
            signature: self.signature.clone(),
            commit: self.commit.clone(),
            kinds: self.kinds,
            field_totals,
        };
        let parts = vec![
            Part::of("passage.roles", &roles),
            Part::of("passage.owners", &owners),
            Part::of("passage.lines", &lines),
            Part::of("passage.lengths", &lengths),
            Part::of("text.offsets", &texts.offsets),
            Part::of("text.first", &texts.first),
            Part::of("text.bytes", &texts.bytes),
            Part::of("path.offsets", &path_offsets),
            Part::of("path.bytes", &path_bytes),
            Part::of("file.paths", &file_paths),
            Part::of("file.digests", &file_digests),
            Part::of("file.lossy", &file_lossy),
            Part::of("commit.ids", &commit_ids),
            Part::of("commit.times", &commit_times),
            Part::of("commit.file_counts", &commit_file_counts),
            Part::of("touched.offsets", &touched_offsets),
            Part::of("touched.paths", &touched_paths),
            Part::of("term.offsets", &terms.offsets),
            Part::of("term.bytes", &terms.bytes),
            Part::of("term.df", &terms.df),
            Part::of("term.cf", &terms.cf),
            Part::of("posting.offsets", &terms.posting_offsets),
            Part::of("posting.bytes", &terms.postings),
            Part::of("position.offsets", &terms.position_offsets),
            Part::of("position.bytes", &terms.positions),
        ];
        Ok(Encoded::of(encode(WHAT, parts, &header)?))
    }

    fn encode_texts(&self) -> Texts {
        use rayon::prelude::*;
        let mut blocks = Vec::new();
        let mut first = vec![0u32];
        let (mut start, mut size) = (0, 0);
        for (index, passage) in self.passages.iter().enumerate() {
            size += passage.head.len() + passage.symbol.len() + passage.text.len();
            if size >= TEXT_BLOCK_BYTES || index + 1 == self.passages.len() {
                blocks.push(start..index + 1);
                first.push(index as u32 + 1);
                (start, size) = (index + 1, 0);
            }
        }
        let packed: Vec<Vec<u8>> = blocks
            .into_par_iter()
            .map(|block| {
                let mut plain = Vec::with_capacity(2 * TEXT_BLOCK_BYTES);
                for passage in &self.passages[block] {
                    for part in [&passage.head, &passage.symbol, &passage.text] {
                        varint::put(&mut plain, part.len() as u32);
                        plain.extend_from_slice(part.as_bytes());
                    }
                }
                zstd::bulk::compress(&plain, TEXT_LEVEL).expect("compressing into memory fails only without memory")
            })
            .collect();
        let mut offsets = vec![0u64];
        let mut bytes = Vec::with_capacity(packed.iter().map(Vec::len).sum());
        for block in packed {
            bytes.extend_from_slice(&block);
            offsets.push(bytes.len() as u64);
        }
        Texts { offsets, first, bytes }
    }

    fn encode_terms(&self) -> Result<Terms, SegmentError> {
        // Number the terms of all batches by their sorted text.
        let mut vocabulary: FxHashMap<&str, u32> = FxHashMap::default();
        let mut locals: Vec<Vec<u32>> = Vec::with_capacity(self.batches.len());
        for batch in &self.batches {
            let mut local = Vec::with_capacity(batch.terms.len());
            for term in &batch.terms {
                let next = vocabulary.len() as u32;
                local.push(*vocabulary.entry(term).or_insert(next));
            }
            locals.push(local);
        }

        // Counting sort of all entries by term; going through the passages in final order leaves each term's list sorted.
        let mut counts = vec![0u32; vocabulary.len() + 1];
        for &(batch, index) in &self.sources {
            for entry in self.batches[batch as usize].entries_of(index as usize).0 {
                counts[locals[batch as usize][entry.term as usize] as usize + 1] += 1;
            }
        }
        for index in 1..counts.len() {
            counts[index] = counts[index].checked_add(counts[index - 1]).ok_or_else(|| too_large("postings"))?;
        }
        struct Place {
            passage: u32,
            batch: u32,
            position: u32,
            entry: Entry,
        }
        let total = counts.last().copied().unwrap_or(0) as usize;
        let mut places: Vec<Place> = Vec::with_capacity(total);
        {
            let mut cursors = counts.clone();
            let slots = places.spare_capacity_mut();
            for (passage, &(batch, index)) in self.sources.iter().enumerate() {
                let forward = &self.batches[batch as usize];
                let (entries, _) = forward.entries_of(index as usize);
                let mut position = if index == 0 { 0 } else { forward.ends[index as usize - 1].1 };
                for &entry in entries {
                    let term = locals[batch as usize][entry.term as usize];
                    let cursor = &mut cursors[term as usize];
                    slots[*cursor as usize].write(Place { passage: passage as u32, batch, position, entry });
                    *cursor += 1;
                    position += u32::from(entry.body);
                }
            }
        }
        // SAFETY: `counts` is the prefix sum over exactly the entries that the loop above went through, each of which was
        // written to a slot of its own, so all `total` slots are initialised.
        unsafe { places.set_len(total) };

        let mut order: Vec<(&str, u32)> = vocabulary.into_iter().collect();
        order.sort_unstable();
        let mut terms = Terms::default();
        for (text, number) in order {
            let list = &places[counts[number as usize] as usize..counts[number as usize + 1] as usize];
            if list.is_empty() {
                continue;
            }
            let mut next = 0;
            let mut occurrences = 0u32;
            for place in list {
                varint::put(&mut terms.postings, place.passage - next);
                next = place.passage + 1;
                let Entry { body, head, path, .. } = place.entry;
                let extra = head > 0 || path > 0;
                varint::put(&mut terms.postings, u32::from(body) << 1 | u32::from(extra));
                if extra {
                    terms.postings.extend([head, path]);
                }
                let start = place.position as usize;
                let mut before = 0;
                for &position in &self.batches[place.batch as usize].positions[start..start + usize::from(body)] {
                    varint::put(&mut terms.positions, position - before);
                    before = position;
                }
                occurrences = occurrences.saturating_add(u32::from(body));
            }
            terms.bytes.extend_from_slice(text.as_bytes());
            terms.offsets.push(offset(terms.bytes.len(), "terms")?);
            terms.df.push(list.len() as u32);
            terms.cf.push(occurrences);
            terms.posting_offsets.push(offset(terms.postings.len(), "postings")?);
            terms.position_offsets.push(offset(terms.positions.len(), "positions")?);
        }
        Ok(terms)
    }
}

impl Encoded {
    /// Names the bytes of a segment by their hash.
    pub fn of(bytes: Vec<u8>) -> Self {
        let name = name_of(&bytes, ENDING);
        Self { bytes, name }
    }

    /// [`Encoded::write`], giving the name.
    ///
    /// # Errors
    /// [`SegmentError::Io`].
    pub fn write_named(self, directory: &Path) -> Result<String, SegmentError> {
        self.write(directory)?;
        Ok(self.name)
    }

    /// Writes the segment into `directory` under its name; see [`loci_container::write()`].
    ///
    /// # Errors
    /// [`SegmentError::Io`].
    pub fn write(&self, directory: &Path) -> Result<(), SegmentError> {
        loci_container::write(directory, &self.name, &self.bytes, None)
    }
}

struct Texts {
    offsets: Vec<u64>,
    first: Vec<u32>,
    bytes: Vec<u8>,
}

struct Terms {
    offsets: Vec<u32>,
    bytes: Vec<u8>,
    df: Vec<u32>,
    cf: Vec<u32>,
    posting_offsets: Vec<u32>,
    postings: Vec<u8>,
    position_offsets: Vec<u32>,
    positions: Vec<u8>,
}

impl Default for Terms {
    fn default() -> Self {
        Self {
            offsets: vec![0],
            bytes: Vec::new(),
            df: Vec::new(),
            cf: Vec::new(),
            posting_offsets: vec![0],
            postings: Vec::new(),
            position_offsets: vec![0],
            positions: Vec::new(),
        }
    }
}
