//! What a scope calls a word that it does not know: joined words, words written apart, and slips of the pen.
//!
//! Only words that the scope never uses, or next to never, are looked up, and only in the scope's own vocabulary. What is
//! found is a guess and counts as one: see `NEAR_WEIGHT`.

use loci_index::{Posting, Segment, SegmentError};
use loci_text::expand;

/// What a passage gets for a word that merely looks like the one asked for. Two words of each of 120 questions misspelt:
/// the evidence is among the first ten for 89 % (0.4: 87.5 %, none: 86.7 %); three words of 140 commit subjects of another
/// corpus: 84 % (83 %, 77 %), with nothing else of this module. The figures of questions without slips do not change.
pub(crate) const NEAR_WEIGHT: f32 = 0.6;
/// How much of such a word counts as held when it is asked whether a question is grounded: below one half, so that
/// look-alikes alone are never half of a question.
pub(crate) const NEAR_HELD: f32 = 0.4;
/// What a passage gets for two words of the question written as one. Between 0.2 and 0.5 two of 260 questions move, each by
/// one place; with 1 the first place loses three.
pub(crate) const JOINED_WEIGHT: f32 = 0.35;
/// (letters, edits): a term of at least so many letters is found with so many edits.
const EDITS: [(usize, usize); 2] = [(9, 2), (5, 1)];
/// The shortest half of a word that is looked up in two parts.
const SHORTEST_PART: usize = 3;
/// A term in more passages than this is no slip: somebody means it.
const RARE_PASSAGES: u32 = 3;
/// A rare term is taken for a slip only where the scope uses its neighbour this many times as often.
const TIMES_COMMONER: u32 = 20;
/// Neighbours taken for one word: the most frequent ones.
const NEIGHBOURS: usize = 2;
/// From here on lie the scripts without spaces, whose terms are pieces of sentences.
const WITHOUT_SPACES: char = '\u{e00}';

/// Neighbours of a term in the scope's vocabulary: the same first letter and the fewest edits (a letter more, less, other,
/// or two exchanged), the most frequent first. Empty where the term is too short or nothing is near.
///
/// Terms stand in the segment by their bytes, so those of one letter are one range to go through. An index of n-grams would
/// have to be stored, and nothing would be seen of it: an answer does not become slower with this.
pub(crate) fn neighbours(segment: &Segment, term: &str) -> Vec<u32> {
    let letters: Vec<char> = term.chars().collect();
    if !letters.iter().all(|&letter| letter.is_alphabetic() && letter < WITHOUT_SPACES) {
        return Vec::new();
    }
    let Some(&(_, mut bound)) = EDITS.iter().find(|(least, _)| letters.len() >= *least) else { return Vec::new() };
    let own = segment.find(term);
    let used = own.map_or(0, |own| segment.df(own));
    if own.is_some() {
        // Somebody wrote it: only the nearest of all may be what was meant.
        bound = 1;
    }
    let initial = &term[..letters[0].len_utf8()];
    let wanted = bag(term.as_bytes());
    let mut rows = Rows::default();
    let mut candidate: Vec<char> = Vec::new();
    let mut found: Vec<u32> = Vec::new();
    for number in segment.terms_from(initial) {
        let text = segment.term_bytes(number);
        if !text.starts_with(initial.as_bytes()) {
            break;
        }
        // Each edit adds at most one letter to the bag and takes one away. Cheap, and nearly everything ends here.
        if text.len().abs_diff(term.len()) > 4 * bound || (bag(text) ^ wanted).count_ones() as usize > 2 * bound {
            continue;
        }
        if Some(number) == own || segment.df(number) < used.saturating_mul(TIMES_COMMONER) {
            continue;
        }
        candidate.clear();
        candidate.extend(segment.term(number).chars());
        if let Some(edits) = rows.distance(&letters, &candidate, bound) {
            if edits < bound {
                bound = edits;
                found.clear();
            }
            found.push(number);
        }
    }
    found.sort_by_key(|&number| (std::cmp::Reverse(segment.df(number)), number));
    found.truncate(NEIGHBOURS);
    found
}

/// Whether a term is so rare in its scope that it may be a slip of the pen.
pub(crate) fn may_be_slip(segment: &Segment, term: u32) -> bool {
    segment.df(term) <= RARE_PASSAGES
}

/// The passages in which an unknown word stands in two parts: of all ways to cut it, the one whose parts share most
/// passages. Both parts have to be terms of the scope.
pub(crate) fn in_two_parts(segment: &Segment, word: &str) -> Result<Vec<Posting>, SegmentError> {
    let mut best = Vec::new();
    if !word.bytes().all(|byte| byte.is_ascii_lowercase()) || word.len() < 2 * SHORTEST_PART {
        return Ok(best);
    }
    for cut in SHORTEST_PART..=word.len() - SHORTEST_PART {
        let parts = [&word[..cut], &word[cut..]].map(|part| only_term(part).and_then(|term| segment.find(&term)));
        if let [Some(left), Some(right)] = parts
            && left != right
        {
            let both = shared(segment, left, right)?;
            if both.len() > best.len() {
                best = both;
            }
        }
    }
    Ok(best)
}

/// The term of two neighbouring words written as one, where the scope writes them so.
pub(crate) fn joined(segment: &Segment, left: &str, right: &str) -> Option<u32> {
    let plain = |word: &str| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_alphabetic());
    if !plain(left) || !plain(right) {
        return None;
    }
    let word = format!("{left}{right}").to_ascii_lowercase();
    segment.find(&only_term(&word)?)
}

fn only_term(word: &str) -> Option<String> {
    let mut terms = expand(word).terms;
    (terms.len() == 1).then(|| terms.remove(0).text)
}

/// Passages with both terms, each counted as often as the rarer of the two stands there.
fn shared(segment: &Segment, left: u32, right: u32) -> Result<Vec<Posting>, SegmentError> {
    let (mut lefts, mut rights) = (segment.postings(left), segment.postings(right));
    let (mut a, mut b) = (lefts.next_posting()?, rights.next_posting()?);
    let mut both = Vec::new();
    while let (Some(one), Some(other)) = (a, b) {
        match one.passage.cmp(&other.passage) {
            std::cmp::Ordering::Less => a = lefts.next_posting()?,
            std::cmp::Ordering::Greater => b = rights.next_posting()?,
            std::cmp::Ordering::Equal => {
                both.push(Posting {
                    passage: one.passage,
                    body: one.body.min(other.body),
                    head: one.head.min(other.head),
                    path: one.path.min(other.path),
                });
                (a, b) = (lefts.next_posting()?, rights.next_posting()?);
            }
        }
    }
    // Words that share a passage in different fields only (one in its path, one in its text) do not stand together.
    both.retain(|posting| posting.body + posting.head + posting.path > 0);
    Ok(both)
}

/// Which letters a term has, as bits.
fn bag(text: &[u8]) -> u32 {
    text.iter().fold(0, |bits, byte| bits | 1 << (byte & 31))
}

/// Room for the distance of two terms, reused between calls.
#[derive(Default)]
struct Rows {
    before: Vec<usize>,
    last: Vec<usize>,
    row: Vec<usize>,
}

impl Rows {
    /// Edits between two words (optimal string alignment); `None` above `bound`.
    fn distance(&mut self, one: &[char], other: &[char], bound: usize) -> Option<usize> {
        if one.len().abs_diff(other.len()) > bound {
            return None;
        }
        self.last.clear();
        self.last.extend(0..=other.len());
        self.before.clear();
        for i in 1..=one.len() {
            self.row.clear();
            self.row.push(i);
            let mut least = i;
            for j in 1..=other.len() {
                let replaced = self.last[j - 1] + usize::from(one[i - 1] != other[j - 1]);
                let mut edits = replaced.min(self.last[j] + 1).min(self.row[j - 1] + 1);
                if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                    edits = edits.min(self.before[j - 2] + 1);
                }
                least = least.min(edits);
                self.row.push(edits);
            }
            if least > bound {
                return None;
            }
            std::mem::swap(&mut self.before, &mut self.last);
            std::mem::swap(&mut self.last, &mut self.row);
        }
        Some(self.last[other.len()]).filter(|edits| *edits <= bound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loci_index::SegmentWriter;

    fn segment(texts: &[&str]) -> Segment {
        let writer = SegmentWriter::from_texts(texts.iter().copied(), "rules");
        Segment::from_bytes(&writer.encode().expect("encodes").bytes).expect("opens")
    }

    fn near(segment: &Segment, term: &str) -> Vec<String> {
        neighbours(segment, term).into_iter().map(|number| segment.term(number).to_owned()).collect()
    }

    /// Plain Damerau-Levenshtein (optimal string alignment) over the whole table.
    fn oracle(one: &[char], other: &[char]) -> usize {
        let mut table = vec![vec![0; other.len() + 1]; one.len() + 1];
        for (i, row) in table.iter_mut().enumerate() {
            row[0] = i;
        }
        for (j, cell) in table[0].iter_mut().enumerate() {
            *cell = j;
        }
        for i in 1..=one.len() {
            for j in 1..=other.len() {
                let same = usize::from(one[i - 1] != other[j - 1]);
                table[i][j] = (table[i - 1][j - 1] + same).min(table[i - 1][j] + 1).min(table[i][j - 1] + 1);
                if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                    table[i][j] = table[i][j].min(table[i - 2][j - 2] + 1);
                }
            }
        }
        table[one.len()][other.len()]
    }

    proptest::proptest! {
        #[test]
        fn bounded_distance_is_the_plain_one(one in "[abc]{0,8}", other in "[abc]{0,8}", bound in 0usize..4) {
            let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
            let expected = Some(oracle(&one, &other)).filter(|edits| *edits <= bound);
            proptest::prop_assert_eq!(expected, Rows::default().distance(&one, &other, bound));
        }
    }

    #[test]
    fn a_slip_finds_the_word_that_the_scope_uses() {
        let scope = segment(&["retrieve the parcel", "received", "to relieve", "normalize"]);
        assert_eq!(vec!["retriev"], near(&scope, "retreiv"));
        assert_eq!(vec!["normal"], near(&scope, "norml"));
        // Four letters are one edit from too many words, and a first letter is seldom wrong.
        assert!(near(&scope, "retr").is_empty());
        assert!(near(&scope, "tetriev").is_empty());
        assert!(near(&scope, "xyzzyfrob").is_empty());
    }

    #[test]
    fn a_word_that_somebody_means_has_no_neighbours() {
        let mut texts = vec!["retrieve it"; 40];
        texts.push("we retreive it");
        let scope = segment(&texts);
        let slip = scope.find("retreiv").expect("written once");
        assert!(may_be_slip(&scope, slip));
        assert_eq!(vec!["retriev"], near(&scope, "retreiv"));
        assert!(!may_be_slip(&scope, scope.find("retriev").expect("common")));
        assert!(near(&scope, "retriev").is_empty());
    }

    #[test]
    fn other_alphabets_have_slips_and_scripts_without_spaces_have_none() {
        let scope = segment(&["проверка подписи", "数据库连接池管理"]);
        assert_eq!(vec!["проверка"], near(&scope, "проверкя"));
        assert!(near(&scope, "数据库连接池官理").is_empty());
    }

    #[test]
    fn words_meet_joined_and_apart() {
        let scope = segment(&["the websocket closes", "opens a web page on its socket", "a web page"]);
        assert_eq!(scope.find("websocket"), joined(&scope, "Web", "socket"));
        assert_eq!(None, joined(&scope, "web", "page"));
        let apart = segment(&["opens a web page on its socket", "a web page", "a socket"]);
        let found = in_two_parts(&apart, "websocket").expect("reads");
        assert_eq!(vec![0], found.iter().map(|posting| posting.passage).collect::<Vec<_>>());
        assert!(in_two_parts(&apart, "webhook").expect("reads").is_empty());
    }
}
