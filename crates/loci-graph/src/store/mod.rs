//! The graph of one scope as a file: symbols, edges, the terms they are found by, and the facts of each source file.
//!
//! The file is a [safetensors](https://github.com/huggingface/safetensors) container, memory-mapped, never changed after it was
//! written, and named by the hash of its content. The same symbols and edges give the same bytes.
//!
//! `write` lays a graph out, `terms` the words it is found by; `read` opens and asks it; `reuse` is what a later build takes over
//! from an older file, `record` what it has to know of how a file was resolved.

mod read;
mod record;
mod reuse;
mod terms;
mod write;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use read::{Edge, Graph};
pub(crate) use record::Record;
pub(crate) use reuse::Taken;
pub(crate) use write::Forward;
pub use write::{EdgeRecord, Encoded, FileRecord, GraphWriter, SymbolRecord};

/// Number of the file layout; a reader refuses every other.
pub const FORMAT: u32 = 3;

/// Relations that every graph has, by their number; a foreign graph may add words.
pub const RELATIONS: [&str; 8] =
    ["contains", "calls", "references", "imports", "inherits", "implements", "overrides", "tests"];
/// Ways in which a relation was resolved, by their number; a foreign graph may add words.
pub const RESOLUTIONS: [&str; 5] = ["exact", "import", "unique-name", "ambiguous", "compiler"];

/// Numbers of [`RELATIONS`].
pub mod relation {
    #![allow(missing_docs)]
    pub const CONTAINS: u8 = 0;
    pub const CALLS: u8 = 1;
    pub const REFERENCES: u8 = 2;
    pub const IMPORTS: u8 = 3;
    pub const INHERITS: u8 = 4;
    pub const IMPLEMENTS: u8 = 5;
    pub const OVERRIDES: u8 = 6;
    pub const TESTS: u8 = 7;
}

/// Numbers of [`RESOLUTIONS`].
pub mod resolution {
    #![allow(missing_docs)]
    pub const EXACT: u8 = 0;
    pub const IMPORT: u8 = 1;
    pub const UNIQUE_NAME: u8 = 2;
    pub const AMBIGUOUS: u8 = 3;
    pub const COMPILER: u8 = 4;
}

/// Words and numbers that describe a graph as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// [`FORMAT`] of the writer.
    pub format: u32,
    /// Signature of the rules of the writer.
    pub signature: String,
    /// Who made it: `built-in`, `graphify`, `scip`.
    pub backend: String,
    /// State of what it was made from, to be compared with the state now; may be empty.
    pub fingerprint: String,
    /// Kinds of symbols, by number.
    pub kinds: Vec<String>,
    /// Relations, by number.
    pub relations: Vec<String>,
    /// Resolutions, by number.
    pub resolutions: Vec<String>,
    /// Edges by resolution. An ambiguous reference counts once, however many candidates it has.
    pub edges: BTreeMap<String, u64>,
    /// References that were left without a target.
    pub unresolved: u64,
    /// Files by outcome.
    pub outcomes: BTreeMap<String, u64>,
    /// What a reader should know.
    pub notes: Vec<String>,
}

fn zigzag(value: i64) -> u32 {
    // Differences of two 32-bit places that are both below 2^31 in practice; wrapping keeps the law for all others.
    let value = value as i32;
    ((value << 1) ^ (value >> 31)) as u32
}

fn unzigzag(value: u32) -> i32 {
    ((value >> 1) as i32) ^ -((value & 1) as i32)
}
