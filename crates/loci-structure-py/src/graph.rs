//! An open graph, asked.

use std::collections::BTreeMap;
use std::path::PathBuf;

use loci_graph::{Asked, Found, GraphError, Near, Relations, Traversal};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::error::map;

/// A symbol of an answer; see `loci.structure.Symbol`.
#[pyclass(frozen, get_all)]
struct Item {
    name: String,
    qualified: String,
    kind: String,
    path: String,
    line: u32,
    lines: (u32, u32),
    relation: Option<String>,
    of: Option<String>,
    resolution: Option<String>,
    site: Option<u32>,
    candidates: u32,
    signature: String,
    documentation: String,
    role: u8,
    test: bool,
    score: f32,
}

/// Symbols, how many were left out, and unresolved uses of the name asked for.
type Answer = (Vec<Item>, u32, u32);

/// An edge with both ends: name, path and line of the symbol that refers; relation; line of the reference; resolution; name, path
/// and line of the target; how many candidates there are.
type EdgeRow = ((String, String, u32), String, u32, String, (String, String, u32), u32);

/// A symbol: name, qualified name, kind, path, first and last line, line of the name, whether it is a test.
type SymbolRow = (String, String, String, String, (u32, u32), u32, bool);

#[pyclass(frozen)]
pub(crate) struct Graph {
    pub(crate) inner: loci_graph::Graph,
}

impl Graph {
    fn item(&self, found: &Found) -> Result<Item, GraphError> {
        let graph = &self.inner;
        let symbol = found.symbol;
        let (signature, documentation) = graph.texts(symbol)?;
        let file = graph.file_of(symbol);
        Ok(Item {
            name: graph.name(symbol).to_owned(),
            qualified: graph.qualified(symbol),
            kind: graph.kind(symbol).to_owned(),
            path: graph.file_path(file).to_owned(),
            line: graph.line(symbol),
            lines: graph.lines(symbol),
            relation: found.relation.clone(),
            of: found.of.map(|of| graph.qualified(of)),
            resolution: found.resolution.clone(),
            site: found.site,
            candidates: found.candidates,
            signature,
            documentation,
            role: graph.file_role(file),
            test: graph.in_tests(symbol),
            score: found.score,
        })
    }

    fn answer(&self, py: Python<'_>, ask: impl FnOnce() -> Traversal + Send) -> PyResult<Answer> {
        py.detach(|| {
            let traversal = ask();
            let items = traversal.symbols.iter().map(|found| self.item(found)).collect::<Result<Vec<_>, _>>()?;
            Ok((items, traversal.left_out, traversal.unresolved))
        })
        .map_err(map)
    }
}

#[pymethods]
impl Graph {
    /// Maps the graph at `path`; `signature` refuses one of other rules.
    #[new]
    #[pyo3(signature = (path, signature=None))]
    fn new(py: Python<'_>, path: PathBuf, signature: Option<&str>) -> PyResult<Self> {
        let inner = py.detach(|| loci_graph::Graph::open(&path, signature)).map_err(map)?;
        Ok(Self { inner })
    }

    /// Gives the mapped pages back to the system.
    fn release(&self, py: Python<'_>) {
        py.detach(|| self.inner.release());
    }

    /// Signature of the rules of the graph.
    #[getter]
    fn signature(&self) -> &str {
        &self.inner.header().signature
    }

    /// Who made the graph.
    #[getter]
    fn backend(&self) -> &str {
        &self.inner.header().backend
    }

    /// State of what the graph was made from.
    #[getter]
    fn fingerprint(&self) -> &str {
        &self.inner.header().fingerprint
    }

    /// What a reader should know.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.inner.header().notes.clone()
    }

    /// Number of symbols, files included.
    #[getter]
    fn symbols(&self) -> u32 {
        self.inner.symbol_count()
    }

    /// Number of files.
    #[getter]
    fn files(&self) -> u32 {
        self.inner.file_count()
    }

    /// Edges by how they were resolved.
    #[getter]
    fn edge_counts(&self) -> BTreeMap<String, u64> {
        self.inner.header().edges.clone()
    }

    /// References without a target.
    #[getter]
    fn unresolved(&self) -> u64 {
        self.inner.header().unresolved
    }

    #[pyo3(signature = (text, names, relations, budget, depth_first, hints, near))]
    #[allow(clippy::too_many_arguments)] // One for each of the Python method.
    fn query(
        &self,
        py: Python<'_>,
        text: &str,
        names: Vec<String>,
        relations: Vec<String>,
        budget: usize,
        depth_first: bool,
        hints: Vec<String>,
        near: Vec<(u32, f32)>,
    ) -> PyResult<Answer> {
        let near: Vec<Near> = near.into_iter().map(|(symbol, share)| Near { symbol, share }).collect();
        let relations = Relations::named(relations.iter().map(String::as_str)).map_err(|name| {
            PyValueError::new_err(format!("no relation that a question may ask for is called {name:?}"))
        })?;
        let asked = Asked { text, names: &names, relations };
        self.answer(py, || self.inner.query(asked, budget, depth_first, &hints, &near))
    }

    fn find(&self, py: Python<'_>, name: &str, budget: usize) -> PyResult<Answer> {
        self.answer(py, || self.inner.found_by_name(name, budget))
    }

    fn users(&self, py: Python<'_>, name: &str, relations: Vec<String>, budget: usize) -> PyResult<Answer> {
        let relations: Vec<&str> = relations.iter().map(String::as_str).collect();
        self.answer(py, || self.inner.users(name, &relations, budget))
    }

    fn callees(&self, py: Python<'_>, name: &str, budget: usize) -> PyResult<Answer> {
        self.answer(py, || self.inner.callees(name, budget))
    }

    fn reach(&self, py: Python<'_>, name: &str, depth: u32, budget: usize) -> PyResult<Answer> {
        self.answer(py, || self.inner.reach(name, depth, budget))
    }

    fn path(&self, py: Python<'_>, start: &str, end: &str) -> PyResult<Answer> {
        self.answer(py, || self.inner.chain(start, end))
    }

    /// Number and label of the symbols of some kinds in some roles; see `loci_graph::Graph::labels`.
    fn labels(&self, py: Python<'_>, kinds: Vec<String>, roles: Vec<u8>) -> PyResult<Vec<(u32, String)>> {
        py.detach(|| self.inner.labels(&kinds, &roles)).map_err(map)
    }

    /// The names of all symbols, in a role or everywhere.
    #[pyo3(signature = (role=None))]
    fn vocabulary(&self, py: Python<'_>, role: Option<u8>) -> Vec<String> {
        py.detach(|| self.inner.vocabulary(role).into_iter().map(str::to_owned).collect())
    }

    /// All edges, or those of the symbols of one file.
    #[pyo3(signature = (path=None))]
    fn edges(&self, py: Python<'_>, path: Option<&str>) -> Vec<EdgeRow> {
        py.detach(|| {
            let graph = &self.inner;
            let end = |symbol: u32| {
                (graph.qualified(symbol), graph.file_path(graph.file_of(symbol)).to_owned(), graph.line(symbol))
            };
            let file = match path {
                None => None,
                Some(path) => match (0..graph.file_count()).find(|&file| graph.file_path(file) == path) {
                    Some(file) => Some(file),
                    None => return Vec::new(),
                },
            };
            let word = |words: &[String], number: u8| words.get(number as usize).cloned().unwrap_or_default();
            graph
                .all_edges(file)
                .into_iter()
                .map(|(from, edge)| {
                    (
                        end(from),
                        word(&graph.header().relations, edge.relation),
                        edge.line,
                        word(&graph.header().resolutions, edge.resolution),
                        end(edge.to),
                        edge.candidates,
                    )
                })
                .collect()
        })
    }

    /// All symbols: name, qualified name, kind, path, first and last line, line of the name, whether it is a test.
    fn all_symbols(&self, py: Python<'_>) -> Vec<SymbolRow> {
        py.detach(|| {
            let graph = &self.inner;
            let files = 0..graph.file_count();
            files
                .flat_map(|file| graph.symbols_of_file(file).map(move |symbol| (file, symbol)))
                .map(|(file, symbol)| {
                    (
                        graph.name(symbol).to_owned(),
                        graph.qualified(symbol),
                        graph.kind(symbol).to_owned(),
                        graph.file_path(file).to_owned(),
                        graph.lines(symbol),
                        graph.line(symbol),
                        graph.is_test(symbol),
                    )
                })
                .collect()
        })
    }
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Item>()?;
    module.add_class::<Graph>()
}
