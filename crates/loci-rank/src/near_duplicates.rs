//! Near-identical passages of one lane: shown once, and where else they stand.
//!
//! A file that was copied and a commit that was picked into another line say the same thing several times over, and would
//! push out what says something else.

use loci_index::{Segment, SegmentError};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

use crate::lanes::{Hit, Source};

/// Tokens in a row that are compared as one.
const RUN: usize = 3;
/// The part of the runs of two passages that both have, from which on they are the same. A short passage with any other
/// word is another one: one word of 30 is in 3 of 28 runs, which leaves 25 / 31.
const SAME: f64 = 0.9;
/// Hits of a lane that are compared, whatever its length, so that a shorter answer is the beginning of a longer one.
pub(crate) const POOL: usize = 40;

/// How many hits have to be ranked for a lane of `k`.
pub(crate) fn pool(k: usize) -> usize {
    if k == 0 { 0 } else { POOL.max(2 * k) }
}

/// The first `k` sources of `hits` (best first), each standing where the best of its near-duplicates stood.
///
/// `may_be_same`: whether two passages are worth comparing. `preference`: of near-duplicates the one with the largest is cited, ties
/// going to the better hit.
pub(crate) fn collapse<P: Ord>(
    segment: &Segment,
    hits: &[Hit],
    k: usize,
    may_be_same: impl Fn(u32, u32) -> bool,
    preference: impl Fn(u32) -> P,
) -> Result<Vec<Source>, SegmentError> {
    let pairs: Vec<(usize, usize)> = (0..hits.len())
        .flat_map(|later| (0..later).map(move |earlier| (earlier, later)))
        .filter(|&(earlier, later)| may_be_same(hits[earlier].passage, hits[later].passage))
        .collect();
    let mut wanted: Vec<u32> = pairs.iter().flat_map(|&(a, b)| [hits[a].passage, hits[b].passage]).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let mut runs: FxHashMap<u32, Vec<u64>> = FxHashMap::default();
    segment.for_texts(&wanted, |passage, text| {
        runs.insert(passage, runs_of(&text.text));
    })?;
    // All are near-duplicates of the best of them: a chain of small differences does not join what is far apart.
    let mut leader: Vec<usize> = (0..hits.len()).collect();
    for (earlier, later) in pairs {
        if leader[earlier] == earlier
            && leader[later] == later
            && same(&runs[&hits[earlier].passage], &runs[&hits[later].passage])
        {
            leader[later] = earlier;
        }
    }
    Ok((0..hits.len())
        .filter(|&first| leader[first] == first)
        .take(k)
        .map(|first| {
            let members = || (first..hits.len()).filter(|&member| leader[member] == first);
            let cited = members()
                .max_by_key(|&member| (preference(hits[member].passage), std::cmp::Reverse(member)))
                .unwrap_or(first);
            Source {
                passage: hits[cited].passage,
                score: hits[first].score,
                dense: hits[cited].dense,
                also_at: members().filter(|&member| member != cited).map(|member| hits[member].passage).collect(),
            }
        })
        .collect())
}

/// The runs of tokens of a text as hashes, sorted, without duplicates: words as they are written, and other characters one
/// by one, since `<` and `>` make a difference. Spaces make none.
fn runs_of(text: &str) -> Vec<u64> {
    let mut tokens: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        let end = if word > 0 { word } else { first.len_utf8() };
        if !first.is_whitespace() {
            tokens.push(&rest[..end]);
        }
        rest = &rest[end..];
    }
    let mut runs: Vec<u64> = if tokens.len() < RUN {
        if tokens.is_empty() { Vec::new() } else { vec![hashed(&tokens)] }
    } else {
        tokens.windows(RUN).map(hashed).collect()
    };
    runs.sort_unstable();
    runs.dedup();
    runs
}

fn hashed(run: &[&str]) -> u64 {
    let mut hasher = FxHasher::default();
    run.hash(&mut hasher);
    hasher.finish()
}

/// Whether two lists of runs are those of the same passage. A passage without any is like no other.
fn same(one: &[u64], other: &[u64]) -> bool {
    let (mut a, mut b, mut shared) = (0, 0, 0usize);
    while a < one.len() && b < other.len() {
        match one[a].cmp(&other[b]) {
            std::cmp::Ordering::Less => a += 1,
            std::cmp::Ordering::Greater => b += 1,
            std::cmp::Ordering::Equal => {
                shared += 1;
                a += 1;
                b += 1;
            }
        }
    }
    shared > 0 && shared as f64 >= SAME * (one.len() + other.len() - shared) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use loci_index::SegmentWriter;
    use std::collections::HashSet;

    /// Runs as the words themselves, and the share of those that both have.
    fn oracle(one: &str, other: &str) -> bool {
        let runs = |text: &str| -> HashSet<Vec<String>> {
            let mut tokens: Vec<String> = Vec::new();
            let mut word = String::new();
            for c in text.chars().chain([' ']) {
                if c.is_alphanumeric() {
                    word.push(c);
                    continue;
                }
                if !word.is_empty() {
                    tokens.push(std::mem::take(&mut word));
                }
                if !c.is_whitespace() {
                    tokens.push(c.to_string());
                }
            }
            match tokens.len() {
                0 => HashSet::new(),
                1..RUN => HashSet::from([tokens]),
                _ => tokens.windows(RUN).map(<[String]>::to_vec).collect(),
            }
        };
        let (one, other) = (runs(one), runs(other));
        let both = one.intersection(&other).count();
        both > 0 && both as f64 >= SAME * one.union(&other).count() as f64
    }

    proptest::proptest! {
        #[test]
        fn same_is_the_share_of_common_runs(
            words in proptest::collection::vec("[ab<é]{1,2}", 0..60),
            other in proptest::option::of(proptest::collection::vec("[ab<é]{1,2}", 0..4)),
            at in 0usize..60,
        ) {
            let one = words.join(" ");
            let mut changed = words.clone();
            if let Some(other) = other {
                changed.splice(at.min(words.len())..at.min(words.len()), other);
            }
            let two = changed.join("  ");
            let found = same(&runs_of(&one), &runs_of(&two));
            proptest::prop_assert_eq!(oracle(&one, &two), found);
            proptest::prop_assert_eq!(found, same(&runs_of(&two), &runs_of(&one)));
        }
    }

    fn hit(passage: u32, score: f32) -> Hit {
        Hit { passage, score, dense: 0.0 }
    }

    #[test]
    fn the_preferred_near_duplicate_is_cited_where_the_best_one_stood() {
        let long = (0..200).map(|n| format!("word{n}")).collect::<Vec<_>>().join(" ");
        let nearly = long.replace("word100", "other");
        let texts = ["if a < b", &long, "if a > b", &nearly, "if  a\n< b"];
        let writer = SegmentWriter::from_texts(texts, "rules");
        let segment = Segment::from_bytes(&writer.encode().expect("encodes").bytes).expect("opens");
        let hits: Vec<Hit> = (0u32..).zip([5.0, 4.0, 3.0, 2.0, 1.0]).map(|(n, score)| hit(n, score)).collect();
        let found = collapse(&segment, &hits, 10, |_, _| true, |passage| passage == 3).expect("reads");
        let seen: Vec<(u32, f32, &[u32])> = found.iter().map(|s| (s.passage, s.score, &*s.also_at)).collect();
        assert_eq!(vec![(0, 5.0, &[4][..]), (3, 4.0, &[1][..]), (2, 3.0, &[][..])], seen);
        let first = collapse(&segment, &hits, 1, |_, _| true, |passage| passage == 3).expect("reads");
        assert_eq!(found[..1], first[..]);
        let apart = collapse(&segment, &hits, 10, |_, _| false, |_| 0).expect("reads");
        assert_eq!(
            hits.iter().map(|hit| hit.passage).collect::<Vec<_>>(),
            apart.iter().map(|s| s.passage).collect::<Vec<_>>()
        );
    }

    #[test]
    fn what_has_no_words_is_like_nothing() {
        assert!(!same(&runs_of(" \n"), &runs_of("\t")));
        assert!(same(&runs_of("a"), &runs_of(" a ")));
        assert!(!same(&runs_of("v1.2.3"), &runs_of("v1.2.4")));
    }
}
