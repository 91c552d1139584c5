//! Is this text a drawn value, or words, a placeholder, an expression?
//!
//! The measure is surprise: the cost in bits of a value under a table of letter pairs counted over identifiers and prose. Words
//! and identifiers cost about 4 bits a character, drawn characters 6 to 7; Shannon entropy alone cannot tell
//! `read_write_token_v2` from a token of the same length.

use aho_corasick::{AhoCorasick, MatchKind};
use rustc_hash::FxHashSet;

use super::rules::{Floor, RulesError, ValuesData};

const CLASSES: usize = 28;
const DIGIT: usize = 26;
const OTHER: usize = 27;
/// Bits of one digit among ten, on top of the cost of there being a digit at all.
const DIGIT_BITS: f32 = 3.32;
/// A value longer than this is a blob (an image, a bundle) and no secret, unless a vendor's rule knows it.
const LONGEST: usize = 1024;

pub(super) struct Values {
    surprise: f32,
    total: f32,
    pairs: [[f32; CLASSES]; CLASSES],
    placeholders: AhoCorasick,
    words: FxHashSet<String>,
}

impl Values {
    pub(super) fn new(data: &ValuesData) -> Result<Self, RulesError> {
        let fault = |problem: &str| RulesError::new("values", problem);
        if data.pairs.len() != CLASSES || data.pairs.iter().any(|row| row.chars().count() != CLASSES) {
            return Err(fault("`pairs` must be 28 rows of 28 digits (0-9, a-z)"));
        }
        let mut pairs = [[0.0; CLASSES]; CLASSES];
        for (row, text) in pairs.iter_mut().zip(&data.pairs) {
            for (cell, digit) in row.iter_mut().zip(text.chars()) {
                *cell = digit.to_digit(36).ok_or_else(|| fault("`pairs` holds something that is no digit 0-9, a-z"))?
                    as f32
                    / 3.0;
            }
        }
        let placeholders = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::LeftmostFirst)
            .build(&data.placeholders)
            .map_err(|error| fault(&format!("`placeholders` cannot be used: {error}")))?;
        let words = data.words.iter().map(|word| word.to_ascii_lowercase()).collect();
        Ok(Self { surprise: data.surprise, total: data.total, pairs, placeholders, words })
    }

    pub(super) fn passes(&self, floor: Floor, value: &str) -> bool {
        match floor {
            Floor::None => !self.placeholder(value),
            Floor::Password => self.password(value),
            Floor::Opaque => self.opaque(value),
        }
    }

    /// Mean bits per character, and bits in all.
    fn bits(&self, value: &str) -> (f32, f32) {
        let (mut total, mut count, mut before, mut lower) = (0.0, 0u32, OTHER, false);
        for byte in value.bytes() {
            let class = match byte {
                b'a'..=b'z' => usize::from(byte - b'a'),
                b'A'..=b'Z' => usize::from(byte - b'A'),
                b'0'..=b'9' => DIGIT,
                _ => OTHER,
            };
            // A hump of a camelCase name begins a word.
            if byte.is_ascii_uppercase() && lower {
                total += self.pairs[before][OTHER];
                before = OTHER;
            }
            lower = byte.is_ascii_lowercase();
            total += self.pairs[before][class] + if class == DIGIT { DIGIT_BITS } else { 0.0 };
            before = class;
            count += 1;
        }
        total += self.pairs[before][OTHER];
        (total / count.max(1) as f32, total)
    }

    /// Reads as a name.
    pub(super) fn wordy(&self, text: &str) -> bool {
        self.bits(text).0 < self.surprise
    }

    /// A value that says itself that it is none: `changeme`, `${TOKEN}`, `<token>`, `xxxx`, `1234567890`.
    pub(super) fn placeholder(&self, value: &str) -> bool {
        value.is_empty()
            || template(value)
            || self.reference(value)
            || monotonous(value)
            || self.placeholders.is_match(value)
            || self.only_words(value)
    }

    /// `$NAME`, `&anchor`, `*alias`: marks before something that reads as a name (and not as the crypt format `$2b$12$…`).
    fn reference(&self, value: &str) -> bool {
        value.strip_prefix(['$', '&', '*', '%', ':', '@']).is_some_and(|name| {
            name.starts_with(|character: char| character.is_ascii_alphabetic() || character == '_')
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-:".contains(&byte))
                && self.wordy(name)
        })
    }

    /// Nothing but listed words, digits and punctuation.
    fn only_words(&self, value: &str) -> bool {
        let mut any = false;
        for part in value.split(|character: char| !character.is_alphanumeric()) {
            if part.is_empty() {
                continue;
            }
            let lowered = part.to_ascii_lowercase();
            if self.words.contains(&lowered) || part.bytes().all(|byte| byte.is_ascii_digit()) {
                any = true;
                continue;
            }
            for piece in camel(part) {
                let stem = piece.trim_matches(|character: char| character.is_ascii_digit()).to_ascii_lowercase();
                if !stem.is_empty() && !self.words.contains(&stem) {
                    return false;
                }
            }
            any = true;
        }
        any
    }

    /// Long and not made of words: what a machine drew.
    pub(super) fn opaque(&self, value: &str) -> bool {
        if value.len() < 10 || value.len() > LONGEST || self.placeholder(value) || public(value) {
            return false;
        }
        if hexadecimal(value) {
            return true;
        }
        let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
        let symbols = value.bytes().filter(|byte| !byte.is_ascii_alphanumeric()).count();
        // Text and code of any language hold characters that no generator of tokens draws from.
        let drawn = value.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"'`\\<>[]{};,".contains(&byte));
        if !drawn
            || letters < 4
            || symbols * 2 > value.len()
            || shannon(value) < 2.6
            || (value.len() < 40 && call(value))
        {
            return false;
        }
        let (mean, total) = self.bits(value);
        mean >= self.surprise && total >= self.total
    }

    /// What is asked of an opaque value that is not plainly given to its name: letters and digits both, or letters of both
    /// cases in an order that no word has; code is full of names of types, which come closer to one.
    pub(super) fn drawn(&self, value: &str, code: bool) -> bool {
        let has = |test: fn(&u8) -> bool| value.bytes().any(|byte| test(&byte));
        let letters = has(u8::is_ascii_alphabetic);
        self.opaque(value)
            && ((letters && has(u8::is_ascii_digit))
                || (value.len() >= 12
                    && has(u8::is_ascii_lowercase)
                    && has(u8::is_ascii_uppercase)
                    && self.bits(value).0 >= self.surprise + if code { 0.4 } else { 0.2 }))
    }

    /// Letters together with digits or marks, as people make passwords, or opaque.
    fn password(&self, value: &str) -> bool {
        if value.len() < 6 || value.len() > 256 || self.placeholder(value) || public(value) {
            return false;
        }
        if value.starts_with(['/', '~', '.']) {
            return self.opaque(value);
        }
        // The digits of %40 are no digits of the password.
        let value = &*unescaped(value);
        // DB_PASSWORD2 is the name of a variable.
        let variable = value.contains('_')
            && value.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
        if value.len() < 6 || call(value) || (variable && self.wordy(value)) {
            return false;
        }
        let digit = value.bytes().any(|byte| byte.is_ascii_digit());
        let upper = value.bytes().any(|byte| byte.is_ascii_uppercase());
        let lower = value.bytes().any(|byte| byte.is_ascii_lowercase());
        let mark = value.bytes().any(|byte| b"!@#$%^&*+?~".contains(&byte));
        (digit && (upper || lower)) || (mark && upper && lower && !value.ends_with(['!', '?'])) || self.opaque(value)
    }
}

/// Splits `camelCase` and `HTTPServer` into their words.
pub(super) fn camel(word: &str) -> impl Iterator<Item = &str> {
    let bytes = word.as_bytes();
    let mut start = 0;
    std::iter::from_fn(move || {
        if start >= bytes.len() {
            return None;
        }
        let mut end = start + 1;
        while end < bytes.len() {
            let hump = bytes[end].is_ascii_uppercase()
                && (!bytes[end - 1].is_ascii_uppercase() || bytes.get(end + 1).is_some_and(u8::is_ascii_lowercase));
            if hump {
                break;
            }
            end += 1;
        }
        let piece = word.get(start..end).unwrap_or("");
        start = end;
        Some(piece)
    })
}

/// Shannon entropy of the bytes, in bits per character.
pub(super) fn shannon(value: &str) -> f32 {
    let mut counts = [0u32; 256];
    for byte in value.bytes() {
        counts[usize::from(byte)] += 1;
    }
    let length = value.len() as f32;
    counts
        .iter()
        .filter(|&&count| count > 0)
        .map(|&count| -(count as f32 / length) * (count as f32 / length).log2())
        .sum()
}

/// Something to be filled in, or to be computed.
fn template(value: &str) -> bool {
    const PAIRS: [(&str, &str); 8] = [
        ("${", "}"),
        ("{{", "}}"),
        ("#{", "}"),
        ("$(", ")"),
        ("%(", ")"),
        ("<%", "%>"),
        ("%{", "}"),
        ("[REDACTED", "]"),
    ];
    if PAIRS.iter().any(|(open, close)| value.find(open).is_some_and(|at| value[at..].contains(close))) {
        return true;
    }
    if value.contains("...") || value.contains('…') || value.contains("{}") || value.contains("{0}") {
        return true;
    }
    // %s between things that are no words.
    if let Some((before, rest)) = value.split_once("%s")
        && !before.ends_with(|character: char| character.is_ascii_alphanumeric() || character == '%')
        && !rest.starts_with(|character: char| character.is_ascii_alphanumeric())
    {
        return true;
    }
    let name = |text: &[u8]| {
        !text.is_empty() && text.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_.-:".contains(byte))
    };
    match value.as_bytes() {
        [b'<', .., b'>'] | [b'{', .., b'}'] | [b'[', .., b']'] | [b'(', .., b')'] => true,
        [b'%', inner @ .., b'%'] | [b'@', inner @ .., b'@'] | [b'_', inner @ .., b'_'] | [b':', inner @ .., b':'] => {
            name(inner) || name(inner.strip_prefix(b"@").and_then(|inner| inner.strip_suffix(b"@")).unwrap_or(b""))
        }
        bytes => bytes.len() < 2,
    }
}

/// Runs of one character, and rows such as `abcdef`, `654321`.
fn monotonous(value: &str) -> bool {
    let bytes = value.as_bytes();
    let (mut run, mut steps, mut pairs) = (1, 0, 0);
    for pair in bytes.windows(2) {
        let (a, b) = (pair[0].to_ascii_lowercase(), pair[1].to_ascii_lowercase());
        run = if pair[0] == pair[1] { run + 1 } else { 1 };
        let marked = matches!(a, b'x' | b'*' | b'.' | b'_' | b'-' | b'#');
        if run >= 8 || (marked && (run >= 5 || (run >= 3 && bytes.len() <= 12))) {
            return true;
        }
        if a.is_ascii_alphanumeric() && b.is_ascii_alphanumeric() {
            pairs += 1;
            steps += usize::from(a.abs_diff(b) <= 1);
        }
    }
    // Two thirds of the pairs side by side in the alphabet do not come by chance.
    pairs >= 3 && steps * 3 >= pairs * 2
}

/// `name(…)`: something that is called.
fn call(value: &str) -> bool {
    value.find('(').is_some_and(|open| {
        open > 0 && value.as_bytes()[open - 1].is_ascii_alphanumeric() && value[open..].contains(')')
    })
}

/// Without its `%40`.
fn unescaped(value: &str) -> std::borrow::Cow<'_, str> {
    let mut rest = value;
    let mut kept = String::new();
    while let Some(at) = rest.find('%') {
        let escape = rest.as_bytes().get(at + 1..at + 3).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        kept.push_str(&rest[..at]);
        kept.push(if escape { '@' } else { '%' });
        rest = &rest[at + if escape { 3 } else { 1 }..];
    }
    if rest.len() == value.len() {
        return value.into();
    }
    kept.push_str(rest);
    kept.into()
}

/// 16 or more hexadecimal digits of both sorts, as one run or in the groups of a UUID.
fn hexadecimal(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_hexdigit).count();
    let rest = value.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-' || byte == b':');
    let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    rest && digits >= 16 && digits * 5 >= value.len() * 4 && letters >= 2 && letters < digits && shannon(value) >= 2.6
}

/// Values that are public by their form: versions, addresses, paths, digests, public keys, images.
fn public(value: &str) -> bool {
    if value.bytes().any(|byte| byte.is_ascii_whitespace()) {
        return true;
    }
    const STARTS: [&str; 20] = [
        "sha1-",
        "sha256-",
        "sha384-",
        "sha512-",
        "sha1:",
        "sha256:",
        "sha384:",
        "sha512:",
        "md5:",
        "data:",
        "ssh-",
        "ecdsa-",
        "AAAAB3NzaC1",
        "AAAAC3NzaC1",
        "arn:",
        "urn:",
        "ENC[",
        "vault:",
        "./",
        "../",
    ];
    if STARTS.iter().any(|start| value.starts_with(start)) || value.contains("://") {
        return true;
    }
    // package@1.2.3
    if value.rsplit_once('@').is_some_and(|(name, rest)| {
        !name.is_empty() && rest.contains('.') && rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    }) {
        return true;
    }
    // v1.2.3-rc.1, >=2.0, 10.0.0.1
    let version = value.trim_start_matches(['v', 'V', '^', '~', '>', '<', '=']);
    if let Some((major, rest)) = version.split_once('.')
        && !major.is_empty()
        && major.bytes().all(|byte| byte.is_ascii_digit())
        && rest.starts_with(|character: char| character.is_ascii_digit())
        && version.len() < 32
    {
        return true;
    }
    // someone@host.tld
    if let Some((user, host)) = value.split_once('@')
        && !user.is_empty()
        && let Some((domain, top)) = host.rsplit_once('.')
        && domain.len() >= 3
        && (2..=6).contains(&top.len())
        && top.bytes().all(|byte| byte.is_ascii_lowercase())
        && user.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._+-".contains(&byte))
    {
        return true;
    }
    // A file's name.
    if let Some((stem, extension)) = value.rsplit_once('.')
        && !stem.is_empty()
        && (1..=5).contains(&extension.len())
        && extension.bytes().all(|byte| byte.is_ascii_lowercase())
        && (stem.contains('/') || stem.contains('-') || stem.contains('_') || extension.len() >= 2)
    {
        return true;
    }
    false
}

/// Decodes standard base64, with or without padding; `None` where it is none.
pub(super) fn base64(text: &str) -> Option<Vec<u8>> {
    let (mut bits, mut held, mut bytes) = (0u32, 0u32, Vec::with_capacity(text.len() * 3 / 4));
    for byte in text.trim_end_matches('=').bytes() {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(digit);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    Some(bytes)
}
