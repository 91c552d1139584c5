//! The routing index: scopes with their segments, and their evidence for a question.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use loci_index::{PassageKind, Segment, SegmentWriter, on_threads};
use loci_rank::{Corpus, Omission, Omit, Omitted, Question, Scores};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;

use crate::error::map;

/// What `score` hands over, as plain lists: one entry per scope unless said otherwise.
#[pyclass(frozen, get_all)]
struct ScopeEvidence {
    /// Per term of the question: (term, word as written, count, balanced idf, plain idf).
    terms: Vec<(String, String, u32, f64, f64)>,
    /// Per term, per scope: (passages with the term, occurrences).
    frequencies: Vec<Vec<(u32, u32)>>,
    /// The raw scores, in the order of FEATURE_NAMES.
    features: Vec<Vec<f64>>,
    /// Absolute evidence.
    raw: Vec<f64>,
    /// Passages that hold at least one term.
    matched: Vec<u32>,
    /// Best passages: (passage, score).
    top: Vec<Vec<(u32, f64)>>,
    /// Terms (their places in `terms`) that at least one of the best passages holds.
    held: Vec<Vec<u32>>,
    /// Passages in all.
    sizes: Vec<u32>,
}

impl ScopeEvidence {
    fn of(question: Question, scores: Scores, sizes: Vec<u32>) -> Self {
        let Scores { terms, scopes } = scores;
        let mut evidence = Self {
            terms: Vec::with_capacity(terms.len()),
            frequencies: Vec::with_capacity(terms.len()),
            features: Vec::with_capacity(scopes.len()),
            raw: Vec::with_capacity(scopes.len()),
            matched: Vec::with_capacity(scopes.len()),
            top: Vec::with_capacity(scopes.len()),
            held: Vec::with_capacity(scopes.len()),
            sizes,
        };
        for (term, statistics) in question.terms.into_iter().zip(terms) {
            evidence.terms.push((term.text, term.surface, term.count, statistics.idf, statistics.plain_idf));
            evidence.frequencies.push(statistics.in_scopes);
        }
        for scope in scopes {
            evidence.features.push(scope.features.to_vec());
            evidence.raw.push(scope.raw);
            evidence.matched.push(scope.matched);
            evidence.top.push(scope.top);
            evidence.held.push(scope.held);
        }
        evidence
    }
}

#[pyclass(frozen)]
struct Index {
    corpus: RwLock<Arc<Corpus>>,
    /// Held while a changed corpus is made, so that two changes do not lose one; readers never wait for it.
    change: Mutex<()>,
}

impl Index {
    fn corpus(&self) -> Arc<Corpus> {
        Arc::clone(&self.corpus.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn replace(&self, edit: impl FnOnce(&mut Vec<(String, Arc<Segment>)>)) {
        let _change = self.change.lock().unwrap_or_else(PoisonError::into_inner);
        let mut scopes = self.corpus().scopes();
        edit(&mut scopes);
        let corpus = Arc::new(Corpus::new(scopes));
        *self.corpus.write().unwrap_or_else(PoisonError::into_inner) = corpus;
    }

    fn put(&self, added: Vec<(String, Arc<Segment>)>) {
        self.replace(|scopes| {
            scopes.retain(|(id, _)| added.iter().all(|(new, _)| new != id));
            scopes.extend(added);
        });
    }
}

/// Runs `work` without the interpreter's lock, on the threads of this process.
fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> T {
    py.detach(|| on_threads(work))
}

fn position(corpus: &Corpus, scope: &str) -> PyResult<usize> {
    corpus.position(scope).ok_or_else(|| PyKeyError::new_err(scope.to_owned()))
}

/// What is left out: (scope, passage, content positions from and to, or the whole passage).
type Left = (String, u32, Option<(u32, u32)>);

fn omitted(corpus: &Corpus, scopes: &[String], passages: &[Left]) -> PyResult<Omitted> {
    let mut omitted = Omitted::new();
    for scope in scopes {
        omitted.scope(position(corpus, scope)?);
    }
    for (scope, passage, words) in passages {
        let at = position(corpus, scope)?;
        if *passage >= corpus.segment(at).passage_count() {
            return Err(PyValueError::new_err("no such passage"));
        }
        let what = words.map_or(Omit::Passage, |(from, to)| Omit::Words(from, to));
        omitted.passage(at, Omission { passage: *passage, what });
    }
    Ok(omitted)
}

fn hexadecimal(id: [u8; 20]) -> String {
    id.iter().map(|byte| format!("{byte:02x}")).collect()
}

type Text = (u32, String, Option<String>, String, String, String, u16);
type Passage = (String, String, (u32, u32), Option<String>, String, String);

#[pymethods]
impl Index {
    #[new]
    fn new() -> Self {
        Self { corpus: RwLock::new(Arc::new(Corpus::new(Vec::new()))), change: Mutex::new(()) }
    }

    /// Adds or replaces scopes made of plain texts.
    fn add_texts(&self, py: Python<'_>, scopes: Vec<(String, Vec<String>)>) -> PyResult<()> {
        detached(py, || {
            let mut added = Vec::with_capacity(scopes.len());
            for (id, texts) in scopes {
                let writer = SegmentWriter::from_texts(texts.iter().map(String::as_str), &loci_text::signature());
                added.push((id, Arc::new(Segment::from_bytes(&writer.encode()?.bytes)?)));
            }
            self.put(added);
            Ok(())
        })
        .map_err(map)
    }

    /// Adds or replaces scopes whose segments are files.
    #[pyo3(signature = (scopes, signature=None))]
    fn add_segments(&self, py: Python<'_>, scopes: Vec<(String, PathBuf)>, signature: Option<&str>) -> PyResult<()> {
        detached(py, || {
            let mut added = Vec::with_capacity(scopes.len());
            for (id, path) in scopes {
                added.push((id, Arc::new(Segment::open(&path, signature)?)));
            }
            self.put(added);
            Ok(())
        })
        .map_err(map)
    }

    /// Takes a scope out; whether it was there.
    fn remove(&self, py: Python<'_>, scope: &str) -> bool {
        detached(py, || {
            let mut found = false;
            self.replace(|scopes| {
                let before = scopes.len();
                scopes.retain(|(id, _)| id != scope);
                found = scopes.len() < before;
            });
            found
        })
    }

    /// Ids, ascending: the order of every per-scope list.
    fn ids(&self) -> Vec<String> {
        self.corpus().ids().map(str::to_owned).collect()
    }

    /// Writes a scope's segment into a directory under its content's name, which is returned.
    fn write(&self, py: Python<'_>, scope: &str, directory: PathBuf) -> PyResult<String> {
        let corpus = self.corpus();
        let segment = Arc::clone(corpus.segment(position(&corpus, scope)?));
        detached(py, || loci_index::Encoded::of(segment.bytes().to_vec()).write_named(&directory)).map_err(map)
    }

    /// Evidence of every scope: (ids, evidence), consistent with each other also while scopes are added.
    fn score(&self, py: Python<'_>, question: &str) -> PyResult<(Vec<String>, ScopeEvidence)> {
        let corpus = self.corpus();
        detached(py, || {
            let question = Question::parse(question);
            let scores = corpus.score(&question)?;
            let sizes = (0..corpus.len()).map(|scope| corpus.segment(scope).passage_count()).collect();
            Ok((corpus.ids().map(str::to_owned).collect(), ScopeEvidence::of(question, scores, sizes)))
        })
        .map_err(map)
    }

    /// The same as if these scopes, passages and words had never been there.
    fn score_without(
        &self,
        py: Python<'_>,
        question: &str,
        scopes: Vec<String>,
        passages: Vec<Left>,
    ) -> PyResult<(Vec<String>, ScopeEvidence)> {
        let corpus = self.corpus();
        let omitted = omitted(&corpus, &scopes, &passages)?;
        detached(py, || {
            let question = Question::parse(question);
            let scores = corpus.score_without(&question, &omitted)?;
            let ids: Vec<String> =
                corpus.ids().filter(|id| !scopes.iter().any(|gone| gone == id)).map(str::to_owned).collect();
            let sizes = ids
                .iter()
                .filter_map(|id| corpus.position(id))
                .map(|scope| corpus.segment(scope).passage_count() - omitted.whole_passages(scope))
                .collect();
            Ok((ids, ScopeEvidence::of(question, scores, sizes)))
        })
        .map_err(map)
    }

    /// Passages that hold at least this share of the question's pairs of neighbouring words: (scope, passage, share).
    fn quotes(&self, py: Python<'_>, question: &str, share: f64) -> PyResult<Vec<(String, u32, f64)>> {
        let corpus = self.corpus();
        let found = detached(py, || corpus.quotes(&Question::parse(question), share)).map_err(map)?;
        let ids: Vec<&str> = corpus.ids().collect();
        Ok(found.into_iter().map(|(scope, passage, share)| (ids[scope].to_owned(), passage, share)).collect())
    }

    /// Numbers of passages: (first document, first source, first commit, all).
    fn kinds(&self, scope: &str) -> PyResult<(u32, u32, u32, u32)> {
        let corpus = self.corpus();
        let segment = corpus.segment(position(&corpus, scope)?);
        let first = |kind| segment.passages_of(kind).start;
        Ok((
            first(PassageKind::Document),
            first(PassageKind::Source),
            first(PassageKind::Commit),
            segment.passage_count(),
        ))
    }

    /// Passages with their texts: (passage, path or "", commit or None, heading, symbol, text, content words of the text
    /// in the index). `wanted` ascends.
    fn texts(&self, py: Python<'_>, scope: &str, wanted: Vec<u32>) -> PyResult<Vec<Text>> {
        let corpus = self.corpus();
        let segment = Arc::clone(corpus.segment(position(&corpus, scope)?));
        if wanted.last().is_some_and(|&last| last >= segment.passage_count()) || !wanted.is_sorted() {
            return Err(PyValueError::new_err("passages must exist and ascend"));
        }
        detached(py, || {
            let mut found = Vec::with_capacity(wanted.len());
            segment.for_texts(&wanted, |passage, text| {
                let owner = segment.owner(passage);
                let (path, commit) = match segment.kind(passage) {
                    PassageKind::Commit => (String::new(), Some(hexadecimal(segment.commit_id(owner)))),
                    _ => (segment.file_path(owner).to_owned(), None),
                };
                found.push((passage, path, commit, text.head, text.symbol, text.text, segment.lengths(passage)[0]));
            })?;
            Ok(found)
        })
        .map_err(map)
    }

    /// Gives the mapped pages of all segments back to the system.
    fn release(&self, py: Python<'_>) {
        let corpus = self.corpus();
        py.detach(|| (0..corpus.len()).for_each(|scope| corpus.segment(scope).release()));
    }

    /// A passage: (kind, path, lines, commit, heading, symbol).
    fn passage(&self, scope: &str, passage: u32) -> PyResult<Passage> {
        let corpus = self.corpus();
        let segment = corpus.segment(position(&corpus, scope)?);
        if passage >= segment.passage_count() {
            return Err(PyValueError::new_err("no such passage"));
        }
        let text = segment.text(passage).map_err(map)?;
        let owner = segment.owner(passage);
        Ok(match segment.kind(passage) {
            PassageKind::Commit => {
                let id = hexadecimal(segment.commit_id(owner));
                ("commit".into(), String::new(), (0, 0), Some(id), text.head, text.symbol)
            }
            kind => {
                let kind = if kind == PassageKind::Document { "document" } else { "source" };
                (kind.into(), segment.file_path(owner).to_owned(), segment.lines(passage), None, text.head, text.symbol)
            }
        })
    }

    /// The baseline over what is left: (scope, passage, score), best first.
    fn merged_bm25_without(
        &self,
        py: Python<'_>,
        question: &str,
        k: usize,
        scopes: Vec<String>,
        passages: Vec<Left>,
    ) -> PyResult<Vec<(String, u32, f32)>> {
        let corpus = self.corpus();
        let omitted = omitted(&corpus, &scopes, &passages)?;
        let hits = detached(py, || corpus.merged_bm25_without(&Question::parse(question), k, &omitted)).map_err(map)?;
        let ids: Vec<&str> = corpus.ids().filter(|id| !scopes.iter().any(|gone| gone == id)).collect();
        Ok(hits.into_iter().map(|(scope, passage, score)| (ids[scope].to_owned(), passage, score)).collect())
    }

    /// The baseline, one merged BM25 index: (scope, passage, score), best first; `within` keeps to one scope.
    #[pyo3(signature = (question, k, within=None))]
    fn merged_bm25(
        &self,
        py: Python<'_>,
        question: &str,
        k: usize,
        within: Option<&str>,
    ) -> PyResult<Vec<(String, u32, f32)>> {
        let corpus = self.corpus();
        let within = within.map(|scope| position(&corpus, scope)).transpose()?;
        let hits = detached(py, || corpus.merged_bm25(&Question::parse(question), k, within)).map_err(map)?;
        let ids: Vec<&str> = corpus.ids().collect();
        Ok(hits.into_iter().map(|(scope, passage, score)| (ids[scope].to_owned(), passage, score)).collect())
    }
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("FEATURE_NAMES", loci_rank::FEATURE_NAMES.to_vec())?;
    module.add_class::<ScopeEvidence>()?;
    module.add_class::<Index>()
}
