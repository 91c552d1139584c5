//! A question as the index sees it: distinct terms, and the pairs of words that stand next to each other.

use loci_text::{expand, words};
use rustc_hash::FxHashMap;

/// A distinct term of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionTerm {
    /// The term, as the index stores it (stemmed).
    pub text: String,
    /// The word it came from, as the person wrote it.
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
                    let surface = if single { word.to_owned() } else { term.text.clone() };
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
