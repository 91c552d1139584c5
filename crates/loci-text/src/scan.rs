//! Finds the raw words of a text: one pass, no allocation, table-driven on ASCII.

use crate::class::{ALPHANUMERIC, ASCII, Class, class};

/// The raw words of a text in order, as slices of it. Made by [`words`].
#[derive(Clone, Debug)]
pub struct Words<'a> {
    text: &'a str,
    at: usize,
}

/// Iterates over the raw words of `text`: maximal runs of letters, digits and combining marks, joined by `_`, by a `-`
/// between two of them, and by an apostrophe between two letters. Everything else separates.
///
/// Where a word begins and ends depends on nothing but its own characters and the two beside it, so a caller may cache
/// [`expand`](crate::expand) by word.
///
/// ```
/// let words: Vec<&str> = loci_text::words("self.max_retries = don't/re-try --fast __init__").collect();
/// assert_eq!(words, ["self", "max_retries", "don't", "re-try", "fast", "init"]);
/// ```
pub fn words(text: &str) -> Words<'_> {
    Words { text, at: 0 }
}

impl<'a> Words<'a> {
    /// Class and length in bytes of the character at byte `at`; the end of the text is a separator of length 0.
    #[inline]
    fn class_at(&self, at: usize) -> (Class, usize) {
        match self.text.as_bytes().get(at) {
            None => (Class::Separator, 0),
            Some(&byte) if byte < 0x80 => (ASCII[byte as usize], 1),
            Some(_) => self.text[at..].chars().next().map_or((Class::Separator, 0), |c| (class(c), c.len_utf8())),
        }
    }

    /// The first position from `at` on whose class is not among `skipped`, and its class.
    fn skip_past(&self, mut at: usize, skipped: &[Class]) -> (usize, Class) {
        loop {
            let (class, length) = self.class_at(at);
            if !skipped.contains(&class) {
                return (at, class);
            }
            at += length;
        }
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let bytes = self.text.as_bytes();
        let mut at = self.at;
        // A word begins at a letter or a digit: never at a mark, which has lost its base, nor at a connector.
        let start = loop {
            let Some(&byte) = bytes.get(at) else {
                self.at = bytes.len();
                return None;
            };
            if ALPHANUMERIC[byte as usize] {
                break at;
            }
            if byte < 0x80 {
                at += 1;
                continue;
            }
            let (class, length) = self.class_at(at);
            if class.is_alphanumeric() {
                break at;
            }
            at += length;
        };
        let mut end = start;
        // What the word ends in so far: always a letter, a digit or a mark, since a connector is only taken together
        // with what it connects.
        let mut last = Class::Letter;
        loop {
            let from = at;
            while bytes.get(at).is_some_and(|&byte| ALPHANUMERIC[byte as usize]) {
                at += 1;
            }
            if at > from {
                end = at;
                last = ASCII[bytes[at - 1] as usize];
            }
            let (class, length) = self.class_at(at);
            match class {
                Class::Letter | Class::Digit | Class::Mark => {
                    at += length;
                    end = at;
                    last = class;
                }
                Class::Ignorable => at += length,
                Class::Underscore => {
                    let (next, class) = self.skip_past(at, &[Class::Underscore, Class::Mark, Class::Ignorable]);
                    if !class.is_alphanumeric() {
                        break;
                    }
                    at = next;
                }
                Class::Hyphen => {
                    let (next, class) = self.skip_past(at + length, &[Class::Ignorable]);
                    if !class.is_alphanumeric() {
                        break;
                    }
                    at = next;
                }
                Class::Apostrophe => {
                    let (next, class) = self.skip_past(at + length, &[Class::Ignorable]);
                    if last == Class::Digit || class != Class::Letter {
                        break;
                    }
                    at = next;
                }
                Class::Separator => break,
            }
        }
        self.at = at;
        Some(&self.text[start..end])
    }
}

impl std::iter::FusedIterator for Words<'_> {}
