//! Turns one raw word into its terms.

use icu_properties::props::Script;
use snowball_stemmers_rs::{Algorithm, Stemmer};

use crate::class::{Case, Class, NFKC, case, class, unsegmented_script};
use crate::scan::words;
use crate::stop::{is_apostrophe, is_stop_word, strip_clitic};

/// Name and revision of the stemming algorithm; part of the signature.
pub(crate) const STEMMER: &str = "snowball-english-3.0";

/// The longest term, in characters. What is longer is data, not a name that anybody types.
const LONGEST_TERM: usize = 64;

/// A term of a word.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Term {
    /// The term: lower case, NFKC, 1 to 64 characters.
    pub text: String,
    /// Its content position inside the word, from 0. Several terms may share one: a joined form stands where its first
    /// part does.
    pub offset: u32,
}

/// What a raw word turns into.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expansion {
    /// The terms, parts before the joined form.
    pub terms: Vec<Term>,
    /// How many content positions the word occupies; every offset is below it. 0 for a stop word, a number, a hash.
    pub width: u32,
}

/// The terms of one raw word, by the rules at the top of this crate. A pure function of the word: what surrounds it does
/// not matter, so an indexer may cache the result.
///
/// A text that is no single raw word is expanded word by word, with offsets running on.
///
/// ```
/// let expansion = loci_text::expand("HTTPServer");
/// let terms: Vec<(&str, u32)> = expansion.terms.iter().map(|term| (term.text.as_str(), term.offset)).collect();
/// assert_eq!(terms, [("http", 0), ("server", 1), ("httpserver", 0)]);
/// assert_eq!(expansion.width, 2);
/// ```
pub fn expand(word: &str) -> Expansion {
    let mut expander = Expander { stemmer: Stemmer::create(Algorithm::English), out: Expansion::default() };
    if word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        // Most words by far: nothing to split.
        if !word.is_empty() {
            expander.piece(word, true);
        }
    } else if word.is_ascii() {
        words(word).for_each(|word| expander.alphabetic(word));
    } else {
        let visible: String = word.chars().filter(|&c| class(c) != Class::Ignorable).collect();
        // Normalising can make several words of one: U+FDFA is a whole sentence.
        words(&NFKC.normalize(&visible)).for_each(|word| expander.word(word));
    }
    expander.out
}

/// The words of a text as a person would write them, with identifiers cut into their pieces: lower case, not stemmed, stop words
/// kept, without joined forms. What hashes and encoded data say nobody reads, so they are left out, as from the terms.
///
/// ```
/// assert_eq!(loci_text::pieces("HTTPServer.close_idleConnections"), ["http", "server", "close", "idle", "connections"]);
/// ```
pub fn pieces(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut each = |word: &str| {
        let parts: Vec<&str> = word
            .split(|c| matches!(class(c), Class::Underscore | Class::Hyphen))
            .map(|part| part.trim_start_matches(|c| class(c) == Class::Mark))
            .filter(|part| !part.is_empty())
            .collect();
        found.extend(without_data(&parts).into_iter().flat_map(pieces_of_part));
    };
    if text.is_ascii() {
        words(text).for_each(&mut each);
    } else {
        let visible: String = text.chars().filter(|&c| class(c) != Class::Ignorable).collect();
        words(&NFKC.normalize(&visible)).for_each(&mut each);
    }
    found
}

struct Expander {
    stemmer: Stemmer,
    out: Expansion,
}

impl Expander {
    /// Cuts a normalised word into its runs of one unsegmented script and what is left between them.
    fn word(&mut self, word: &str) {
        let mut start = 0;
        let mut script: Option<Script> = None;
        for (at, c) in word.char_indices() {
            // A mark stays with its base.
            let next = if class(c) == Class::Mark { script } else { unsegmented_script(c, script) };
            if next != script {
                self.run(&word[start..at], script);
                (start, script) = (at, next);
            }
        }
        self.run(&word[start..], script);
    }

    fn run(&mut self, run: &str, script: Option<Script>) {
        match script {
            Some(_) => self.unsegmented(run),
            None => self.alphabetic(run),
        }
    }

    /// Bigrams of clusters (a character with its marks), and the run itself.
    fn unsegmented(&mut self, run: &str) {
        let mut starts: Vec<usize> =
            run.char_indices().filter(|&(_, c)| class(c) != Class::Mark).map(|(at, _)| at).collect();
        starts.push(run.len());
        let first = self.out.width;
        // `starts` holds each cluster and the end: three entries are two clusters, one bigram.
        for bounds in starts.windows(3) {
            self.push(&run[bounds[0]..bounds[2]], self.out.width);
            self.out.width += 1;
        }
        self.out.width = self.out.width.max(first + 1);
        self.push(run, first);
    }

    /// A word of an alphabet: snake_case and kebab-case parts, camelCase pieces, and the joined forms.
    fn alphabetic(&mut self, word: &str) {
        let parts: Vec<&str> = word
            .split(|c| matches!(class(c), Class::Underscore | Class::Hyphen))
            .map(|part| part.trim_start_matches(|c| class(c) == Class::Mark))
            .filter(|part| !part.is_empty())
            .collect();
        // Digit groups: 0xDEAD_beef, 1_000u32.
        let groups = parts.len() > 1 && parts[0].starts_with(|c| class(c) == Class::Digit);
        if groups && !word.contains(|c| class(c) == Class::Hyphen) && is_number(&lower(&parts.concat())) {
            return;
        }
        let parts = without_data(&parts);
        let first = self.out.width;
        let pieces: Vec<Vec<String>> =
            parts.iter().map(|part| pieces_of_part(part)).filter(|pieces| !pieces.is_empty()).collect();
        let lone = pieces.iter().map(Vec::len).sum::<usize>() == 1;
        for pieces in &pieces {
            let first = self.out.width;
            for piece in pieces {
                self.piece(piece, lone);
            }
            if pieces.len() > 1 {
                self.joined(&pieces.concat(), first);
            }
        }
        if pieces.len() > 1 {
            self.joined(&pieces.concat().concat(), first);
        }
    }

    /// One piece after all splitting.
    fn piece(&mut self, piece: &str, lone: bool) {
        // A letter that is a whole word is kept outside ASCII, where it may well be one.
        let single = bases(piece) == 1 && (!lone || piece.is_ascii());
        if single || !self.admits(piece) {
            return;
        }
        let offset = self.out.width;
        self.out.width += 1;
        self.push_stem(piece, offset);
        // The letters of `base64` are a word of their own.
        if has_digit(piece) {
            for letters in piece.split(|c| class(c) == Class::Digit) {
                let letters = letters.trim_start_matches(|c| class(c) == Class::Mark);
                if bases(letters) > 1 && self.admits(letters) {
                    self.push_stem(letters, offset);
                }
            }
        }
    }

    /// The form without borders, which is how `fooBar`, `foo_bar`, `foo-bar` and `foobar` meet.
    fn joined(&mut self, joined: &str, offset: u32) {
        if bases(joined) < 2 || !self.admits(joined) {
            return;
        }
        self.push_stem(joined, offset);
        // None of the parts was content (`to-do`): the joined form alone is.
        self.out.width = self.out.width.max(offset + 1);
    }

    fn admits(&self, piece: &str) -> bool {
        fits(piece) && !(is_number(piece) || is_hash(piece) || is_stop_word(piece))
    }

    fn push_stem(&mut self, text: &str, offset: u32) {
        if text.bytes().all(|byte| byte.is_ascii_lowercase()) {
            let stem = self.stemmer.stem(text);
            self.push(&stem, offset);
        } else {
            self.push(text, offset);
        }
    }

    fn push(&mut self, text: &str, offset: u32) {
        // Only a joined form looks back over more than its own offset, and never further than its own 64 characters.
        let mut beside = self.out.terms.iter().rev().take_while(|term| term.offset >= offset);
        if fits(text) && !beside.any(|term| term.offset == offset && term.text == text) {
            self.out.terms.push(Term { text: text.to_owned(), offset });
        }
    }
}

/// The parts that name something: without commit hashes, UUIDs and encoded data, which are dropped also from the joined form.
fn without_data<'a>(parts: &[&'a str]) -> Vec<&'a str> {
    let mut kept = Vec::with_capacity(parts.len());
    let mut rest = parts;
    while let Some((&part, after)) = rest.split_first() {
        if begins_with_uuid(rest) {
            rest = &rest[UUID.len()..];
            continue;
        }
        rest = after;
        if !(is_hash(part) || is_blob(part)) {
            kept.push(part);
        }
    }
    kept
}

/// The lengths of the parts of a UUID.
const UUID: [usize; 5] = [8, 4, 4, 4, 12];

fn begins_with_uuid(parts: &[&str]) -> bool {
    parts.len() >= UUID.len()
        && UUID
            .iter()
            .zip(parts)
            .all(|(&length, part)| part.len() == length && part.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Encoded data: longer than any term, with a digit in every 16 characters or more. Long names have fewer.
fn is_blob(part: &str) -> bool {
    let digits = part.bytes().filter(u8::is_ascii_digit).count();
    part.len() > LONGEST_TERM && part.is_ascii() && digits * 16 >= part.len()
}

/// A commit hash or another digest: 7 to 64 hexadecimal digits in which letters and digits alternate at least twice; from
/// 12 on, once is enough. So `decade`, `deadbeef`, `ed25519`, `facade1` and `cafe2024` are words.
fn is_hash(part: &str) -> bool {
    let bytes = part.as_bytes();
    if !(7..=64).contains(&bytes.len()) || !bytes.iter().all(u8::is_ascii_hexdigit) {
        return false;
    }
    let changes = bytes.windows(2).filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit()).count();
    changes >= 2 || (changes == 1 && bytes.len() >= 12)
}

/// A bare number, or a number literal of a programming language: `0x1F`, `0b101`, `0o17`, `1e10`, each but the last with a
/// type suffix (`100ul`, `1u32`).
fn is_number(lowercased: &str) -> bool {
    if !lowercased.is_ascii() {
        return lowercased.chars().all(|c| matches!(class(c), Class::Digit | Class::Mark));
    }
    if !lowercased.starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    fn after(text: &str, digit: impl Fn(u8) -> bool) -> Option<&str> {
        let length = text.bytes().take_while(|&byte| digit(byte)).count();
        (length > 0).then(|| &text[length..])
    }
    fn is_suffix(text: &str) -> bool {
        (text.len() <= 3 && text.bytes().all(|byte| matches!(byte, b'u' | b'l')))
            || (text.starts_with(['u', 'i', 'f']) && matches!(&text[1..], "8" | "16" | "32" | "64" | "128" | "size"))
    }
    for (prefix, digit) in [
        ("0x", (|byte: u8| byte.is_ascii_hexdigit()) as fn(u8) -> bool),
        ("0b", |byte| matches!(byte, b'0' | b'1')),
        ("0o", |byte| matches!(byte, b'0'..=b'7')),
    ] {
        if lowercased.strip_prefix(prefix).and_then(|digits| after(digits, digit)).is_some_and(is_suffix) {
            return true;
        }
    }
    after(lowercased, |byte| byte.is_ascii_digit()).is_some_and(|rest| {
        is_suffix(rest)
            || rest
                .strip_prefix('e')
                .and_then(|power| after(power, |byte| byte.is_ascii_digit()))
                .is_some_and(str::is_empty)
    })
}

/// The pieces of a part in lower case: cut at apostrophes and camelCase borders, without a possessive or contracted end.
fn pieces_of_part(part: &str) -> Vec<String> {
    let mut part = part;
    if part.contains(is_apostrophe) {
        let plain = lower(&part.replace(is_apostrophe, ""));
        // `don't` is `dont`, which is listed; `she'll` is not `shell`, but `she` with an end.
        if is_stop_word(&plain) {
            return vec![plain];
        }
        part = strip_clitic(part);
    }
    // `0xFF` has no camelCase border.
    if part.starts_with(|c| class(c) == Class::Digit) {
        let whole = lower(part);
        if is_number(&whole) {
            return vec![whole];
        }
    }
    // An apostrophe can stand at an end only where an unsegmented script was cut off.
    let chunks = part.split(is_apostrophe).filter(|chunk| !chunk.is_empty());
    chunks.flat_map(|chunk| camel_pieces(chunk).into_iter().map(lower)).collect()
}

/// Cuts at camelCase borders.
fn camel_pieces(chunk: &str) -> Vec<&str> {
    if chunk.is_ascii() && !chunk.bytes().skip(1).any(|byte| byte.is_ascii_uppercase()) {
        return vec![chunk];
    }
    let bases: Vec<(usize, char, Case)> =
        chunk.char_indices().filter(|&(_, c)| class(c) != Class::Mark).map(|(at, c)| (at, c, case(c))).collect();
    let case_at = |index: usize| bases.get(index).map(|&(.., case)| case);
    let mut pieces = Vec::new();
    let mut start = 0;
    // The case before the digits we stand in or behind, if any: in `base64URL` a border, in `MD5SUM` none.
    let mut before_digits = None;
    for index in 1..bases.len() {
        let (at, _, case) = bases[index];
        let previous = bases[index - 1].2;
        if case == Case::Digit && previous != Case::Digit {
            before_digits = Some(previous);
        }
        if case != Case::Upper {
            continue;
        }
        let word_begins = case_at(index + 1) == Some(Case::Lower);
        let border = match previous {
            Case::Lower => true,
            // HTTP|Server; but the plural of an acronym, `URLs`, is one piece.
            Case::Upper => {
                let plural =
                    bases.get(index + 1).is_some_and(|&(_, c, _)| c == 's') && case_at(index + 2) != Some(Case::Lower);
                word_begins && !plural
            }
            Case::Digit => word_begins || before_digits == Some(Case::Lower),
            Case::None => false,
        };
        if border {
            pieces.push(&chunk[start..at]);
            start = at;
        }
    }
    pieces.push(&chunk[start..]);
    pieces
}

/// Lower case, character by character, in NFKC: lower-casing can make a composition possible (`J` with caron has none).
/// Two characters are folded further, so that a word meets itself: final sigma, and the Turkish capital dotted I.
fn lower(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut lowered = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            'ς' => lowered.push('σ'),
            'İ' => lowered.push('i'),
            _ => lowered.extend(c.to_lowercase()),
        }
    }
    NFKC.normalize(&lowered).into_owned()
}

fn has_digit(text: &str) -> bool {
    if text.is_ascii() {
        text.bytes().any(|byte| byte.is_ascii_digit())
    } else {
        text.chars().any(|c| class(c) == Class::Digit)
    }
}

/// How many characters that are no marks.
fn bases(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    text.chars().filter(|&c| class(c) != Class::Mark).count()
}

fn fits(text: &str) -> bool {
    text.len() <= LONGEST_TERM || text.chars().take(LONGEST_TERM + 1).count() <= LONGEST_TERM
}
