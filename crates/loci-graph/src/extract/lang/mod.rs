//! The languages, and the parse that they share: a budget, and what to do when it runs out.

mod bash;
mod c;
mod classes;
mod elixir;
mod go;
mod grammar;
mod lua;
mod markup;
mod python;
mod ruby;
mod rust;
mod script;
mod sql;
mod template;
mod zig;

use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::time::Instant;

use tree_sitter::{ParseOptions, Parser, Tree};

use crate::extract::facts::{FileFacts, Language, Limits, Outcome};
use crate::extract::walk::{Rules, Walk};
use crate::extract::{layout, recover};

/// How many parser steps lie between two calls of the progress callback.
const STEPS_PER_CALL: usize = 100;
/// Steps that every file may take, however small.
const STEPS_FLOOR: usize = 500_000;

/// A grammar made ready: the kinds of nodes as numbers.
struct Ready {
    language: tree_sitter::Language,
    table: Vec<u8>,
    rules: &'static Rules,
}

fn rules(language: Language) -> Option<&'static Rules> {
    Some(match language {
        Language::Python => &python::RULES,
        Language::C => &c::C,
        Language::Cpp => &c::CPP,
        Language::Go => &go::RULES,
        Language::Ruby => &ruby::RULES,
        Language::Elixir => &elixir::RULES,
        Language::Lua => &lua::RULES,
        Language::Bash => &bash::RULES,
        Language::Zig => &zig::RULES,
        Language::Sql => &sql::RULES,
        Language::Css => &markup::CSS,
        Language::Html => &markup::HTML,
        Language::Java => &classes::JAVA,
        Language::Kotlin => &classes::KOTLIN,
        Language::CSharp => &classes::CSHARP,
        Language::Swift => &classes::SWIFT,
        Language::Scala => &classes::SCALA,
        Language::Php => &classes::PHP,
        Language::Rust => &rust::RULES,
        Language::JavaScript | Language::TypeScript | Language::Tsx | Language::Vue | Language::Svelte => {
            script::rules(language)
        }
        Language::Julia => return None,
    })
}

fn ready(language: Language) -> Option<&'static Ready> {
    static READY: [OnceLock<Option<Ready>>; 32] = [const { OnceLock::new() }; 32];
    READY[language as usize]
        .get_or_init(|| {
            let rules = rules(language)?;
            let language = (rules.grammar)();
            let mut table = vec![0; language.node_kind_count()];
            for id in 0..table.len() as u16 {
                if language.node_kind_is_named(id)
                    && let Some(kind) = language.node_kind_for_id(id)
                {
                    table[id as usize] =
                        rules.kinds.iter().find(|(name, _)| *name == kind).map_or(0, |(_, number)| *number);
                }
            }
            Some(Ready { language, table, rules })
        })
        .as_ref()
}

/// The facts of one file in a known language.
pub(crate) fn read(language: Language, path: &str, text: &str, limits: &Limits) -> FileFacts {
    let header = language == Language::C && path.to_ascii_lowercase().ends_with(".h");
    let language = if header && c::is_cpp_header(text) { Language::Cpp } else { language };
    let facts = FileFacts::unparsed(language);
    let Some(ready) = ready(language) else { return facts };
    let grammar = match grammar::concerns(language).then(|| grammar::as_c(path, text)).flatten() {
        Some(None) => return facts,
        Some(grammar) => grammar,
        None => None,
    };
    if let Some(grammar) = grammar {
        let mut found = read_mended(ready, facts, path, &grammar.text, limits);
        grammar.finish(&mut found);
        return found;
    }
    let written = match language {
        Language::Vue | Language::Svelte => Some(script::script_of(text)),
        Language::Kotlin => layout::with_constructors_joined(text),
        Language::C | Language::Cpp => layout::without_words_before_names(text, language == Language::Cpp),
        _ => None,
    };
    let written = match language {
        Language::Cpp => layout::without_words_before_types(written.as_deref().unwrap_or(text)).or(written),
        _ => written,
    };
    let mut found = read_mended(ready, facts, path, written.as_deref().unwrap_or(text), limits);
    if matches!(language, Language::Vue | Language::Svelte) {
        template::add(language, text, &mut found, limits);
    }
    found
}

/// The facts of a text that is once more read where it did not parse whole, without what the grammars are known not to understand.
fn read_mended(ready: &Ready, facts: FileFacts, path: &str, text: &str, limits: &Limits) -> FileFacts {
    let language = facts.language;
    let macros = matches!(language, Language::C | Language::Cpp).then(|| c::without_comments_in_macros(text)).flatten();
    let text = macros.as_deref().unwrap_or(text);
    let mut found = read_text(ready, facts, path, text, limits);
    if let Outcome::Partial { errors } = found.outcome {
        let mended = match language {
            Language::TypeScript => script::separated(text),
            Language::C | Language::Cpp => {
                let plain = c::without_attributes(text);
                c::without_lone_macros(plain.as_deref().unwrap_or(text)).or(plain)
            }
            _ => None,
        };
        if let Some(mended) = mended {
            let again = read_text(ready, FileFacts::unparsed(language), path, &mended, limits);
            let fewer = match again.outcome {
                Outcome::Whole => true,
                Outcome::Partial { errors: left } => left < errors,
                _ => false,
            };
            if fewer {
                found = again;
            }
        }
    }
    if matches!(found.outcome, Outcome::Partial { .. }) {
        return recover::recover(found, text, |piece| {
            read_text(ready, FileFacts::unparsed(language), path, piece, limits)
        });
    }
    found
}

fn read_text(ready: &Ready, mut facts: FileFacts, path: &str, text: &str, limits: &Limits) -> FileFacts {
    let mut parsed = text;
    let mut whole = true;
    let tree = loop {
        let allowed = STEPS_FLOOR + limits.steps * parsed.len();
        match parse(ready, &scanned(facts.language, parsed), allowed, limits) {
            Ok(tree) => break tree,
            // What comes before the place where the parser got lost is usually fine: once more, without the rest.
            Err(reached) if whole && reached > 0 => {
                whole = false;
                let mut cut = (reached / 2).min(parsed.len());
                while !parsed.is_char_boundary(cut) {
                    cut -= 1;
                }
                parsed = &parsed[..parsed[..cut].rfind('\n').map_or(0, |at| at + 1)];
                if parsed.is_empty() {
                    facts.outcome = Outcome::TimedOut;
                    return facts;
                }
            }
            Err(_) => {
                facts.outcome = Outcome::TimedOut;
                return facts;
            }
        }
    };
    let (mut facts, errors) = Walk::new(path, parsed, tree.root_node(), facts, limits).run(ready.rules, &ready.table);
    facts.outcome = match errors {
        _ if !whole => Outcome::TimedOut,
        0 => Outcome::Whole,
        errors => Outcome::Partial { errors },
    };
    facts
}

thread_local! {
    static PARSER: RefCell<Parser> = RefCell::new(Parser::new());
}

/// What the parser is given of a text, byte for byte as long. Bash's scanner looks characters up in the C library's table
/// of 256, and reads beyond it for any other: it sees letters in their place.
fn scanned(language: Language, text: &str) -> Cow<'_, [u8]> {
    if language == Language::Bash && !text.is_ascii() {
        Cow::Owned(text.bytes().map(|byte| if byte.is_ascii() { byte } else { b'x' }).collect())
    } else {
        Cow::Borrowed(text.as_bytes())
    }
}

/// The tree, or the byte that the parser had reached when its budget ran out.
fn parse(ready: &Ready, bytes: &[u8], allowed: usize, limits: &Limits) -> Result<Tree, usize> {
    let started = Instant::now();
    PARSER.with_borrow_mut(|parser| {
        if parser.set_language(&ready.language).is_err() {
            return Err(0);
        }
        parser.reset();
        let mut calls = 0usize;
        let mut reached = 0;
        let mut progress = |state: &tree_sitter::ParseState| {
            calls += 1;
            reached = state.current_byte_offset();
            let out_of_time = started.elapsed() > limits.time;
            if calls * STEPS_PER_CALL > allowed || out_of_time {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let options = ParseOptions::new().progress_callback(&mut progress);
        let tree = parser.parse_with_options(&mut |at, _| bytes.get(at..).unwrap_or(&[]), None, Some(options));
        tree.ok_or(reached)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A grammar that renames a node would silently lose what hangs on it.
    #[test]
    fn every_kind_a_language_names_exists_in_its_grammar() {
        let mut known = 0;
        for language in ALL {
            let Some(rules) = rules(language) else { continue };
            // Grammars that share a table need the kind in one of them.
            let grammars: Vec<tree_sitter::Language> = ALL
                .iter()
                .filter_map(|other| super::rules(*other).filter(|other| std::ptr::eq(other.kinds, rules.kinds)))
                .map(|other| (other.grammar)())
                .collect();
            known += 1;
            for (name, _) in rules.kinds {
                let found = grammars.iter().any(|grammar| grammar.id_for_node_kind(name, true) != 0);
                assert!(found, "{language:?} has no node {name:?}");
            }
        }
        assert!(known > 0);
    }

    const ALL: [Language; 25] = [
        Language::Python,
        Language::JavaScript,
        Language::TypeScript,
        Language::Tsx,
        Language::Go,
        Language::Rust,
        Language::C,
        Language::Cpp,
        Language::Java,
        Language::CSharp,
        Language::Kotlin,
        Language::Ruby,
        Language::Php,
        Language::Swift,
        Language::Scala,
        Language::Elixir,
        Language::Lua,
        Language::Bash,
        Language::Zig,
        Language::Sql,
        Language::Html,
        Language::Css,
        Language::Julia,
        Language::Vue,
        Language::Svelte,
    ];
}
