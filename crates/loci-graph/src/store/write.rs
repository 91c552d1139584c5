//! Laying a graph out: what goes in, and the tables that it becomes.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::time::SystemTime;

use loci_container::{ContainerError, Part, Table, encode, name_of};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use loci_text::varint::put;

use crate::error::{GraphError, WHAT};
use crate::extract::packed::{NONE, compress_bytes};
use crate::heads::name_number;

use super::read::Layout;
use super::reuse::text_groups;
use super::{FORMAT, Header, Record, Taken, relation, resolution, zigzag};

/// Texts that are compressed together.
const TEXT_BLOCK_BYTES: usize = 32 << 10;

/// A file of a graph that is written.
#[derive(Clone, Debug, Default)]
pub struct FileRecord<'a> {
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

/// A symbol of a graph that is written.
#[derive(Clone, Debug, Default)]
pub struct SymbolRecord<'a> {
    /// Place of its file in the graph.
    pub file: u32,
    /// Its name.
    pub name: Cow<'a, str>,
    /// What stands before its name in the qualified one, without the separator.
    pub container: Cow<'a, str>,
    /// Place of its kind in [`GraphWriter::kinds`].
    pub kind: u8,
    /// First and last line.
    pub lines: (u32, u32),
    /// The line to cite.
    pub line: u32,
    /// The symbol around it, as a place in the graph.
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

/// An edge of a graph that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EdgeRecord {
    /// The symbol that refers, as a place in the graph.
    pub from: u32,
    /// Line of the reference, in the file of `from`.
    pub line: u32,
    /// Place in [`GraphWriter::relations`].
    pub relation: u8,
    /// Place in [`GraphWriter::resolutions`].
    pub resolution: u8,
    /// The symbol referred to.
    pub to: u32,
    /// How many symbols the reference may mean; 1 but for ambiguous ones.
    pub candidates: u32,
}

/// The terms of one file's symbols, where they are known already: the file's own first, then its symbols'.
pub(crate) struct Forward<'a> {
    pub(crate) strings: &'a [&'a str],
    pub(crate) ends: &'a [u32],
    pub(crate) terms: &'a [(u32, u8)],
}

/// Everything that goes into a graph file. Symbols stand by file, in the order of the files.
#[derive(Default)]
pub struct GraphWriter<'a> {
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
    pub files: Vec<FileRecord<'a>>,
    /// Symbols, by file.
    pub symbols: Vec<SymbolRecord<'a>>,
    /// Edges, in any order.
    pub edges: Vec<EdgeRecord>,
    /// How often a name was used without a target that is known, by a number of the name.
    pub unresolved: FxHashMap<u32, u32>,
    /// Per file its terms; empty: they are made from the names, signatures and documentation.
    pub(crate) forwards: Vec<Option<Forward<'a>>>,
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

pub(super) fn number(value: usize, what: &str) -> Result<u32, GraphError> {
    u32::try_from(value)
        .ok()
        .filter(|number| *number < NONE)
        .ok_or_else(|| ContainerError::TooLarge { what: WHAT, detail: format!("{what} ({value})") }.into())
}

/// Offsets and bytes of many small byte strings, written in parallel.
pub(super) fn pack_lists<T: Sync>(items: &[T], write: impl Fn(usize, &T, &mut Vec<u8>) + Sync) -> (Vec<u32>, Vec<u8>) {
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

impl GraphWriter<'_> {
    /// Lays the graph out.
    ///
    /// # Errors
    /// [`GraphError::File`] when it is too large.
    pub fn encode(self) -> Result<Encoded, GraphError> {
        self.encode_with(None)
    }

    /// As [`GraphWriter::encode`]; of the files that are `taken` over, names and terms are those of the older graph, and texts are where
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
        let mut previous: Option<&EdgeRecord> = None;
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
