//! Reads `index.scip`, the file in which indexers that are made of compilers say what every name in a project means.
//!
//! The format is a protobuf message ([SCIP](https://github.com/scip-code/scip)); of its fields a dozen matter here, so they are
//! decoded by hand, without a schema compiler in the build. An index says nothing of calls, stores no text and no hash of
//! it: the files of the project are read beside it, both to see which names are called and to see whether a file is still the one
//! that was indexed.

use std::fs::File;
use std::io::Read;
use std::path::{Component, Path};

use loci_collect::{Redactor, role_of};
use loci_container::ContainerError;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::error::{GraphError, WHAT};
use crate::foreign::graph::{ForeignEdge, ForeignGraph, ForeignSymbol};

/// Larger indexes than any seen; the largest of the benchmark's repositories has 21 MB.
const MOST_BYTES: u64 = 1 << 30;
/// Larger files are not source that anybody wrote.
const MOST_SOURCE_BYTES: u64 = 16 << 20;
/// Of the definitions of a file this share may stand elsewhere than the index says before the file counts as changed: indexers
/// themselves place a few names oddly.
const MOST_MISPLACED: f64 = 0.05;
const SIGNATURE_CHARACTERS: usize = 200;

const DEFINITION: u64 = 1;
const IMPORT: u64 = 2;
const FORWARD: u64 = 64;

/// What is wrong with the bytes.
type Bad = &'static str;

const TORN: Bad = "it ends in the middle of a field";

/// One field of a protobuf message.
enum Value<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    fn number(&mut self) -> Result<u64, Bad> {
        let mut value = 0u64;
        for shift in (0..70).step_by(7) {
            let (&byte, rest) = self.rest.split_first().ok_or(TORN)?;
            self.rest = rest;
            if shift < 64 {
                value |= u64::from(byte & 127) << shift;
            }
            if byte < 128 {
                return Ok(value);
            }
        }
        Err("a number does not end")
    }

    fn take(&mut self, count: u64) -> Result<&'a [u8], Bad> {
        let count = usize::try_from(count).map_err(|_| TORN)?;
        if count > self.rest.len() {
            return Err(TORN);
        }
        let (taken, rest) = self.rest.split_at(count);
        self.rest = rest;
        Ok(taken)
    }

    fn next(&mut self) -> Result<Option<(u64, Value<'a>)>, Bad> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let key = self.number()?;
        let value = match key & 7 {
            0 => Value::Number(self.number()?),
            1 => Value::Bytes(self.take(8)?),
            2 => {
                let count = self.number()?;
                Value::Bytes(self.take(count)?)
            }
            5 => Value::Bytes(self.take(4)?),
            _ => return Err("a field is of no known type"),
        };
        Ok(Some((key >> 3, value)))
    }
}

/// Calls `each` with the fields of a message.
fn fields<'a>(bytes: &'a [u8], mut each: impl FnMut(u64, Value<'a>) -> Result<(), Bad>) -> Result<(), Bad> {
    let mut fields = Fields { rest: bytes };
    while let Some((number, value)) = fields.next()? {
        each(number, value)?;
    }
    Ok(())
}

fn text(bytes: &[u8]) -> Result<&str, Bad> {
    std::str::from_utf8(bytes).map_err(|_| "a text is not UTF-8")
}

fn numbers(value: &Value<'_>, into: &mut Vec<u64>) -> Result<(), Bad> {
    match value {
        Value::Number(number) => into.push(*number),
        Value::Bytes(bytes) => {
            let mut fields = Fields { rest: bytes };
            while !fields.rest.is_empty() {
                into.push(fields.number()?);
            }
        }
    }
    Ok(())
}

/// First line, first column, last line, column behind the last character; all from 0.
type Range = (u32, u32, u32, u32);

fn range(numbers: &[u64]) -> Option<Range> {
    let at = |place: usize| u32::try_from(numbers[place]).ok().filter(|&number| number < 1 << 30);
    match numbers.len() {
        3 => Some((at(0)?, at(1)?, at(0)?, at(2)?)),
        4 => Some((at(0)?, at(1)?, at(2)?, at(3)?)),
        _ => None,
    }
}

/// The later form of a range: a message with the parts as fields.
fn typed_range(value: &Value<'_>, parts: usize) -> Result<Vec<u64>, Bad> {
    let mut found = vec![0; parts];
    if let Value::Bytes(bytes) = value {
        fields(bytes, |number, value| {
            if let (Some(slot), Value::Number(part)) = (found.get_mut((number as usize).wrapping_sub(1)), value) {
                *slot = part;
            }
            Ok(())
        })?;
    }
    Ok(found)
}

struct Occurrence<'a> {
    symbol: &'a str,
    range: Range,
    roles: u64,
    enclosing: Option<Range>,
}

#[derive(Default)]
struct Information<'a> {
    kind: u64,
    documentation: Vec<&'a str>,
    signature: &'a str,
    /// What the symbol implements or inherits from.
    implements: Vec<&'a str>,
}

#[derive(Default)]
struct Document<'a> {
    path: &'a str,
    language: &'a str,
    encoding: u64,
    occurrences: Vec<Occurrence<'a>>,
    symbols: FxHashMap<&'a str, Information<'a>>,
}

fn occurrence<'a>(bytes: &'a [u8]) -> Result<Option<Occurrence<'a>>, Bad> {
    let (mut place, mut enclosing) = (Vec::new(), Vec::new());
    let (mut symbol, mut roles) = ("", 0);
    fields(bytes, |number, value| {
        match (number, value) {
            (1, value) => numbers(&value, &mut place)?,
            (2, Value::Bytes(bytes)) => symbol = text(bytes)?,
            (3, Value::Number(number)) => roles = number,
            (7, value) => numbers(&value, &mut enclosing)?,
            (8, value) => place = typed_range(&value, 3)?,
            (9, value) => place = typed_range(&value, 4)?,
            (10, value) => enclosing = typed_range(&value, 3)?,
            (11, value) => enclosing = typed_range(&value, 4)?,
            _ => {}
        }
        Ok(())
    })?;
    Ok(range(&place).map(|range_of| Occurrence { symbol, range: range_of, roles, enclosing: range(&enclosing) }))
}

fn information<'a>(bytes: &'a [u8]) -> Result<(&'a str, Information<'a>), Bad> {
    let mut symbol = "";
    let mut made = Information::default();
    fields(bytes, |number, value| {
        match (number, value) {
            (1, Value::Bytes(bytes)) => symbol = text(bytes)?,
            (3, Value::Bytes(bytes)) => made.documentation.push(text(bytes)?),
            (4, Value::Bytes(bytes)) => {
                let (mut target, mut implementation) = ("", false);
                fields(bytes, |number, value| {
                    match (number, value) {
                        (1, Value::Bytes(bytes)) => target = text(bytes)?,
                        (3, Value::Number(number)) => implementation = number != 0,
                        _ => {}
                    }
                    Ok(())
                })?;
                if implementation {
                    made.implements.push(target);
                }
            }
            (5, Value::Number(number)) => made.kind = number,
            (7, Value::Bytes(bytes)) => fields(bytes, |number, value| {
                if let (5, Value::Bytes(bytes)) = (number, value) {
                    made.signature = text(bytes)?;
                }
                Ok(())
            })?,
            _ => {}
        }
        Ok(())
    })?;
    Ok((symbol, made))
}

fn document<'a>(bytes: &'a [u8]) -> Result<Document<'a>, Bad> {
    let mut made = Document::default();
    fields(bytes, |number, value| {
        match (number, value) {
            (1, Value::Bytes(bytes)) => made.path = text(bytes)?,
            (2, Value::Bytes(bytes)) => made.occurrences.extend(occurrence(bytes)?),
            (3, Value::Bytes(bytes)) => {
                let (symbol, about) = information(bytes)?;
                made.symbols.insert(symbol, about);
            }
            (4, Value::Bytes(bytes)) => made.language = text(bytes)?,
            (6, Value::Number(number)) => made.encoding = number,
            _ => {}
        }
        Ok(())
    })?;
    Ok(made)
}

/// Name and version of the indexer.
fn tool(metadata: &[u8]) -> Result<(String, String), Bad> {
    let (mut name, mut version) = (String::new(), String::new());
    fields(metadata, |number, value| {
        if let (2, Value::Bytes(bytes)) = (number, value) {
            fields(bytes, |number, value| {
                match (number, value) {
                    (1, Value::Bytes(bytes)) => name = text(bytes)?.to_owned(),
                    (2, Value::Bytes(bytes)) => version = text(bytes)?.to_owned(),
                    _ => {}
                }
                Ok(())
            })?;
        }
        Ok(())
    })?;
    Ok((name, version))
}

/// What the last part of a symbol is, by the sign behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Suffix {
    Namespace,
    Type,
    Term,
    Method,
    Meta,
    Macro,
    /// A parameter, a type parameter: nothing that other files call by name.
    Inner,
}

/// The parts of a symbol behind its package, with the sign of each; `None` where it does not hold together.
fn descriptors(symbol: &str) -> Option<Vec<(String, Suffix)>> {
    // Scheme, manager, package and version, `.` for none; two spaces stand for one that is part of a name.
    let bytes = symbol.as_bytes();
    let (mut at, mut spaces) = (0, 0);
    while spaces < 4 {
        match bytes.get(at)? {
            b' ' if bytes.get(at + 1) == Some(&b' ') => at += 2,
            b' ' => {
                spaces += 1;
                at += 1;
            }
            _ => at += 1,
        }
    }
    let mut rest = &symbol[at..];
    let mut parts = Vec::new();
    let name = |rest: &mut &str| -> Option<String> {
        if let Some(quoted) = rest.strip_prefix('`') {
            let mut name = String::new();
            let mut pieces = quoted.char_indices().peekable();
            while let Some((place, character)) = pieces.next() {
                if character != '`' {
                    name.push(character);
                } else if pieces.peek().is_some_and(|next| next.1 == '`') {
                    pieces.next();
                    name.push('`');
                } else {
                    *rest = &quoted[place + 1..];
                    return Some(name);
                }
            }
            return None;
        }
        let end = rest
            .find(|character: char| !(character.is_alphanumeric() || matches!(character, '_' | '+' | '-' | '$')))
            .unwrap_or(rest.len());
        let name = rest[..end].to_owned();
        *rest = &rest[end..];
        Some(name)
    };
    while !rest.is_empty() {
        if let Some(inner) = rest.strip_prefix(['(', '[']) {
            let close = if rest.starts_with('(') { ')' } else { ']' };
            rest = inner;
            let inner = name(&mut rest)?;
            rest = rest.strip_prefix(close)?;
            parts.push((inner, Suffix::Inner));
            continue;
        }
        let part = name(&mut rest)?;
        let sign = rest.chars().next()?;
        rest = &rest[sign.len_utf8()..];
        let suffix = match sign {
            '/' => Suffix::Namespace,
            '#' => Suffix::Type,
            '.' => Suffix::Term,
            ':' => Suffix::Meta,
            '!' => Suffix::Macro,
            '(' => {
                name(&mut rest)?;
                rest = rest.strip_prefix(").")?;
                Suffix::Method
            }
            _ => return None,
        };
        parts.push((part, suffix));
    }
    Some(parts)
}

/// Words for the numbers of kinds that code is made of.
fn kind_word(kind: u64) -> Option<&'static str> {
    Some(match kind {
        7 | 75 => "class",
        8 => "constant",
        9 => "constructor",
        11 => "enum",
        12 => "variant",
        15 | 77 | 79 => "field",
        17 => "function",
        18 | 41 | 45 | 72 | 81 => "property",
        21 | 42 => "interface",
        25 => "macro",
        26 | 27 | 66..=71 | 74 | 76 | 80 => "method",
        29 | 30 | 35 => "module",
        49 | 59 => "struct",
        53 | 56 => "trait",
        54 | 55 => "type",
        61 | 82 => "variable",
        _ => return None,
    })
}

/// The code that indexers put in front of the documentation, without its fence.
fn fenced(documentation: &str) -> Option<&str> {
    let inner = documentation.trim_start().strip_prefix("```")?;
    let inner = inner.split_once('\n')?.1;
    Some(inner.split("```").next().unwrap_or(inner).trim())
}

fn squeezed(text: &str, most: usize) -> String {
    let mut made = String::new();
    for word in text.split_whitespace() {
        if made.chars().count() + word.chars().count() + 1 > most {
            break;
        }
        if !made.is_empty() {
            made.push(' ');
        }
        made.push_str(word);
    }
    made
}

/// A file of the project, as lines in which the columns of an index can be found.
struct Source {
    text: String,
    starts: Vec<usize>,
    /// Columns count bytes, UTF-16 units or characters.
    encoding: u64,
}

impl Source {
    fn read(root: &Path, document: &Document<'_>) -> Option<Self> {
        let relative = Path::new(document.path);
        let inside = relative.components().all(|part| matches!(part, Component::Normal(_)));
        if !inside || document.path.is_empty() || document.path.contains('\\') {
            return None;
        }
        let path = root.join(relative);
        // A link may lead out of the project.
        let real = path.canonicalize().ok()?;
        let metadata = real.metadata().ok()?;
        if !real.starts_with(root) || !metadata.is_file() || metadata.len() > MOST_SOURCE_BYTES {
            return None;
        }
        let text = String::from_utf8(std::fs::read(&real).ok()?).ok()?;
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let encoding = match (document.encoding, document.language.to_ascii_lowercase().as_str()) {
            (1..=3, _) => document.encoding,
            (_, "go" | "rust" | "c" | "cpp" | "c++") => 1,
            _ => 2,
        };
        Some(Self { text, starts, encoding })
    }

    fn line(&self, number: u32) -> Option<&str> {
        let start = *self.starts.get(number as usize)?;
        let end = self.starts.get(number as usize + 1).map_or(self.text.len(), |end| end - 1);
        Some(self.text[start..end].trim_end_matches('\r'))
    }

    fn byte(&self, line: &str, column: u32) -> Option<usize> {
        let column = column as usize;
        if line.is_ascii() || self.encoding == 1 {
            return (column <= line.len() && line.is_char_boundary(column)).then_some(column);
        }
        let mut units = 0;
        for (at, character) in line.char_indices() {
            if units >= column {
                return (units == column).then_some(at);
            }
            units += if self.encoding == 2 { character.len_utf16() } else { 1 };
        }
        (units == column).then_some(line.len())
    }

    /// Whether a dot stands before a range.
    fn is_member(&self, range: Range) -> bool {
        let before = self.line(range.0).and_then(|line| self.byte(line, range.1).map(|at| &line[..at]));
        before.is_some_and(|before| before.ends_with('.'))
    }

    /// The text of a range within one line, and what follows it there.
    fn at(&self, range: Range) -> Option<(&str, &str)> {
        if range.0 != range.2 {
            return None;
        }
        let line = self.line(range.0)?;
        let (start, end) = (self.byte(line, range.1)?, self.byte(line, range.3)?);
        (start <= end).then(|| (&line[start..end], &line[end..]))
    }
}

/// Whether what follows a name calls it: `(`, with type arguments before it or not.
fn is_called(after: &str) -> bool {
    let after = after.trim_start();
    let after = after.strip_prefix("?.").unwrap_or(after);
    if after.starts_with('(') {
        return true;
    }
    let close = match after.chars().next() {
        Some('<') => '>',
        Some('[') => ']',
        _ => return false,
    };
    let Some(end) = after.find(close) else { return false };
    !after[1..end].contains(['<', '[', '(', ')']) && after[end + 1..].starts_with('(')
}

fn is_import(line: &str) -> bool {
    let line = line.trim_start();
    ["import ", "from ", "} from ", "use ", "#include", "require ", "export * from", "export { "]
        .iter()
        .any(|word| line.starts_with(word))
}

struct Held<'a> {
    document: Document<'a>,
    source: Source,
}

/// Whether a definition stands where the index says; `None` where its name is not one that is written there.
fn in_place(source: &Source, occurrence: &Occurrence<'_>) -> Option<bool> {
    let parts = descriptors(occurrence.symbol)?;
    let (name, suffix) = parts.last()?;
    let written = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$');
    if !written || matches!(suffix, Suffix::Namespace | Suffix::Meta | Suffix::Inner) {
        return None;
    }
    Some(source.at(occurrence.range).is_some_and(|(text, _)| text.trim_start_matches(['#', '@', '*', '&']) == name))
}

/// Reads the index at `path` beside the files of the project at `root`, to which its paths are relative.
///
/// A file that is gone, or in which the definitions do not stand where the index says, is left out; the notes say how many are.
/// Everything that is shown passes the redactor.
///
/// # Errors
/// [`GraphError::Foreign`] when the bytes are no whole index, [`GraphError::File`] when it cannot be read.
pub fn read_scip(path: &Path, root: &Path, redactor: &Redactor) -> Result<ForeignGraph, GraphError> {
    let foreign = |detail: &str| GraphError::Foreign { path: path.to_owned(), detail: detail.to_owned() };
    let access = |source| ContainerError::access(WHAT, path, source);
    let mut bytes = Vec::new();
    File::open(path).map_err(access)?.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(access)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(foreign("it has more than 1 GB"));
    }
    let root = root.canonicalize().map_err(|source| ContainerError::Io { path: root.to_owned(), source })?;
    let (mut metadata, mut parts) = (None, Vec::new());
    fields(&bytes, |number, value| {
        match (number, value) {
            (1, Value::Bytes(bytes)) => metadata = Some(bytes),
            (2, Value::Bytes(bytes)) => parts.push(bytes),
            (1 | 2, Value::Number(_)) => return Err("it is no SCIP index"),
            _ => {}
        }
        Ok(())
    })
    .map_err(foreign)?;
    let (indexer, version) = match metadata {
        Some(metadata) => tool(metadata).map_err(foreign)?,
        None => return Err(foreign("it is no SCIP index: nothing says who made it")),
    };
    let documents: Vec<Document<'_>> =
        parts.into_par_iter().map(document).collect::<Result<_, _>>().map_err(foreign)?;
    let total = documents.len();
    let outside = documents.iter().filter(|document| document.path.starts_with("..")).count();
    let held: Vec<Held<'_>> = documents
        .into_par_iter()
        .filter_map(|document| {
            let source = Source::read(&root, &document)?;
            let (mut judged, mut misplaced) = (0u32, 0u32);
            for occurrence in &document.occurrences {
                if occurrence.roles & DEFINITION != 0 && !occurrence.symbol.starts_with("local ") {
                    match in_place(&source, occurrence) {
                        Some(true) => judged += 1,
                        Some(false) => (judged, misplaced) = (judged + 1, misplaced + 1),
                        None => {}
                    }
                }
            }
            (f64::from(misplaced) <= MOST_MISPLACED * f64::from(judged)).then_some(Held { document, source })
        })
        .collect();
    let mut notes = vec![format!("by {indexer} {version}").trim().to_owned()];
    let changed = total - outside - held.len();
    if changed > 0 {
        notes.push(format!(
            "{changed} of {} files of the index changed or went since it was made: make it anew",
            total - outside
        ));
    }

    let mut graph = ForeignGraph {
        backend: "scip".to_owned(),
        fingerprint: blake3::hash(&bytes).to_hex()[..32].to_owned(),
        notes,
        ..ForeignGraph::default()
    };
    // Constructors stand for their class where it is known, as `new Cart()` names the class.
    let mut aliases: FxHashMap<String, String> = FxHashMap::default();
    for held in &held {
        symbols_of(held, &mut graph.symbols, &mut aliases);
    }
    let known: FxHashMap<&str, &ForeignSymbol> =
        graph.symbols.iter().map(|symbol| (symbol.key.as_str(), symbol)).collect();
    let python = indexer == "scip-python";
    // In a `src` folder scip-python defines `src.shop.cart` and refers to `shop.cart`.
    let mut in_src: FxHashMap<String, &str> = FxHashMap::default();
    if python {
        let named = known.keys().copied().zip(known.keys().copied());
        for (symbol, key) in named.chain(aliases.iter().map(|(symbol, key)| (symbol.as_str(), key.as_str()))) {
            if let Some(path) = module_path(symbol).and_then(|path| path.strip_prefix("src.").map(str::to_owned)) {
                in_src.insert(path, key);
            }
        }
    }
    let names = Names { known: &known, aliases: &aliases, in_src: &in_src, python };
    let edges: Vec<Vec<ForeignEdge>> = held.par_iter().map(|held| edges_of(held, &names)).collect();
    graph.edges = edges.into_iter().flatten().collect();
    graph.hide(redactor);
    Ok(graph)
}

fn file_key(path: &str) -> String {
    format!("file {path}")
}

fn symbols_of(held: &Held<'_>, symbols: &mut Vec<ForeignSymbol>, aliases: &mut FxHashMap<String, String>) {
    let Held { document, source } = held;
    let path = document.path;
    let last = source.starts.len() as u32;
    symbols.push(ForeignSymbol {
        key: file_key(path),
        name: path.rsplit('/').next().unwrap_or(path).to_owned(),
        kind: "file".to_owned(),
        path: path.to_owned(),
        line: 1,
        lines: (1, last),
        ..ForeignSymbol::default()
    });
    for occurrence in &document.occurrences {
        if occurrence.roles & DEFINITION == 0 || occurrence.symbol.starts_with("local ") {
            continue;
        }
        let Some(parts) = descriptors(occurrence.symbol) else { continue };
        let Some((name, suffix)) = parts.last() else { continue };
        let about = document.symbols.get(occurrence.symbol);
        let kind = about.and_then(|about| kind_word(about.kind));
        if matches!(suffix, Suffix::Namespace | Suffix::Meta) {
            // The module that a file is. A package of Go is in many files; the first stands for it.
            aliases.entry(occurrence.symbol.to_owned()).or_insert_with(|| file_key(path));
            continue;
        }
        let elsewhere = occurrence.range.0 >= last || in_place(source, occurrence) == Some(false);
        if *suffix == Suffix::Inner || name.is_empty() || elsewhere {
            continue;
        }
        let around = parts.len().checked_sub(2).map(|place| &parts[place]);
        let in_type = around.is_some_and(|part| part.1 == Suffix::Type);
        if matches!(name.as_str(), "<constructor>" | "<init>") && in_type {
            let class = class_of(occurrence.symbol, name);
            aliases.insert(occurrence.symbol.to_owned(), class);
            continue;
        }
        let code = about.map(|about| {
            let first = about.documentation.first().and_then(|text| fenced(text));
            squeezed(
                if about.signature.is_empty() { first.unwrap_or("") } else { about.signature },
                SIGNATURE_CHARACTERS,
            )
        });
        let code = code.unwrap_or_default();
        let kind = kind.unwrap_or_else(|| match suffix {
            Suffix::Macro => "macro",
            Suffix::Method if in_type => "method",
            Suffix::Method => "function",
            Suffix::Type if code.starts_with("interface ") => "interface",
            Suffix::Type if code.starts_with("enum ") => "enum",
            Suffix::Type if code.starts_with("type ") => "type",
            Suffix::Type => "class",
            _ if code.contains(") =>") => "function",
            _ if in_type => "field",
            _ => "variable",
        });
        let prose = about.map_or("", |about| {
            about
                .documentation
                .iter()
                .map(|text| match text.trim_start().strip_prefix("```") {
                    Some(inner) => inner.split_once("```").map_or("", |(_, after)| after),
                    None => text,
                })
                .map(str::trim)
                .find(|text| !text.is_empty())
                .unwrap_or("")
        });
        let sentence = prose.lines().next().unwrap_or("");
        let lines = occurrence.enclosing.map_or((occurrence.range.0 + 1, occurrence.range.0 + 1), |enclosing| {
            (enclosing.0.min(occurrence.range.0) + 1, enclosing.2.clamp(occurrence.range.0, last - 1) + 1)
        });
        let container: Vec<&str> = parts[..parts.len() - 1]
            .iter()
            .filter(|part| !matches!(part.1, Suffix::Namespace | Suffix::Meta | Suffix::Inner))
            .map(|part| part.0.as_str())
            .collect();
        symbols.push(ForeignSymbol {
            key: occurrence.symbol.to_owned(),
            name: name.clone(),
            container: container.join("."),
            kind: kind.to_owned(),
            path: path.to_owned(),
            line: occurrence.range.0 + 1,
            lines: (lines.0, lines.1.min(last)),
            parent: if in_type { class_of(occurrence.symbol, name) } else { String::new() },
            signature: code,
            documentation: squeezed(sentence, SIGNATURE_CHARACTERS),
        });
    }
}

/// The symbol of the type around a member: what stands before the member's own part.
fn class_of(symbol: &str, member: &str) -> String {
    match symbol.rfind(member) {
        Some(at) => symbol[..at].trim_end_matches('`').to_owned(),
        None => String::new(),
    }
}

/// What stands behind the package of a symbol, without the quotes around its parts.
fn module_path(symbol: &str) -> Option<String> {
    symbol.splitn(5, ' ').nth(4).map(|path| path.replace('`', ""))
}

/// What the symbols of an index lead to.
struct Names<'a> {
    known: &'a FxHashMap<&'a str, &'a ForeignSymbol>,
    aliases: &'a FxHashMap<String, String>,
    in_src: &'a FxHashMap<String, &'a str>,
    python: bool,
}

impl<'a> Names<'a> {
    fn target(&self, symbol: &str) -> Option<&'a ForeignSymbol> {
        let to = self.aliases.get(symbol).map_or(symbol, String::as_str);
        self.known.get(to).copied().or_else(|| {
            if self.in_src.is_empty() {
                return None;
            }
            let key = self.in_src.get(module_path(symbol)?.as_str())?;
            self.known.get(key).copied()
        })
    }
}

fn edges_of(held: &Held<'_>, names: &Names<'_>) -> Vec<ForeignEdge> {
    let Names { known, aliases, .. } = names;
    let Held { document, source } = held;
    let own = file_key(document.path);
    // What a line stands in: the innermost definition around it, the later ones of a file being the inner ones.
    let mut around: Vec<(u32, u32, &str)> = document
        .occurrences
        .iter()
        .filter(|occurrence| occurrence.roles & DEFINITION != 0)
        .filter_map(|occurrence| {
            let symbol = aliases.get(occurrence.symbol).map_or(occurrence.symbol, String::as_str);
            let lines = occurrence.enclosing?;
            (known.contains_key(symbol) && symbol != own).then_some((lines.0, lines.2, symbol))
        })
        .collect();
    around.sort_by_key(|&(first, last, _)| (first, std::cmp::Reverse(last)));
    let inside = |line: u32| {
        let end = around.partition_point(|entry| entry.0 <= line);
        around[..end].iter().rev().find(|entry| entry.1 >= line).map_or(own.as_str(), |entry| entry.2)
    };
    let mut edges = Vec::new();
    let mut tested: FxHashSet<(&str, &str)> = FxHashSet::default();
    let in_tests = |path: &str| role_of(path) as u8 == 1;
    for occurrence in &document.occurrences {
        if occurrence.roles & (DEFINITION | FORWARD) != 0 || occurrence.symbol.starts_with("local ") {
            continue;
        }
        let Some(target) = names.target(occurrence.symbol) else { continue };
        let to = target.key.as_str();
        let Some((written, after)) = source.at(occurrence.range) else { continue };
        if names.python && target.kind != "file" && written != target.name && source.is_member(occurrence.range) {
            // Behind `from .cart import *` scip-python takes one name of a module for another: `shop.Cart` is no `Shelf`.
            continue;
        }
        let line = occurrence.range.0;
        let from = inside(line);
        let module = target.kind == "file";
        let relation = if occurrence.roles & IMPORT != 0 || source.line(line).is_some_and(is_import) {
            "imports"
        } else if module {
            // The name of a module before a dot says nothing that the name behind it does not say.
            continue;
        } else if is_called(after) {
            "calls"
        } else {
            "references"
        };
        if from == to && relation != "calls" || module && to == own {
            continue;
        }
        let mut add = |relation: &str| {
            edges.push(ForeignEdge {
                from: from.to_owned(),
                to: to.to_owned(),
                relation: relation.to_owned(),
                resolution: "compiler".to_owned(),
                line: line + 1,
            });
        };
        add(relation);
        if relation == "calls"
            && in_tests(document.path)
            && !in_tests(&target.path)
            && tested.insert((from, target.key.as_str()))
        {
            add("tests");
        }
    }
    for (symbol, about) in &document.symbols {
        let Some(from) = known.get(symbol) else { continue };
        for target in &about.implements {
            let Some(to) = known.get(target) else { continue };
            let relation = match (from.kind.as_str(), to.kind.as_str()) {
                ("method" | "function" | "property", _) => "overrides",
                (_, "interface" | "trait") => "implements",
                _ => "inherits",
            };
            edges.push(ForeignEdge {
                from: from.key.clone(),
                to: to.key.clone(),
                relation: relation.to_owned(),
                resolution: "compiler".to_owned(),
                line: from.line,
            });
        }
    }
    edges
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(symbol: &str) -> Vec<(String, Suffix)> {
        descriptors(symbol).unwrap()
    }

    #[test]
    fn symbols_fall_into_their_parts() {
        let part = |name: &str, suffix| (name.to_owned(), suffix);
        assert_eq!(
            vec![
                part("src", Suffix::Namespace),
                part("cart.ts", Suffix::Namespace),
                part("Cart", Suffix::Type),
                part("<constructor>", Suffix::Method),
                part("rounding", Suffix::Inner)
            ],
            names("scip-typescript npm shop 1.0.0 src/`cart.ts`/Cart#`<constructor>`().(rounding)")
        );
        assert_eq!(
            vec![
                part("a`b", Suffix::Term),
                part("T", Suffix::Inner),
                part("m", Suffix::Macro),
                part("x", Suffix::Method)
            ],
            names("s m p v `a``b`.[T]m!x(+1).")
        );
        assert_eq!(vec![part("x", Suffix::Term)], names("scheme . . . x."));
        assert_eq!(vec![part("x", Suffix::Term)], names("a  scheme . my  package . x."));
        for torn in ["scip", "s m p v", "s m p v `a", "s m p v a(", "s m p v a(b", "s m p v a"] {
            assert!(descriptors(torn).is_none_or(|parts| parts.is_empty()), "{torn}");
        }
    }

    #[test]
    fn a_call_is_a_name_before_a_bracket() {
        for after in ["(", " (x)", "?.(x)", "<T>(x)", "[int](x)"] {
            assert!(is_called(after), "{after}");
        }
        for after in ["", ".x(", " = f(", "[f(x)]", "<T", ")"] {
            assert!(!is_called(after), "{after}");
        }
    }

    #[test]
    fn columns_count_in_the_index_own_way() {
        let text = "x = \"😀\"; total()".to_owned();
        for (encoding, start) in [(1, 12), (2, 10), (3, 9)] {
            let source = Source { starts: vec![0], text: text.clone(), encoding };
            assert_eq!(Some(("total", "()")), source.at((0, start, 0, start + 5)), "{encoding}");
        }
    }
}
