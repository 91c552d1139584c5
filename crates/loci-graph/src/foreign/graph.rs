//! Graphs that other tools made, in the form of this crate's own: symbols and edges by keys, from whatever file.
//!
//! ```
//! use loci_graph::{ForeignEdge, ForeignGraph, ForeignSymbol, Graph};
//! let symbol = |key: &str, line| ForeignSymbol {
//!     key: key.to_owned(),
//!     name: key.to_owned(),
//!     kind: "function".to_owned(),
//!     path: "cart.py".to_owned(),
//!     line,
//!     lines: (line, line + 2),
//!     ..ForeignSymbol::default()
//! };
//! let call = ForeignEdge {
//!     from: "pay".to_owned(),
//!     to: "total".to_owned(),
//!     relation: "calls".to_owned(),
//!     resolution: "compiler".to_owned(),
//!     line: 2,
//! };
//! let foreign = ForeignGraph {
//!     backend: "scip".to_owned(),
//!     symbols: vec![symbol("pay", 1), symbol("total", 5)],
//!     edges: vec![call],
//!     ..ForeignGraph::default()
//! };
//! let graph = Graph::from_bytes(&foreign.encode().unwrap().bytes).unwrap();
//! let callers = graph.users("total", &["calls"], 10);
//! assert_eq!(("pay", Some(2)), (graph.name(callers.symbols[0].symbol), callers.symbols[0].site));
//! ```

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use loci_collect::{Redactor, role_of};
use rustc_hash::FxHashMap;

use crate::GraphError;
use crate::store::{
    EdgeRecord, Encoded, FORMAT, FileRecord, GraphWriter, RELATIONS, RESOLUTIONS, SymbolRecord, resolution,
};

/// Words for relations and for resolutions that a graph file has room for.
const MOST_WORDS: usize = 16;
/// Stands for the relations that find no room; of a tool that invents words for them there may be any number.
const OTHER_RELATION: &str = "related_to";
/// Words for kinds that a graph file has room for.
const MOST_KINDS: usize = 256;
/// The kind of the symbols that stand for whole files.
const FILE: &str = "file";

/// A symbol of another tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForeignSymbol {
    /// What edges call it. Of two with the same key the first of the first file counts.
    pub key: String,
    /// Its name.
    pub name: String,
    /// What stands before the name in the qualified one, without the separator.
    pub container: String,
    /// A word such as `function`; `file` for a whole file.
    pub kind: String,
    /// Relative to the project's root, with `/`.
    pub path: String,
    /// The line of its name, from 1.
    pub line: u32,
    /// First and last line; `line` alone where they are not known.
    pub lines: (u32, u32),
    /// Key of the symbol around it; empty for the file.
    pub parent: String,
    /// The source up to the body.
    pub signature: String,
    /// First sentence of the documentation.
    pub documentation: String,
}

/// A relation of another tool. One whose ends are not both among the symbols is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForeignEdge {
    /// Key of the symbol that refers.
    pub from: String,
    /// Key of the symbol referred to.
    pub to: String,
    /// One of [`RELATIONS`], or the tool's own word.
    pub relation: String,
    /// One of [`RESOLUTIONS`], or the tool's own word.
    pub resolution: String,
    /// Line of the reference, in the file of `from`.
    pub line: u32,
}

/// A graph that another tool made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForeignGraph {
    /// Who made it: `scip`, `graphify`.
    pub backend: String,
    /// State of the file it was read from.
    pub fingerprint: String,
    /// What a reader should know.
    pub notes: Vec<String>,
    /// The symbols, in any order.
    pub symbols: Vec<ForeignSymbol>,
    /// The relations, in any order.
    pub edges: Vec<ForeignEdge>,
}

/// Numbers for words: the fixed ones, then the most frequent of the others, as far as there is room.
fn numbered<'a>(fixed: &[&str], used: impl Iterator<Item = &'a str>, room: usize) -> Vec<String> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for word in used {
        *counts.entry(word).or_default() += 1;
    }
    let mut own: Vec<(&str, u64)> = counts.into_iter().filter(|(word, _)| !fixed.contains(word)).collect();
    own.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let mut words: Vec<String> = fixed.iter().map(|&word| word.to_owned()).collect();
    let left = room - words.len();
    let all_fit = own.len() <= left;
    words.extend(own.iter().take(if all_fit { left } else { left - 1 }).map(|(word, _)| (*word).to_owned()));
    words
}

impl ForeignGraph {
    /// Signature of the rules by which graphs of other tools are read.
    pub fn signature() -> String {
        format!("foreign{FORMAT}.2-{}", loci_text::signature())
    }

    /// Hides the secrets in everything that is shown. A symbol whose path holds one is left out, since the path is what is cited.
    pub fn hide(&mut self, redactor: &Redactor) {
        let hide = |text: &mut String, hint: &str| {
            if let Cow::Owned(hidden) = redactor.redact(text, hint).text {
                *text = hidden;
            }
        };
        let mut paths: FxHashMap<String, bool> = FxHashMap::default();
        self.symbols.retain(|symbol| {
            let known = paths.get(symbol.path.as_str()).copied();
            known.unwrap_or_else(|| {
                let plain = matches!(redactor.redact_path(&symbol.path), Cow::Borrowed(_));
                paths.insert(symbol.path.clone(), plain);
                plain
            })
        });
        for symbol in &mut self.symbols {
            let ForeignSymbol { name, container, kind, signature, documentation, path, .. } = symbol;
            for text in [name, container, kind, signature, documentation] {
                hide(text, path);
            }
        }
        for note in &mut self.notes {
            hide(note, "");
        }
        hide(&mut self.fingerprint, "");
    }

    /// Lays the graph out as a file of this crate's own.
    ///
    /// # Errors
    /// [`GraphError::File`] when it is too large.
    pub fn encode(&self) -> Result<Encoded, GraphError> {
        let paths: BTreeSet<&str> = self.symbols.iter().map(|symbol| symbol.path.as_str()).collect();
        let places: FxHashMap<&str, u32> =
            paths.iter().enumerate().map(|(place, path)| (*path, place as u32)).collect();
        let kinds = numbered(&[FILE], self.symbols.iter().map(|symbol| symbol.kind.as_str()), MOST_KINDS);
        let mut relations = numbered(&RELATIONS, self.edges.iter().map(|edge| edge.relation.as_str()), MOST_WORDS);
        if relations.len() < MOST_WORDS && !relations.iter().any(|word| word == OTHER_RELATION) {
            relations.push(OTHER_RELATION.to_owned());
        }
        let resolutions = numbered(&RESOLUTIONS, self.edges.iter().map(|edge| edge.resolution.as_str()), MOST_WORDS);
        let numbers = |words: &[String]| -> FxHashMap<String, u8> {
            words.iter().enumerate().map(|(place, word)| (word.clone(), place as u8)).collect()
        };
        let (kind_numbers, relation_numbers, resolution_numbers) =
            (numbers(&kinds), numbers(&relations), numbers(&resolutions));

        // Each file's own symbol first, then what stands in it, by line.
        let mut order: Vec<&ForeignSymbol> = self.symbols.iter().collect();
        order.sort_by(|a, b| {
            (places[a.path.as_str()], a.kind != FILE, a.lines.0, std::cmp::Reverse(a.lines.1), a.line, &a.key).cmp(&(
                places[b.path.as_str()],
                b.kind != FILE,
                b.lines.0,
                std::cmp::Reverse(b.lines.1),
                b.line,
                &b.key,
            ))
        });
        let mut symbols: Vec<SymbolRecord<'_>> = Vec::with_capacity(order.len() + paths.len());
        let mut known: FxHashMap<&str, u32> = FxHashMap::default();
        let mut parents: Vec<(usize, &str)> = Vec::new();
        let (mut file, mut own) = (u32::MAX, 0);
        for symbol in order {
            let place = places[symbol.path.as_str()];
            if place != file {
                (file, own) = (place, symbols.len());
                let name = symbol.path.rsplit('/').next().unwrap_or(&symbol.path);
                symbols.push(SymbolRecord {
                    file,
                    name: Cow::Borrowed(name),
                    kind: 0,
                    lines: (1, 1),
                    line: 1,
                    ..SymbolRecord::default()
                });
            }
            let end = symbols[own].lines.1.max(symbol.lines.1).max(symbol.line);
            symbols[own].lines.1 = end;
            if symbol.kind == FILE {
                known.entry(&symbol.key).or_insert(own as u32);
                symbols[own].documentation = Cow::Borrowed(&symbol.documentation);
                continue;
            }
            if known.contains_key(symbol.key.as_str()) {
                continue;
            }
            known.insert(&symbol.key, symbols.len() as u32);
            if !symbol.parent.is_empty() {
                parents.push((symbols.len(), &symbol.parent));
            }
            let line = symbol.line.max(1);
            let lines = if symbol.lines.0 == 0 { (line, line) } else { symbol.lines };
            symbols.push(SymbolRecord {
                file,
                name: Cow::Borrowed(&symbol.name),
                container: Cow::Borrowed(&symbol.container),
                kind: kind_numbers.get(&symbol.kind).copied().unwrap_or(0),
                lines,
                line,
                signature: Cow::Borrowed(&symbol.signature),
                documentation: Cow::Borrowed(&symbol.documentation),
                ..SymbolRecord::default()
            });
        }
        for (symbol, parent) in parents {
            // A parent in another file would let what is inside a class reach over files.
            if let Some(&number) = known.get(parent)
                && symbols[number as usize].file == symbols[symbol].file
                && number as usize != symbol
            {
                symbols[symbol].parent = Some(number);
            }
        }
        let other = relation_numbers.get(OTHER_RELATION).copied().unwrap_or(0);
        let edges: Vec<EdgeRecord> = self
            .edges
            .iter()
            .filter_map(|edge| {
                Some(EdgeRecord {
                    from: *known.get(edge.from.as_str())?,
                    line: edge.line.max(1),
                    relation: relation_numbers.get(&edge.relation).copied().unwrap_or(other),
                    resolution: resolution_numbers.get(&edge.resolution).copied().unwrap_or(resolution::AMBIGUOUS),
                    to: *known.get(edge.to.as_str())?,
                    candidates: 1,
                })
            })
            .collect();
        let draft = GraphWriter {
            signature: Self::signature(),
            backend: self.backend.clone(),
            fingerprint: self.fingerprint.clone(),
            notes: self.notes.clone(),
            outcomes: BTreeMap::new(),
            kinds,
            relations,
            resolutions,
            files: paths
                .iter()
                .map(|path| FileRecord {
                    path: Cow::Borrowed(*path),
                    role: role_of(path) as u8,
                    ..FileRecord::default()
                })
                .collect(),
            symbols,
            edges,
            unresolved: FxHashMap::default(),
            forwards: Vec::new(),
        };
        draft.encode()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Graph;

    fn symbol(key: &str, kind: &str, path: &str, line: u32) -> ForeignSymbol {
        ForeignSymbol {
            key: key.to_owned(),
            name: key.to_owned(),
            kind: kind.to_owned(),
            path: path.to_owned(),
            line,
            lines: (line, line),
            ..ForeignSymbol::default()
        }
    }

    fn edge(from: &str, to: &str, relation: &str, resolution: &str) -> ForeignEdge {
        ForeignEdge {
            from: from.to_owned(),
            to: to.to_owned(),
            relation: relation.to_owned(),
            resolution: resolution.to_owned(),
            line: 1,
        }
    }

    #[test]
    fn words_of_the_tool_are_kept_and_ends_that_are_missing_left_out() {
        let foreign = ForeignGraph {
            backend: "graphify".to_owned(),
            symbols: vec![
                symbol("b", "function", "b.py", 3),
                symbol("a", "idea", "a.py", 1),
                symbol("a", "twice", "a.py", 9),
            ],
            edges: vec![edge("a", "b", "rationale_for", "graphify:extracted"), edge("a", "gone", "calls", "exact")],
            ..ForeignGraph::default()
        };
        let graph = Graph::from_bytes(&foreign.encode().unwrap().bytes).unwrap();
        assert_eq!(4, graph.symbol_count());
        assert_eq!(("a.py", "idea"), (graph.name(0), graph.kind(1)));
        let edges = graph.all_edges(None);
        assert_eq!(1, edges.len());
        let (from, edge) = edges[0];
        assert_eq!(("a", "b"), (graph.name(from), graph.name(edge.to)));
        assert_eq!("rationale_for", graph.header().relations[edge.relation as usize]);
        assert_eq!("graphify:extracted", graph.header().resolutions[edge.resolution as usize]);
        assert_eq!(1, graph.header().edges["graphify:extracted"]);
    }

    #[test]
    fn more_words_than_fit_share_one() {
        let mut foreign = ForeignGraph { symbols: vec![symbol("a", "x", "a.py", 1)], ..ForeignGraph::default() };
        for number in 0..30 {
            for _ in number..30 {
                foreign.edges.push(edge("a", "a", &format!("word{number:02}"), "exact"));
            }
        }
        let graph = Graph::from_bytes(&foreign.encode().unwrap().bytes).unwrap();
        let words = &graph.header().relations;
        assert_eq!(16, words.len());
        assert_eq!(["word00", "word06", "related_to"], [&words[8], &words[14], &words[15]].map(String::as_str));
    }

    #[test]
    fn a_graph_of_nothing_is_a_graph() {
        let graph = Graph::from_bytes(&ForeignGraph::default().encode().unwrap().bytes).unwrap();
        assert_eq!((0, 0), (graph.symbol_count(), graph.file_count()));
        assert!(graph.query("anything".into(), 10, false, &[], &[]).symbols.is_empty());
    }
}
