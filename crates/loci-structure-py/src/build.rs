//! Building a scope's graph from its repository.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use loci_collect::{Policy, Redactor};
use loci_graph::{BuildReport, Graph, GraphError};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::error::map;

/// What a build read, wrote and left out; see `loci.structure.StructureReport`.
#[pyclass(frozen, get_all)]
struct Report {
    graph: String,
    bytes: usize,
    fingerprint: String,
    listed: u64,
    files: u64,
    reused_files: u64,
    outcomes: BTreeMap<String, u64>,
    examples: BTreeMap<String, Vec<String>>,
    skipped: BTreeMap<String, u64>,
    unreadable: Vec<(String, String)>,
    lossy: Vec<String>,
    symbols: u64,
    edges: BTreeMap<String, u64>,
    unresolved: u64,
}

/// The redactor that loci ships; its patterns are compiled once per process.
pub(crate) fn redactor() -> &'static Redactor {
    static SHARED: OnceLock<Redactor> = OnceLock::new();
    SHARED.get_or_init(Redactor::default)
}

fn parse_policy(policy: &str) -> PyResult<Policy> {
    serde_json::from_str(policy).map_err(|error| PyValueError::new_err(format!("the policy is not valid: {error}")))
}

#[pyfunction]
fn signature(policy: &str) -> PyResult<String> {
    Ok(loci_graph::signature(&parse_policy(policy)?, redactor()))
}

/// The policy that loci ships, as JSON.
#[pyfunction]
fn default_policy() -> PyResult<String> {
    serde_json::to_string(&Policy::default()).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Builds the graph of the repository at `root` and writes it into `directory`.
#[pyfunction]
#[pyo3(signature = (root, directory, policy, previous=None, threads=None, progress=None))]
fn build(
    py: Python<'_>,
    root: PathBuf,
    directory: PathBuf,
    policy: &str,
    previous: Option<PathBuf>,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Report> {
    let policy = parse_policy(policy)?;
    let tell = |stage: &'static str, done: u64, total: u64| {
        if let Some(callback) = &progress {
            // A progress bar that fails must not fail the build it reports on.
            Python::attach(|py| {
                if let Err(error) = callback.call1(py, (stage, done, total)) {
                    error.write_unraisable(py, None);
                }
            });
        }
    };
    py.detach(|| {
        let run = || run(&root, &directory, &policy, previous.as_deref(), &tell);
        match threads {
            None => loci_index::on_threads(run),
            Some(count) => rayon::ThreadPoolBuilder::new()
                .num_threads(count)
                .build()
                .map_err(|error| PyValueError::new_err(error.to_string()))?
                .install(run),
        }
    })
}

fn run(
    root: &Path,
    directory: &Path,
    policy: &Policy,
    previous: Option<&Path>,
    progress: &(dyn Fn(&'static str, u64, u64) + Sync),
) -> PyResult<Report> {
    let signature = loci_graph::signature(policy, redactor());
    // An older graph only saves work: one that is gone, damaged or of other rules is simply not used.
    let previous = match previous.map(|path| Graph::open(path, Some(&signature))) {
        None => None,
        Some(Ok(graph)) => Some(graph),
        Some(Err(GraphError::File(error))) if error.is_replaceable() => None,
        Some(Err(error)) => return Err(map(error)),
    };
    let (encoded, report) = loci_graph::build(root, policy, redactor(), previous.as_ref(), progress).map_err(map)?;
    encoded.write(directory).map_err(map)?;
    let BuildReport {
        fingerprint,
        listed,
        files,
        reused_files,
        outcomes,
        examples,
        skipped,
        unreadable,
        lossy,
        symbols,
        edges,
        unresolved,
    } = report;
    Ok(Report {
        graph: encoded.name,
        bytes: encoded.bytes.len(),
        fingerprint,
        listed,
        files,
        reused_files,
        outcomes,
        examples,
        skipped,
        unreadable,
        lossy,
        symbols,
        edges,
        unresolved,
    })
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Report>()?;
    module.add_function(wrap_pyfunction!(signature, module)?)?;
    module.add_function(wrap_pyfunction!(default_policy, module)?)?;
    module.add_function(wrap_pyfunction!(build, module)?)
}
