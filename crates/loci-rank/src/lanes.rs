//! Ranking inside one scope: a lane of files and a lane of commits, each with its own arithmetic.
//!
//! Formulas and weights are those of docs/science.md (Retrieval): fitted ratios that stayed the same in every fold.
//! Scores of files and of commits do not compare, so each lane is ranked alone and only their order is merged.

use std::cmp::Reverse;

use loci_collect::{Role, is_changelog, role_of};
use loci_index::{PassageKind, Posting, Segment, SegmentError};
use loci_text::{expand, words};
use rustc_hash::FxHashMap;

use crate::bm25;
use crate::near_duplicates::{collapse, pool};
use crate::spelling::{JOINED_WEIGHT, NEAR_HELD, NEAR_WEIGHT, in_two_parts, joined, may_be_slip, neighbours};

/// A BM25F variant: saturation, and weight and length normalisation per field (body, head, path).
struct Variant {
    k1: f32,
    weights: [f32; 3],
    b: [f32; 3],
}

/// Per field the length normalisation as base + slope x length.
type Slopes = [(f32, f32); 3];

impl Variant {
    fn slopes(&self, averages: &[f32; 3]) -> Slopes {
        std::array::from_fn(|field| (1.0 - self.b[field], self.b[field] / averages[field]))
    }

    #[inline(always)]
    fn weigh(&self, slopes: &Slopes, counts: [u32; 3], lengths: &[u16]) -> f32 {
        let mut frequency = 0.0;
        for field in 0..3 {
            if counts[field] > 0 && self.weights[field] > 0.0 {
                let (base, slope) = slopes[field];
                frequency += self.weights[field] * counts[field] as f32 / (base + slope * f32::from(lengths[field]));
            }
        }
        bm25::saturate((self.k1 + 1.0) * frequency, frequency, self.k1)
    }
}

/// The best passage of a file, and the score of commits.
const PASSAGE: Variant = Variant { k1: 0.9, weights: [1.0, 0.0, 1.0], b: [0.4, 0.0, 0.3] };
/// The second-best passage of a file, and the commits that vote for files.
const HEADED: Variant = Variant { k1: 1.2, weights: [1.0, 2.0, 1.0], b: [0.6, 0.3, 0.3] };
/// A file as the document of the messages of all commits that touched it.
const HISTORY_K1: f32 = 1.2;
const HISTORY_B: f32 = 0.75;

/// Weights of the normalised parts of a file's score.
const SECOND_WEIGHT: f32 = 0.5;
const LINK_WEIGHT: f32 = 0.6;
const HISTORY_WEIGHT: f32 = 0.4;
/// What a file loses for standing in a role that seldom holds the answer.
const TEST_PENALTY: f32 = 0.8;
const SIDE_PENALTY: f32 = 0.25;

/// Commits that touch more files say little about each of them.
const MAX_TOUCHED: u32 = 30;
/// Commits whose files get a vote.
const VOTING_COMMITS: usize = 50;

/// Terms of a question whose presence in a passage is noted; what a longer one says beyond them counts in the scores only.
const NOTED_TERMS: usize = 64;
/// Best hits of a lane among which the one that holds most of the question is looked for.
const HOLDING_HITS: usize = 3;

/// A passage with its score within a lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hit {
    pub(crate) passage: u32,
    pub(crate) score: f32,
    /// The dense score of the passage; 0 where it said nothing.
    pub(crate) dense: f32,
}

/// One ranked source: a file, cited by its best passage, or a commit.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// The passage to cite. Of near-identical ones the newest, leaving aside those of a role that seldom holds the answer.
    pub passage: u32,
    /// Score within its lane: the best of those of near-identical passages.
    pub score: f32,
    /// The dense score of the passage; 0 where it said nothing.
    pub dense: f32,
    /// Near-identical passages of other sources of the lane, best first.
    pub also_at: Vec<u32>,
}

/// Dense scores, such as those of a ranker over vectors, to be fused with those of this crate.
#[derive(Clone, Copy, Debug)]
pub struct DenseScores<'a> {
    /// One per passage of the segment, in its order; 0, less or NaN where it says nothing.
    pub scores: &'a [f32],
    /// Weight of its best score of a file beside the other parts of the file's score, of which the best passage weighs 1.
    pub file_weight: f32,
    /// Weight of its score of a commit, whose own weighs 1.
    pub commit_weight: f32,
}

impl DenseScores<'_> {
    fn of(&self, passage: u32) -> f32 {
        // `max` also turns NaN into 0.
        self.scores.get(passage as usize).copied().unwrap_or(0.0).max(0.0)
    }
}

/// Both lanes, best first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lanes {
    /// Files, each once.
    pub files: Vec<Source>,
    /// Commits, each once.
    pub commits: Vec<Source>,
    /// The best score that one passage of any file reaches under the formula of the commit lane, so that the two can be
    /// set against each other.
    pub best_passage: f32,
    /// The best score of a commit under that formula alone.
    pub best_commit: f32,
    /// The largest part of the question, by the weight of its words in this scope, that one of the best hits holds: from 0
    /// to 1. A word that the scope does not know weighs most, and what looks like it counts less than half of it.
    pub held: f32,
}

/// Where a word of the question stands.
enum Found {
    Term(u32),
    /// An unknown word in two parts.
    Parts(Vec<Posting>),
}

/// Something to look for, for one or two words of the question.
struct Wanted {
    found: Found,
    /// What it is worth, the reduction of a guess included.
    idf: f32,
    /// The reduction alone: 1 for the word itself.
    factor: f32,
    /// Bits of the question's terms that it stands for.
    terms: u64,
}

/// A question as one segment sees it.
struct Asked {
    wanted: Vec<Wanted>,
    /// Per distinct term its weight, that of a term in no passage where the scope does not know it.
    weights: Vec<f32>,
}

/// What a segment needs for ranking beside itself; made once per open segment.
#[derive(Debug)]
pub struct Ranker {
    /// Of [`PASSAGE`] and of [`HEADED`].
    slopes: [Slopes; 2],
    /// Per path number the file with that path, or `NO_FILE`.
    file_of_path: Vec<u32>,
    penalties: Vec<f32>,
    /// Per file: length of its history document, weighted like its counts.
    history_lengths: Vec<f32>,
    history_average: f32,
    /// Number of files that at least one small commit touched.
    files_with_history: u32,
    /// Per file: author time of the newest commit that touched it; the least where none is known.
    touched_at: Vec<i64>,
}

const NO_FILE: u32 = u32::MAX;

impl Ranker {
    /// Prepares ranking of `segment`.
    pub fn new(segment: &Segment) -> Self {
        let passages = segment.passage_count().max(1) as f32;
        let averages =
            segment.header().field_totals.map(|total| if total == 0 { 1.0 } else { total as f32 / passages });
        let mut file_of_path = vec![NO_FILE; segment.path_count()];
        let mut penalties = Vec::with_capacity(segment.file_count() as usize);
        for (file, &path) in (0u32..).zip(segment.file_paths()) {
            file_of_path[path as usize] = file;
            let path = segment.path_at(path);
            penalties.push(match role_of(path) {
                Role::Test => TEST_PENALTY,
                Role::Docs | Role::Example => SIDE_PENALTY,
                _ if is_changelog(path) => SIDE_PENALTY,
                _ => 0.0,
            });
        }
        let mut history_lengths = vec![0f32; segment.file_count() as usize];
        let first = segment.passages_of(PassageKind::Commit).start;
        let mut touched_at = vec![i64::MIN; segment.file_count() as usize];
        for commit in 0..segment.commit_count() {
            let (authored, _) = segment.commit_times(commit);
            for &path in segment.touched(commit) {
                if let Some(newest) = touched_at.get_mut(file_of_path[path as usize] as usize) {
                    *newest = authored.max(*newest);
                }
            }
            let Some(share) = share_of(segment, commit) else { continue };
            let length = f32::from(segment.lengths(first + commit)[0]) * share;
            for &path in segment.touched(commit) {
                if let Some(length_of_file) = history_lengths.get_mut(file_of_path[path as usize] as usize) {
                    *length_of_file += length;
                }
            }
        }
        let files_with_history = history_lengths.iter().filter(|length| **length > 0.0).count() as u32;
        let total: f32 = history_lengths.iter().sum();
        Self {
            slopes: [PASSAGE.slopes(&averages), HEADED.slopes(&averages)],
            file_of_path,
            penalties,
            history_lengths,
            history_average: if files_with_history == 0 { 1.0 } else { total / files_with_history as f32 },
            files_with_history,
            touched_at,
        }
    }

    /// Ranks the sources of `segment` for `question`: at most `k` files and `k` commits. Empty lanes are an answer too.
    ///
    /// Without dense scores, and where all are 0, the ranking is by words alone.
    ///
    /// # Errors
    /// [`SegmentError::Damaged`] when a posting list does not decode.
    pub fn search(
        &self,
        segment: &Segment,
        question: &str,
        k: usize,
        dense: Option<DenseScores<'_>>,
    ) -> Result<Lanes, SegmentError> {
        let asked = Asked::of(segment, question)?;
        let passages = segment.passage_count() as usize;
        let mut tallies = Tallies {
            by_passage: vec![0f32; passages],
            by_head: vec![0f32; passages],
            exact: vec![0u64; passages],
            near: vec![0u64; passages],
            history: vec![0f32; segment.file_count() as usize],
        };
        let mut occurrences: FxHashMap<u32, f32> = FxHashMap::default();
        for wanted in &asked.wanted {
            occurrences.clear();
            match &wanted.found {
                Found::Term(term) => {
                    let mut postings = segment.postings(*term);
                    while let Some(posting) = postings.next_posting()? {
                        self.count(segment, wanted, posting, &mut tallies, &mut occurrences);
                    }
                }
                Found::Parts(postings) => {
                    for &posting in postings {
                        self.count(segment, wanted, posting, &mut tallies, &mut occurrences);
                    }
                }
            }
            let df = occurrences.len() as f32;
            let idf = wanted.factor * bm25::idf((self.files_with_history as f32).max(df), df);
            // A map's order may differ, but each file is added to once per term, so the sums do not.
            for (&file, &frequency) in &occurrences {
                let length = self.history_lengths[file as usize] / self.history_average;
                let norm = HISTORY_K1 * (1.0 - HISTORY_B + HISTORY_B * length);
                tallies.history[file as usize] += bm25::saturate(idf * (HISTORY_K1 + 1.0) * frequency, frequency, norm);
            }
        }

        let first_commit = segment.passages_of(PassageKind::Commit).start;
        let dense = dense.filter(|dense| (0..segment.passage_count()).any(|passage| dense.of(passage) > 0.0));
        let best_passage = tallies.by_passage[..first_commit as usize].iter().copied().fold(0.0, f32::max);
        let best_commit = tallies.by_passage[first_commit as usize..].iter().copied().fold(0.0, f32::max);
        let commits = rank_commits(segment, &tallies.by_passage, best_commit, dense, pool(k));
        let files = self.rank_files(segment, &tallies, dense, pool(k));
        let held = asked.held(&tallies, [&files, &commits]);
        let may_be_same = |one: u32, other: u32| {
            let lengths = [one, other].map(|passage| segment.lengths(passage)[0]);
            let held = [one, other].map(|passage| tallies.exact[passage as usize]);
            // What holds another word of the question is another answer, so most pairs need not be read.
            10 * u32::from(lengths[0].abs_diff(lengths[1])) <= u32::from(lengths[0].max(lengths[1]))
                && (held[0] & !held[1] == 0 || held[1] & !held[0] == 0)
        };
        let files = collapse(segment, &files, k, may_be_same, |passage| {
            let file = segment.owner(passage) as usize;
            (Reverse((self.penalties[file] * 100.0) as u32), self.touched_at[file])
        })?;
        let commits = collapse(segment, &commits, k, may_be_same, |p| segment.commit_times(p - first_commit).0)?;
        Ok(Lanes { files, commits, best_passage, best_commit, held })
    }

    #[inline(always)]
    fn count(
        &self,
        segment: &Segment,
        wanted: &Wanted,
        posting: Posting,
        tallies: &mut Tallies,
        occurrences: &mut FxHashMap<u32, f32>,
    ) {
        let at = posting.passage as usize;
        let counts = [posting.body, posting.head, posting.path];
        let lengths = &segment.all_lengths()[3 * at..3 * at + 3];
        tallies.by_passage[at] += wanted.idf * PASSAGE.weigh(&self.slopes[0], counts, lengths);
        tallies.by_head[at] += wanted.idf * HEADED.weigh(&self.slopes[1], counts, lengths);
        if wanted.factor < 1.0 {
            tallies.near[at] |= wanted.terms;
        } else {
            tallies.exact[at] |= wanted.terms;
        }
        let first_commit = segment.passages_of(PassageKind::Commit).start;
        if posting.passage >= first_commit
            && let commit = posting.passage - first_commit
            && let Some(share) = share_of(segment, commit).filter(|_| posting.body > 0)
        {
            for &path in segment.touched(commit) {
                let file = self.file_of_path[path as usize];
                if file != NO_FILE {
                    *occurrences.entry(file).or_default() += posting.body as f32 * share;
                }
            }
        }
    }

    fn rank_files(&self, segment: &Segment, tallies: &Tallies, dense: Option<DenseScores<'_>>, k: usize) -> Vec<Hit> {
        let Tallies { by_passage, by_head, history, .. } = tallies;
        let files = segment.file_count() as usize;
        let first_commit = segment.passages_of(PassageKind::Commit).start;
        let mut best_passage = vec![(0f32, u32::MAX); files];
        let mut two_heads = vec![(0f32, 0f32); files];
        for passage in 0..first_commit {
            let file = segment.owner(passage) as usize;
            let score = by_passage[passage as usize];
            if score > best_passage[file].0 {
                best_passage[file] = (score, passage);
            }
            let headed = by_head[passage as usize];
            let (first, second) = &mut two_heads[file];
            if headed > *first {
                (*first, *second) = (headed, *first);
            } else if headed > *second {
                *second = headed;
            }
        }
        let mut link = vec![0f32; files];
        let voters = best(
            VOTING_COMMITS,
            (first_commit..segment.passage_count()).map(|p| Hit { passage: p, score: by_head[p as usize], dense: 0.0 }),
        );
        if let Some(strongest) = voters.first().map(|hit| hit.score) {
            for voter in &voters {
                let commit = voter.passage - first_commit;
                let Some(share) = share_of(segment, commit) else { continue };
                for &path in segment.touched(commit) {
                    let file = self.file_of_path[path as usize];
                    if file != NO_FILE {
                        link[file as usize] += (voter.score / strongest).powi(4) * share;
                    }
                }
            }
        }
        for value in &mut link {
            *value = value.ln_1p();
        }
        let top = |values: &mut dyn Iterator<Item = f32>| values.fold(0f32, f32::max).max(f32::MIN_POSITIVE);
        let best_of_all = top(&mut best_passage.iter().map(|item| item.0));
        let second_of_all = top(&mut two_heads.iter().map(|item| item.1));
        let link_of_all = top(&mut link.iter().copied());
        let history_of_all = top(&mut history.iter().copied());
        // The best dense score of each file, and the passage that words and dense score together speak for most.
        let mut meant = vec![0f32; if dense.is_some() { files } else { 0 }];
        if let Some(dense) = dense {
            let dense_of_all = top(&mut (0..first_commit).map(|passage| dense.of(passage)));
            let mut spoken = vec![0f32; files];
            for passage in 0..first_commit {
                let file = segment.owner(passage) as usize;
                let value = dense.of(passage) / dense_of_all;
                meant[file] = meant[file].max(value);
                let both = by_passage[passage as usize] / best_of_all + dense.file_weight * value;
                if both > spoken[file] {
                    spoken[file] = both;
                    best_passage[file].1 = passage;
                }
            }
        }
        best(
            k,
            (0..files).filter(|&file| best_passage[file].1 != u32::MAX).map(|file| {
                let mut score = best_passage[file].0 / best_of_all
                    + SECOND_WEIGHT * two_heads[file].1 / second_of_all
                    + LINK_WEIGHT * link[file] / link_of_all
                    + HISTORY_WEIGHT * history[file] / history_of_all
                    - self.penalties[file];
                let passage = best_passage[file].1;
                let mut said = 0.0;
                if let Some(dense) = dense {
                    score += dense.file_weight * meant[file];
                    said = dense.of(passage);
                }
                Hit { passage, score, dense: said }
            }),
        )
    }
}

/// Sums per passage and per file.
struct Tallies {
    by_passage: Vec<f32>,
    by_head: Vec<f32>,
    /// Bits of the question's terms that a passage holds, and of those that it holds something like.
    exact: Vec<u64>,
    near: Vec<u64>,
    history: Vec<f32>,
}

/// The commit lane: BM25F, in its own unit, with the dense scores where there are some.
fn rank_commits(
    segment: &Segment,
    by_passage: &[f32],
    best_commit: f32,
    dense: Option<DenseScores<'_>>,
    k: usize,
) -> Vec<Hit> {
    let commits = segment.passages_of(PassageKind::Commit);
    let by_words = |passage: u32| by_passage[passage as usize];
    let strongest = dense.map_or(0.0, |dense| commits.clone().map(|p| dense.of(p)).fold(0f32, f32::max));
    let Some(dense) = dense.filter(|dense| strongest > 0.0 && dense.commit_weight > 0.0) else {
        return best(k, commits.map(|passage| Hit { passage, score: by_words(passage), dense: 0.0 }));
    };
    // Weights of the rankers that produced something sum to one, and the best commit by words keeps the lane's unit.
    let (weight_of_words, unit) = if best_commit > 0.0 { (1.0, best_commit) } else { (0.0, 1.0) };
    let total = weight_of_words + dense.commit_weight;
    best(
        k,
        commits.map(|passage| {
            let said = dense.of(passage);
            let score =
                unit * (weight_of_words * by_words(passage) / unit + dense.commit_weight * said / strongest) / total;
            Hit { passage, score, dense: said }
        }),
    )
}

impl Asked {
    /// The distinct terms of a question, each as the segment knows it or, where it does not, as it may have meant it.
    fn of(segment: &Segment, question: &str) -> Result<Self, SegmentError> {
        let total = segment.passage_count() as f32;
        let mut asked = Asked { wanted: Vec::new(), weights: Vec::new() };
        let mut numbers: FxHashMap<String, usize> = FxHashMap::default();
        // The word before, with its terms; also a stop word (`log in`).
        let mut before: Option<(&str, u64)> = None;
        for word in words(question) {
            let expansion = expand(word);
            let single = expansion.terms.len() == 1;
            let mut bits = 0u64;
            for term in expansion.terms {
                let next = asked.weights.len();
                let number = *numbers.entry(term.text.clone()).or_insert(next);
                let bit = if number < NOTED_TERMS { 1 << number } else { 0 };
                bits |= bit;
                if number < next {
                    continue;
                }
                let known = segment.find(&term.text);
                asked.weights.push(bm25::idf(total, known.map_or(0.0, |known| segment.df(known) as f32)));
                if let Some(known) = known {
                    asked.want(total, segment.df(known), 1.0, bit, Found::Term(known));
                }
                if known.is_none_or(|known| may_be_slip(segment, known)) {
                    asked.guess(segment, word, &term.text, known.is_some() || !single, bit)?;
                }
            }
            if let Some((left, left_bits)) = before
                && let Some(term) = joined(segment, left, word)
                && !numbers.contains_key(segment.term(term))
            {
                asked.want(total, segment.df(term), JOINED_WEIGHT, left_bits | bits, Found::Term(term));
            }
            before = Some((word, bits));
        }
        Ok(asked)
    }

    /// Looks for an unknown or very rare term in other spellings. `whole`: not in two parts.
    fn guess(&mut self, segment: &Segment, word: &str, term: &str, whole: bool, bit: u64) -> Result<(), SegmentError> {
        let total = segment.passage_count() as f32;
        if !whole {
            let postings = in_two_parts(segment, word)?;
            if !postings.is_empty() {
                self.want(total, postings.len() as u32, JOINED_WEIGHT, bit, Found::Parts(postings));
                return Ok(());
            }
        }
        for near in neighbours(segment, term) {
            self.want(total, segment.df(near), NEAR_WEIGHT, bit, Found::Term(near));
        }
        Ok(())
    }

    fn want(&mut self, total: f32, df: u32, factor: f32, terms: u64, found: Found) {
        self.wanted.push(Wanted { found, idf: factor * bm25::idf(total, df as f32), factor, terms });
    }

    fn held(&self, tallies: &Tallies, lanes: [&[Hit]; 2]) -> f32 {
        let noted = &self.weights[..self.weights.len().min(NOTED_TERMS)];
        let total: f32 = noted.iter().sum();
        if total <= 0.0 {
            return 0.0;
        }
        let of = |hit: &Hit| -> f32 {
            let (exact, near) = (tallies.exact[hit.passage as usize], tallies.near[hit.passage as usize]);
            noted
                .iter()
                .enumerate()
                .map(|(term, weight)| match (exact >> term & 1, near >> term & 1) {
                    (1, _) => *weight,
                    (_, 1) => NEAR_HELD * weight,
                    _ => 0.0,
                })
                .sum()
        };
        lanes.iter().flat_map(|hits| hits.iter().take(HOLDING_HITS)).map(of).fold(0.0, f32::max) / total
    }
}

/// The part of a commit that one of its files gets; `None` when it touched none or too many.
fn share_of(segment: &Segment, commit: u32) -> Option<f32> {
    let files = segment.commit_file_count(commit);
    (1..=MAX_TOUCHED).contains(&files).then(|| 1.0 / (files as f32).sqrt())
}

/// The `k` best hits; ties by passage. What matches nothing has the score 0 and is left out.
fn best(k: usize, hits: impl Iterator<Item = Hit>) -> Vec<Hit> {
    let mut hits: Vec<Hit> = hits.filter(|hit| hit.score != 0.0).collect();
    let order = |a: &Hit, b: &Hit| b.score.total_cmp(&a.score).then(a.passage.cmp(&b.passage));
    if hits.len() > k && k > 0 {
        hits.select_nth_unstable_by(k - 1, order);
    }
    hits.truncate(k);
    hits.sort_unstable_by(order);
    hits
}
