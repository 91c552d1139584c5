//! Graphs of other tools, from their files or from parts that Python read.

use std::path::PathBuf;

use loci_graph::{ForeignEdge, ForeignGraph, ForeignSymbol};
use pyo3::prelude::*;

use crate::build::redactor;
use crate::error::map;
use crate::graph::Graph;

/// The graph, its file name (empty where none was written) and its size.
type Made = (Graph, String, usize);

/// Key, name, container, kind, path, line, first and last line, key of the parent, signature, documentation.
type SymbolParts = (String, String, String, String, String, u32, (u32, u32), String, String, String);

/// Keys of both ends, relation, resolution, line.
type EdgeParts = (String, String, String, String, u32);

fn make(foreign: &ForeignGraph, directory: Option<PathBuf>) -> PyResult<Made> {
    let encoded = foreign.encode().map_err(map)?;
    if let Some(directory) = &directory {
        encoded.write(directory).map_err(map)?;
    }
    let inner = loci_graph::Graph::from_bytes(&encoded.bytes).map_err(map)?;
    let name = if directory.is_some() { encoded.name } else { String::new() };
    Ok((Graph { inner }, name, encoded.bytes.len()))
}

/// The graph of an `index.scip`, whose paths are relative to `root`; written into `directory` where one is given.
#[pyfunction]
#[pyo3(signature = (path, root, directory=None))]
fn scip_graph(py: Python<'_>, path: PathBuf, root: PathBuf, directory: Option<PathBuf>) -> PyResult<Made> {
    py.detach(|| {
        let foreign = loci_index::on_threads(|| loci_graph::read_scip(&path, &root, redactor())).map_err(map)?;
        make(&foreign, directory)
    })
}

/// A graph of symbols and edges that the caller read; texts pass the redactor.
#[pyfunction]
#[pyo3(signature = (backend, fingerprint, notes, symbols, edges, directory=None))]
fn foreign_graph(
    py: Python<'_>,
    backend: String,
    fingerprint: String,
    notes: Vec<String>,
    symbols: Vec<SymbolParts>,
    edges: Vec<EdgeParts>,
    directory: Option<PathBuf>,
) -> PyResult<Made> {
    py.detach(|| {
        let symbols =
            symbols
                .into_iter()
                .map(|(key, name, container, kind, path, line, lines, parent, signature, documentation)| {
                    ForeignSymbol { key, name, container, kind, path, line, lines, parent, signature, documentation }
                })
                .collect();
        let edges = edges
            .into_iter()
            .map(|(from, to, relation, resolution, line)| ForeignEdge { from, to, relation, resolution, line })
            .collect();
        let mut foreign = ForeignGraph { backend, fingerprint, notes, symbols, edges };
        foreign.hide(redactor());
        make(&foreign, directory)
    })
}

/// Signature of the rules by which graphs of other tools are read.
#[pyfunction]
fn foreign_signature() -> String {
    ForeignGraph::signature()
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(scip_graph, module)?)?;
    module.add_function(wrap_pyfunction!(foreign_graph, module)?)?;
    module.add_function(wrap_pyfunction!(foreign_signature, module)?)
}
