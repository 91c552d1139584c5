//! What is known of a file and of its symbols before its facts are read.

use crate::extract::Language;
use crate::extract::packed::{self, File, KIND_FILE, LANGUAGES, NONE};
use crate::ids::NameKey;

/// What is known of a file before its facts are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Head<'a> {
    pub(crate) language: Option<Language>,
    /// How much of it could be read, as in [`File`].
    pub(crate) outcome: u8,
    /// The package or namespace that it declares; empty without one.
    pub(crate) module: &'a str,
    /// What a manifest says.
    pub(crate) settings: Vec<(&'a str, &'a str)>,
    /// How many symbols it has, itself not counted.
    pub(crate) symbols: u32,
}

impl<'a> Head<'a> {
    pub(crate) fn of(file: &File<'a>) -> Self {
        Self {
            language: file.language,
            outcome: file.outcome,
            module: file.string(file.module),
            settings: file.settings.iter().map(|&(key, value)| (file.string(key), file.string(value))).collect(),
            symbols: file.symbols.len() as u32,
        }
    }

    /// Language and outcome as one number: the language's place among all from 1, 0 for none, and from the seventh bit the outcome.
    pub(crate) fn number(&self) -> u8 {
        let place = self.language.and_then(|language| LANGUAGES.iter().position(|one| *one == language));
        place.map_or(0, |place| place as u8 + 1) | self.outcome.min(3) << 6
    }
}

/// What is known of every symbol without its file's facts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Brief {
    /// Of its name.
    pub(crate) key: NameKey,
    pub(crate) kind: u8,
    /// Stands on several lines.
    pub(crate) long: bool,
    /// Its file keeps it to itself.
    pub(crate) hidden: bool,
    pub(crate) test: bool,
    /// Stands in nothing but its file, by its place and by its name.
    pub(crate) top: bool,
}

/// Kinds, names and places of the symbols of a file, as far as others see them: see [`Brief`]. The file's own comes first.
pub(crate) fn briefs_of(file: &File<'_>) -> impl Iterator<Item = Brief> {
    std::iter::once(Brief { kind: KIND_FILE, ..Brief::default() }).chain(file.symbols.iter().map(|symbol| Brief {
        key: file.keys[symbol.name as usize],
        kind: symbol.kind,
        long: symbol.lines.1 > symbol.lines.0,
        hidden: symbol.exported == Some(false),
        test: symbol.test,
        top: symbol.parent == NONE && file.string(symbol.container).is_empty(),
    }))
}

/// A name as a number, to count how often it was used without a target: equal names have equal numbers, and different ones rarely.
pub(crate) fn name_number(name: &str) -> u32 {
    let mixed = packed::key_of(name).0.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 32) as u32
}
