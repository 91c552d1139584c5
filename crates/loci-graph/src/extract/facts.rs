//! What one file says: its symbols, references, imports and bindings, as written in it and nothing more.
//!
//! Everything is serialisable, since facts are cached by the hash of a file's content; a change of what is extracted changes
//! [`RULES`]. Lines count from 1. Positions in `symbols` are `u32` indices into the same file's list; lists are in the order in
//! which the file was read. The same text gives the same facts, except where the budget ran out.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The version of the extraction rules: facts made under another value are stale.
pub const RULES: u32 = 13;

/// A language whose files are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Language {
    Python,
    /// JavaScript with JSX.
    JavaScript,
    TypeScript,
    Tsx,
    Go,
    Rust,
    C,
    Cpp,
    Java,
    CSharp,
    Kotlin,
    Ruby,
    Php,
    Swift,
    Scala,
    Elixir,
    Lua,
    Bash,
    Zig,
    Sql,
    Html,
    Css,
    Julia,
    /// A component of markup, style and script, of which the script is read as TypeScript.
    Vue,
    /// As [`Language::Vue`].
    Svelte,
}

/// How much of a file could be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// The file parsed without an error.
    Whole,
    /// The file has syntax errors, or syntax that the grammar does not know; what stands around them was read.
    Partial {
        /// Places that did not parse, counted up to 1000.
        errors: u32,
    },
    /// The budget ran out; what had been read by then is there, possibly nothing.
    TimedOut,
    /// No grammar for this language, or larger than [`Limits::bytes`]: there are no facts.
    Unparsed,
}

/// What a symbol is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum SymbolKind {
    Function,
    Method,
    Constructor,
    /// A getter, setter or computed property: called without parentheses.
    Property,
    Class,
    Struct,
    Interface,
    Trait,
    Enum,
    /// A member of an enum.
    Variant,
    /// A type alias, union, protocol-less type or SQL type.
    Type,
    Constant,
    Variable,
    Field,
    /// A namespace, package block or module.
    Module,
    Macro,
    /// A SQL table or view.
    Table,
    /// A CSS class, id or custom property, an HTML id.
    Selector,
    /// A named block of a test framework: `describe("…")`, `it("…")`; its name is the string.
    Test,
}

/// A definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SymbolFact {
    /// The name as called: `total`, `#secret`, `operator==`.
    pub name: String,
    /// The names of the enclosing symbols in this file and its own, joined with `.`: `Cart.total`. A method defined away from its
    /// type has the type's name in front all the same (`func (c *Cart) Total`, `impl Cart`, `Cart::total`), even where the type
    /// stands in another file and [`SymbolFact::parent`] is therefore `None`.
    pub qualified: String,
    /// What it is.
    pub kind: SymbolKind,
    /// First and last line, with decorators and attributes, without the comment above.
    pub lines: (u32, u32),
    /// The line on which the name stands.
    pub name_line: u32,
    /// The source up to the body, white space squeezed, at most 200 characters.
    pub signature: String,
    /// The first sentence of its documentation, at most 200 characters; empty without one.
    pub documentation: String,
    /// The enclosing symbol, or for a method defined away from its type the type.
    pub parent: Option<u32>,
    /// Whether other files can use it, where the language has a word or a rule for it.
    pub exported: Option<bool>,
    /// A test, by its name, attribute or framework call.
    pub test: bool,
    /// The return type as written, without `->` or `:`, at most 120 characters: `Session`, `Optional[Session]`, `*http.Client`.
    /// For fields and constants with an annotation see the bindings.
    pub returns: Option<String>,
}

/// What a reference does with the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReferenceKind {
    /// `name(…)`, `receiver.name(…)`, `<Name />`.
    Call,
    /// The name as a value: passed as an argument, assigned, returned. Once per name, qualifier and enclosing symbol.
    Reference,
    /// A base class; also an embedded struct, an included module, a super-trait or super-interface.
    Inherit,
    /// An interface, protocol or trait that a type says it implements.
    Implement,
    /// `@name`, `#[name]`, with or without arguments.
    Decorate,
    /// `new Name(…)`, `Name{…}`, and in the languages without such a word a [`ReferenceKind::Call`].
    Instantiate,
    /// The name in the place of a type. Once per name, qualifier and enclosing symbol.
    TypeUse,
    /// `name!(…)`, or the call of something that is known to be a macro.
    MacroUse,
}

/// A name that is used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReferenceFact {
    /// What is done with it.
    pub kind: ReferenceKind,
    /// The last part of the path: `get` of `self.session.get(…)`, `#x` for private names.
    pub name: String,
    /// What stands before the name, as written but without white space and arguments: `self.session`, `crate::a`, `make_app()`,
    /// `client.get()`, `super()`; `new Foo(1).run()` gives `Foo()`. `(literal)` for the methods of a text, number or list literal, `(expr)` for
    /// anything else. Optional chaining and non-null marks are left out. `None` for a bare name.
    pub qualifier: Option<String>,
    /// The line of the name.
    pub line: u32,
    /// The enclosing symbol; for [`ReferenceKind::Inherit`] and [`ReferenceKind::Implement`] the type that inherits, for
    /// [`ReferenceKind::Decorate`] the decorated symbol.
    pub inside: Option<u32>,
    /// How many arguments are written, for calls.
    pub arguments: Option<u16>,
    /// The first part of the whole path (`session` of `session.get()`, `handler` of `handler()`) is a parameter or local variable
    /// here. Functions and classes defined inside a function are symbols, not local names, and so are names imported in one.
    pub local: bool,
    /// The last line of the nameless function or block that it is one of; `None` where it is one of the enclosing symbol as a whole.
    pub block: Option<u32>,
}

/// One imported name, or module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportFact {
    /// As written: `./x`, `..pkg.mod`, `fmt`, `crate::a::b`, `stdio.h`, `java.util`.
    pub module: String,
    /// The name taken out of the module; `None` is the module itself, `*` is everything.
    pub name: Option<String>,
    /// The name under which it is known here, where that is another one.
    pub alias: Option<String>,
    /// The line of the name.
    pub line: u32,
    /// The enclosing symbol, for imports inside one.
    pub inside: Option<u32>,
    /// The file passes the name on: `export … from`, `pub use`, a name in `__all__`'s module.
    pub reexport: bool,
    /// It stands in a branch that is compiled for some platforms alone: `#ifdef _WIN32`.
    pub conditional: bool,
}

/// The name of the binding which says that a function of a script gives back an object literal; `return.x` says what is its `x`.
pub(crate) const RETURNED: &str = "return";

/// Behind the name of a function that C++ declares without a body, as a binding: what it gives back.
pub(crate) const DECLARED: &str = "()";

/// What the file says of the type of a variable, parameter or field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BindingFact {
    /// `session` (PHP: `$session`); `default` for what a script exports without a name; for a field always `self.session`, whatever the language writes (`this.session`, `@session`, a field of a Go struct or a
    /// receiver's field `s.session`); `total()` for a function that C++ declares outside of a class without a body.
    pub name: String,
    /// An annotation as written (`Session`, `Optional[pkg.Client]`, `*http.Client`, `&'a Vec<T>`), or where the value is a call its
    /// callee followed by `()` (`Session()`, `make_app()`, `http.NewClient()`; Rust's and C++'s `::` kept), or where the value is another path
    /// that path after `=` (`=self.session`, `=handlers.index`). At most 120 characters. Empty for a name that hides one of the same name around
    /// it and of whose value the file says nothing.
    pub of: String,
    /// The symbol in which it holds: the function of a parameter or variable, and for a field its class where the file has it.
    pub inside: Option<u32>,
    /// Where it is said.
    pub line: u32,
    /// The last line on which it holds, for what is bound in a nameless function or a block; `None` for as far as `inside` goes.
    pub until: Option<u32>,
}

/// Everything one file says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileFacts {
    /// The language it was read as; a file of no known language never gets here.
    pub language: Language,
    /// How much of it could be read.
    pub outcome: Outcome,
    /// Definitions.
    pub symbols: Vec<SymbolFact>,
    /// Uses.
    pub references: Vec<ReferenceFact>,
    /// Imports.
    pub imports: Vec<ImportFact>,
    /// Types of variables.
    pub bindings: Vec<BindingFact>,
    /// The package or namespace that the file declares for all of itself: Go, Java, Kotlin, Scala, C# and PHP.
    pub module: Option<String>,
}

/// How much one file may cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Wall time for parsing one file, and as much again for its first half where that runs out. The default, 10 s, is what
    /// a machine busy with other things may take for the steps below: those decide, since a clock gives no file the same
    /// graph twice.
    pub time: Duration,
    /// Steps of the parser for each byte of the file, on top of a floor for small files; counts work, not time, so that the same file runs
    /// out of it on every machine. Default 12; of 13,000 hand-written files the median takes 0.7 and the most demanding 5.
    pub steps: usize,
    /// Files above this many bytes are not parsed; default 4 MiB.
    pub bytes: usize,
    /// Symbols, references, imports and bindings kept of one file, each; default 100,000.
    pub facts: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { time: Duration::from_secs(10), steps: 12, bytes: 4 << 20, facts: 100_000 }
    }
}

impl FileFacts {
    /// A file of which nothing is known.
    pub fn unparsed(language: Language) -> FileFacts {
        FileFacts {
            language,
            outcome: Outcome::Unparsed,
            symbols: Vec::new(),
            references: Vec::new(),
            imports: Vec::new(),
            bindings: Vec::new(),
            module: None,
        }
    }
}

/// The language of a file by its name, and without an extension by its `#!` line; `None` for what is not read.
pub fn language_of(path: &str, first_line: &str) -> Option<Language> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let lower = name.to_ascii_lowercase();
    match lower.as_str() {
        "rakefile" | "gemfile" | "vagrantfile" | "brewfile" | "podfile" | "fastfile" | "guardfile" | "capfile" => {
            return Some(Language::Ruby);
        }
        "sconstruct" | "sconscript" => return Some(Language::Python),
        ".bashrc" | ".bash_profile" | ".bash_aliases" | ".profile" | ".zshrc" | ".aliases" | ".functions" => {
            return Some(Language::Bash);
        }
        _ => {}
    }
    let extension = lower.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map_or("", |(_, extension)| extension);
    if extension.is_empty() {
        return by_interpreter(first_line);
    }
    Some(match loci_collect::language_of_extension(extension)? {
        // Dialects that no grammar here reads.
        "Python" | "Shell" if matches!(extension, "pyx" | "fish") => return None,
        "Python" => Language::Python,
        "JavaScript" => Language::JavaScript,
        "TypeScript" if extension == "tsx" => Language::Tsx,
        "TypeScript" => Language::TypeScript,
        "Go" => Language::Go,
        "Rust" => Language::Rust,
        // A header may be of C or of C++. The grammar of C++ reads C, and the calls and definitions of C come out the same.
        "C" if extension == "h" && first_line.contains("-*- C++ -*-") => Language::Cpp,
        // Of a grammar of yacc or lex the C is read; other files with these extensions have no `%%`.
        "C" => Language::C,
        "C++" => Language::Cpp,
        "Java" => Language::Java,
        "C#" => Language::CSharp,
        "Kotlin" => Language::Kotlin,
        "Ruby" => Language::Ruby,
        "PHP" => Language::Php,
        "Swift" => Language::Swift,
        "Scala" => Language::Scala,
        "Elixir" => Language::Elixir,
        "Lua" => Language::Lua,
        "Shell" => Language::Bash,
        "Zig" => Language::Zig,
        "SQL" => Language::Sql,
        "HTML" => Language::Html,
        "CSS" => Language::Css,
        "Julia" => Language::Julia,
        "Vue" => Language::Vue,
        "Svelte" => Language::Svelte,
        _ => return None,
    })
}

fn by_interpreter(first_line: &str) -> Option<Language> {
    let command = first_line.strip_prefix("#!")?;
    let program = command
        .split_whitespace()
        .map(|word| word.rsplit('/').next().unwrap_or(word))
        .find(|word| *word != "env" && !word.starts_with('-'))?;
    Some(match program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.') {
        "python" | "pypy" => Language::Python,
        "node" | "bun" => Language::JavaScript,
        "deno" | "tsx" | "ts-node" => Language::TypeScript,
        "ruby" => Language::Ruby,
        "php" => Language::Php,
        "lua" | "luajit" => Language::Lua,
        "elixir" => Language::Elixir,
        "julia" => Language::Julia,
        "sh" | "bash" | "zsh" | "ksh" | "dash" | "ash" => Language::Bash,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_by_extension_name_or_interpreter() {
        for (path, first_line, language) in [
            ("a/b.PY", "", Some(Language::Python)),
            ("src/a.test.tsx", "", Some(Language::Tsx)),
            ("a.mts", "", Some(Language::TypeScript)),
            ("include/a.h", "", Some(Language::C)),
            ("include/a.hpp", "", Some(Language::Cpp)),
            ("Rakefile", "", Some(Language::Ruby)),
            (".bashrc", "", Some(Language::Bash)),
            ("bin/run", "#!/usr/bin/env python3.11", Some(Language::Python)),
            ("bin/run", "#!/usr/bin/env -S node --x", Some(Language::JavaScript)),
            ("bin/run", "#!/bin/sh -e", Some(Language::Bash)),
            ("bin/run", "no interpreter", None),
            ("README.md", "", None),
            ("a.json", "", None),
            (".py", "", None),
        ] {
            assert_eq!(language, language_of(path, first_line), "{path}");
        }
    }
}
