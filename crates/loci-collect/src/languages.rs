//! Programming languages by the extensions of their files: one table for every part of loci.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// A programming language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Language {
    /// What it is called: `C++`, `JavaScript`.
    pub name: String,
    /// Extensions of its source, in lower case, without the dot: what is counted.
    pub extensions: Vec<String>,
    /// Extensions of files that hold it but are not counted.
    #[serde(default)]
    pub uncounted: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    language: Vec<Language>,
}

static LANGUAGES: LazyLock<Vec<Language>> = LazyLock::new(|| {
    let file: File = crate::data::read("languages.toml", include_str!("../data/languages.toml"));
    file.language
});

/// Every language that loci knows, by name.
pub fn languages() -> &'static [Language] {
    &LANGUAGES
}

/// The name of the language that files with an extension are written in; `None` where the extension is none of a language.
/// In lower case, without the dot. `h` is C: of which language a header is, the extension does not say.
///
/// ```
/// use loci_collect::language_of_extension;
/// assert_eq!(Some("Python"), language_of_extension("pyi"));
/// assert_eq!(None, language_of_extension("md"));
/// ```
pub fn language_of_extension(extension: &str) -> Option<&'static str> {
    static BY_EXTENSION: LazyLock<FxHashMap<&'static str, &'static str>> = LazyLock::new(|| {
        let each = languages().iter().flat_map(|language| {
            let extensions = language.extensions.iter().chain(&language.uncounted);
            extensions.map(|extension| (extension.as_str(), language.name.as_str()))
        });
        each.collect()
    });
    BY_EXTENSION.get(extension).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn an_extension_is_of_one_language() {
        let all: Vec<&String> =
            languages().iter().flat_map(|language| language.extensions.iter().chain(&language.uncounted)).collect();
        assert_eq!(all.len(), all.iter().collect::<BTreeSet<_>>().len());
        assert!(all.iter().all(|extension| extension.to_lowercase() == **extension && !extension.starts_with('.')));
        let names: BTreeSet<&str> = languages().iter().map(|language| language.name.as_str()).collect();
        assert_eq!(names.len(), languages().len());
    }
}
