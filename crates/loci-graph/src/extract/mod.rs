//! Reads ONE file: what it defines, calls, imports and says of its variables, as written in it.
//!
//! [`extract`] gives the [`FileFacts`]. Nothing here knows a second file. `lang` has the rules of each language, `walk` what they share,
//! `layout` and `recover` make readable what a grammar cannot read, `packed` is how facts are kept.

mod facts;
pub(crate) mod lang;
mod layout;
pub(crate) mod packed;
mod recover;
pub(crate) mod walk;

pub use facts::{
    BindingFact, FileFacts, ImportFact, Language, Limits, Outcome, RULES, ReferenceFact, ReferenceKind, SymbolFact,
    SymbolKind, language_of,
};
pub(crate) use facts::{DECLARED, RETURNED};

/// The facts of one file. `text` is the decoded file; `path` only tells the language and whether it is a test file.
///
/// Never fails: what could not be read shows in [`FileFacts::outcome`]. A path of no known language is treated as
/// [`Outcome::Unparsed`] Python; ask [`language_of`] first.
pub fn extract(path: &str, text: &str, limits: &Limits) -> FileFacts {
    let first_line = text.lines().next().unwrap_or("");
    let Some(language) = language_of(path, first_line) else { return FileFacts::unparsed(Language::Python) };
    if text.len() > limits.bytes {
        return FileFacts::unparsed(language);
    }
    lang::read(language, path, text, limits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_survive_their_serialisation() {
        let facts = extract(
            "a.py",
            "import os\nclass A(B):\n    def f(self, x: C): return os.path.join(x)\n",
            &Limits::default(),
        );
        assert_eq!((2, 1, 2), (facts.symbols.len(), facts.imports.len(), facts.bindings.len()));
        let text = serde_json::to_string(&facts).unwrap();
        assert_eq!(facts, serde_json::from_str(&text).unwrap());
    }

    #[test]
    fn a_path_of_no_language_has_no_facts() {
        assert_eq!(Outcome::Unparsed, extract("a.xyz", "def f(): pass", &Limits::default()).outcome);
    }
}
