//! The graph of one scope as a file: symbols, edges, the terms they are found by, and the facts of each source file.
//!
//! The file is a [safetensors](https://github.com/huggingface/safetensors) container, memory-mapped, never changed after it was
//! written, and named by the hash of its content. The same symbols and edges give the same bytes.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::SystemTime;

use loci_container::{Container, ContainerError, Lists, Part, Strings, Table, encode, layout, name_of};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::error::{GraphError, WHAT};
use crate::extract::packed::{KIND_FILE, LANGUAGES, NONE, Terms, compress_bytes, decompress_bytes, field, key_of};
use crate::heads::{Brief, Head, name_number};
use loci_text::varint::{get, put};

/// Number of the file layout; a reader refuses every other.
pub const FORMAT: u32 = 3;

/// Texts that are compressed together.
const TEXT_BLOCK_BYTES: usize = 32 << 10;
/// One text alone may be longer than a block; 200 characters each bound the built-in ones.
const MOST_TEXT_BYTES: usize = 4 << 20;
/// About so many files share their blocks, and only the blocks of those that stand with a changed file are packed again.
const TEXT_GROUP_FILES: u64 = 16;

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

/// A file of a draft.
#[derive(Clone, Debug, Default)]
pub struct DraftFile<'a> {
    /// Relative to the root.
    pub path: Cow<'a, str>,
    /// Hash of its content; zeros where it is not known.
    pub digest: [u8; 16],
    /// Number of the role it stands in, as in `loci_collect::Role`.
    pub role: u8,
    /// Facts for a later build, compressed; empty where there is none.
    pub facts: Cow<'a, [u8]>,
    /// Of its size and times; 0 where they are not known.
    pub(crate) stamp: u64,
    /// Language and outcome: see [`Head::number`].
    pub(crate) kind: u8,
    /// The package or namespace that it declares.
    pub(crate) module: Cow<'a, str>,
    /// What resolving it gave besides edges.
    pub(crate) record: Record,
}

/// What a later build needs to know of how a file was resolved. Symbols are places in the draft.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Record {
    /// Its methods that stand away from their class, with that.
    pub(crate) attached: Vec<(u32, u32)>,
    /// Its classes with each of their bases.
    pub(crate) bases: Vec<(u32, u32)>,
    /// The files, and from the number of files on packages, that it imports from; ascending.
    pub(crate) next: Vec<u32>,
    /// What it asked of other files, ascending: see [`crate::heads`].
    pub(crate) asked: Vec<u32>,
    /// How often it uses names without a target, by [`name_number`]; ascending.
    pub(crate) unresolved: Vec<(u32, u32)>,
}

impl Record {
    fn write(&self, out: &mut Vec<u8>) {
        for pairs in [&self.attached, &self.bases] {
            put(out, pairs.len() as u32);
            for &(one, other) in pairs {
                put(out, one);
                put(out, other);
            }
        }
        for list in [&self.next, &self.asked] {
            put(out, list.len() as u32);
            let mut before = 0;
            for &number in list {
                put(out, number - before);
                before = number;
            }
        }
        put(out, self.unresolved.len() as u32);
        let mut before = 0;
        for &(name, count) in &self.unresolved {
            put(out, name - before);
            put(out, count);
            before = name;
        }
    }

    /// Reads what [`Record::write`] wrote; `None` for anything else.
    fn read(bytes: &[u8]) -> Option<Self> {
        let mut record = Self::default();
        let mut at = 0;
        let count = |at: &mut usize| get(bytes, at).map(|count| count as usize).filter(|&count| count <= bytes.len());
        for pairs in [&mut record.attached, &mut record.bases] {
            for _ in 0..count(&mut at)? {
                pairs.push((get(bytes, &mut at)?, get(bytes, &mut at)?));
            }
        }
        for list in [&mut record.next, &mut record.asked] {
            let length = count(&mut at)?;
            list.reserve(length);
            let mut number = 0u32;
            for _ in 0..length {
                number = number.checked_add(get(bytes, &mut at)?)?;
                list.push(number);
            }
        }
        let mut name = 0u32;
        for _ in 0..count(&mut at)? {
            name = name.checked_add(get(bytes, &mut at)?)?;
            record.unresolved.push((name, get(bytes, &mut at)?));
        }
        (at == bytes.len()).then_some(record)
    }
}

/// A symbol of a draft.
#[derive(Clone, Debug, Default)]
pub struct DraftSymbol<'a> {
    /// Place of its file in the draft.
    pub file: u32,
    /// Its name.
    pub name: Cow<'a, str>,
    /// What stands before its name in the qualified one, without the separator.
    pub container: Cow<'a, str>,
    /// Place of its kind in [`Draft::kinds`].
    pub kind: u8,
    /// First and last line.
    pub lines: (u32, u32),
    /// The line to cite.
    pub line: u32,
    /// The symbol around it, as a place in the draft.
    pub parent: Option<u32>,
    /// A test.
    pub test: bool,
    /// Whether other files can use it, where that is known.
    pub exported: Option<bool>,
    /// The source up to the body.
    pub signature: Cow<'a, str>,
    /// First sentence of the documentation.
    pub documentation: Cow<'a, str>,
}

/// An edge of a draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DraftEdge {
    /// The symbol that refers, as a place in the draft.
    pub from: u32,
    /// Line of the reference, in the file of `from`.
    pub line: u32,
    /// Place in [`Draft::relations`].
    pub relation: u8,
    /// Place in [`Draft::resolutions`].
    pub resolution: u8,
    /// The symbol referred to.
    pub to: u32,
    /// How many symbols the reference may mean; 1 but for ambiguous ones.
    pub candidates: u32,
}

/// The terms of one file's symbols, for a draft that has them already: the file's own first, then its symbols'.
pub(crate) struct Forward<'a> {
    pub(crate) strings: &'a [&'a str],
    pub(crate) ends: &'a [u32],
    pub(crate) terms: &'a [(u32, u8)],
}

/// Everything that goes into a graph file. Symbols stand by file, in the order of the files.
#[derive(Default)]
pub struct Draft<'a> {
    /// As [`Header::signature`].
    pub signature: String,
    /// As [`Header::backend`].
    pub backend: String,
    /// As [`Header::fingerprint`].
    pub fingerprint: String,
    /// As [`Header::notes`].
    pub notes: Vec<String>,
    /// As [`Header::outcomes`].
    pub outcomes: BTreeMap<String, u64>,
    /// Words for the kinds of the symbols.
    pub kinds: Vec<String>,
    /// Words for the relations; the first are [`RELATIONS`].
    pub relations: Vec<String>,
    /// Words for the resolutions; the first are [`RESOLUTIONS`].
    pub resolutions: Vec<String>,
    /// Files, by path.
    pub files: Vec<DraftFile<'a>>,
    /// Symbols, by file.
    pub symbols: Vec<DraftSymbol<'a>>,
    /// Edges, in any order.
    pub edges: Vec<DraftEdge>,
    /// How often a name was used without a target that is known, by a number of the name.
    pub unresolved: FxHashMap<u32, u32>,
    /// Per file its terms; empty: they are made from the names, signatures and documentation.
    pub(crate) forwards: Vec<Option<Forward<'a>>>,
}

/// Files of a draft that stand in an older graph of the same paths with the same symbols and texts.
pub(crate) struct Taken<'a> {
    graph: &'a Graph,
    /// By file.
    files: Vec<bool>,
    /// Place in the draft of each symbol of the graph; [`NONE`] in other files.
    now: Vec<u32>,
    /// Symbol of the graph for each place in the draft; [`NONE`] in other files.
    then: Vec<u32>,
}

/// What becomes of the postings of a term of an older graph.
enum Remains {
    /// None stands in a file that is taken over.
    Nothing,
    /// They have to be written anew.
    Some,
    /// All stand in such files and keep their distances: the first symbol now, and the bytes of the others.
    All { first: u32, rest: Range<usize> },
}

impl<'a> Taken<'a> {
    /// `files` says which are taken over, `heads` how many symbols each file of the draft has.
    pub(crate) fn new(graph: &'a Graph, files: Vec<bool>, heads: &[Head<'_>]) -> Self {
        let mut now = vec![NONE; graph.symbol_count() as usize];
        let mut then = Vec::with_capacity(now.len());
        for (place, head) in heads.iter().enumerate() {
            if !files[place] {
                then.resize(then.len() + 1 + head.symbols as usize, NONE);
                continue;
            }
            for symbol in graph.symbols_of_file(place as u32) {
                now[symbol as usize] = then.len() as u32;
                then.push(symbol);
            }
        }
        Self { graph, files, now, then }
    }

    /// What becomes of the postings of a term of the graph.
    fn remains(&self, term: u32) -> Remains {
        let (mut any, mut all, mut shift, mut count) = (false, true, None, 0);
        self.graph.postings(term, |symbol, _| {
            count += 1;
            let now = self.now[symbol as usize];
            any |= now != NONE;
            all &= now != NONE && *shift.get_or_insert(now.wrapping_sub(symbol)) == now.wrapping_sub(symbol);
        });
        let range = self.graph.postings.range(&self.graph.file, term);
        let bytes = self.graph.postings.get(&self.graph.file, term);
        let mut at = 0;
        match (any, get(bytes, &mut at), shift) {
            (false, ..) => Remains::Nothing,
            // A list that is damaged has fewer entries than it should, and is not copied.
            (true, Some(first), Some(shift)) if all && count == self.graph.term_df(term) => {
                Remains::All { first: first.wrapping_add(shift), rest: range.start + at..range.end }
            }
            _ => Remains::Some,
        }
    }

    /// The files whose texts have to be packed: those that share a block with one that is not taken over.
    pub(crate) fn files_with_texts(&self, paths: &[&str]) -> Vec<bool> {
        let mut with = vec![false; paths.len()];
        for group in text_groups(paths) {
            let packed = self.files[group.clone()].iter().any(|taken| !taken);
            with[group].fill(packed);
        }
        with
    }
}

/// Files whose texts share blocks. Where a group begins depends on the path alone, so that a change elsewhere moves no border.
fn text_groups(paths: &[&str]) -> Vec<Range<usize>> {
    let begins =
        |path: &str| (key_of(path).0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32).is_multiple_of(TEXT_GROUP_FILES);
    let mut groups = Vec::new();
    let mut start = 0;
    for (place, path) in paths.iter().enumerate() {
        if place > start && begins(path) {
            groups.push(start..place);
            start = place;
        }
    }
    if start < paths.len() {
        groups.push(start..paths.len());
    }
    groups
}

/// The bytes of a graph file and the name they go by.
#[derive(Clone, Debug)]
pub struct Encoded {
    /// The file.
    pub bytes: Vec<u8>,
    /// Its name, made of the hash of its content.
    pub name: String,
    /// What it says of itself.
    pub header: Header,
    /// Number of symbols.
    pub symbols: u32,
    /// When reading the files began; `None` for what was made from something else.
    pub(crate) read_at: Option<SystemTime>,
}

fn number(value: usize, what: &str) -> Result<u32, GraphError> {
    u32::try_from(value)
        .ok()
        .filter(|number| *number < NONE)
        .ok_or_else(|| ContainerError::TooLarge { what: WHAT, detail: format!("{what} ({value})") }.into())
}

fn zigzag(value: i64) -> u32 {
    // Differences of two 32-bit places that are both below 2^31 in practice; wrapping keeps the law for all others.
    let value = value as i32;
    ((value << 1) ^ (value >> 31)) as u32
}

fn unzigzag(value: u32) -> i32 {
    ((value >> 1) as i32) ^ -((value & 1) as i32)
}

/// Offsets and bytes of many small byte strings, written in parallel.
fn pack_lists<T: Sync>(items: &[T], write: impl Fn(usize, &T, &mut Vec<u8>) + Sync) -> (Vec<u32>, Vec<u8>) {
    let chunk = items.len().div_ceil(64).max(256);
    let parts: Vec<(Vec<u32>, Vec<u8>)> = items
        .par_chunks(chunk)
        .enumerate()
        .map(|(place, part)| {
            let mut bytes = Vec::new();
            let mut ends = Vec::with_capacity(part.len());
            for (index, item) in part.iter().enumerate() {
                write(place * chunk + index, item, &mut bytes);
                ends.push(bytes.len() as u32);
            }
            (ends, bytes)
        })
        .collect();
    let mut offsets = Vec::with_capacity(items.len() + 1);
    offsets.push(0u32);
    let mut all = Vec::with_capacity(parts.iter().map(|part| part.1.len()).sum());
    for (ends, bytes) in parts {
        let base = all.len() as u32;
        offsets.extend(ends.into_iter().map(|end| base + end));
        all.extend_from_slice(&bytes);
    }
    (offsets, all)
}

impl Draft<'_> {
    /// Lays the graph out.
    ///
    /// # Errors
    /// [`GraphError::File`] when it is too large.
    pub fn encode(self) -> Result<Encoded, GraphError> {
        self.encode_with(None)
    }

    /// As [`Draft::encode`]; of the files that are `taken` over, names and terms are those of the older graph, and texts are where
    /// [`Taken::files_with_texts`] does not ask for them.
    pub(crate) fn encode_with(mut self, taken: Option<&Taken<'_>>) -> Result<Encoded, GraphError> {
        let count = number(self.symbols.len(), "symbols")?;
        number(self.edges.len(), "edges")?;
        let mut file_first = vec![0u32; self.files.len() + 1];
        for symbol in &self.symbols {
            file_first[symbol.file as usize + 1] += 1;
        }
        for place in 1..file_first.len() {
            file_first[place] += file_first[place - 1];
        }
        // What is taken over, file by file, mostly stands in this order already.
        if !self.edges.is_sorted() {
            self.edges.par_sort_unstable();
        }
        self.edges.dedup();
        let draft = &self;
        let (((names, edges), (files, symbols)), (texts, terms)) = rayon::join(
            || {
                rayon::join(
                    || rayon::join(|| draft.encode_names(taken), || draft.encode_edges()),
                    || rayon::join(|| draft.encode_files(), || draft.encode_symbols()),
                )
            },
            || rayon::join(|| draft.encode_texts(&file_first, taken), || draft.encode_terms(&file_first, taken)),
        );
        let terms = terms?;

        let header = Header {
            format: FORMAT,
            signature: draft.signature.clone(),
            backend: draft.backend.clone(),
            fingerprint: draft.fingerprint.clone(),
            kinds: draft.kinds.clone(),
            relations: draft.relations.clone(),
            resolutions: draft.resolutions.clone(),
            edges: edges.counts,
            unresolved: draft.unresolved.values().map(|&uses| u64::from(uses)).sum(),
            outcomes: draft.outcomes.clone(),
            notes: draft.notes.clone(),
        };
        let parts = vec![
            Part::of("string_offsets", &names.offsets),
            Part::of("string_bytes", &names.bytes),
            Part::of("name_offsets", &names.symbol_offsets),
            Part::of("name_symbols", &names.symbols),
            Part::of("name_unresolved", &names.unresolved),
            Part::of("file_first", &file_first),
            Part::of("file_paths", &names.paths),
            Part::of("file_modules", &names.modules),
            Part::of("file_digests", &files.digests),
            Part::of("file_stamps", &files.stamps),
            Part::of("file_roles", &files.roles),
            Part::of("file_kinds", &files.kinds),
            Part::of("fact_offsets", &files.fact_offsets),
            Part::of("record_offsets", &files.record_offsets),
            Part::of("record_bytes", &files.record_bytes),
            Part::of("symbol_names", &names.names),
            Part::of("symbol_containers", &names.containers),
            Part::of("symbol_kinds", &symbols.kinds),
            Part::of("symbol_flags", &symbols.flags),
            Part::of("symbol_lines", &symbols.lines),
            Part::of("symbol_parents", &symbols.parents),
            Part::of("symbol_sizes", &terms.sizes),
            Part::of("out_offsets", &edges.out_offsets),
            Part::of("out_bytes", &edges.out_bytes),
            Part::of("in_offsets", &edges.in_offsets),
            Part::of("in_bytes", &edges.in_bytes),
            Part::of("text_first", &texts.first),
            Part::of("text_offsets", &texts.offsets),
            Part::of("text_bytes", &texts.bytes),
            Part::of("term_offsets", &terms.offsets),
            Part::of("term_bytes", &terms.bytes),
            Part::of("term_df", &terms.df),
            Part::of("posting_offsets", &terms.posting_offsets),
            Part::of("posting_bytes", &terms.postings),
            Part::of_pieces("fact_bytes", files.facts),
        ];
        let bytes = encode(WHAT, parts, &header)?;
        let name = name_of(&bytes, ".graph.safetensors");
        Ok(Encoded { bytes, name, header, symbols: count, read_at: None })
    }

    fn encode_files(&self) -> FileTables<'_> {
        let (record_offsets, record_bytes) = pack_lists(&self.files, |_, file, out| file.record.write(out));
        let mut fact_offsets = vec![0u64];
        let mut end = 0;
        for file in &self.files {
            end += file.facts.len() as u64;
            fact_offsets.push(end);
        }
        FileTables {
            digests: self.files.iter().flat_map(|file| file.digest).collect(),
            roles: self.files.iter().map(|file| file.role).collect(),
            kinds: self.files.iter().map(|file| file.kind).collect(),
            stamps: self.files.iter().map(|file| file.stamp).collect(),
            record_offsets,
            record_bytes,
            fact_offsets,
            facts: self.files.iter().map(|file| &*file.facts).collect(),
        }
    }

    fn encode_symbols(&self) -> SymbolTables {
        let flags = self.symbols.iter().map(|symbol| {
            let exported = match symbol.exported {
                None => 0,
                Some(false) => 2,
                Some(true) => 4,
            };
            u8::from(symbol.test) | exported
        });
        let lines = self.symbols.iter().flat_map(|symbol| [symbol.lines.0, symbol.lines.1, symbol.line]);
        SymbolTables {
            kinds: self.symbols.iter().map(|symbol| symbol.kind).collect(),
            flags: flags.collect(),
            lines: lines.collect(),
            parents: self.symbols.iter().map(|symbol| symbol.parent.unwrap_or(NONE)).collect(),
        }
    }

    /// Names, containers, paths and packages, each once, sorted so that a name is found without a table.
    fn encode_names(&self, taken: Option<&Taken<'_>>) -> NameTables {
        // Strings of the older graph are told by their numbers, which sort as they do.
        let older = taken.map_or(0, |taken| taken.graph.words(&taken.graph.layout.name_unresolved).len());
        let mut kept = vec![false; older];
        let mut places: FxHashMap<&str, u32> = FxHashMap::default();
        let then = |symbol: usize| taken.map(|taken| taken.then[symbol]).filter(|&then| then != NONE).zip(taken);
        for (place, symbol) in self.symbols.iter().enumerate() {
            if let Some((then, taken)) = then(place) {
                let graph = taken.graph;
                kept[graph.words(&graph.layout.symbol_names)[then as usize] as usize] = true;
                kept[graph.words(&graph.layout.symbol_containers)[then as usize] as usize] = true;
            } else {
                places.insert(&symbol.name, 0);
                places.insert(&symbol.container, 0);
            }
        }
        for (place, file) in self.files.iter().enumerate() {
            match taken {
                Some(taken) => {
                    let graph = taken.graph;
                    kept[graph.words(&graph.layout.file_paths)[place] as usize] = true;
                    kept[graph.words(&graph.layout.file_modules)[place] as usize] = true;
                }
                None => {
                    places.insert(&file.path, 0);
                    places.insert(&file.module, 0);
                }
            }
        }
        let mut fresh: Vec<&str> = places.keys().copied().collect();
        fresh.par_sort_unstable();
        let mut strings: Vec<&str> = Vec::with_capacity(older + fresh.len());
        let mut now = vec![NONE; older];
        let mut fresh = fresh.into_iter().peekable();
        for (number, _) in kept.iter().enumerate().filter(|(_, kept)| **kept) {
            let Some(taken) = taken else { break };
            let text = taken.graph.text_of(number as u32);
            while let Some(one) = fresh.next_if(|one| *one < text) {
                strings.push(one);
            }
            fresh.next_if(|one| *one == text);
            now[number] = strings.len() as u32;
            strings.push(text);
        }
        strings.extend(fresh);
        let place_in = |text: &str| strings.binary_search(&text).unwrap_or(0) as u32;
        if taken.is_some() {
            for (text, place) in &mut places {
                *place = place_in(text);
            }
        } else {
            for (place, text) in strings.iter().enumerate() {
                places.insert(text, place as u32);
            }
        }
        let number_of = |symbol: usize, older: fn(&Layout) -> &Table<u32>, text: &str| match then(symbol) {
            Some((then, taken)) => now[taken.graph.words(older(&taken.graph.layout))[then as usize] as usize],
            None => places[text],
        };
        let of_file = |place: usize, older: fn(&Layout) -> &Table<u32>, text: &str| match taken {
            Some(taken) => now[taken.graph.words(older(&taken.graph.layout))[place] as usize],
            None => places[text],
        };
        let (offsets, bytes) = pack_lists(&strings, |_, text, out| out.extend_from_slice(text.as_bytes()));
        let symbols = || self.symbols.iter().enumerate();
        let names: Vec<u32> =
            symbols().map(|(place, symbol)| number_of(place, |layout| &layout.symbol_names, &symbol.name)).collect();
        let containers = symbols()
            .map(|(place, symbol)| number_of(place, |layout| &layout.symbol_containers, &symbol.container))
            .collect();
        let files = || self.files.iter().enumerate();
        let paths = files().map(|(place, file)| of_file(place, |layout| &layout.file_paths, &file.path)).collect();
        let modules =
            files().map(|(place, file)| of_file(place, |layout| &layout.file_modules, &file.module)).collect();
        let mut symbol_offsets = vec![0u32; strings.len() + 1];
        for &name in &names {
            symbol_offsets[name as usize + 1] += 1;
        }
        for place in 1..symbol_offsets.len() {
            symbol_offsets[place] += symbol_offsets[place - 1];
        }
        let mut cursors = symbol_offsets.clone();
        let mut by_name = vec![0u32; self.symbols.len()];
        for (symbol, &name) in names.iter().enumerate() {
            by_name[cursors[name as usize] as usize] = symbol as u32;
            cursors[name as usize] += 1;
        }
        let unresolved = strings
            .par_iter()
            .with_min_len(1024)
            .map(|text| self.unresolved.get(&name_number(text)).copied().unwrap_or(0))
            .collect();
        NameTables { offsets, bytes, symbol_offsets, symbols: by_name, unresolved, names, containers, paths, modules }
    }

    fn encode_edges(&self) -> EdgeTables {
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        let mut by_number = [0u64; 16];
        let mut previous: Option<&DraftEdge> = None;
        for edge in &self.edges {
            let again = edge.resolution == resolution::AMBIGUOUS
                && previous.is_some_and(|before| {
                    (before.from, before.line, before.relation, before.resolution)
                        == (edge.from, edge.line, edge.relation, edge.resolution)
                });
            if !again && edge.relation != relation::CONTAINS {
                by_number[usize::from(edge.resolution & 15)] += 1;
            }
            previous = Some(edge);
        }
        for (resolution, count) in by_number.into_iter().enumerate().filter(|(_, count)| *count > 0) {
            *counts.entry(self.resolutions.get(resolution).cloned().unwrap_or_default()).or_default() += count;
        }
        let mut out_ranges: Vec<Range<usize>> = Vec::with_capacity(self.symbols.len());
        let mut at = 0;
        for symbol in 0..self.symbols.len() as u32 {
            let start = at;
            while at < self.edges.len() && self.edges[at].from == symbol {
                at += 1;
            }
            out_ranges.push(start..at);
        }
        let (out_offsets, out_bytes) = pack_lists(&out_ranges, |symbol, range, out| {
            let mut line = 0;
            for edge in &self.edges[range.clone()] {
                out.push(edge.relation | (edge.resolution << 4));
                put(out, zigzag(i64::from(edge.to) - symbol as i64));
                put(out, edge.line.saturating_sub(line));
                line = edge.line;
                if edge.resolution == resolution::AMBIGUOUS {
                    put(out, edge.candidates);
                }
            }
        });
        let mut in_counts = vec![0u32; self.symbols.len() + 1];
        for edge in &self.edges {
            in_counts[edge.to as usize + 1] += 1;
        }
        for place in 1..in_counts.len() {
            in_counts[place] += in_counts[place - 1];
        }
        let mut cursors = in_counts.clone();
        let mut froms = vec![0u32; self.edges.len()];
        for edge in &self.edges {
            froms[cursors[edge.to as usize] as usize] = edge.from;
            cursors[edge.to as usize] += 1;
        }
        let in_ranges: Vec<Range<usize>> =
            in_counts.windows(2).map(|pair| pair[0] as usize..pair[1] as usize).collect();
        // The edges are sorted by `from`, and a stable counting sort keeps that order within each list.
        let (in_offsets, in_bytes) = pack_lists(&in_ranges, |_, range, out| {
            let mut before = 0;
            let mut last = NONE;
            for &from in &froms[range.clone()] {
                if from != last {
                    put(out, from - before);
                    (before, last) = (from, from);
                }
            }
        });
        EdgeTables { counts, out_offsets, out_bytes, in_offsets, in_bytes }
    }

    fn encode_texts(&self, file_first: &[u32], taken: Option<&Taken<'_>>) -> Texts {
        enum Block {
            /// To be packed: symbols.
            New(Range<usize>),
            /// The packed bytes of the older graph, and how many symbols they hold.
            Older(Range<usize>, u32),
        }
        let paths: Vec<&str> = self.files.iter().map(|file| &*file.path).collect();
        let mut blocks = Vec::new();
        for group in text_groups(&paths) {
            let symbols = file_first[group.start] as usize..file_first[group.end] as usize;
            if let Some(taken) = taken.filter(|taken| taken.files[group.clone()].iter().all(|taken| *taken)) {
                let layout = &taken.graph.layout;
                let (first, offsets) = (taken.graph.words(&layout.text_first), taken.graph.words(&layout.text_offsets));
                let older = taken.graph.words(&layout.file_first);
                let (start, end) = (older[group.start], older[group.end]);
                let place = |symbol: u32| first.partition_point(|&begin| begin < symbol);
                for block in place(start)..place(end) {
                    let bytes = offsets[block] as usize..offsets[block + 1] as usize;
                    blocks.push(Block::Older(bytes, first[block + 1] - first[block]));
                }
                continue;
            }
            let (mut start, mut size) = (symbols.start, 0);
            for index in symbols.clone() {
                size += self.symbols[index].signature.len() + self.symbols[index].documentation.len() + 2;
                if size >= TEXT_BLOCK_BYTES || index + 1 == symbols.end {
                    blocks.push(Block::New(start..index + 1));
                    (start, size) = (index + 1, 0);
                }
            }
        }
        let packed: Vec<(Cow<'_, [u8]>, u32)> = blocks
            .into_par_iter()
            .map(|block| match block {
                Block::Older(bytes, symbols) => {
                    let all = taken.map_or(&[][..], |taken| taken.graph.at(&taken.graph.layout.text_bytes));
                    (Cow::Borrowed(&all[bytes]), symbols)
                }
                Block::New(symbols) => {
                    let mut plain = Vec::with_capacity(2 * TEXT_BLOCK_BYTES);
                    let count = symbols.len() as u32;
                    for symbol in &self.symbols[symbols] {
                        for part in [&symbol.signature, &symbol.documentation] {
                            put(&mut plain, part.len() as u32);
                            plain.extend_from_slice(part.as_bytes());
                        }
                    }
                    (Cow::Owned(compress_bytes(&plain)), count)
                }
            })
            .collect();
        let (mut offsets, mut first, mut symbol) = (vec![0u32], vec![0u32], 0);
        let mut bytes = Vec::with_capacity(packed.iter().map(|(block, _)| block.len()).sum());
        for (block, symbols) in packed {
            bytes.extend_from_slice(&block);
            offsets.push(bytes.len() as u32);
            symbol += symbols;
            first.push(symbol);
        }
        Texts { offsets, first, bytes }
    }

    /// The terms of symbols that are not taken over, each with the mask of the fields it stands in: terms sorted, symbols ascending.
    fn own_terms<'s>(
        &'s self,
        file_first: &[u32],
        taken: Option<&Taken<'_>>,
        own_strings: &'s mut Vec<String>,
    ) -> (Vec<&'s str>, Vec<u32>, Vec<(u32, u8)>) {
        // Terms of the paths stand with the symbol of the file, and so do all where a draft brings none.
        let mut expander = Terms::default();
        let mut own: Vec<(u32, u32, u8)> = Vec::new();
        {
            let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
            let mut add = |symbol: u32, text: &str, bit: u8| {
                expander.each(text, |term| {
                    let place = match numbers.get(term) {
                        Some(place) => *place,
                        None => {
                            let place = own_strings.len() as u32;
                            own_strings.push(term.to_owned());
                            numbers.insert(term.to_owned(), place);
                            place
                        }
                    };
                    own.push((symbol, place, bit));
                });
            };
            for (place, file) in self.files.iter().enumerate() {
                if taken.is_some_and(|taken| taken.files[place]) {
                    continue;
                }
                let (folders, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
                if file_first[place] < file_first[place + 1] {
                    add(file_first[place], name.split('.').next().unwrap_or(name), field::NAME);
                    add(file_first[place], folders, field::CONTAINER);
                }
            }
            if self.forwards.is_empty() {
                for (place, symbol) in self.symbols.iter().enumerate() {
                    let place = place as u32;
                    add(place, &symbol.name, field::NAME);
                    add(place, &symbol.container, field::CONTAINER);
                    add(place, &symbol.signature, field::SIGNATURE);
                    add(place, &symbol.documentation, field::DOCUMENTATION);
                }
            }
        }
        let mut vocabulary: FxHashMap<&str, u32> = FxHashMap::default();
        let mut list: Vec<&str> = Vec::new();
        let mut locate = |text| {
            let next = list.len() as u32;
            *vocabulary.entry(text).or_insert_with(|| {
                list.push(text);
                next
            })
        };
        let own_numbers: Vec<u32> = own_strings.iter().map(|text| locate(text.as_str())).collect();
        let mut locals: Vec<Vec<u32>> = Vec::with_capacity(self.forwards.len());
        for forward in &self.forwards {
            let Some(forward) = forward else {
                locals.push(Vec::new());
                continue;
            };
            let mut local = vec![NONE; forward.strings.len()];
            for &(term, _) in forward.terms {
                let slot = &mut local[term as usize];
                if *slot == NONE {
                    *slot = locate(forward.strings[term as usize]);
                }
            }
            locals.push(local);
        }
        let mut order: Vec<u32> = (0..list.len() as u32).collect();
        order.par_sort_unstable_by_key(|&place| list[place as usize]);
        let mut rank = vec![0u32; list.len()];
        for (place, &term) in order.iter().enumerate() {
            rank[term as usize] = place as u32;
        }
        let mut postings: Vec<(u32, u32, u8)> = Vec::new();
        postings
            .extend(own.iter().map(|&(symbol, term, mask)| (rank[own_numbers[term as usize] as usize], symbol, mask)));
        for (file, forward) in self.forwards.iter().enumerate() {
            let Some(forward) = forward else { continue };
            let mut start = 0;
            for (place, &end) in forward.ends.iter().enumerate() {
                let symbol = file_first[file] + place as u32;
                for &(term, mask) in &forward.terms[start as usize..end as usize] {
                    postings.push((rank[locals[file][term as usize] as usize], symbol, mask));
                }
                start = end;
            }
        }
        // Counting sort by term; entries of one term keep the order of their symbols but for the few of the paths.
        let mut starts = vec![0u32; list.len() + 1];
        for posting in &postings {
            starts[posting.0 as usize + 1] += 1;
        }
        for place in 1..starts.len() {
            starts[place] += starts[place - 1];
        }
        let mut cursors = starts.clone();
        let mut sorted = vec![(0u32, 0u8); postings.len()];
        for (term, symbol, mask) in postings {
            sorted[cursors[term as usize] as usize] = (symbol, mask);
            cursors[term as usize] += 1;
        }
        (order.into_iter().map(|place| list[place as usize]).collect(), starts, sorted)
    }

    fn encode_terms(&self, file_first: &[u32], taken: Option<&Taken<'_>>) -> Result<TermTables, GraphError> {
        let mut own_strings = Vec::new();
        let (fresh, starts, postings) = self.own_terms(file_first, taken, &mut own_strings);
        number(postings.len(), "terms of symbols")?;
        // Terms of the older graph that still stand in a symbol there, and those of all others, in one order.
        let older = taken.map_or(0, |taken| taken.graph.words(&taken.graph.layout.term_df).len());
        let older_postings = |term: u32, take: &mut dyn FnMut(u32, u8)| {
            if let Some(taken) = taken {
                taken.graph.postings(term, |symbol, mask| {
                    let symbol = taken.now[symbol as usize];
                    if symbol != NONE {
                        take(symbol, mask);
                    }
                });
            }
        };
        let remains: Vec<Remains> = (0..older as u32)
            .into_par_iter()
            .with_min_len(512)
            .map(|term| taken.map_or(Remains::Nothing, |taken| taken.remains(term)))
            .collect();
        let mut all: Vec<(&str, Option<u32>, Option<u32>)> = Vec::with_capacity(older + fresh.len());
        let mut fresh = fresh.into_iter().enumerate().peekable();
        for term in (0..older as u32).filter(|&term| !matches!(remains[term as usize], Remains::Nothing)) {
            let Some(taken) = taken else { break };
            let text = taken.graph.term_text(term);
            while let Some((place, one)) = fresh.next_if(|(_, one)| *one < text) {
                all.push((one, None, Some(place as u32)));
            }
            let same = fresh.next_if(|(_, one)| *one == text).map(|(place, _)| place as u32);
            all.push((text, Some(term), same));
        }
        all.extend(fresh.map(|(place, one)| (one, None, Some(place as u32))));
        let df: Vec<AtomicU32> = all.iter().map(|_| AtomicU32::new(0)).collect();
        let sizes: Vec<AtomicU32> = (0..self.symbols.len())
            .map(|symbol| {
                let then = taken.map_or(NONE, |taken| taken.then[symbol]);
                AtomicU32::new(taken.filter(|_| then != NONE).map_or(0, |taken| taken.graph.sizes()[then as usize]))
            })
            .collect();
        let (posting_offsets, bytes) = pack_lists(&all, |place, &(_, older, own), out| {
            if let (Some(taken), Some(term), None) = (taken, older, own)
                && let Remains::All { first, rest } = &remains[term as usize]
            {
                put(out, *first);
                out.extend_from_slice(&taken.graph.at(&taken.graph.layout.posting_bytes)[rest.clone()]);
                df[place].store(taken.graph.term_df(term), Ordering::Relaxed);
                return;
            }
            let mut entries: Vec<(u32, u8)> = match own {
                Some(own) => postings[starts[own as usize] as usize..starts[own as usize + 1] as usize].to_vec(),
                None => Vec::new(),
            };
            entries.sort_unstable();
            entries.dedup_by(|next, kept| {
                let same = next.0 == kept.0;
                if same {
                    kept.1 |= next.1;
                }
                same
            });
            for (symbol, _) in &entries {
                sizes[*symbol as usize].fetch_add(1, Ordering::Relaxed);
            }
            let (mut count, mut before) = (0, 0);
            let mut write = |symbol: u32, mask: u8| {
                put(out, symbol - before);
                out.push(mask);
                before = symbol;
                count += 1;
            };
            let mut entries = entries.into_iter().peekable();
            if let Some(older) = older {
                older_postings(older, &mut |symbol, mask| {
                    while let Some((own, own_mask)) = entries.next_if(|(own, _)| *own < symbol) {
                        write(own, own_mask);
                    }
                    write(symbol, mask);
                });
            }
            entries.for_each(|(symbol, mask)| write(symbol, mask));
            df[place].store(count, Ordering::Relaxed);
        });
        let (offsets, term_bytes) = pack_lists(&all, |_, (text, _, _), out| out.extend_from_slice(text.as_bytes()));
        let plain = |values: Vec<AtomicU32>| values.into_iter().map(AtomicU32::into_inner).collect();
        Ok(TermTables {
            offsets,
            bytes: term_bytes,
            df: plain(df),
            posting_offsets,
            postings: bytes,
            sizes: plain(sizes),
        })
    }
}

struct NameTables {
    offsets: Vec<u32>,
    bytes: Vec<u8>,
    /// Per string the symbols of that name: where they start in `symbols`.
    symbol_offsets: Vec<u32>,
    symbols: Vec<u32>,
    unresolved: Vec<u32>,
    names: Vec<u32>,
    containers: Vec<u32>,
    paths: Vec<u32>,
    modules: Vec<u32>,
}

struct FileTables<'a> {
    digests: Vec<u8>,
    roles: Vec<u8>,
    kinds: Vec<u8>,
    stamps: Vec<u64>,
    record_offsets: Vec<u32>,
    record_bytes: Vec<u8>,
    fact_offsets: Vec<u64>,
    /// Of each file; they stay where they are until the file is laid out.
    facts: Vec<&'a [u8]>,
}

struct SymbolTables {
    kinds: Vec<u8>,
    flags: Vec<u8>,
    lines: Vec<u32>,
    parents: Vec<u32>,
}

struct EdgeTables {
    counts: BTreeMap<String, u64>,
    out_offsets: Vec<u32>,
    out_bytes: Vec<u8>,
    in_offsets: Vec<u32>,
    in_bytes: Vec<u8>,
}

struct Texts {
    offsets: Vec<u32>,
    first: Vec<u32>,
    bytes: Vec<u8>,
}

struct TermTables {
    offsets: Vec<u32>,
    bytes: Vec<u8>,
    df: Vec<u32>,
    posting_offsets: Vec<u32>,
    postings: Vec<u8>,
    /// How many terms each symbol has.
    sizes: Vec<u32>,
}

impl Encoded {
    /// Writes the graph into `directory` under its name; see [`loci_container::write()`].
    ///
    /// # Errors
    /// [`GraphError::File`].
    pub fn write(&self, directory: &Path) -> Result<(), GraphError> {
        // A later build trusts the times of files that were written well before `read_at`.
        Ok(loci_container::write(directory, &self.name, &self.bytes, self.read_at)?)
    }
}

layout! {
    struct Layout {
        string_offsets: u32 = "string_offsets",
        string_bytes: u8 = "string_bytes",
        name_offsets: u32 = "name_offsets",
        name_symbols: u32 = "name_symbols",
        name_unresolved: u32 = "name_unresolved",
        file_first: u32 = "file_first",
        file_paths: u32 = "file_paths",
        file_modules: u32 = "file_modules",
        file_digests: u8 = "file_digests",
        file_stamps: u64 = "file_stamps",
        file_roles: u8 = "file_roles",
        file_kinds: u8 = "file_kinds",
        fact_offsets: u64 = "fact_offsets",
        fact_bytes: u8 = "fact_bytes",
        record_offsets: u32 = "record_offsets",
        record_bytes: u8 = "record_bytes",
        symbol_names: u32 = "symbol_names",
        symbol_containers: u32 = "symbol_containers",
        symbol_kinds: u8 = "symbol_kinds",
        symbol_flags: u8 = "symbol_flags",
        symbol_lines: u32 = "symbol_lines",
        symbol_parents: u32 = "symbol_parents",
        symbol_sizes: u32 = "symbol_sizes",
        out_offsets: u32 = "out_offsets",
        out_bytes: u8 = "out_bytes",
        in_offsets: u32 = "in_offsets",
        in_bytes: u8 = "in_bytes",
        text_first: u32 = "text_first",
        text_offsets: u32 = "text_offsets",
        text_bytes: u8 = "text_bytes",
        term_offsets: u32 = "term_offsets",
        term_bytes: u8 = "term_bytes",
        term_df: u32 = "term_df",
        posting_offsets: u32 = "posting_offsets",
        posting_bytes: u8 = "posting_bytes",
    }
}

/// An edge, seen from the symbol that refers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The symbol referred to.
    pub to: u32,
    /// Number in [`Header::relations`].
    pub relation: u8,
    /// Number in [`Header::resolutions`].
    pub resolution: u8,
    /// Line of the reference, in the file of the symbol that refers.
    pub line: u32,
    /// How many symbols the reference may mean.
    pub candidates: u32,
}

/// An open graph. Cheap to share between threads; all methods only read. Symbols and files are numbers from 0.
pub struct Graph {
    file: Container,
    header: Header,
    layout: Layout,
    strings: Strings,
    terms: Strings,
    postings: Lists<u8>,
}

impl std::fmt::Debug for Graph {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Graph").field("path", &self.path()).finish_non_exhaustive()
    }
}

impl Graph {
    /// Maps the file at `path`.
    ///
    /// # Errors
    /// [`GraphError::File`]: missing, unreadable, damaged where the layout does not hold together, outdated when the file has
    /// another format number or, where `signature` is given, other rules.
    pub fn open(path: &Path, signature: Option<&str>) -> Result<Self, GraphError> {
        Self::parse(Container::open(WHAT, path)?, signature)
    }

    /// Reads a graph from memory, as [`Draft::encode`] made it.
    ///
    /// # Errors
    /// As [`Graph::open`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, GraphError> {
        Self::parse(Container::from_bytes(WHAT, bytes), None)
    }

    /// Gives the mapped pages back to the system; see [`Container::release`].
    pub fn release(&self) {
        self.file.release();
    }

    fn parse(file: Container, signature: Option<&str>) -> Result<Self, GraphError> {
        let header = file.header(FORMAT, signature)?;
        let layout = Layout::read(&file)?;
        let graph = Self {
            strings: Strings::new(layout.string_offsets.clone(), layout.string_bytes.clone()),
            terms: Strings::new(layout.term_offsets.clone(), layout.term_bytes.clone()),
            postings: Lists::new(layout.posting_offsets.clone(), layout.posting_bytes.clone()),
            file,
            header,
            layout,
        };
        graph.check()?;
        Ok(graph)
    }

    /// Everything that a reading method relies on, so that a damaged file is found here and not by a panic.
    fn check(&self) -> Result<(), ContainerError> {
        let ensure = |holds: bool, what: &str| self.file.ensure(holds, what);
        let (layout, count, strings) = (&self.layout, self.symbol_count() as usize, self.strings.len());
        let rising = |table: &Table<u32>, items: usize, last: usize, what: &str| {
            let offsets = self.words(table);
            ensure(
                offsets.len() == items + 1 && offsets[0] == 0 && offsets.is_sorted() && offsets[items] as usize == last,
                what,
            )
        };
        self.strings.check(&self.file, "the strings do not fit")?;
        rising(&layout.name_offsets, strings, count, "the names do not fit")?;
        ensure(self.words(&layout.name_unresolved).len() == strings, "the counts of names do not fit")?;
        ensure(self.words(&layout.name_symbols).len() == count, "the names lack symbols")?;
        ensure(self.words(&layout.name_symbols).iter().all(|&symbol| (symbol as usize) < count), "a name is lost")?;
        let files = self.file_count() as usize;
        rising(&layout.file_first, files, count, "the files do not fit")?;
        ensure(layout.file_digests.len() == 16 * files && layout.file_roles.len() == files, "the files lack parts")?;
        ensure(self.words(&layout.file_paths).iter().all(|&text| (text as usize) < strings), "a path is lost")?;
        ensure(
            layout.file_stamps.len() == files
                && layout.file_kinds.len() == files
                && self.words(&layout.file_modules).len() == files
                && self.words(&layout.file_modules).iter().all(|&text| (text as usize) < strings),
            "the files lack parts",
        )?;
        rising(&layout.record_offsets, files, layout.record_bytes.len(), "the records do not fit")?;
        let facts = self.file.get(&layout.fact_offsets);
        ensure(
            facts.len() == files + 1
                && facts.windows(2).all(|pair| pair[0] <= pair[1])
                && facts[files] as usize == layout.fact_bytes.len(),
            "the facts do not fit",
        )?;
        for part in [&layout.symbol_names, &layout.symbol_containers] {
            let numbers = self.words(part);
            ensure(
                numbers.len() == count && numbers.iter().all(|&text| (text as usize) < strings),
                "the symbols lack names",
            )?;
        }
        ensure(
            layout.symbol_kinds.len() == count
                && layout.symbol_flags.len() == count
                && self.words(&layout.symbol_lines).len() == 3 * count
                && self.words(&layout.symbol_parents).len() == count
                && self.words(&layout.symbol_sizes).len() == count,
            "the symbols lack parts",
        )?;
        ensure(
            self.at(&layout.symbol_kinds).iter().all(|&kind| (kind as usize) < self.header.kinds.len()),
            "a symbol is of no known kind",
        )?;
        ensure(
            self.words(&layout.symbol_parents).iter().all(|&parent| parent == NONE || (parent as usize) < count),
            "a parent is lost",
        )?;
        rising(&layout.out_offsets, count, layout.out_bytes.len(), "the edges do not fit")?;
        rising(&layout.in_offsets, count, layout.in_bytes.len(), "the edges do not fit")?;
        let blocks = self.words(&layout.text_offsets).len().saturating_sub(1);
        rising(&layout.text_offsets, blocks, layout.text_bytes.len(), "the texts do not fit")?;
        rising(&layout.text_first, blocks, count, "the texts do not fit")?;
        let terms = self.words(&layout.term_df).len();
        self.terms.check(&self.file, "the terms do not fit")?;
        self.postings.check(&self.file, "the postings do not fit")?;
        ensure(self.terms.len() == terms && self.postings.len() == terms, "the terms lack parts")
    }

    fn at(&self, table: &Table<u8>) -> &[u8] {
        self.file.get(table)
    }

    fn words(&self, table: &Table<u32>) -> &[u32] {
        self.file.get(table)
    }

    fn text_of(&self, number: u32) -> &str {
        self.strings.get(&self.file, number)
    }

    /// What the graph says of itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The file; empty for one in memory.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Number of symbols, files included.
    pub fn symbol_count(&self) -> u32 {
        self.words(&self.layout.symbol_names).len() as u32
    }

    /// Number of files.
    pub fn file_count(&self) -> u32 {
        self.words(&self.layout.file_paths).len() as u32
    }

    /// Path of a file from the root.
    pub fn file_path(&self, file: u32) -> &str {
        self.text_of(self.words(&self.layout.file_paths)[file as usize])
    }

    /// Number of the role of a file.
    pub fn file_role(&self, file: u32) -> u8 {
        self.at(&self.layout.file_roles)[file as usize]
    }

    /// Hash of the content that a file had.
    pub fn file_digest(&self, file: u32) -> [u8; 16] {
        let mut digest = [0; 16];
        digest.copy_from_slice(&self.at(&self.layout.file_digests)[16 * file as usize..][..16]);
        digest
    }

    /// Size and times that a file had, as one number.
    pub(crate) fn file_stamp(&self, file: u32) -> u64 {
        self.file.get(&self.layout.file_stamps)[file as usize]
    }

    /// When the files were read, in nanoseconds since 1970.
    pub(crate) fn read_ns(&self) -> i64 {
        let since = self.file.modified().and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
        since.and_then(|since| i64::try_from(since.as_nanos()).ok()).unwrap_or(i64::MIN)
    }

    /// What is known of a file without its facts, but for what a manifest says; `None` for one of no known language.
    pub(crate) fn head(&self, file: u32) -> Option<Head<'_>> {
        let kind = self.at(&self.layout.file_kinds)[file as usize];
        let language = *LANGUAGES.get((kind & 31).checked_sub(1)? as usize)?;
        let module = self.text_of(self.words(&self.layout.file_modules)[file as usize]);
        let symbols = self.symbols_of_file(file).len().saturating_sub(1) as u32;
        Some(Head { language: Some(language), outcome: kind >> 6, module, settings: Vec::new(), symbols })
    }

    /// How a file was resolved; `None` where that does not hold together.
    pub(crate) fn record(&self, file: u32) -> Option<Record> {
        let offsets = self.words(&self.layout.record_offsets);
        let range = offsets[file as usize] as usize..offsets[file as usize + 1] as usize;
        let record = Record::read(&self.at(&self.layout.record_bytes)[range])?;
        let (own, count) = (self.symbols_of_file(file), self.symbol_count());
        let pairs = record.attached.iter().chain(&record.bases);
        pairs.into_iter().all(|(one, other)| own.contains(one) && *other < count).then_some(record)
    }

    /// What is known of a symbol without the facts of its file.
    pub(crate) fn brief(&self, symbol: u32) -> Brief {
        let kind = self.kind_number(symbol);
        if kind == KIND_FILE {
            return Brief { kind, ..Brief::default() };
        }
        let (first, last) = self.lines(symbol);
        let in_file = self.parent(symbol).is_none_or(|parent| self.kind_number(parent) == KIND_FILE);
        Brief {
            key: key_of(self.name(symbol)),
            kind,
            long: last > first,
            hidden: self.exported(symbol) == Some(false),
            test: self.is_test(symbol),
            top: in_file && self.container(symbol).is_empty(),
        }
    }

    /// The kind of a symbol of a built-in graph as its number.
    pub(crate) fn kind_number(&self, symbol: u32) -> u8 {
        self.at(&self.layout.symbol_kinds)[symbol as usize].min(KIND_FILE)
    }

    /// The compressed facts of a file.
    pub(crate) fn file_facts(&self, file: u32) -> &[u8] {
        let offsets = self.file.get(&self.layout.fact_offsets);
        &self.at(&self.layout.fact_bytes)[offsets[file as usize] as usize..offsets[file as usize + 1] as usize]
    }

    /// The symbols of a file; the first stands for the file itself in a built-in graph.
    pub fn symbols_of_file(&self, file: u32) -> Range<u32> {
        let first = self.words(&self.layout.file_first);
        first[file as usize]..first[file as usize + 1]
    }

    /// The file that a symbol stands in.
    pub fn file_of(&self, symbol: u32) -> u32 {
        let first = self.words(&self.layout.file_first);
        first.partition_point(|&start| start <= symbol) as u32 - 1
    }

    /// The name of a symbol.
    pub fn name(&self, symbol: u32) -> &str {
        self.text_of(self.words(&self.layout.symbol_names)[symbol as usize])
    }

    /// What stands before the name of a symbol in its qualified name.
    pub fn container(&self, symbol: u32) -> &str {
        self.text_of(self.words(&self.layout.symbol_containers)[symbol as usize])
    }

    /// The qualified name of a symbol.
    pub fn qualified(&self, symbol: u32) -> String {
        match self.container(symbol) {
            "" => self.name(symbol).to_owned(),
            container => format!("{container}.{}", self.name(symbol)),
        }
    }

    /// The kind of a symbol, a word of [`Header::kinds`].
    pub fn kind(&self, symbol: u32) -> &str {
        &self.header.kinds[self.at(&self.layout.symbol_kinds)[symbol as usize] as usize]
    }

    /// First and last line of a symbol.
    pub fn lines(&self, symbol: u32) -> (u32, u32) {
        let lines = &self.words(&self.layout.symbol_lines)[3 * symbol as usize..];
        (lines[0], lines[1])
    }

    /// The line of a symbol's name.
    pub fn line(&self, symbol: u32) -> u32 {
        self.words(&self.layout.symbol_lines)[3 * symbol as usize + 2]
    }

    /// The symbol around a symbol.
    pub fn parent(&self, symbol: u32) -> Option<u32> {
        Some(self.words(&self.layout.symbol_parents)[symbol as usize]).filter(|parent| *parent != NONE)
    }

    /// Whether a symbol is a test.
    pub fn is_test(&self, symbol: u32) -> bool {
        self.at(&self.layout.symbol_flags)[symbol as usize] & 1 == 1
    }

    /// Whether other files can use a symbol, where that is known.
    pub fn exported(&self, symbol: u32) -> Option<bool> {
        match self.at(&self.layout.symbol_flags)[symbol as usize] & 6 {
            2 => Some(false),
            4 => Some(true),
            _ => None,
        }
    }

    /// Signature and first sentence of the documentation of a symbol.
    ///
    /// # Errors
    /// [`GraphError::File`].
    pub fn texts(&self, symbol: u32) -> Result<(String, String), GraphError> {
        let first = self.words(&self.layout.text_first);
        let block = first.partition_point(|&start| start <= symbol) - 1;
        let mut found = (String::new(), String::new());
        self.texts_of_block(block, first[block]..=symbol, |each, signature, documentation| {
            if each == symbol {
                found = (signature.to_owned(), documentation.to_owned());
            }
        })?;
        Ok(found)
    }

    /// Number, signature and first sentence of the documentation of every symbol.
    ///
    /// # Errors
    /// [`GraphError::File`].
    pub(crate) fn each_text(&self, mut take: impl FnMut(u32, &str, &str)) -> Result<(), GraphError> {
        let first = self.words(&self.layout.text_first);
        for block in 0..first.len() {
            let end = first.get(block + 1).map_or(self.symbol_count(), |&next| next);
            if end > first[block] {
                self.texts_of_block(block, first[block]..=end - 1, &mut take)?;
            }
        }
        Ok(())
    }

    /// The texts of the first symbols of a block, `symbols`.
    fn texts_of_block(
        &self,
        block: usize,
        symbols: RangeInclusive<u32>,
        mut take: impl FnMut(u32, &str, &str),
    ) -> Result<(), GraphError> {
        let damaged = || GraphError::from(self.file.damaged("a text does not decode"));
        let offsets = self.words(&self.layout.text_offsets);
        let packed = &self.at(&self.layout.text_bytes)[offsets[block] as usize..offsets[block + 1] as usize];
        let plain = decompress_bytes(packed, MOST_TEXT_BYTES).ok_or_else(damaged)?;
        let mut at = 0;
        for symbol in symbols {
            let mut parts = [""; 2];
            for part in &mut parts {
                let length = get(&plain, &mut at).ok_or_else(damaged)? as usize;
                let bytes = plain.get(at..at + length).ok_or_else(damaged)?;
                at += length;
                *part = std::str::from_utf8(bytes).map_err(|_| damaged())?;
            }
            take(symbol, parts[0], parts[1]);
        }
        Ok(())
    }

    /// The edges that start at a symbol, by line.
    pub fn edges_from(&self, symbol: u32) -> Vec<Edge> {
        let mut edges = Vec::new();
        self.each_edge_from(symbol, |edge| edges.push(edge));
        edges
    }

    /// The same, one after the other.
    pub(crate) fn each_edge_from(&self, symbol: u32, mut take: impl FnMut(Edge)) {
        let offsets = self.words(&self.layout.out_offsets);
        let bytes =
            &self.at(&self.layout.out_bytes)[offsets[symbol as usize] as usize..offsets[symbol as usize + 1] as usize];
        let (mut at, mut line) = (0, 0u32);
        while let Some(&tag) = bytes.get(at) {
            at += 1;
            let (Some(to), Some(step)) = (get(bytes, &mut at), get(bytes, &mut at)) else { break };
            line = line.saturating_add(step);
            let resolution = tag >> 4;
            let candidates = if resolution == resolution::AMBIGUOUS { get(bytes, &mut at).unwrap_or(1) } else { 1 };
            let to = (symbol as i32).wrapping_add(unzigzag(to)) as u32;
            if to < self.symbol_count() {
                take(Edge { to, relation: tag & 15, resolution, line, candidates });
            }
        }
    }

    /// The symbols that have an edge to a symbol, ascending.
    pub fn sources_of(&self, symbol: u32) -> Vec<u32> {
        let offsets = self.words(&self.layout.in_offsets);
        let bytes =
            &self.at(&self.layout.in_bytes)[offsets[symbol as usize] as usize..offsets[symbol as usize + 1] as usize];
        let mut sources = Vec::new();
        let (mut at, mut from) = (0, 0u32);
        while let Some(step) = get(bytes, &mut at) {
            from = from.saturating_add(step);
            if from >= self.symbol_count() {
                break;
            }
            sources.push(from);
        }
        sources
    }

    /// The symbols of exactly that name.
    pub fn named(&self, name: &str) -> &[u32] {
        match self.string_number(name) {
            None => &[],
            Some(place) => {
                let offsets = self.words(&self.layout.name_offsets);
                let range = offsets[place as usize] as usize..offsets[place as usize + 1] as usize;
                &self.words(&self.layout.name_symbols)[range]
            }
        }
    }

    /// How many uses of a name have no target that is known.
    pub fn unresolved_uses(&self, name: &str) -> u32 {
        self.string_number(name).map_or(0, |place| self.words(&self.layout.name_unresolved)[place as usize])
    }

    fn string_number(&self, text: &str) -> Option<u32> {
        self.strings.find(&self.file, text)
    }

    /// How many terms each symbol has.
    pub(crate) fn sizes(&self) -> &[u32] {
        self.words(&self.layout.symbol_sizes)
    }

    /// The number of a term.
    pub(crate) fn term(&self, text: &str) -> Option<u32> {
        self.terms.find(&self.file, text)
    }

    /// A term by its number.
    pub(crate) fn term_text(&self, term: u32) -> &str {
        self.terms.get(&self.file, term)
    }

    /// How many symbols have a term.
    pub(crate) fn term_df(&self, term: u32) -> u32 {
        self.words(&self.layout.term_df)[term as usize]
    }

    /// The symbols that have a term, with the mask of the fields it stands in.
    pub(crate) fn postings(&self, term: u32, mut take: impl FnMut(u32, u8)) {
        let bytes = self.postings.get(&self.file, term);
        let (mut at, mut symbol) = (0, 0u32);
        while let Some(step) = get(bytes, &mut at) {
            symbol = symbol.saturating_add(step);
            let Some(&mask) = bytes.get(at) else { break };
            at += 1;
            if symbol >= self.symbol_count() {
                break;
            }
            take(symbol, mask);
        }
    }
}
