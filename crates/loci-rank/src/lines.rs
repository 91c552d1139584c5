//! Which words of a question stand in which lines, so that an excerpt can be cut around them.

use loci_text::{expand, tokenize, words};
use rustc_hash::FxHashMap;

/// Per text, per line (split at `\n`), the terms of the question that stand in it: numbers of [`QuestionLines::terms`],
/// ascending, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuestionLines {
    /// Distinct terms of the question, in its order.
    pub terms: Vec<String>,
    /// Texts, lines, terms.
    pub lines: Vec<Vec<Vec<u32>>>,
}

/// Finds the terms of `question` in the lines of `texts`, by the same rules as the index.
pub fn question_lines<'a>(question: &str, texts: impl IntoIterator<Item = &'a str>) -> QuestionLines {
    let mut found = QuestionLines::default();
    let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
    for token in tokenize(question) {
        let next = found.terms.len() as u32;
        if let std::collections::hash_map::Entry::Vacant(entry) = numbers.entry(token.term.clone()) {
            entry.insert(next);
            found.terms.push(token.term);
        }
    }
    // Words repeat: what a word has of the question is looked up once.
    let mut known: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
    for text in texts {
        let mut lines = Vec::new();
        for line in text.split('\n') {
            let mut terms = Vec::new();
            for word in words(line) {
                let matched = known.entry(word).or_insert_with(|| {
                    expand(word).terms.iter().filter_map(|term| numbers.get(&term.text).copied()).collect()
                });
                terms.extend_from_slice(matched);
            }
            terms.sort_unstable();
            terms.dedup();
            lines.push(terms);
        }
        found.lines.push(lines);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_found_in_any_form_the_index_knows() {
        let found = question_lines("why are signed cookies dropped?", ["a cookie\n\nsignCookie(key)", "nothing here"]);
        assert_eq!(vec!["sign", "cooki", "drop"], found.terms);
        assert_eq!(vec![vec![vec![1], vec![], vec![0, 1]], vec![vec![]]], found.lines);
        assert_eq!(QuestionLines::default(), question_lines("", []));
    }
}
