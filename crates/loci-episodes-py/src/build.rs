//! Building a scope's segment from its repository.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use loci_collect::{Origin, Policy};
use loci_episodes::{BuildReport, Stage};
use loci_index::Segment;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::error::{map, map_collect, map_segment};
use crate::rules;

/// What a build read, wrote and left out; see `loci.episodes.BuildReport`.
#[pyclass(frozen, get_all)]
struct Report {
    segment: String,
    bytes: usize,
    commit: Option<String>,
    fingerprint: String,
    listed: u64,
    read: u64,
    skipped: BTreeMap<String, u64>,
    skipped_examples: BTreeMap<String, Vec<String>>,
    ignored: u64,
    notes: BTreeMap<String, u64>,
    unreadable_dirs: Vec<(String, String)>,
    unreadable: Vec<(String, String)>,
    lossy: Vec<String>,
    submodules: Vec<String>,
    redactions: BTreeMap<String, u64>,
    passages: [u32; 3],
    reused_files: u64,
    reused_commits: u64,
    shallow: bool,
    last_commit_time: Option<i64>,
}

pub(crate) fn parse_policy(policy: &str) -> PyResult<Policy> {
    serde_json::from_str(policy).map_err(|error| PyValueError::new_err(format!("the policy is not valid: {error}")))
}

#[pyfunction]
fn signature(policy: &str) -> PyResult<String> {
    Ok(rules::signature(&parse_policy(policy)?))
}

/// The policy that loci ships, as JSON.
#[pyfunction]
fn default_policy() -> PyResult<String> {
    serde_json::to_string(&Policy::default()).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Cheap state of a repository: changes when anything that a build would read may have changed.
#[pyfunction]
fn fingerprint(py: Python<'_>, root: PathBuf, policy: &str) -> PyResult<String> {
    let policy = parse_policy(policy)?;
    py.detach(|| loci_collect::open(&root)?.fingerprint(&policy)).map_err(map_collect)
}

/// What a look at a repository tells before anything is built of it; see `loci.episodes.Survey`.
#[pyclass(frozen, get_all)]
struct Survey {
    files: u64,
    bytes: u64,
    skipped: BTreeMap<String, u64>,
    submodules: Vec<String>,
    ignored: Vec<String>,
    named: Vec<String>,
    root_commit: Option<String>,
    first_parents: u64,
    authors: BTreeMap<String, u32>,
}

/// Lists the repository and follows its first parents; `names` are file names whose paths are wanted.
#[pyfunction]
fn survey(py: Python<'_>, root: PathBuf, policy: &str, names: Vec<String>, recent: u32) -> PyResult<Survey> {
    let policy = parse_policy(policy)?;
    py.detach(|| {
        let repository = loci_collect::open(&root)?;
        let listing = repository.list(&policy)?;
        // Following the history costs more than the list; who only wants the list says so.
        let origin = if recent == 0 { Origin::default() } else { repository.origin(recent)? };
        let name_of = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
        Ok(Survey {
            files: listing.files.len() as u64,
            bytes: listing.files.iter().map(|file| file.size).sum(),
            skipped: listing.skipped,
            submodules: listing.submodules,
            ignored: listing.ignored_repositories,
            named: listing
                .files
                .into_iter()
                .map(|file| file.path)
                .filter(|path| names.contains(&name_of(path)))
                .collect(),
            root_commit: origin.root_commit.map(|id| id.iter().map(|byte| format!("{byte:02x}")).collect()),
            first_parents: origin.first_parents,
            authors: origin.authors,
        })
    })
    .map_err(map_collect)
}

/// The first commit of the line of first parents.
#[pyfunction]
fn root_commit(py: Python<'_>, root: PathBuf) -> PyResult<Option<String>> {
    let origin = py.detach(|| loci_collect::open(&root)?.origin(0)).map_err(map_collect)?;
    Ok(origin.root_commit.map(|id| id.iter().map(|byte| format!("{byte:02x}")).collect()))
}

/// The fingerprint, and how many files of how many bytes were written after `since_ns`.
#[pyfunction]
fn state(py: Python<'_>, root: PathBuf, policy: &str, since_ns: i64) -> PyResult<(String, u64, u64)> {
    let policy = parse_policy(policy)?;
    py.detach(|| {
        let repository = loci_collect::open(&root)?;
        let listing = repository.list(&policy)?;
        let fingerprint = repository.fingerprint_of(&listing, &policy)?;
        let newer = listing.files.iter().filter(|file| file.written_ns() >= since_ns);
        let (count, bytes) = newer.fold((0, 0), |(count, bytes), file| (count + 1, bytes + file.size));
        Ok((fingerprint, count, bytes))
    })
    .map_err(map_collect)
}

/// Builds the segment of the repository at `root` and writes it into `directory`.
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
    let tell = |stage: Stage, done: u64, total: u64| {
        if let Some(callback) = &progress {
            let name = match stage {
                Stage::Files => "files",
                Stage::Commits => "commits",
                Stage::Writing => "writing",
            };
            // A progress bar that fails must not fail the build it reports on.
            Python::attach(|py| {
                if let Err(error) = callback.call1(py, (name, done, total)) {
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
    progress: &(dyn Fn(Stage, u64, u64) + Sync),
) -> PyResult<Report> {
    let redactor = rules::redactor();
    let signature = rules::signature(policy);
    // An older segment only saves work: one that is gone, damaged or of other rules is simply not used.
    let previous = match previous.map(|path| Segment::open(path, Some(&signature))) {
        None => None,
        Some(Ok(segment)) => Some(segment),
        Some(Err(error)) if error.is_replaceable() => None,
        Some(Err(error)) => return Err(map_segment(error)),
    };
    let (encoded, report) =
        loci_episodes::build(root, policy, redactor, &signature, previous.as_ref(), progress).map_err(map)?;
    let bytes = encoded.bytes.len();
    let segment = encoded.write_named(directory).map_err(map_segment)?;
    let BuildReport {
        commit,
        fingerprint,
        listed,
        read,
        skipped,
        skipped_examples,
        ignored,
        notes,
        unreadable_dirs,
        unreadable,
        lossy,
        submodules,
        redactions,
        passages,
        reused_files,
        reused_commits,
        shallow,
        last_commit_time,
    } = report;
    Ok(Report {
        segment,
        bytes,
        commit: (!commit.is_empty()).then_some(commit),
        fingerprint,
        listed,
        read,
        skipped,
        skipped_examples,
        ignored,
        notes,
        unreadable_dirs,
        unreadable,
        lossy,
        submodules,
        redactions,
        passages,
        reused_files,
        reused_commits,
        shallow,
        last_commit_time,
    })
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Report>()?;
    module.add_class::<Survey>()?;
    module.add_function(wrap_pyfunction!(survey, module)?)?;
    module.add_function(wrap_pyfunction!(root_commit, module)?)?;
    module.add_function(wrap_pyfunction!(state, module)?)?;
    module.add_function(wrap_pyfunction!(signature, module)?)?;
    module.add_function(wrap_pyfunction!(default_policy, module)?)?;
    module.add_function(wrap_pyfunction!(fingerprint, module)?)?;
    module.add_function(wrap_pyfunction!(build, module)?)
}
