//! A question as the index sees it: distinct terms, and the pairs of words that stand next to each other.

use loci_text::{expand, words};
use rustc_hash::FxHashMap;

/// A distinct term of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionTerm {
    /// The term, as the index stores it (stemmed).
    pub text: String,
    /// The word it came from, as the person wrote it; of a run of a script without spaces, the part that is the term.
    pub surface: String,
    /// How often it occurs.
    pub count: u32,
}

/// A parsed question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Question {
    /// Distinct terms, in order of first occurrence.
    pub terms: Vec<QuestionTerm>,
    /// Unordered pairs of terms (numbers in `terms`, smaller first) at neighbouring content positions, distinct.
    pub pairs: Vec<(u32, u32)>,
    /// Number of content positions.
    pub length: u32,
}

/// Scripts written without spaces (and a few others) lie from here on.
const WITHOUT_SPACES: char = '\u{e00}';

/// What a person wrote for one of several terms of `word`: the word itself (of "copy-mode" there is the piece "copi"), or
/// the term where it was cut out of a sentence without spaces, or the letters between two such runs.
fn surface(word: &str, term: &str) -> String {
    if term.starts_with(|letter| letter >= WITHOUT_SPACES) {
        return term.to_owned();
    }
    let mut spaced = word.split(|letter| letter >= WITHOUT_SPACES).filter(|run| !run.is_empty());
    match (spaced.next(), spaced.next()) {
        (Some(run), None) => run.to_owned(),
        _ => term.to_owned(),
    }
}

impl Question {
    /// Cuts a question by the same rules as the index.
    pub fn parse(text: &str) -> Self {
        let mut question = Question::default();
        let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
        let mut at: Vec<Vec<u32>> = Vec::new();
        for word in words(text) {
            let expansion = expand(word);
            let single = expansion.terms.len() == 1;
            for term in expansion.terms {
                let number = *numbers.entry(term.text.clone()).or_insert_with(|| {
                    let surface = if single { word.to_owned() } else { surface(word, &term.text) };
                    question.terms.push(QuestionTerm { text: term.text, surface, count: 0 });
                    question.terms.len() as u32 - 1
                });
                question.terms[number as usize].count += 1;
                let position = (question.length + term.offset) as usize;
                if at.len() <= position {
                    at.resize_with(position + 1, Vec::new);
                }
                at[position].push(number);
            }
            question.length += expansion.width;
        }
        for neighbours in at.windows(2) {
            for &left in &neighbours[0] {
                for &right in &neighbours[1] {
                    if left != right {
                        question.pairs.push((left.min(right), left.max(right)));
                    }
                }
            }
        }
        question.pairs.sort_unstable();
        question.pairs.dedup();
        question
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn surfaces(question: &str) -> Vec<(String, String)> {
        Question::parse(question).terms.into_iter().map(|term| (term.surface, term.text)).collect()
    }

    #[test]
    fn every_term_shows_the_word_it_was_written_in() {
        for (surface, _) in surfaces("copy-mode treeSitter") {
            assert!(["copy-mode", "treeSitter"].contains(&surface.as_str()), "{surface}");
        }
        let terms: Vec<String> = surfaces("copy-mode").into_iter().map(|(_, term)| term).collect();
        assert!(terms.contains(&"copymod".to_owned()), "{terms:?}");
    }

    #[test]
    fn a_sentence_without_spaces_is_no_word() {
        let found = surfaces("redis\u{6301}\u{4e45}\u{5316}");
        assert!(found.contains(&("redis".to_owned(), "redi".to_owned())), "{found:?}");
        assert!(found.contains(&("\u{6301}\u{4e45}".to_owned(), "\u{6301}\u{4e45}".to_owned())), "{found:?}");
    }
}
