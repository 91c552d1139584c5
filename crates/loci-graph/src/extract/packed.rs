//! The facts of one file as bytes: what a graph file keeps of each source file, so that a later build need not parse it again.
//!
//! Every distinct string of a file stands once at the front; the rest are small numbers. Read back, everything borrows from the
//! bytes, and each string has a 64-bit key, so that resolving compares numbers.

use std::cell::RefCell;
use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHasher};

use crate::GraphError;
use crate::extract::facts::{FileFacts, Language, Outcome, ReferenceKind, SymbolKind};
use crate::ids::NameKey;
use loci_text::varint::{get, put};

/// Version of this layout and of the terms that are kept; part of the signature of every graph file.
pub(crate) const LAYOUT: u32 = 3;

/// No symbol, no string.
pub(crate) const NONE: u32 = crate::ids::NONE;

/// In which part of a symbol a term stands; bits of a mask.
pub(crate) mod field {
    pub(crate) const NAME: u8 = 1;
    pub(crate) const CONTAINER: u8 = 2;
    pub(crate) const SIGNATURE: u8 = 4;
    pub(crate) const DOCUMENTATION: u8 = 8;
    pub(crate) const USES: u8 = 16;
}

pub(crate) const LANGUAGES: [Language; 25] = [
    Language::Python,
    Language::JavaScript,
    Language::TypeScript,
    Language::Tsx,
    Language::Go,
    Language::Rust,
    Language::C,
    Language::Cpp,
    Language::Java,
    Language::CSharp,
    Language::Kotlin,
    Language::Ruby,
    Language::Php,
    Language::Swift,
    Language::Scala,
    Language::Elixir,
    Language::Lua,
    Language::Bash,
    Language::Zig,
    Language::Sql,
    Language::Html,
    Language::Css,
    Language::Julia,
    Language::Vue,
    Language::Svelte,
];

pub(crate) const KINDS: [(SymbolKind, &str); 20] = [
    (SymbolKind::Function, "function"),
    (SymbolKind::Method, "method"),
    (SymbolKind::Constructor, "constructor"),
    (SymbolKind::Property, "property"),
    (SymbolKind::Class, "class"),
    (SymbolKind::Struct, "struct"),
    (SymbolKind::Interface, "interface"),
    (SymbolKind::Trait, "trait"),
    (SymbolKind::Enum, "enum"),
    (SymbolKind::Variant, "variant"),
    (SymbolKind::Type, "type"),
    (SymbolKind::Constant, "constant"),
    (SymbolKind::Variable, "variable"),
    (SymbolKind::Field, "field"),
    (SymbolKind::Module, "module"),
    (SymbolKind::Macro, "macro"),
    (SymbolKind::Table, "table"),
    (SymbolKind::Selector, "selector"),
    (SymbolKind::Test, "test"),
    (SymbolKind::Type, "file"),
];

/// Place in [`KINDS`] of the symbol that stands for a whole file.
pub(crate) const KIND_FILE: u8 = 19;

const REFERENCES: [ReferenceKind; 8] = [
    ReferenceKind::Call,
    ReferenceKind::Reference,
    ReferenceKind::Inherit,
    ReferenceKind::Implement,
    ReferenceKind::Decorate,
    ReferenceKind::Instantiate,
    ReferenceKind::TypeUse,
    ReferenceKind::MacroUse,
];

/// What a manifest (`package.json`, `go.mod` ...) says: pairs of a key and a value, in the order of the file.
pub(crate) type Settings = Vec<(String, String)>;

/// What a cached file is: source with facts, or a manifest.
pub(crate) enum Content<'a> {
    Facts(&'a FileFacts),
    Settings(&'a Settings),
}

pub(crate) struct Symbol {
    pub(crate) name: u32,
    /// The part of the qualified name before the name; empty string for none.
    pub(crate) container: u32,
    pub(crate) kind: u8,
    pub(crate) lines: (u32, u32),
    pub(crate) name_line: u32,
    pub(crate) parent: u32,
    pub(crate) exported: Option<bool>,
    pub(crate) test: bool,
    pub(crate) returns: u32,
    pub(crate) signature: u32,
    pub(crate) documentation: u32,
}

pub(crate) struct Reference {
    pub(crate) kind: ReferenceKind,
    pub(crate) name: u32,
    pub(crate) qualifier: u32,
    pub(crate) line: u32,
    pub(crate) inside: u32,
    pub(crate) local: bool,
    /// 0 for none.
    pub(crate) block: u32,
    /// How many are written, for calls.
    pub(crate) arguments: u32,
}

pub(crate) struct Import {
    pub(crate) module: u32,
    pub(crate) name: u32,
    pub(crate) alias: u32,
    pub(crate) inside: u32,
    pub(crate) line: u32,
    /// In scripts only what is passed on is seen from outside.
    pub(crate) reexport: bool,
    /// For some platforms alone.
    pub(crate) conditional: bool,
}

pub(crate) struct Binding {
    pub(crate) name: u32,
    pub(crate) of: u32,
    pub(crate) inside: u32,
    pub(crate) line: u32,
    /// 0 for as far as `inside` goes.
    pub(crate) until: u32,
}

/// A file's facts, borrowed from its bytes.
#[derive(Default)]
pub(crate) struct File<'a> {
    pub(crate) strings: Vec<&'a str>,
    pub(crate) keys: Vec<NameKey>,
    pub(crate) language: Option<Language>,
    pub(crate) outcome: u8,
    pub(crate) errors: u32,
    pub(crate) lines: u32,
    pub(crate) module: u32,
    pub(crate) symbols: Vec<Symbol>,
    pub(crate) references: Vec<Reference>,
    pub(crate) imports: Vec<Import>,
    pub(crate) bindings: Vec<Binding>,
    pub(crate) settings: Vec<(u32, u32)>,
    /// Per symbol, the file first: where its terms end in `terms`.
    pub(crate) term_ends: Vec<u32>,
    /// String and mask of [`field`] bits.
    pub(crate) terms: Vec<(u32, u8)>,
}

impl<'a> File<'a> {
    /// A file of which nothing is known but how many symbols it has.
    pub(crate) fn blank(symbols: usize) -> Self {
        let symbol = || Symbol {
            name: 0,
            container: 0,
            kind: 0,
            lines: (1, 1),
            name_line: 1,
            parent: NONE,
            exported: None,
            test: false,
            returns: NONE,
            signature: 0,
            documentation: 0,
        };
        Self {
            strings: vec![""],
            keys: vec![key_of("")],
            module: NONE,
            symbols: (0..symbols).map(|_| symbol()).collect(),
            term_ends: vec![0; symbols + 1],
            ..Self::default()
        }
    }

    /// A string by its number; empty for [`NONE`].
    pub(crate) fn string(&self, number: u32) -> &'a str {
        self.strings.get(number as usize).copied().unwrap_or("")
    }
}

/// Fast: facts are compressed while a person waits.
const FACTS_LEVEL: i32 = 1;
/// The facts of one file when unpacked; what [`crate::extract::facts::Limits`] lets through stays far below.
const MOST_FACT_BYTES: usize = 256 << 20;

thread_local! {
    // Setting one up costs more than most files.
    static COMPRESSOR: RefCell<Option<zstd::bulk::Compressor<'static>>> = const { RefCell::new(None) };
    static DECOMPRESSOR: RefCell<Option<zstd::bulk::Decompressor<'static>>> = const { RefCell::new(None) };
}

/// Bytes compressed with the level for what is written while a person waits.
pub(crate) fn compress_bytes(bytes: &[u8]) -> Vec<u8> {
    COMPRESSOR.with_borrow_mut(|slot| {
        let compressor = match slot {
            Some(compressor) => compressor,
            None => slot.insert(zstd::bulk::Compressor::new(FACTS_LEVEL).expect("a level that zstd knows")),
        };
        compressor.compress(bytes).expect("compressing into memory fails only without memory")
    })
}

/// What [`compress_bytes`] packed, if it is no longer than `most` bytes.
pub(crate) fn decompress_bytes(bytes: &[u8], most: usize) -> Option<Vec<u8>> {
    let size = zstd::zstd_safe::get_frame_content_size(bytes).ok()??;
    let size = usize::try_from(size).ok()?;
    DECOMPRESSOR.with_borrow_mut(|slot| {
        let decompressor = match slot {
            Some(decompressor) => decompressor,
            None => slot.insert(zstd::bulk::Decompressor::new().ok()?),
        };
        decompressor.decompress(bytes, size.min(most)).ok()
    })
}

/// The facts of a file as they are stored, with whether the file was read leniently.
pub(crate) fn compress(packed: &[u8], lossy: bool) -> Vec<u8> {
    let mut bytes = vec![u8::from(lossy)];
    bytes.extend(compress_bytes(packed));
    bytes
}

/// What [`compress`] gave.
pub(crate) fn decompress(bytes: &[u8]) -> Option<(Vec<u8>, bool)> {
    let (&lossy, packed) = bytes.split_first()?;
    Some((decompress_bytes(packed, MOST_FACT_BYTES)?, lossy == 1))
}

/// The key of a string: equal strings have equal keys, and different ones practically never.
#[inline]
pub(crate) fn key_of(text: &str) -> NameKey {
    let mut hasher = FxHasher::default();
    hasher.write(text.as_bytes());
    NameKey(hasher.finish())
}

/// Expands words into terms, remembering the words of one thread's recent files.
#[derive(Default)]
pub(crate) struct Terms {
    known: FxHashMap<String, Vec<String>>,
}

impl Terms {
    const MOST: usize = 50_000;

    pub(crate) fn each(&mut self, text: &str, mut take: impl FnMut(&str)) {
        for word in loci_text::words(text) {
            if let Some(terms) = self.known.get(word) {
                terms.iter().for_each(|term| take(term));
                continue;
            }
            let terms: Vec<String> = loci_text::expand(word).terms.into_iter().map(|term| term.text).collect();
            terms.iter().for_each(|term| take(term));
            if self.known.len() >= Self::MOST {
                self.known.clear();
            }
            self.known.insert(word.to_owned(), terms);
        }
    }
}

struct Strings<'a> {
    numbers: FxHashMap<&'a str, u32>,
    list: Vec<&'a str>,
}

impl<'a> Strings<'a> {
    fn number(&mut self, text: &'a str) -> u32 {
        let next = self.list.len() as u32;
        *self.numbers.entry(text).or_insert_with(|| {
            self.list.push(text);
            next
        })
    }

    fn optional(&mut self, text: Option<&'a str>) -> u32 {
        text.map_or(0, |text| self.number(text) + 1)
    }
}

fn up(value: Option<u32>) -> u32 {
    value.map_or(0, |value| value.saturating_add(1))
}

/// Packs a file. `lines` is the number of its lines, `path` only gives terms to nothing: a path belongs to the graph, so that a
/// file that moved keeps its bytes.
pub(crate) fn pack(content: &Content<'_>, lines: u32, terms: &mut Terms) -> Vec<u8> {
    let empty = FileFacts::unparsed(Language::Python);
    let no_settings = Settings::new();
    let (facts, settings, language) = match content {
        Content::Facts(facts) => (*facts, &no_settings, LANGUAGES.iter().position(|l| *l == facts.language)),
        Content::Settings(settings) => (&empty, *settings, None),
    };
    // Terms first: they are owned, and the string table borrows them.
    let mut symbol_terms: Vec<Vec<(String, u8)>> = (0..=facts.symbols.len()).map(|_| Vec::new()).collect();
    {
        let mut add = |place: usize, text: &str, bit: u8| {
            let list = &mut symbol_terms[place];
            terms.each(text, |term| match list.iter().position(|(known, _)| known == term) {
                Some(at) => list[at].1 |= bit,
                None if list.len() < 400 => list.push((term.to_owned(), bit)),
                None => {}
            });
        };
        for (place, symbol) in facts.symbols.iter().enumerate() {
            add(place + 1, &symbol.name, field::NAME);
            add(place + 1, container_of(&symbol.qualified, &symbol.name), field::CONTAINER);
            add(place + 1, &symbol.signature, field::SIGNATURE);
            add(place + 1, &symbol.documentation, field::DOCUMENTATION);
        }
        for reference in &facts.references {
            let place = reference.inside.map_or(0, |inside| inside as usize + 1);
            if place < symbol_terms_len(facts) {
                add(place, &reference.name, field::USES);
            }
        }
    }
    let mut strings = Strings { numbers: FxHashMap::default(), list: Vec::new() };
    let mut body = Vec::with_capacity(64 * facts.symbols.len() + 8 * facts.references.len());
    let out = &mut body;
    put(out, language.map_or(0, |place| place as u32 + 1));
    let (outcome, errors) = match facts.outcome {
        Outcome::Whole => (0, 0),
        Outcome::Partial { errors } => (1, errors),
        Outcome::TimedOut => (2, 0),
        Outcome::Unparsed => (3, 0),
    };
    put(out, outcome);
    put(out, errors);
    put(out, lines);
    put(out, strings.optional(facts.module.as_deref()));
    put(out, facts.symbols.len() as u32);
    for symbol in &facts.symbols {
        put(out, strings.number(&symbol.name));
        put(out, strings.number(container_of(&symbol.qualified, &symbol.name)));
        put(out, KINDS.iter().position(|(kind, _)| *kind == symbol.kind).unwrap_or(0) as u32);
        put(out, symbol.lines.0);
        put(out, symbol.lines.1.saturating_sub(symbol.lines.0));
        put(out, symbol.name_line.saturating_sub(symbol.lines.0));
        put(out, up(symbol.parent));
        let exported = match symbol.exported {
            None => 0,
            Some(false) => 1,
            Some(true) => 2,
        };
        put(out, exported * 2 + u32::from(symbol.test));
        put(out, strings.optional(symbol.returns.as_deref()));
        put(out, strings.number(&symbol.signature));
        put(out, strings.number(&symbol.documentation));
    }
    put(out, facts.references.len() as u32);
    for reference in &facts.references {
        let kind = REFERENCES.iter().position(|kind| *kind == reference.kind).unwrap_or(0) as u32;
        put(out, kind * 4 + u32::from(reference.block.is_some()) * 2 + u32::from(reference.local));
        put(out, strings.number(&reference.name));
        put(out, strings.optional(reference.qualifier.as_deref()));
        put(out, reference.line);
        if let Some(block) = reference.block {
            put(out, block.saturating_sub(reference.line));
        }
        if reference.kind == ReferenceKind::Call {
            put(out, up(reference.arguments.map(u32::from)));
        }
        put(out, up(reference.inside));
    }
    put(out, facts.imports.len() as u32);
    for import in &facts.imports {
        put(out, strings.number(&import.module));
        put(out, strings.optional(import.name.as_deref()));
        put(out, strings.optional(import.alias.as_deref()));
        put(out, import.line);
        put(out, up(import.inside));
        put(out, u32::from(import.reexport) + 2 * u32::from(import.conditional));
    }
    put(out, facts.bindings.len() as u32);
    for binding in &facts.bindings {
        put(out, strings.number(&binding.name));
        put(out, strings.number(&binding.of));
        put(out, binding.line);
        put(out, binding.until.map_or(0, |until| 1 + until.saturating_sub(binding.line)));
        put(out, up(binding.inside));
    }
    put(out, settings.len() as u32);
    for (key, value) in settings {
        put(out, strings.number(key));
        put(out, strings.number(value));
    }
    for list in &symbol_terms {
        put(out, list.len() as u32);
        for (term, mask) in list {
            put(out, strings.number(term));
            out.push(*mask);
        }
    }
    let mut bytes = Vec::with_capacity(body.len() + strings.list.iter().map(|text| text.len() + 1).sum::<usize>());
    put(&mut bytes, strings.list.len() as u32);
    for text in &strings.list {
        put(&mut bytes, text.len() as u32);
        bytes.extend_from_slice(text.as_bytes());
    }
    bytes.extend_from_slice(&body);
    bytes
}

fn symbol_terms_len(facts: &FileFacts) -> usize {
    facts.symbols.len() + 1
}

fn container_of<'a>(qualified: &'a str, name: &str) -> &'a str {
    qualified.strip_suffix(name).map_or("", |before| before.strip_suffix('.').unwrap_or(before))
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn number(&mut self) -> Result<u32, GraphError> {
        get(self.bytes, &mut self.at).ok_or_else(|| GraphError::damaged("the facts of a file end too early"))
    }

    /// A number of things that take at least `least` bytes each.
    fn count(&mut self, least: usize) -> Result<usize, GraphError> {
        let count = self.number()? as usize;
        if count.saturating_mul(least) > self.bytes.len() - self.at.min(self.bytes.len()) {
            return Err(GraphError::damaged("the facts of a file announce more than they hold"));
        }
        Ok(count)
    }

    fn down(&mut self) -> Result<u32, GraphError> {
        Ok(self.number()?.wrapping_sub(1))
    }
}

/// Reads what [`pack`] wrote.
///
/// # Errors
/// [`GraphError::File`] for anything else.
pub(crate) fn unpack(bytes: &[u8]) -> Result<File<'_>, GraphError> {
    let mut reader = Reader { bytes, at: 0 };
    let reader = &mut reader;
    let mut file = File::default();
    let count = reader.count(1)?;
    file.strings.reserve(count);
    file.keys.reserve(count);
    for _ in 0..count {
        let length = reader.number()? as usize;
        let text = bytes
            .get(reader.at..reader.at.saturating_add(length))
            .and_then(|slice| std::str::from_utf8(slice).ok())
            .ok_or_else(|| GraphError::damaged("the facts of a file hold no text"))?;
        reader.at += length;
        file.strings.push(text);
        file.keys.push(key_of(text));
    }
    let strings = count as u32;
    let known = |number: u32| {
        (number < strings).then_some(number).ok_or_else(|| GraphError::damaged("the facts of a file name a lost text"))
    };
    let optional = |number: u32| if number == NONE { Ok(NONE) } else { known(number) };
    file.language = match reader.number()? {
        0 => None,
        place => Some(
            *LANGUAGES.get(place as usize - 1).ok_or_else(|| GraphError::damaged("a file is of no known language"))?,
        ),
    };
    file.outcome = reader.number()?.min(3) as u8;
    file.errors = reader.number()?;
    file.lines = reader.number()?;
    file.module = optional(reader.down()?)?;
    let count = reader.count(11)?;
    file.symbols.reserve(count);
    for place in 0..count as u32 {
        let name = known(reader.number()?)?;
        let container = known(reader.number()?)?;
        let kind = reader.number()?.min(u32::from(KIND_FILE)) as u8;
        let first = reader.number()?;
        let last = first.saturating_add(reader.number()?);
        let name_line = first.saturating_add(reader.number()?);
        let parent = reader.down()?;
        if parent != NONE && parent >= place {
            // A symbol stands after the one that contains it; a method away from its type may stand before it.
            if parent as usize >= count || parent == place {
                return Err(GraphError::damaged("a symbol stands inside a lost one"));
            }
        }
        let flags = reader.number()?;
        let returns = optional(reader.down()?)?;
        let signature = known(reader.number()?)?;
        let documentation = known(reader.number()?)?;
        file.symbols.push(Symbol {
            name,
            container,
            kind,
            lines: (first, last),
            name_line,
            parent,
            exported: match flags / 2 {
                0 => None,
                1 => Some(false),
                _ => Some(true),
            },
            test: flags % 2 == 1,
            returns,
            signature,
            documentation,
        });
    }
    let symbols = count as u32;
    let inside = |number: u32| {
        if number == NONE || number < symbols {
            Ok(number)
        } else {
            Err(GraphError::damaged("a reference stands inside a lost symbol"))
        }
    };
    let count = reader.count(5)?;
    file.references.reserve(count);
    for _ in 0..count {
        let kind = reader.number()?;
        file.references.push(Reference {
            kind: REFERENCES[(kind / 4).min(7) as usize],
            local: kind & 1 == 1,
            name: known(reader.number()?)?,
            qualifier: optional(reader.down()?)?,
            line: reader.number()?,
            block: 0,
            arguments: NONE,
            inside: NONE,
        });
        if let Some(reference) = file.references.last_mut() {
            if kind & 2 == 2 {
                reference.block = reference.line.saturating_add(reader.number()?);
            }
            if reference.kind == ReferenceKind::Call {
                reference.arguments = reader.down()?;
            }
            reference.inside = inside(reader.down()?)?;
        }
    }
    for _ in 0..reader.count(6)? {
        file.imports.push(Import {
            module: known(reader.number()?)?,
            name: optional(reader.down()?)?,
            alias: optional(reader.down()?)?,
            line: reader.number()?,
            inside: inside(reader.down()?)?,
            reexport: false,
            conditional: false,
        });
        let flags = reader.number()?;
        if let Some(import) = file.imports.last_mut() {
            (import.reexport, import.conditional) = (flags & 1 == 1, flags & 2 == 2);
        }
    }
    for _ in 0..reader.count(5)? {
        let (name, of, line) = (known(reader.number()?)?, known(reader.number()?)?, reader.number()?);
        let until = match reader.number()? {
            0 => 0,
            lines => line.saturating_add(lines - 1),
        };
        file.bindings.push(Binding { name, of, line, until, inside: inside(reader.down()?)? });
    }
    for _ in 0..reader.count(2)? {
        file.settings.push((known(reader.number()?)?, known(reader.number()?)?));
    }
    for _ in 0..=file.symbols.len() {
        for _ in 0..reader.count(2)? {
            let term = known(reader.number()?)?;
            let mask = *bytes.get(reader.at).ok_or_else(|| GraphError::damaged("the facts of a file end too early"))?;
            reader.at += 1;
            file.terms.push((term, mask));
        }
        file.term_ends.push(file.terms.len() as u32);
    }
    Ok(file)
}
