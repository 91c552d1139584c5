//! Lines of a repository by pattern.

use std::path::PathBuf;

use loci_collect::{LineRule, Match};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::build::parse_policy;
use crate::error::map_collect;

type Matches = Vec<(usize, String, u64, Vec<(String, u32)>)>;

/// What a search of one repository gave; see `loci.episodes.Lines`.
#[pyclass(frozen, get_all)]
struct Lines {
    files: Vec<(String, u64)>,
    submodules: Vec<String>,
    matches: Matches,
    searched: Vec<u64>,
    unreadable: Vec<(String, String)>,
}

#[pyclass(frozen)]
struct Finder(loci_collect::Finder);

#[pymethods]
impl Finder {
    #[new]
    fn new(rules: &str) -> PyResult<Self> {
        let rules: Vec<LineRule> =
            serde_json::from_str(rules).map_err(|error| PyValueError::new_err(format!("not rules: {error}")))?;
        loci_collect::Finder::new(rules).map(Self).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    fn find(&self, py: Python<'_>, root: PathBuf, policy: &str, places: usize) -> PyResult<Lines> {
        let policy = parse_policy(policy)?;
        let found = py
            .detach(|| loci_index::on_threads(|| self.0.find(&loci_collect::open(&root)?, &policy, places)))
            .map_err(map_collect)?;
        let plain = |Match { rule, text, files, places }| (rule, text, files, places);
        Ok(Lines {
            files: found.files,
            submodules: found.submodules,
            matches: found.matches.into_iter().map(plain).collect(),
            searched: found.searched,
            unreadable: found.unreadable,
        })
    }
}

/// The name that the content of a segment gives it.
#[pyfunction]
fn name_by_content(py: Python<'_>, path: PathBuf) -> PyResult<String> {
    Ok(py.detach(|| loci_index::name_by_content(&path))?)
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Finder>()?;
    module.add_class::<Lines>()?;
    module.add_function(wrap_pyfunction!(name_by_content, module)?)
}
