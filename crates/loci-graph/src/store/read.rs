//! An open graph: checked once, then asked.

use std::ops::{Range, RangeInclusive};
use std::path::Path;
use std::time::SystemTime;

use loci_container::{Container, ContainerError, Lists, Strings, Table, layout};
use loci_text::varint::get;

use crate::error::{GraphError, WHAT};
use crate::extract::packed::{KIND_FILE, LANGUAGES, NONE, decompress_bytes, key_of};
use crate::heads::{Brief, Head};

use super::{FORMAT, Header, Record, resolution, unzigzag};

/// One text alone may be longer than a block; 200 characters each bound the built-in ones.
const MOST_TEXT_BYTES: usize = 4 << 20;

layout! {
    pub(super) struct Layout {
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
    pub(super) file: Container,
    pub(super) header: Header,
    pub(super) layout: Layout,
    pub(super) strings: Strings,
    pub(super) terms: Strings,
    pub(super) postings: Lists<u8>,
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

    /// Reads a graph from memory, as [`GraphWriter::encode`] made it.
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

    pub(super) fn at(&self, table: &Table<u8>) -> &[u8] {
        self.file.get(table)
    }

    pub(super) fn words(&self, table: &Table<u32>) -> &[u32] {
        self.file.get(table)
    }

    pub(super) fn text_of(&self, number: u32) -> &str {
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
