//! Lexical segments: everything a scope's words are looked up in, in one immutable file.
//!
//! A segment holds the passages of ONE scope (documents, source, commits) with their verbatim texts, and for each term
//! the passages that use it: how often in the text, in the heading and in the path, and at which positions. The router
//! reads it to weigh scopes against each other, the episode store to rank passages inside one; nothing is indexed twice.
//!
//! The file is a [safetensors](https://github.com/huggingface/safetensors) container, memory-mapped, never changed after
//! it was written, and named by the hash of its content. The same passages give the same bytes, whether they were
//! tokenized just now or taken over from an older segment.
//!
//! For: the layout, writing, merging and reading. Not for: what is worth indexing (`loci-collect`), how scopes are scored
//! (`loci-rank`), how passages are ranked (`loci-episodes`).
//!
//! ```
//! use loci_index::{SegmentWriter, Segment};
//!
//! let writer = SegmentWriter::from_texts(["the cookie is signed", "a signed cookie, then another cookie"], "rules");
//! let segment = Segment::from_bytes(&writer.encode()?.bytes)?;
//! let cookie = segment.find("cooki").expect("stems are what is stored");
//! assert_eq!((2, 3), (segment.df(cookie), segment.cf(cookie)));
//! # Ok::<(), loci_index::SegmentError>(())
//! ```

mod forward;
mod segment;
mod threads;
mod writer;

pub use forward::{Forward, ForwardBuilder};
pub use segment::{FORMAT, Header, PassageKind, PassageText, Positions, Posting, Postings, Segment};
pub use threads::on_threads;
pub use writer::{CommitRecord, Encoded, FileRecord, PassageRecord, SegmentWriter};

/// What can be wrong with a segment file.
pub use loci_container::ContainerError as SegmentError;

/// The file name that the content of a segment gives it; see [`loci_container::content_name`].
///
/// # Errors
/// What the system says when it cannot be read.
pub fn name_by_content(path: &std::path::Path) -> std::io::Result<String> {
    loci_container::content_name(path, segment::ENDING)
}

impl SegmentWriter {
    /// A writer of plain texts, each one document passage of a file named by its number.
    pub fn from_texts<'a>(texts: impl IntoIterator<Item = &'a str>, signature: &str) -> Self {
        let mut writer = SegmentWriter { signature: signature.to_owned(), ..SegmentWriter::default() };
        let mut builder = ForwardBuilder::new();
        for (number, text) in texts.into_iter().enumerate() {
            builder.push(text, "", "");
            let lines = text.lines().count().max(1) as u32;
            writer.files.push(FileRecord { path: format!("{number:08}"), digest: [0; 16], lossy: false });
            writer.passages.push(PassageRecord {
                role: 0,
                owner: number as u32,
                lines: (1, lines),
                head: String::new(),
                symbol: String::new(),
                text: text.to_owned(),
            });
            writer.sources.push((0, number as u32));
        }
        writer.kinds = [writer.passages.len() as u32, 0, 0];
        writer.batches.push(builder.finish());
        writer
    }
}
