//! Which language family a file belongs to: by name, by extension, by `#!` line.

/// Languages that share the rules by which definitions are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Language {
    Python,
    Ruby,
    Elixir,
    Lua,
    JavaScript,
    /// Vue, Svelte, Astro: script between markup.
    Component,
    Go,
    Rust,
    C,
    Cpp,
    /// Java, C#, Dart, Groovy: methods have no keyword.
    Java,
    /// Kotlin, Scala, Swift, PHP: methods have one.
    Kotlin,
    Php,
    Shell,
    Sql,
    Css,
    Toml,
    Yaml,
    Make,
    Docker,
    Lisp,
    /// Anything else that might say `function`, `class` or `def`.
    Generic,
    /// Text without definitions: JSON, CSV, markup.
    Plain,
}

pub(crate) fn of(path: &str, first_line: &str) -> Language {
    let lower = path.to_ascii_lowercase();
    let name = lower.rsplit('/').next().unwrap_or(&lower);
    let by_name = match name {
        "makefile" | "gnumakefile" | "bsdmakefile" | "justfile" => Some(Language::Make),
        "dockerfile" | "containerfile" => Some(Language::Docker),
        "rakefile" | "gemfile" | "vagrantfile" | "brewfile" | "podfile" | "fastfile" | "guardfile" | "capfile" => {
            Some(Language::Ruby)
        }
        "build" | "workspace" | "sconstruct" | "sconscript" | "tiltfile" => Some(Language::Python),
        "jenkinsfile" => Some(Language::Java),
        "configure.ac" | "cmakelists.txt" => Some(Language::Generic),
        _ if name.starts_with("dockerfile.") || name.ends_with(".dockerfile") => Some(Language::Docker),
        _ if name.starts_with("makefile.") => Some(Language::Make),
        _ => None,
    };
    if let Some(language) = by_name {
        return language;
    }
    let extension = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map_or("", |(_, extension)| extension);
    match extension {
        "py" | "pyi" | "pyx" | "pxd" | "pyw" | "bzl" | "bazel" | "star" | "gd" | "nim" | "mojo" => Language::Python,
        "rb" | "rake" | "gemspec" | "ru" | "cr" | "podspec" | "jbuilder" => Language::Ruby,
        "ex" | "exs" => Language::Elixir,
        "lua" | "luau" | "moon" => Language::Lua,
        "js" | "jsx" | "mjs" | "cjs" | "ts" | "tsx" | "mts" | "cts" | "es6" => Language::JavaScript,
        "vue" | "svelte" | "astro" => Language::Component,
        "go" => Language::Go,
        "rs" => Language::Rust,
        "c" | "h" | "def" | "y" | "l" | "glsl" | "vert" | "frag" | "metal" | "ino" => Language::C,
        "cc" | "cpp" | "cxx" | "c++" | "hh" | "hpp" | "hxx" | "h++" | "ipp" | "tcc" | "cu" | "cuh" | "m" | "mm" => {
            Language::Cpp
        }
        "java" | "cs" | "dart" | "groovy" | "gradle" | "jav" | "vala" | "d" => Language::Java,
        "kt" | "kts" | "scala" | "sc" | "swift" => Language::Kotlin,
        "php" | "phtml" | "hack" => Language::Php,
        "sh" | "bash" | "zsh" | "ksh" | "fish" | "bats" | "ebuild" | "command" | "envrc" => Language::Shell,
        "sql" | "psql" | "mysql" | "ddl" => Language::Sql,
        "css" | "scss" | "less" | "sass" | "styl" | "pcss" => Language::Css,
        "toml" | "ini" | "cfg" | "conf" | "properties" | "service" | "desktop" | "editorconfig" | "gitconfig" => {
            Language::Toml
        }
        "yml" | "yaml" => Language::Yaml,
        "mk" | "mak" | "am" | "just" => Language::Make,
        "el" | "lisp" | "cl" | "clj" | "cljs" | "cljc" | "edn" | "scm" | "ss" | "rkt" | "fnl" => Language::Lisp,
        "json" | "jsonc" | "json5" | "jsonl" | "ndjson" | "csv" | "tsv" | "xml" | "html" | "htm" | "svg" | "log"
        | "diff" | "patch" | "lock" => Language::Plain,
        "" => by_interpreter(name, first_line),
        _ => Language::Generic,
    }
}

fn by_interpreter(name: &str, first_line: &str) -> Language {
    if let Some(command) = first_line.strip_prefix("#!") {
        let program = command
            .split_whitespace()
            .map(|word| word.rsplit('/').next().unwrap_or(word))
            .find(|word| *word != "env" && !word.starts_with('-'));
        let program = program.unwrap_or("").trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        return match program {
            "python" | "pypy" => Language::Python,
            "ruby" => Language::Ruby,
            "node" | "deno" | "bun" | "tsx" => Language::JavaScript,
            "lua" | "luajit" => Language::Lua,
            "elixir" => Language::Elixir,
            "php" => Language::Php,
            "make" => Language::Make,
            "sh" | "bash" | "zsh" | "ksh" | "dash" | "fish" | "ash" => Language::Shell,
            _ => Language::Generic,
        };
    }
    // `.bashrc`, `.zsh_aliases`, `.functions`: a dot file without an interpreter line is read by a shell or is a list.
    if name.starts_with('.') { Language::Shell } else { Language::Generic }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_name_extension_and_interpreter() {
        for (path, first_line, language) in [
            ("a/b.PY", "", Language::Python),
            ("Makefile", "", Language::Make),
            ("src/a.test.tsx", "", Language::JavaScript),
            ("bin/run", "#!/usr/bin/env python3.11", Language::Python),
            ("bin/run", "#!/bin/bash -e", Language::Shell),
            ("bin/run", "#!/usr/bin/env -S node --x", Language::JavaScript),
            (".bashrc", "", Language::Shell),
            ("Dockerfile.alpine", "", Language::Docker),
            ("a.zig", "", Language::Generic),
            ("a.json", "", Language::Plain),
        ] {
            assert_eq!(language, of(path, first_line), "{path}");
        }
    }
}
