//! What a character is to the tokenizer: its class, its case, and the script run it belongs to.
//!
//! ASCII is answered from a table; everything else from ICU4X, so that general categories, scripts and NFKC all follow
//! one Unicode version.

use icu_normalizer::{ComposingNormalizer, ComposingNormalizerBorrowed};
use icu_properties::props::{GeneralCategory, Script};
use icu_properties::{CodePointMapData, CodePointMapDataBorrowed};

/// The Unicode version of the ICU4X tables. Part of the signature; a test notices when the tables have moved on.
pub(crate) const UNICODE_VERSION: &str = "18.0";

const CATEGORIES: CodePointMapDataBorrowed<'static, GeneralCategory> = CodePointMapData::<GeneralCategory>::new();
const SCRIPTS: CodePointMapDataBorrowed<'static, Script> = CodePointMapData::<Script>::new();

/// NFKC, the form every term is in.
pub(crate) const NFKC: ComposingNormalizerBorrowed<'static> = ComposingNormalizer::new_nfkc();

/// What a character does to the word it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Class {
    /// Ends a word.
    Separator,
    /// A letter (general category L or Nl).
    Letter,
    /// A digit or another number sign (Nd, No).
    Digit,
    /// A combining mark (M): continues a word, never begins one.
    Mark,
    /// `_`
    Underscore,
    /// `-`, U+2010, U+2011
    Hyphen,
    /// `'`, U+2019
    Apostrophe,
    /// Invisible (soft hyphen, zero-width joiner, variation selector ...): as if it were not there.
    Ignorable,
}

impl Class {
    /// Whether a word can begin with this class.
    pub(crate) fn is_alphanumeric(self) -> bool {
        matches!(self, Class::Letter | Class::Digit)
    }
}

/// The classes of the ASCII bytes; what stands above 127 is no character of its own and is never read.
pub(crate) const ASCII: [Class; 256] = {
    let mut table = [Class::Separator; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' => Class::Letter,
            b'0'..=b'9' => Class::Digit,
            b'_' => Class::Underscore,
            b'-' => Class::Hyphen,
            b'\'' => Class::Apostrophe,
            _ => Class::Separator,
        };
        byte += 1;
    }
    table
};

/// Whether the byte is an ASCII letter or digit: the scanner's innermost question.
pub(crate) const ALPHANUMERIC: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = (byte as u8).is_ascii_alphanumeric();
        byte += 1;
    }
    table
};

/// The class of a character.
pub(crate) fn class(c: char) -> Class {
    if c.is_ascii() { ASCII[c as usize] } else { class_beyond_ascii(c) }
}

fn class_beyond_ascii(c: char) -> Class {
    use GeneralCategory as G;
    match CATEGORIES.get(c) {
        G::UppercaseLetter
        | G::LowercaseLetter
        | G::TitlecaseLetter
        | G::ModifierLetter
        | G::OtherLetter
        | G::LetterNumber => Class::Letter,
        G::DecimalNumber | G::OtherNumber => Class::Digit,
        G::NonspacingMark if is_selector(c) => Class::Ignorable,
        G::NonspacingMark | G::SpacingMark | G::EnclosingMark => Class::Mark,
        // A zero-width space is where an unsegmented script may be broken: the one invisible sign that means something.
        G::Format if c == '\u{200B}' => Class::Separator,
        G::Format => Class::Ignorable,
        G::Unassigned
        | G::Control
        | G::PrivateUse
        | G::Surrogate
        | G::SpaceSeparator
        | G::LineSeparator
        | G::ParagraphSeparator => Class::Separator,
        _ => match c {
            '\u{2010}' | '\u{2011}' => Class::Hyphen,
            '\u{2019}' => Class::Apostrophe,
            _ => class_of_compatible_sign(c),
        },
    }
}

/// A sign that NFKC turns into something else counts as what it turns into (fullwidth `_`, the square `kg`, `TM`): only
/// so do a text and its normal form have the same words.
fn class_of_compatible_sign(c: char) -> Class {
    let mut buffer = [0; 4];
    let sign: &str = c.encode_utf8(&mut buffer);
    let normal = NFKC.normalize(sign);
    if normal == sign {
        return Class::Separator;
    }
    let mut characters = normal.chars();
    match (characters.next(), characters.next()) {
        (Some(only), None) => class(only),
        _ if normal.chars().any(|c| class(c).is_alphanumeric()) => Class::Letter,
        _ => Class::Separator,
    }
}

/// Variation selectors and the combining grapheme joiner: marks by category, but they change no word.
fn is_selector(c: char) -> bool {
    matches!(c, '\u{034F}' | '\u{180B}'..='\u{180D}' | '\u{180F}' | '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}')
}

/// What a character is at a camelCase border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    /// Upper or title case.
    Upper,
    /// Lower case.
    Lower,
    /// A digit.
    Digit,
    /// A letter without case.
    None,
}

/// The case of a letter or digit.
pub(crate) fn case(c: char) -> Case {
    use GeneralCategory as G;
    match c {
        'a'..='z' => Case::Lower,
        'A'..='Z' => Case::Upper,
        '0'..='9' => Case::Digit,
        _ => match CATEGORIES.get(c) {
            G::UppercaseLetter | G::TitlecaseLetter => Case::Upper,
            G::LowercaseLetter => Case::Lower,
            G::DecimalNumber | G::OtherNumber => Case::Digit,
            _ => Case::None,
        },
    }
}

/// Scripts written without spaces between words, beside Chinese, Japanese and Korean: those whose line breaks need a
/// dictionary (Unicode line break class SA), and the syllabic ones of the same habit.
const UNSEGMENTED: [Script; 20] = [
    Script::Han,
    Script::Hiragana,
    Script::Katakana,
    Script::Hangul,
    Script::Thai,
    Script::Lao,
    Script::Khmer,
    Script::Myanmar,
    Script::TaiLe,
    Script::NewTaiLue,
    Script::TaiTham,
    Script::TaiViet,
    Script::Ahom,
    Script::Balinese,
    Script::Javanese,
    Script::Bopomofo,
    Script::Yi,
    Script::Tangut,
    Script::Nushu,
    Script::KhitanSmallScript,
];

/// The unsegmented script of a letter, or `None` for a letter of an alphabet, a digit or a connector.
pub(crate) fn unsegmented_script(c: char, before: Option<Script>) -> Option<Script> {
    // Thai is the first of them in the code charts.
    if c < '\u{0E00}' {
        return None;
    }
    // The prolonged sound mark belongs to both kana.
    if c == '\u{30FC}' {
        return if before == Some(Script::Hiragana) { before } else { Some(Script::Katakana) };
    }
    if class(c) != Class::Letter {
        return None;
    }
    let script = SCRIPTS.get(c);
    UNSEGMENTED.contains(&script).then_some(script)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_those_of_the_unicode_version_in_the_signature() {
        // FNV-1a over class and run of every character. A new release of the tables changes it: then set UNICODE_VERSION
        // to the new version (indexes are rebuilt) and put the new value here.
        let mut hash = crate::signature::Fnv::default();
        for c in '\0'..=char::MAX {
            hash.write(&[class(c) as u8, u8::from(unsegmented_script(c, None).is_some()), case(c) as u8]);
        }
        assert_eq!((UNICODE_VERSION, hash.hex().as_str()), ("18.0", "587ea87852434c2d"));
    }

    #[test]
    fn invisible_signs_are_ignorable_and_the_zero_width_space_separates() {
        for c in ['\u{AD}', '\u{200C}', '\u{200D}', '\u{2060}', '\u{FEFF}', '\u{FE0F}', '\u{E0100}', '\u{034F}'] {
            assert_eq!(class(c), Class::Ignorable, "{c:?}");
        }
        assert_eq!(class('\u{200B}'), Class::Separator);
    }

    #[test]
    fn compatible_signs_count_as_what_they_become() {
        assert_eq!(class('＿'), Class::Underscore);
        assert_eq!(class('－'), Class::Hyphen);
        assert_eq!(class('＇'), Class::Apostrophe);
        assert_eq!(class('㎏'), Class::Letter);
        assert_eq!(class('，'), Class::Separator);
        assert_eq!(class('→'), Class::Separator);
    }
}
