//! The words that carry no subject.

/// Articles, pronouns, determiners, prepositions, auxiliaries, question words, conjunctions, negations, and contractions
/// written without their apostrophe. Closed classes only: a word that can name a thing or an action in code (`get`, `set`,
/// `use`, `new`, `call`, `down`, `next`, `self`, `none`, `just` ...) is not here. Sorted, one line a letter.
#[rustfmt::skip]
pub(crate) const STOP_WORDS: &[&str] = &[
    "a", "about", "after", "against", "aint", "all", "although", "am", "among", "an", "and", "another", "any", "anybody", "anyone", "anything", "are", "arent", "around", "as", "at",
    "be", "because", "been", "before", "being", "between", "both", "but", "by",
    "can", "cannot", "cant", "could", "couldnt",
    "did", "didnt", "do", "does", "doesnt", "doing", "dont", "during",
    "each", "either", "every", "everybody", "everyone", "everything",
    "few", "for", "from",
    "had", "hadnt", "has", "hasnt", "have", "havent", "having", "he", "her", "here", "hers", "herself", "him", "himself", "his", "how", "however",
    "i", "if", "im", "in", "into", "is", "isnt", "it", "its", "itself", "ive",
    "many", "may", "me", "might", "mightnt", "more", "most", "much", "must", "mustnt", "my", "myself",
    "neednt", "neither", "no", "nobody", "nor", "not", "nothing",
    "of", "off", "on", "onto", "or", "other", "others", "ought", "our", "ours", "ourselves", "out", "over",
    "per",
    "several", "shall", "shant", "she", "should", "shouldnt", "since", "so", "some", "somebody", "someone", "something", "such",
    "than", "that", "thats", "the", "their", "theirs", "them", "themselves", "then", "there", "theres", "these", "they", "theyre", "theyve", "this", "those", "though", "through", "to", "toward", "towards",
    "under", "unless", "until", "up", "upon", "us",
    "via",
    "was", "wasnt", "we", "were", "werent", "weve", "what", "whatever", "whats", "when", "whenever", "where", "whereas", "wherever", "whether", "which", "whichever", "while", "who", "whoever", "whom", "whos", "whose", "why", "will", "with", "within", "without", "wont", "would", "wouldnt",
    "yet", "you", "your", "youre", "yours", "yourself", "yourselves", "youve",
];

/// The length of the longest stop word: most words are no stop words, and many of them are longer.
const LONGEST: usize = 10;

/// What may follow an apostrophe at the end of an English word without being part of its name.
const CLITICS: [&str; 6] = ["s", "ll", "re", "ve", "d", "m"];

/// Whether a word in lower case is a stop word, which has no term, no position and no share in the length of a passage.
///
/// `not`, `no` and `without` are stop words: term evidence cannot tell a statement from its negation, and counting them
/// only favours passages that negate a lot. A contraction is one when what it contracts is one.
///
/// ```
/// assert!(loci_text::is_stop_word("the") && loci_text::is_stop_word("don't") && loci_text::is_stop_word("she'll"));
/// assert!(!loci_text::is_stop_word("get") && !loci_text::is_stop_word("server's"));
/// ```
pub fn is_stop_word(lowercased: &str) -> bool {
    if listed(lowercased) {
        return true;
    }
    lowercased.contains(is_apostrophe)
        && (listed(&lowercased.replace(is_apostrophe, "")) || listed(strip_clitic(lowercased)))
}

/// Where the words of each letter end in [`STOP_WORDS`]: every piece of every word is looked up, and most letters have few.
const ENDS: [usize; 26] = {
    let mut ends = [0; 26];
    let (mut letter, mut index) = (0, 0);
    while letter < 26 {
        while index < STOP_WORDS.len() && STOP_WORDS[index].as_bytes()[0] == b'a' + letter as u8 {
            index += 1;
        }
        ends[letter] = index;
        letter += 1;
    }
    ends
};

fn listed(word: &str) -> bool {
    match word.as_bytes().first() {
        Some(first @ b'a'..=b'z') if word.len() <= LONGEST => {
            let letter = usize::from(first - b'a');
            let start = if letter == 0 { 0 } else { ENDS[letter - 1] };
            STOP_WORDS[start..ENDS[letter]].contains(&word)
        }
        _ => false,
    }
}

/// The word without `'s`, `'ll`, `'re`, `'ve`, `'d`, `'m` at its end, in any case.
pub(crate) fn strip_clitic(word: &str) -> &str {
    match word.rfind(is_apostrophe) {
        Some(at) => {
            let clitic = word[at..].trim_start_matches(is_apostrophe);
            if CLITICS.iter().any(|known| known.eq_ignore_ascii_case(clitic)) { &word[..at] } else { word }
        }
        None => word,
    }
}

pub(crate) fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_and_lower_case() {
        assert!(STOP_WORDS.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(STOP_WORDS.iter().all(|word| is_stop_word(word)));
        assert_eq!(Some(LONGEST), STOP_WORDS.iter().map(|word| word.len()).max());
        assert!(STOP_WORDS.iter().all(|word| word.bytes().all(|byte| byte.is_ascii_lowercase())));
    }

    #[test]
    fn negations_and_contractions_are_stop_words_and_content_is_not() {
        for word in
            ["not", "no", "without", "don't", "don’t", "can't", "it's", "we'll", "she'll", "they're", "i'm", "who's"]
        {
            assert!(is_stop_word(word), "{word}");
        }
        for word in [
            "use", "get", "set", "work", "new", "call", "next", "self", "user's", "o'reilly", "shell", "und", "der",
            "''", "",
        ] {
            assert!(!is_stop_word(word), "{word}");
        }
    }
}
