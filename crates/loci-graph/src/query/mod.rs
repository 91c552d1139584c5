//! Asking a graph: which symbols a question speaks of, and what they are related to.

mod dispatch;
mod labels;
mod names;
mod paths;
mod search;
mod traverse;

use crate::GraphError;
use crate::store::{Edge, Graph, relation};

use names::normal;

/// How a call is resolved that may be one of an override of what it calls: this and the name of what it calls.
const THROUGH: &str = "through ";

/// A symbol of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Number of the symbol.
    pub symbol: u32,
    /// What it is to [`Found::of`], a word such as `calls` or `called_by`; `None` for a symbol that was asked for itself.
    pub relation: Option<String>,
    /// The symbol it is related to.
    pub of: Option<u32>,
    /// How the relation was resolved; `through Base.save` where it is one to a method that the symbol overrides, and only
    /// possibly one to it.
    pub resolution: Option<String>,
    /// Where the relation stands: line of the call or use, in the file of the symbol that refers.
    pub site: Option<u32>,
    /// How many symbols an ambiguous reference may mean; 1 for others.
    pub candidates: u32,
    /// The score, or for direct questions the distance.
    pub score: f32,
}

/// A symbol whose meaning is close to a question's, as another judge than words sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    /// Number of the symbol.
    pub symbol: u32,
    /// What that is worth, as a share of the best score of words; nothing at 0 and below.
    pub share: f32,
}

/// Symbols, best first, and how many more there are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Traversal {
    /// The symbols shown.
    pub symbols: Vec<Found>,
    /// How many were left out for the budget.
    pub left_out: u32,
    /// Uses of the name asked for that have no target that is known.
    pub unresolved: u32,
}

/// The relations that a question asks for, whatever the symbols: related ones by these gain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Relations {
    /// What calls the symbols, or depends on them.
    pub callers: bool,
    /// What they call.
    pub callees: bool,
    /// What inherits from them, implements or overrides them.
    pub implementers: bool,
    /// What imports them.
    pub importers: bool,
    /// What tests them.
    pub tests: bool,
}

impl Relations {
    /// The relations by their names, the fields of this type; `Err` with the first that is none.
    pub fn named<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self, &'a str> {
        let mut relations = Self::default();
        for name in names {
            match name {
                "callers" => relations.callers = true,
                "callees" => relations.callees = true,
                "implementers" => relations.implementers = true,
                "importers" => relations.importers = true,
                "tests" => relations.tests = true,
                other => return Err(other),
            }
        }
        Ok(relations)
    }
}

/// A question, as whoever read it understood it. Here its text is only turned into terms.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked<'a> {
    /// Any text.
    pub text: &'a str,
    /// The names that it writes as code: `Session.close`, `open_session`.
    pub names: &'a [String],
    /// The relations that it asks for.
    pub relations: Relations,
}

impl<'a> From<&'a str> for Asked<'a> {
    /// Words that name no symbol and ask for no relation.
    fn from(text: &'a str) -> Self {
        Self { text, ..Self::default() }
    }
}

/// What relates one symbol to another.
#[derive(Clone, Copy)]
struct Step {
    symbol: u32,
    edge: Edge,
    forward: bool,
}

impl Graph {
    /// The word for an edge seen from its target (`forward` false) or from where it starts.
    pub(super) fn word(&self, relation: u8, forward: bool) -> String {
        let word = self.header().relations.get(relation as usize).map_or("", String::as_str);
        if forward {
            return word.to_owned();
        }
        match word {
            "contains" => "contained_in",
            "calls" => "called_by",
            "references" => "referenced_by",
            "imports" => "imported_by",
            "inherits" => "inherited_by",
            "implements" => "implemented_by",
            "overrides" => "overridden_by",
            "tests" => "tested_by",
            other => return format!("{other}_of"),
        }
        .to_owned()
    }

    /// What refers to a symbol: each source with its edges to it.
    pub(super) fn incoming(&self, symbol: u32) -> Vec<(u32, Edge)> {
        let mut found = Vec::new();
        for from in self.sources_of(symbol) {
            found.extend(self.edges_from(from).into_iter().filter(|edge| edge.to == symbol).map(|edge| (from, edge)));
        }
        found
    }

    /// Whether a symbol stands in tests, or is one.
    pub fn in_tests(&self, symbol: u32) -> bool {
        self.is_test(symbol) || self.file_role(self.file_of(symbol)) == 1
    }

    pub(super) fn found(&self, symbol: u32, score: f32) -> Found {
        Found { symbol, relation: None, of: None, resolution: None, site: None, candidates: 1, score }
    }

    pub(super) fn related(&self, of: u32, symbol: u32, edge: &Edge, word: String, score: f32) -> Found {
        Found {
            symbol,
            relation: Some(word),
            of: Some(of),
            resolution: self.header().resolutions.get(edge.resolution as usize).cloned(),
            site: Some(edge.line),
            candidates: edge.candidates,
            score,
        }
    }

    /// A call of a method that may be one of the method `of`, which overrides it.
    pub(super) fn related_through(&self, of: u32, symbol: u32, edge: &Edge, base: u32, score: f32) -> Found {
        let mut found = self.related(of, symbol, edge, self.word(relation::CALLS, true), score);
        found.resolution = Some(format!("{THROUGH}{}", self.qualified(base)));
        found
    }

    pub(super) fn limited(&self, mut found: Vec<Found>, budget: usize, unresolved: u32) -> Traversal {
        let left_out = found.len().saturating_sub(budget) as u32;
        found.truncate(budget);
        Traversal { symbols: found, left_out, unresolved }
    }

    /// How many uses of the last part of a name have no target that is known; none where the name is that of files.
    pub(super) fn unresolved_of(&self, name: &str, found: &[u32]) -> u32 {
        if !found.is_empty() && found.iter().all(|&symbol| self.kind(symbol) == "file") {
            return 0;
        }
        let full = normal(name);
        self.unresolved_uses(full.rsplit('.').next().unwrap_or(&full))
    }

    /// All edges of the symbols of a file, or of all files: symbol that refers, edge.
    pub fn all_edges(&self, file: Option<u32>) -> Vec<(u32, Edge)> {
        let symbols = match file {
            Some(file) => self.symbols_of_file(file),
            None => 0..self.symbol_count(),
        };
        symbols.flat_map(|symbol| self.edges_from(symbol).into_iter().map(move |edge| (symbol, edge))).collect()
    }

    /// Checks that every part of the graph can be read, as a repair tool would.
    ///
    /// # Errors
    /// [`GraphError::File`].
    pub fn verify(&self) -> Result<(), GraphError> {
        for symbol in 0..self.symbol_count() {
            self.texts(symbol)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relations_have_names_and_nothing_else_has() {
        let found = Relations::named(["callers", "tests", "tests"]);
        assert_eq!(Ok(Relations { callers: true, tests: true, ..Relations::default() }), found);
        assert_eq!(Err("reach"), Relations::named(["callees", "reach", "users"]));
    }
}
