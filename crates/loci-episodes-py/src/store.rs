//! An open segment, searched.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use loci_index::{PassageKind, Segment};
use loci_rank::{DenseScores, Lanes, Ranker, Source};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::error::map_segment;
use crate::rules;

/// A ranked passage; see `loci.episodes.Passage`.
#[pyclass(frozen, get_all)]
struct Found {
    kind: &'static str,
    path: String,
    lines: (u32, u32),
    commit: Option<String>,
    time: Option<i64>,
    heading: String,
    symbol: String,
    role: u8,
    text: String,
    score: f32,
    digest: Option<[u8; 16]>,
    ordinal: u32,
    similarity: Option<f32>,
    also_at: Vec<Place>,
    /// The file's path as it is, to find the file by: `path` is what may be shown.
    file: String,
}

/// Path, lines and commit of a passage; see `loci.episodes.Place`.
type Place = (String, (u32, u32), Option<String>);

/// Both lanes; see `loci.episodes.Lanes`.
#[pyclass(frozen, get_all)]
struct Ranked {
    files: Vec<Py<Found>>,
    commits: Vec<Py<Found>>,
    best_passage: f32,
    best_commit: f32,
    held: f32,
}

#[pyclass(frozen)]
struct Store {
    segment: Arc<Segment>,
    ranker: OnceLock<Ranker>,
    /// A store written under older rules may hold what today's would hide, so what is shown of it is redacted again.
    redact: OnceLock<bool>,
}

impl Store {
    fn found(&self, sources: &[Source]) -> Result<Vec<Found>, loci_index::SegmentError> {
        sources
            .iter()
            .map(|source| {
                let segment = &self.segment;
                let mut text = segment.text(source.passage)?;
                if self.redacts() {
                    for part in [&mut text.head, &mut text.symbol, &mut text.text] {
                        *part = rules::redactor().redact(part, "").text.into_owned();
                    }
                }
                let owner = segment.owner(source.passage);
                let kind = segment.kind(source.passage);
                let in_file = kind != PassageKind::Commit;
                let (path, lines, commit) = self.place(source.passage);
                Ok(Found {
                    kind: match kind {
                        PassageKind::Document => "document",
                        PassageKind::Source => "source",
                        PassageKind::Commit => "commit",
                    },
                    path,
                    lines,
                    commit,
                    time: (!in_file).then(|| segment.commit_times(owner).0),
                    heading: text.head,
                    symbol: text.symbol,
                    role: segment.role(source.passage),
                    text: text.text,
                    score: source.score,
                    digest: in_file.then(|| segment.file_digest(owner)),
                    ordinal: source.passage,
                    similarity: (source.dense > 0.0).then_some(source.dense),
                    also_at: source.also_at.iter().map(|&passage| self.place(passage)).collect(),
                    file: if in_file { segment.file_path(owner).to_owned() } else { String::new() },
                })
            })
            .collect()
    }

    /// Where a passage stands, as it may be shown.
    fn place(&self, passage: u32) -> Place {
        let segment = &self.segment;
        let owner = segment.owner(passage);
        if segment.kind(passage) == PassageKind::Commit {
            let id = segment.commit_id(owner).iter().map(|byte| format!("{byte:02x}")).collect();
            return (String::new(), segment.lines(passage), Some(id));
        }
        let path = segment.file_path(owner);
        let shown = if self.redacts() { rules::redactor().redact_path(path).into_owned() } else { path.to_owned() };
        (shown, segment.lines(passage), None)
    }

    /// Whether what is shown has to be redacted, since it was stored under other rules.
    fn redacts(&self) -> bool {
        *self.redact.get_or_init(|| rules::redacted_otherwise(&self.segment.header().signature))
    }
}

#[pymethods]
impl Store {
    /// Maps the segment at `path`; `signature` refuses one of other rules.
    #[new]
    #[pyo3(signature = (path, signature=None))]
    fn new(py: Python<'_>, path: PathBuf, signature: Option<&str>) -> PyResult<Self> {
        let segment = py.detach(|| Segment::open(&path, signature)).map_err(map_segment)?;
        Ok(Self { segment: Arc::new(segment), ranker: OnceLock::new(), redact: OnceLock::new() })
    }

    /// HEAD when the segment was built.
    #[getter]
    fn commit(&self) -> Option<&str> {
        Some(self.segment.header().commit.as_str()).filter(|commit| !commit.is_empty())
    }

    /// Signature of the rules of the segment.
    #[getter]
    fn signature(&self) -> &str {
        &self.segment.header().signature
    }

    /// Passages per kind: documents, source, commits.
    #[getter]
    fn passages(&self) -> [u32; 3] {
        self.segment.header().kinds
    }

    /// Gives the mapped pages back to the system.
    fn release(&self, py: Python<'_>) {
        py.detach(|| self.segment.release());
    }

    /// Both lanes for a question, best first, at most `k` each. `dense`: scores of a ranker that reads no words, one
    /// little-endian float32 per passage; ValueError when there are more or fewer.
    #[pyo3(signature = (question, k, dense=None, file_weight=0.0, commit_weight=0.0))]
    fn search(
        &self,
        py: Python<'_>,
        question: &str,
        k: usize,
        dense: Option<&[u8]>,
        file_weight: f32,
        commit_weight: f32,
    ) -> PyResult<Ranked> {
        let scores = dense.map(|bytes| self.scores(bytes)).transpose()?;
        let (lanes, files, commits) = py
            .detach(|| {
                let ranker = self.ranker.get_or_init(|| Ranker::new(&self.segment));
                let dense = scores.as_deref().map(|scores| DenseScores { scores, file_weight, commit_weight });
                let lanes = ranker.search(&self.segment, question, k, dense)?;
                let (files, commits) = (self.found(&lanes.files)?, self.found(&lanes.commits)?);
                Ok((lanes, files, commits))
            })
            .map_err(map_segment)?;
        let Lanes { best_passage, best_commit, held, .. } = lanes;
        let share = |found: Vec<Found>| found.into_iter().map(|found| Py::new(py, found)).collect::<PyResult<_>>();
        Ok(Ranked { files: share(files)?, commits: share(commits)?, best_passage, best_commit, held })
    }

    /// (passage, literal, whether in its heading) of every passage that holds one of `literals` as a whole.
    fn holding(&self, py: Python<'_>, literals: Vec<String>) -> PyResult<Vec<(u32, u32, bool)>> {
        py.detach(|| {
            let literals: Vec<&str> = literals.iter().map(String::as_str).collect();
            let found = loci_rank::holding(&self.segment, &literals)?;
            Ok(found.into_iter().map(|held| (held.passage, held.literal, held.in_head)).collect())
        })
        .map_err(map_segment)
    }

    /// The passages of the commits whose id begins with `prefix`.
    fn commits_of(&self, py: Python<'_>, prefix: &str) -> Vec<u32> {
        py.detach(|| {
            let commits = loci_rank::commits_of(&self.segment, prefix);
            let passages = self.segment.passages_of(PassageKind::Commit);
            passages.filter(|&passage| commits.binary_search(&self.segment.owner(passage)).is_ok()).collect()
        })
    }

    /// The documents that are changelogs, by path: path, number of the first passage, number after the last.
    fn changelogs(&self, py: Python<'_>) -> Vec<(String, u32, u32)> {
        py.detach(|| {
            let segment = &self.segment;
            let mut found: Vec<(String, u32, u32)> = Vec::new();
            let mut file = None;
            for passage in segment.passages_of(PassageKind::Document) {
                let owner = segment.owner(passage);
                match found.last_mut() {
                    Some((_, _, stop)) if file == Some(owner) => *stop = passage + 1,
                    _ if loci_collect::is_changelog(segment.file_path(owner)) => {
                        found.push((self.place(passage).0, passage, passage + 1));
                        file = Some(owner);
                    }
                    _ => {}
                }
            }
            found
        })
    }

    /// The passages numbered from `first` up to `stop`, in the order of the segment; their score is 0.
    fn texts(&self, py: Python<'_>, first: u32, stop: u32) -> PyResult<Vec<Found>> {
        py.detach(|| {
            let stop = stop.min(self.segment.passage_count());
            let sources: Vec<Source> =
                (first..stop).map(|passage| Source { passage, score: 0.0, dense: 0.0, also_at: Vec::new() }).collect();
            self.found(&sources)
        })
        .map_err(map_segment)
    }
}

impl Store {
    fn scores(&self, bytes: &[u8]) -> PyResult<Vec<f32>> {
        let expected = 4 * self.segment.passage_count() as usize;
        if bytes.len() != expected {
            return Err(PyValueError::new_err(format!(
                "scores of {} bytes do not fit {} passages, which need {expected}",
                bytes.len(),
                self.segment.passage_count()
            )));
        }
        Ok(bytes.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect())
    }
}

/// Where a passage stands in its file as it is now; None when it is not there any more.
#[pyfunction]
fn locate(py: Python<'_>, path: PathBuf, digest: [u8; 16], text: &str, lines: (u32, u32)) -> Option<(u32, u32)> {
    py.detach(|| loci_episodes::locate(&path, digest, text, lines, rules::redactor()))
}

/// Whether a text has a literal as a whole; see `loci_rank::stands_in`.
#[pyfunction]
fn stands_in(text: &str, literal: &str) -> bool {
    loci_rank::stands_in(text, literal)
}

/// The terms of a question, and per text and line the numbers of those that stand in it.
#[pyfunction]
fn question_lines(py: Python<'_>, question: &str, texts: Vec<String>) -> (Vec<String>, Vec<Vec<Vec<u32>>>) {
    let found = py.detach(|| loci_rank::question_lines(question, texts.iter().map(String::as_str)));
    (found.terms, found.lines)
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Found>()?;
    module.add_class::<Ranked>()?;
    module.add_class::<Store>()?;
    module.add_function(wrap_pyfunction!(question_lines, module)?)?;
    module.add_function(wrap_pyfunction!(stands_in, module)?)?;
    module.add_function(wrap_pyfunction!(locate, module)?)
}
