//! The evidence of every scope for a question, in one pass over the postings of the question's terms.

use std::sync::Arc;

use loci_collect::is_description;
use loci_index::{PassageKind, Posting, Segment, SegmentError};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::bm25::{self, idf};
use crate::omission::{Adjuster, Omission, Omitted};
use crate::question::Question;

/// Temperature of the log-mean-exp over passages (docs/science.md, Routing: chosen among 2, 2.5 and 3 inside every fold).
pub const TAU: f64 = 2.5;
/// Weight of adjacent pairs beside single terms in a passage's score.
pub const PAIR_WEIGHT: f64 = 0.2;
/// Saturation and length normalisation of the passage score, per field.
const K1: f32 = 1.2;
const B_BODY: f32 = 0.75;
const B_HEAD: f32 = 0.3;
const B_PATH: f32 = 0.3;
const PATH_WEIGHT: f32 = 0.5;
/// The plain BM25 of the merged baseline (docs/science.md, A second corpus).
const PLAIN_K1: f32 = 0.9;
const PLAIN_B: f32 = 0.4;
/// Dirichlet smoothing masses of the two scope language models, in words.
const LM_MASSES: [f64; 2] = [5_000.0, 50_000.0];
/// Small scopes are handed to threads this many at a time: one alone is less work than the handing over.
const SCOPES_AT_ONCE: usize = 8;
/// How many best passages speak for a scope.
pub const TOP_PASSAGES: usize = 3;

/// Number of scores that the evidence is summed from.
pub const FEATURES: usize = 11;
/// Their names, in order.
pub const FEATURE_NAMES: [&str; FEATURES] = [
    "passages",
    "documents",
    "source",
    "commits",
    "language_5000",
    "language_50000",
    "top_passages",
    "pairs",
    "best_pair",
    "best_passage",
    "description",
];

/// Statistics of one term of a question over the corpus.
#[derive(Clone, Debug)]
pub struct TermStatistics {
    /// Inverse document frequency in which every scope weighs the same.
    pub idf: f64,
    /// Inverse document frequency over the merged passages.
    pub plain_idf: f64,
    /// Per scope: passages with the term, occurrences in texts.
    pub in_scopes: Vec<(u32, u32)>,
}

/// What one scope says to a question.
#[derive(Clone, Debug)]
pub struct ScopeScores {
    /// The scores of [`FEATURE_NAMES`], raw.
    pub features: [f64; FEATURES],
    /// `TAU` times the log-mean-exp of the passage scores without pairs: absolute evidence.
    pub raw: f64,
    /// The best passages by score with pairs, best first, at most [`TOP_PASSAGES`].
    pub top: Vec<(u32, f64)>,
    /// Terms of the question (their numbers, ascending) that at least one of the best passages holds.
    pub held: Vec<u32>,
    /// Passages that hold at least one term.
    pub matched: u32,
}

/// The answer of [`Corpus::score`].
#[derive(Clone, Debug)]
pub struct Scores {
    /// Per term of the question.
    pub terms: Vec<TermStatistics>,
    /// Per scope, in the corpus' order.
    pub scopes: Vec<ScopeScores>,
}

/// One over the length normalisation of every passage, by field.
struct Norms {
    body: Vec<f32>,
    head: Vec<f32>,
    path: Vec<f32>,
    plain: Vec<f32>,
}

/// Where the normalisation of a passage comes from: prepared for the whole corpus, or worked out at each posting for one
/// from which something is left out, since that moves the average lengths.
trait Normalisation {
    /// Body, head and path of a passage; of the last two only where they are `wanted`, or 0.
    fn fields(&self, passage: usize, lengths: Option<[u16; 3]>, wanted: bool) -> [f32; 3];
    /// The body for the plain BM25.
    fn plain(&self, passage: usize, lengths: Option<[u16; 3]>) -> f32;
}

impl Normalisation for Norms {
    #[inline(always)]
    fn fields(&self, passage: usize, _: Option<[u16; 3]>, wanted: bool) -> [f32; 3] {
        if wanted {
            [self.body[passage], self.head[passage], self.path[passage]]
        } else {
            [self.body[passage], 0.0, 0.0]
        }
    }

    #[inline(always)]
    fn plain(&self, passage: usize, _: Option<[u16; 3]>) -> f32 {
        self.plain[passage]
    }
}

/// Normalisation with average lengths of its own.
struct Computed<'a> {
    lengths: &'a [u16],
    averages: [f32; 3],
}

impl Computed<'_> {
    #[inline(always)]
    fn of(&self, passage: usize, lengths: Option<[u16; 3]>, field: usize, b: f32) -> f32 {
        let length = lengths.map_or(self.lengths[3 * passage + field], |lengths| lengths[field]);
        norm(length, b, b / self.averages[field])
    }
}

impl Normalisation for Computed<'_> {
    #[inline(always)]
    fn fields(&self, passage: usize, lengths: Option<[u16; 3]>, wanted: bool) -> [f32; 3] {
        let other = |field, b| if wanted { self.of(passage, lengths, field, b) } else { 0.0 };
        [self.of(passage, lengths, 0, B_BODY), other(1, B_HEAD), other(2, B_PATH)]
    }

    #[inline(always)]
    fn plain(&self, passage: usize, lengths: Option<[u16; 3]>) -> f32 {
        self.of(passage, lengths, 0, PLAIN_B)
    }
}

#[inline(always)]
fn norm(length: u16, b: f32, slope: f32) -> f32 {
    1.0 / (1.0 - b + slope * f32::from(length))
}

/// Average lengths over ALL passages: per-scope averages cost 20 points of top-1 (docs/science.md, Routing).
fn averages(totals: [u64; 3], passages: u64) -> [f32; 3] {
    totals.map(|total| if total > 0 { (total as f64 / passages as f64) as f32 } else { 1.0 })
}

struct Member {
    id: String,
    segment: Arc<Segment>,
    norms: Norms,
    /// Passages of the files in which the project describes itself, ascending.
    description: Vec<u32>,
}

/// Passages of the files at the root that describe the project.
fn description(segment: &Segment) -> Vec<u32> {
    let describes: Vec<bool> = (0..segment.file_count())
        .map(|file| {
            let path = segment.file_path(file);
            !path.contains('/') && is_description(path)
        })
        .collect();
    [PassageKind::Document, PassageKind::Source]
        .into_iter()
        .flat_map(|kind| segment.passages_of(kind))
        .filter(|&passage| describes[segment.owner(passage) as usize])
        .collect()
}

/// Segments of several scopes with the statistics they share. Immutable; adding a scope makes a new corpus.
pub struct Corpus {
    members: Vec<Member>,
}

/// A scope as far as it counts.
struct Part<'a> {
    member: &'a Member,
    /// What is left out of it, by ascending passage.
    omitted: &'a [Omission],
    passages: u32,
    kinds: [u32; 3],
    totals: [u64; 3],
    described: u32,
}

/// The corpus as far as it counts.
struct View<'a> {
    parts: Vec<Part<'a>>,
    passages: u64,
    /// Average lengths, where they are not those of the whole corpus.
    averages: Option<[f32; 3]>,
}

impl<'a> View<'a> {
    fn whole(corpus: &'a Corpus) -> Self {
        let parts: Vec<Part> = corpus.members.iter().map(|member| Part::of(member, &[])).collect();
        let passages = parts.iter().map(|part| u64::from(part.passages)).sum();
        Self { parts, passages, averages: None }
    }

    fn without(corpus: &'a Corpus, omitted: &'a Omitted) -> Self {
        let parts: Vec<Part> = corpus
            .members
            .iter()
            .enumerate()
            .filter(|(scope, _)| !omitted.has_scope(*scope))
            .map(|(scope, member)| Part::of(member, omitted.of(scope)))
            .collect();
        let passages = parts.iter().map(|part| u64::from(part.passages)).sum();
        let totals = [0, 1, 2].map(|field| parts.iter().map(|part| part.totals[field]).sum());
        Self { parts, passages, averages: Some(averages(totals, passages)) }
    }
}

impl<'a> Part<'a> {
    fn of(member: &'a Member, omitted: &'a [Omission]) -> Self {
        let header = member.segment.header();
        let mut part = Self {
            member,
            omitted,
            passages: member.segment.passage_count(),
            kinds: header.kinds,
            totals: header.field_totals,
            described: member.description.len() as u32,
        };
        for omission in omitted {
            let before = member.segment.lengths(omission.passage);
            let after = omission.lengths(before).unwrap_or_default();
            for (total, (before, after)) in part.totals.iter_mut().zip(before.into_iter().zip(after)) {
                *total -= u64::from(before - after);
            }
            if omission.is_whole() {
                part.passages -= 1;
                part.kinds[member.segment.kind(omission.passage) as usize] -= 1;
                part.described -= u32::from(member.description.binary_search(&omission.passage).is_ok());
            }
        }
        part
    }

    /// (passages with the term, occurrences in texts).
    fn frequency(&self, number: u32) -> Result<(u32, u32), SegmentError> {
        let segment = &self.member.segment;
        if self.omitted.is_empty() {
            return Ok((segment.df(number), segment.cf(number)));
        }
        let (mut df, mut cf) = (0u32, 0u32);
        let mut postings = segment.postings(number);
        let mut adjuster = Adjuster::<true>::new(segment, number, self.omitted);
        while let Some(found) = postings.next_posting()? {
            if let Some((posting, _)) = adjuster.adjust(found)? {
                df += 1;
                cf = cf.saturating_add(posting.body);
            }
        }
        Ok((df, cf))
    }
}

/// A decoded posting list, kept for the join of pairs.
struct Decoded {
    number: u32,
    passages: Vec<u32>,
    bodies: Vec<u16>,
}

/// Running scores of one passage, side by side so that a posting touches one cache line.
#[derive(Clone, Copy, Default)]
struct Tally {
    score: f32,
    plain: f32,
    /// Bit t: the passage holds term t, for the first [`MASKED_TERMS`] terms.
    terms: u64,
}

/// Terms whose presence is noted while scoring; a longer question looks the rest up again for its best passages.
const MASKED_TERMS: usize = 64;

impl Decoded {
    fn empty(segment: &Segment, number: u32) -> Self {
        let df = segment.df(number) as usize;
        Self { number, passages: Vec::with_capacity(df), bodies: Vec::with_capacity(df) }
    }

    fn of(segment: &Segment, number: u32) -> Result<Self, SegmentError> {
        let mut decoded = Self::empty(segment, number);
        let mut postings = segment.postings(number);
        while let Some(posting) = postings.next_posting()? {
            decoded.push(&posting);
        }
        Ok(decoded)
    }

    #[inline(always)]
    fn push(&mut self, posting: &Posting) {
        self.passages.push(posting.passage);
        self.bodies.push(posting.body.min(u32::from(u16::MAX)) as u16);
    }
}

/// Per term, whether it is in a pair of which the scope has both.
fn terms_in_pairs(question: &Question, numbers: &[Option<u32>]) -> Vec<bool> {
    let mut found = vec![false; numbers.len()];
    for &(left, right) in &question.pairs {
        if numbers[left as usize].is_some() && numbers[right as usize].is_some() {
            found[left as usize] = true;
            found[right as usize] = true;
        }
    }
    found
}

struct Partial {
    tallies: Vec<Tally>,
    /// (passage, pair, occurrences), by pair, then passage.
    pairs: Vec<(u32, u32, u32)>,
    pair_df: Vec<u32>,
}

impl Corpus {
    /// A corpus of the given scopes; they are put in the order of their ids.
    pub fn new(mut scopes: Vec<(String, Arc<Segment>)>) -> Self {
        scopes.sort_by(|a, b| a.0.cmp(&b.0));
        let passages: u64 = scopes.iter().map(|(_, segment)| u64::from(segment.passage_count())).sum();
        let totals =
            [0, 1, 2].map(|field| scopes.iter().map(|(_, segment)| segment.header().field_totals[field]).sum());
        let averages = averages(totals, passages);
        let members = scopes
            .into_par_iter()
            .map(|(id, segment)| {
                let lengths = segment.all_lengths();
                let all = |field: usize, b: f32| -> Vec<f32> {
                    let slope = b / averages[field];
                    lengths.chunks_exact(3).map(|passage| norm(passage[field], b, slope)).collect()
                };
                let norms =
                    Norms { body: all(0, B_BODY), head: all(1, B_HEAD), path: all(2, B_PATH), plain: all(0, PLAIN_B) };
                let description = description(&segment);
                Member { id, segment, norms, description }
            })
            .collect();
        Self { members }
    }

    /// Number of scopes.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there is no scope.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Ids of the scopes, ascending.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.members.iter().map(|member| member.id.as_str())
    }

    /// Place of a scope in the corpus' order.
    pub fn position(&self, id: &str) -> Option<usize> {
        self.members.binary_search_by(|member| member.id.as_str().cmp(id)).ok()
    }

    /// Segment of a scope by its place.
    pub fn segment(&self, scope: usize) -> &Arc<Segment> {
        &self.members[scope].segment
    }

    /// Scopes with their segments, to make a changed corpus from.
    pub fn scopes(&self) -> Vec<(String, Arc<Segment>)> {
        self.members.iter().map(|member| (member.id.clone(), Arc::clone(&member.segment))).collect()
    }

    /// Scores every scope.
    ///
    /// # Errors
    /// [`SegmentError::Damaged`] when a posting list does not decode.
    pub fn score(&self, question: &Question) -> Result<Scores, SegmentError> {
        View::whole(self).score(question)
    }

    /// Scores every scope that is left, as a corpus would that never held what is left out.
    ///
    /// The scopes of the answer are those that are left, in the corpus' order. A passage keeps its number.
    ///
    /// # Errors
    /// [`SegmentError::Damaged`] when a posting list does not decode.
    pub fn score_without(&self, question: &Question, omitted: &Omitted) -> Result<Scores, SegmentError> {
        View::without(self, omitted).score(question)
    }

    /// The baseline: one merged BM25 index over all passages (or those of one scope, with the statistics of all).
    ///
    /// Returns (scope, passage, score), best first, ties by scope and passage; at most `k`.
    ///
    /// # Errors
    /// [`SegmentError::Damaged`] when a posting list does not decode.
    pub fn merged_bm25(
        &self,
        question: &Question,
        k: usize,
        within: Option<usize>,
    ) -> Result<Vec<(usize, u32, f32)>, SegmentError> {
        View::whole(self).merged_bm25(question, k, within)
    }

    /// [`Corpus::merged_bm25`] over what is left; scopes are counted among those that are left.
    ///
    /// # Errors
    /// As [`Corpus::merged_bm25`].
    pub fn merged_bm25_without(
        &self,
        question: &Question,
        k: usize,
        omitted: &Omitted,
    ) -> Result<Vec<(usize, u32, f32)>, SegmentError> {
        View::without(self, omitted).merged_bm25(question, k, None)
    }

    /// Passages that hold at least `share` of the question's pairs of neighbouring words: those that quote it.
    ///
    /// Returns (scope, passage, share), by scope and passage.
    ///
    /// # Errors
    /// [`SegmentError::Damaged`] when a posting list does not decode.
    pub fn quotes(&self, question: &Question, share: f64) -> Result<Vec<(usize, u32, f64)>, SegmentError> {
        if question.pairs.is_empty() {
            return Ok(Vec::new());
        }
        let view = View::whole(self);
        let numbers = view.numbers(question);
        let all = question.pairs.len() as f64;
        let found: Vec<Vec<(usize, u32, f64)>> = view
            .parts
            .par_iter()
            .zip(&numbers)
            .enumerate()
            .map(|(scope, (part, numbers))| {
                let mut counts: FxHashMap<u32, u32> = FxHashMap::default();
                for (passage, _, _) in part.pairs(question, numbers)? {
                    *counts.entry(passage).or_default() += 1;
                }
                let mut quoting: Vec<(usize, u32, f64)> = counts
                    .into_iter()
                    .map(|(passage, count)| (scope, passage, f64::from(count) / all))
                    .filter(|&(_, _, found)| found >= share)
                    .collect();
                quoting.sort_unstable_by_key(|&(_, passage, _)| passage);
                Ok(quoting)
            })
            .collect::<Result<_, SegmentError>>()?;
        Ok(found.into_iter().flatten().collect())
    }
}

impl View<'_> {
    fn numbers(&self, question: &Question) -> Vec<Vec<Option<u32>>> {
        self.parts
            .par_iter()
            .with_min_len(SCOPES_AT_ONCE)
            .map(|part| question.terms.iter().map(|term| part.member.segment.find(&term.text)).collect())
            .collect()
    }

    fn statistics(
        &self,
        question: &Question,
        numbers: &[Vec<Option<u32>>],
    ) -> Result<Vec<TermStatistics>, SegmentError> {
        let total = self.passages as f64;
        (0..question.terms.len())
            .map(|term| {
                let in_scopes: Vec<(u32, u32)> = self
                    .parts
                    .iter()
                    .zip(numbers)
                    .map(|(part, numbers)| numbers[term].map_or(Ok((0, 0)), |number| part.frequency(number)))
                    .collect::<Result<_, _>>()?;
                Ok(TermStatistics {
                    idf: idf(total, self.balanced(in_scopes.iter().map(|&(df, _)| df))),
                    plain_idf: idf(total, in_scopes.iter().map(|&(df, _)| f64::from(df)).sum()),
                    in_scopes,
                })
            })
            .collect()
    }

    /// Document frequency with every scope weighing the same: N times the mean share of passages that hold the term.
    fn balanced(&self, dfs: impl Iterator<Item = u32>) -> f64 {
        let shares: f64 =
            self.parts.iter().zip(dfs).map(|(part, df)| f64::from(df) / f64::from(part.passages.max(1))).sum();
        self.passages as f64 * shares / self.parts.len().max(1) as f64
    }

    fn score(&self, question: &Question) -> Result<Scores, SegmentError> {
        let numbers = self.numbers(question);
        let terms = self.statistics(question, &numbers)?;
        let partials: Vec<Partial> = self
            .parts
            .par_iter()
            .zip(&numbers)
            .map(|(part, numbers)| self.accumulate(part, question, numbers, &terms))
            .collect::<Result<_, _>>()?;
        let total = self.passages as f64;
        let pair_idf: Vec<f64> = (0..question.pairs.len())
            .map(|pair| idf(total, self.balanced(partials.iter().map(|partial| partial.pair_df[pair]))))
            .collect();
        let language = self.language(question, &terms);
        let scopes = self
            .parts
            .par_iter()
            .zip(&partials)
            .zip(&language)
            .zip(&numbers)
            .map(|(((part, partial), language), numbers)| part.summarise(partial, &pair_idf, *language, numbers))
            .collect::<Result<_, _>>()?;
        Ok(Scores { terms, scopes })
    }

    /// Log likelihood ratio of the question under each scope's smoothed language model against the background in which
    /// every scope weighs the same.
    fn language(&self, question: &Question, terms: &[TermStatistics]) -> Vec<[f64; 2]> {
        let sizes: Vec<f64> = self.parts.iter().map(|part| part.totals[0] as f64).collect();
        let mut scores = vec![[0.0; 2]; self.parts.len()];
        for (term, statistics) in question.terms.iter().zip(terms) {
            let background: f64 = statistics
                .in_scopes
                .iter()
                .zip(&sizes)
                .map(|(&(_, cf), &size)| f64::from(cf) / size.max(1.0))
                .sum::<f64>()
                / self.parts.len().max(1) as f64;
            if background == 0.0 {
                continue;
            }
            for ((score, &(_, cf)), &size) in scores.iter_mut().zip(&statistics.in_scopes).zip(&sizes) {
                for (value, mass) in score.iter_mut().zip(LM_MASSES) {
                    let ratio = (f64::from(cf) + mass * background) / ((size + mass) * background);
                    *value += f64::from(term.count) * ratio.ln();
                }
            }
        }
        scores
    }

    fn merged_bm25(
        &self,
        question: &Question,
        k: usize,
        within: Option<usize>,
    ) -> Result<Vec<(usize, u32, f32)>, SegmentError> {
        let numbers = self.numbers(question);
        let terms = self.statistics(question, &numbers)?;
        let singles = Question { pairs: Vec::new(), ..question.clone() };
        let lists: Vec<Vec<(usize, u32, f32)>> = self
            .parts
            .par_iter()
            .zip(&numbers)
            .enumerate()
            .filter(|(scope, _)| within.is_none_or(|only| only == *scope))
            .map(|(scope, (part, numbers))| {
                let partial = self.accumulate(part, &singles, numbers, &terms)?;
                let mut hits: Vec<(usize, u32, f32)> = (0u32..)
                    .zip(&partial.tallies)
                    .filter(|(_, tally)| tally.plain > 0.0)
                    .map(|(passage, tally)| (scope, passage, tally.plain))
                    .collect();
                keep_best(&mut hits, k, |a, b| b.2.total_cmp(&a.2).then(a.1.cmp(&b.1)));
                Ok(hits)
            })
            .collect::<Result<_, SegmentError>>()?;
        let mut hits: Vec<_> = lists.into_iter().flatten().collect();
        keep_best(&mut hits, k, |a, b| b.2.total_cmp(&a.2).then(a.0.cmp(&b.0)).then(a.1.cmp(&b.1)));
        Ok(hits)
    }

    fn accumulate(
        &self,
        part: &Part,
        question: &Question,
        numbers: &[Option<u32>],
        terms: &[TermStatistics],
    ) -> Result<Partial, SegmentError> {
        match self.averages {
            // Two copies of the loop over postings: the one that everyday questions run looks nothing up.
            None => part.accumulate::<false>(&part.member.norms, question, numbers, terms),
            Some(averages) => {
                let computed = Computed { lengths: part.member.segment.all_lengths(), averages };
                part.accumulate::<true>(&computed, question, numbers, terms)
            }
        }
    }
}

fn keep_best<T>(items: &mut Vec<T>, k: usize, mut compare: impl FnMut(&T, &T) -> std::cmp::Ordering) {
    if items.len() > k && k > 0 {
        items.select_nth_unstable_by(k - 1, &mut compare);
    }
    items.truncate(k);
    items.sort_unstable_by(compare);
}

/// Score of a term in a passage, from its occurrences and the normalisation by field.
#[inline(always)]
fn weigh(posting: &Posting, norms: [f32; 3], idf: f32) -> f32 {
    let mut frequency = posting.body as f32 * norms[0];
    if posting.head > 0 || posting.path > 0 {
        frequency += posting.head as f32 * norms[1] + PATH_WEIGHT * posting.path as f32 * norms[2];
    }
    bm25::saturate(idf * (K1 + 1.0) * frequency, frequency, K1)
}

impl Part<'_> {
    fn accumulate<const OMITS: bool>(
        &self,
        norms: &impl Normalisation,
        question: &Question,
        numbers: &[Option<u32>],
        terms: &[TermStatistics],
    ) -> Result<Partial, SegmentError> {
        let segment = &self.member.segment;
        let passages = segment.passage_count() as usize;
        let mut tallies = vec![Tally::default(); passages];
        let in_pairs = terms_in_pairs(question, numbers);
        let mut decoded: Vec<Option<Decoded>> = Vec::with_capacity(numbers.len());
        for (term, &number) in numbers.iter().enumerate() {
            let Some(number) = number else {
                decoded.push(None);
                continue;
            };
            let (idf, plain_idf) = (terms[term].idf as f32, terms[term].plain_idf as f32);
            let mut kept = in_pairs[term].then(|| Decoded::empty(segment, number));
            let bit = if term < MASKED_TERMS { 1 << term } else { 0 };
            let mut postings = segment.postings(number);
            let mut adjuster = Adjuster::<OMITS>::new(segment, number, self.omitted);
            while let Some(found) = postings.next_posting()? {
                if let Some(kept) = &mut kept {
                    kept.push(&found);
                }
                let Some((posting, lengths)) = adjuster.adjust(found)? else { continue };
                let at = posting.passage as usize;
                let tally = &mut tallies[at];
                let fields = norms.fields(at, lengths, posting.head > 0 || posting.path > 0);
                tally.score += weigh(&posting, fields, idf);
                tally.terms |= bit;
                // Path counts as one more occurrence here, as in the merged index of docs/science.md.
                let frequency = posting.body as f32 * norms.plain(at, lengths) + posting.path as f32 * fields[2];
                tally.plain += bm25::saturate(plain_idf * (PLAIN_K1 + 1.0) * frequency, frequency, PLAIN_K1);
            }
            decoded.push(kept);
        }
        let mut partial = Partial { tallies, pairs: Vec::new(), pair_df: vec![0; question.pairs.len()] };
        for (pair, &(left, right)) in (0u32..).zip(&question.pairs) {
            if let (Some(left), Some(right)) = (&decoded[left as usize], &decoded[right as usize]) {
                partial.pair_df[pair as usize] = self.join(left, right, pair, &mut partial.pairs)?;
            }
        }
        Ok(partial)
    }

    /// (passage, pair, occurrences) of the question's pairs, by pair, then passage.
    fn pairs(&self, question: &Question, numbers: &[Option<u32>]) -> Result<Vec<(u32, u32, u32)>, SegmentError> {
        let segment = &self.member.segment;
        let decoded: Vec<Option<Decoded>> = terms_in_pairs(question, numbers)
            .into_iter()
            .zip(numbers)
            .map(|(in_pairs, &number)| match number {
                Some(number) if in_pairs => Decoded::of(segment, number).map(Some),
                _ => Ok(None),
            })
            .collect::<Result<_, _>>()?;
        let mut found = Vec::new();
        for (pair, &(left, right)) in (0u32..).zip(&question.pairs) {
            if let (Some(left), Some(right)) = (&decoded[left as usize], &decoded[right as usize]) {
                self.join(left, right, pair, &mut found)?;
            }
        }
        Ok(found)
    }

    /// Counts, per passage, the occurrences of two terms at distance one or two among content words.
    fn join(
        &self,
        left: &Decoded,
        right: &Decoded,
        pair: u32,
        out: &mut Vec<(u32, u32, u32)>,
    ) -> Result<u32, SegmentError> {
        let mut left_positions = self.member.segment.positions(left.number);
        let mut right_positions = self.member.segment.positions(right.number);
        let (mut i, mut j, mut found) = (0, 0, 0);
        let (mut left_at, mut right_at) = (Vec::new(), Vec::new());
        // Positions of passed-over postings are skipped in one go when the next common passage is known.
        let (mut left_skip, mut right_skip) = (0u32, 0u32);
        while i < left.passages.len() && j < right.passages.len() {
            match left.passages[i].cmp(&right.passages[j]) {
                std::cmp::Ordering::Less => {
                    left_skip += u32::from(left.bodies[i]);
                    i += 1;
                }
                std::cmp::Ordering::Greater => {
                    right_skip += u32::from(right.bodies[j]);
                    j += 1;
                }
                std::cmp::Ordering::Equal => {
                    left_at.clear();
                    right_at.clear();
                    left_positions.skip(left_skip)?;
                    right_positions.skip(right_skip)?;
                    (left_skip, right_skip) = (0, 0);
                    left_positions.read(u32::from(left.bodies[i]), &mut left_at)?;
                    right_positions.read(u32::from(right.bodies[j]), &mut right_at)?;
                    if let Some(omission) = Omission::at(self.omitted, left.passages[i]) {
                        omission.close(&mut left_at);
                        omission.close(&mut right_at);
                    }
                    let occurrences = count_near(&left_at, &right_at);
                    if occurrences > 0 {
                        out.push((left.passages[i], pair, occurrences));
                        found += 1;
                    }
                    i += 1;
                    j += 1;
                }
            }
        }
        Ok(found)
    }

    fn summarise(
        &self,
        partial: &Partial,
        pair_idf: &[f64],
        language: [f64; 2],
        numbers: &[Option<u32>],
    ) -> Result<ScopeScores, SegmentError> {
        let k1 = f64::from(K1);
        let mut pairs: Vec<(u32, f64)> = Vec::with_capacity(partial.pairs.len());
        let mut by_passage = partial.pairs.clone();
        by_passage.sort_unstable();
        for (passage, pair, occurrences) in by_passage {
            let n = f64::from(occurrences);
            let value = bm25::saturate(pair_idf[pair as usize] * (k1 + 1.0) * n, n, k1);
            match pairs.last_mut() {
                Some(last) if last.0 == passage => last.1 += value,
                _ => pairs.push((passage, value)),
            }
        }
        let mut kinds = [Lme::default(); 3];
        let mut with_pairs = Lme::default();
        let mut top_singles = Top::default();
        let mut top = Top::default();
        let mut best_plain = 0f32;
        let mut matched = 0;
        let mut next_pair = 0;
        for kind in [PassageKind::Document, PassageKind::Source, PassageKind::Commit] {
            for passage in self.member.segment.passages_of(kind) {
                let Tally { score, plain, .. } = partial.tallies[passage as usize];
                if score <= 0.0 {
                    continue;
                }
                matched += 1;
                best_plain = best_plain.max(plain);
                let score = f64::from(score);
                let exponential = (score / TAU).exp();
                kinds[kind as usize].add(exponential);
                while next_pair < pairs.len() && pairs[next_pair].0 < passage {
                    next_pair += 1;
                }
                let mut full = score;
                let mut full_exponential = exponential;
                if let Some(&(_, value)) = pairs.get(next_pair).filter(|pair| pair.0 == passage) {
                    full += PAIR_WEIGHT * value;
                    full_exponential = (full / TAU).exp();
                }
                with_pairs.add(full_exponential);
                top_singles.add(passage, score);
                top.add(passage, full);
            }
        }
        let mut near = Lme::default();
        let mut best_pair = 0f64;
        for &(_, value) in &pairs {
            near.add((value / TAU).exp());
            best_pair = best_pair.max(value);
        }
        let mut described = Lme::default();
        for &passage in &self.member.description {
            let score = f64::from(partial.tallies[passage as usize].score);
            if score > 0.0 {
                let near = pairs.binary_search_by_key(&passage, |pair| pair.0).map_or(0.0, |at| pairs[at].1);
                described.add(((score + PAIR_WEIGHT * near) / TAU).exp());
            }
        }
        let total = self.passages;
        let of_kind = |kind: PassageKind| kinds[kind as usize].value(self.kinds[kind as usize]);
        let all = Lme { excess: kinds.iter().map(|kind| kind.excess).sum() };
        let mut held = Vec::new();
        for (term, &number) in (0u32..).zip(numbers) {
            let Some(number) = number else { continue };
            let present = if (term as usize) < MASKED_TERMS {
                top.items.iter().any(|&(passage, _)| partial.tallies[passage as usize].terms >> term & 1 == 1)
            } else {
                self.holds_any(number, &top.items)?
            };
            if present {
                held.push(term);
            }
        }
        Ok(ScopeScores {
            features: [
                with_pairs.value(total),
                of_kind(PassageKind::Document),
                of_kind(PassageKind::Source),
                of_kind(PassageKind::Commit),
                language[0],
                language[1],
                top_singles.mean(),
                near.value(total),
                best_pair,
                f64::from(best_plain),
                described.value(self.described),
            ],
            raw: TAU * all.value(total),
            top: top.items,
            held,
            matched,
        })
    }

    fn holds_any(&self, number: u32, passages: &[(u32, f64)]) -> Result<bool, SegmentError> {
        let segment = &self.member.segment;
        let mut postings = segment.postings(number);
        let mut adjuster = Adjuster::<true>::new(segment, number, self.omitted);
        while let Some(found) = postings.next_posting()? {
            let Some((posting, _)) = adjuster.adjust(found)? else { continue };
            if passages.iter().any(|&(passage, _)| passage == posting.passage) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Number of (left, right) positions at distance one or two; both lists ascend.
fn count_near(left: &[u32], right: &[u32]) -> u32 {
    let mut count = 0;
    let mut start = 0;
    for &position in left {
        while start < right.len() && right[start] + 2 < position {
            start += 1;
        }
        for &other in &right[start..] {
            if other > position + 2 {
                break;
            }
            count += u32::from(other != position);
        }
    }
    count
}

/// Log-mean-exp in which passages without a match add exp(0) = 1, so only matched ones are visited.
#[derive(Clone, Copy, Default)]
struct Lme {
    /// Sum of exp(x) - 1.
    excess: f64,
}

impl Lme {
    #[inline(always)]
    fn add(&mut self, exponential: f64) {
        // A pasted page of text can score past the range of a double; the largest double keeps the order and stays finite.
        self.excess = (self.excess + (exponential - 1.0)).min(f64::MAX);
    }

    fn value(self, total: u32) -> f64 {
        if total == 0 { 0.0 } else { (self.excess / f64::from(total)).ln_1p() }
    }
}

/// The best passages, best first, ties by id.
#[derive(Default)]
struct Top {
    items: Vec<(u32, f64)>,
}

impl Top {
    #[inline(always)]
    fn add(&mut self, passage: u32, score: f64) {
        if self.items.len() == TOP_PASSAGES && self.items[TOP_PASSAGES - 1].1 >= score {
            return;
        }
        let at = self.items.partition_point(|item| item.1 >= score);
        self.items.insert(at, (passage, score));
        self.items.truncate(TOP_PASSAGES);
    }

    /// Mean over [`TOP_PASSAGES`]; missing ones count as 0.
    fn mean(&self) -> f64 {
        self.items.iter().map(|item| item.1).sum::<f64>() / TOP_PASSAGES as f64
    }
}
