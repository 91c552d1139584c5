//! Ranking inside one scope: a lane of files and a lane of commits, each with its own arithmetic.
//!
//! Formulas and weights are those of SCIENCE 2.3: fitted ratios that stayed the same in every fold. Scores of files and
//! of commits are not comparable, so the lanes are ranked apart and only their order is merged.

use loci_collect::{Aisle, aisle_of, is_changelog};
use loci_lexical::{PassageKind, Segment, SegmentError};
use loci_text::tokenize;
use rustc_hash::FxHashMap;

/// A BM25F variant: saturation, and weight and length normalisation per field (body, head, path).
struct Variant {
    k1: f32,
    weights: [f32; 3],
    b: [f32; 3],
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
/// What a file loses for standing in an aisle that seldom holds the answer.
const TEST_PENALTY: f32 = 0.8;
const SIDE_PENALTY: f32 = 0.25;

/// Commits that touch more files say little about each of them.
const MAX_TOUCHED: u32 = 30;
/// Commits whose files get a vote.
const VOTING_COMMITS: usize = 50;

/// One ranked source: a file, cited by its best passage, or a commit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The passage to cite.
    pub passage: u32,
    /// Score within its lane.
    pub score: f32,
}

/// Both lanes, best first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lanes {
    /// One hit per file.
    pub files: Vec<Hit>,
    /// One hit per commit.
    pub commits: Vec<Hit>,
    /// The best score that one passage of any file reaches under the formula of the commit lane, so that the two can be
    /// set against each other.
    pub best_passage: f32,
}

struct Scored {
    term: u32,
    idf: f32,
}

/// What a segment needs for ranking beside itself; made once per open segment.
#[derive(Debug)]
pub struct Ranker {
    averages: [f32; 3],
    /// Per path number the file with that path, or `NO_FILE`.
    file_of_path: Vec<u32>,
    penalties: Vec<f32>,
    /// Per file: length of its history document, weighted like its counts.
    history_lengths: Vec<f32>,
    history_average: f32,
    /// Number of files that at least one small commit touched.
    files_with_history: u32,
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
            penalties.push(match aisle_of(path) {
                Aisle::Test => TEST_PENALTY,
                Aisle::Docs | Aisle::Example => SIDE_PENALTY,
                _ if is_changelog(path) => SIDE_PENALTY,
                _ => 0.0,
            });
        }
        let mut history_lengths = vec![0f32; segment.file_count() as usize];
        let first = segment.passages_of(PassageKind::Commit).start;
        for commit in 0..segment.commit_count() {
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
            averages,
            file_of_path,
            penalties,
            history_lengths,
            history_average: if files_with_history == 0 { 1.0 } else { total / files_with_history as f32 },
            files_with_history,
        }
    }

    /// Ranks the sources of `segment` for `question`: at most `k` files and `k` commits. Empty lanes are an answer too.
    ///
    /// # Errors
    /// [`SegmentError::Damaged`] when a posting list does not decode.
    pub fn search(&self, segment: &Segment, question: &str, k: usize) -> Result<Lanes, SegmentError> {
        let scored = terms_of(segment, question);
        let passages = segment.passage_count() as usize;
        let mut by_passage = vec![0f32; passages];
        let mut by_head = vec![0f32; passages];
        let slopes = |variant: &Variant| -> [(f32, f32); 3] {
            std::array::from_fn(|field| (1.0 - variant.b[field], variant.b[field] / self.averages[field]))
        };
        let (passage_slopes, head_slopes) = (slopes(&PASSAGE), slopes(&HEADED));
        let weigh = |variant: &Variant, slopes: &[(f32, f32); 3], counts: [u32; 3], lengths: &[u16]| -> f32 {
            let mut frequency = 0.0;
            for field in 0..3 {
                if counts[field] > 0 && variant.weights[field] > 0.0 {
                    let (base, slope) = slopes[field];
                    frequency +=
                        variant.weights[field] * counts[field] as f32 / (base + slope * f32::from(lengths[field]));
                }
            }
            (variant.k1 + 1.0) * frequency / (frequency + variant.k1)
        };
        let lengths = segment.all_lengths();
        let first_commit = segment.passages_of(PassageKind::Commit).start;
        let mut history = vec![0f32; segment.file_count() as usize];
        let mut occurrences: FxHashMap<u32, f32> = FxHashMap::default();
        for &Scored { term, idf } in &scored {
            occurrences.clear();
            let mut postings = segment.postings(term);
            while let Some(posting) = postings.next_posting()? {
                let at = posting.passage as usize;
                let counts = [posting.body, posting.head, posting.path];
                let lengths = &lengths[3 * at..3 * at + 3];
                by_passage[at] += idf * weigh(&PASSAGE, &passage_slopes, counts, lengths);
                by_head[at] += idf * weigh(&HEADED, &head_slopes, counts, lengths);
                if posting.passage >= first_commit {
                    let commit = posting.passage - first_commit;
                    if let Some(share) = share_of(segment, commit).filter(|_| posting.body > 0) {
                        for &path in segment.touched(commit) {
                            let file = self.file_of_path[path as usize];
                            if file != NO_FILE {
                                *occurrences.entry(file).or_default() += posting.body as f32 * share;
                            }
                        }
                    }
                }
            }
            let df = occurrences.len() as f32;
            let idf = (1.0 + (self.files_with_history as f32 - df + 0.5).max(0.0) / (df + 0.5)).ln();
            // A map's order may differ, but each file is added to once per term, so the sums do not.
            for (&file, &frequency) in &occurrences {
                let length = self.history_lengths[file as usize] / self.history_average;
                let norm = HISTORY_K1 * (1.0 - HISTORY_B + HISTORY_B * length);
                history[file as usize] += idf * (HISTORY_K1 + 1.0) * frequency / (frequency + norm);
            }
        }

        let commits = best(k, (first_commit..segment.passage_count()).map(|p| (p, by_passage[p as usize])));
        let files = self.rank_files(segment, &by_passage, &by_head, &history, k);
        let best_passage = by_passage[..first_commit as usize].iter().copied().fold(0.0, f32::max);
        Ok(Lanes { files, commits, best_passage })
    }

    fn rank_files(
        &self,
        segment: &Segment,
        by_passage: &[f32],
        by_head: &[f32],
        history: &[f32],
        k: usize,
    ) -> Vec<Hit> {
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
        let voters = best(VOTING_COMMITS, (first_commit..segment.passage_count()).map(|p| (p, by_head[p as usize])));
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
        best(
            k,
            (0..files).filter(|&file| best_passage[file].1 != u32::MAX).map(|file| {
                let score = best_passage[file].0 / best_of_all
                    + SECOND_WEIGHT * two_heads[file].1 / second_of_all
                    + LINK_WEIGHT * link[file] / link_of_all
                    + HISTORY_WEIGHT * history[file] / history_of_all
                    - self.penalties[file];
                (best_passage[file].1, score)
            }),
        )
    }
}

/// The terms of a question that the segment knows, each once, with their weight.
fn terms_of(segment: &Segment, question: &str) -> Vec<Scored> {
    let total = segment.passage_count() as f32;
    let mut scored: Vec<Scored> = Vec::new();
    for token in tokenize(question) {
        if let Some(term) = segment.find(&token.term)
            && scored.iter().all(|known| known.term != term)
        {
            let df = segment.df(term) as f32;
            scored.push(Scored { term, idf: (1.0 + (total - df + 0.5) / (df + 0.5)).ln() });
        }
    }
    scored
}

/// The part of a commit that one of its files gets; `None` when it touched none or too many.
fn share_of(segment: &Segment, commit: u32) -> Option<f32> {
    let files = segment.commit_file_count(commit);
    (1..=MAX_TOUCHED).contains(&files).then(|| 1.0 / (files as f32).sqrt())
}

/// The `k` best of (passage, score) pairs; ties by passage. Scores of commits that match nothing are 0 and left out.
fn best(k: usize, scores: impl Iterator<Item = (u32, f32)>) -> Vec<Hit> {
    let mut hits: Vec<Hit> =
        scores.filter(|item| item.1 != 0.0).map(|(passage, score)| Hit { passage, score }).collect();
    let order = |a: &Hit, b: &Hit| b.score.total_cmp(&a.score).then(a.passage.cmp(&b.passage));
    if hits.len() > k && k > 0 {
        hits.select_nth_unstable_by(k - 1, order);
    }
    hits.truncate(k);
    hits.sort_unstable_by(order);
    hits
}
