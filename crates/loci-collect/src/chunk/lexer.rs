//! Just enough of a lexer to know which lines begin inside a comment or a string that spans lines, so that prose and embedded
//! code are never taken for definitions.

use super::language::Language;

/// What a line begins inside of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Code,
    Comment,
    Text,
}

/// The comment and string habits of a language.
struct Habits {
    line_comments: &'static [&'static str],
    block_comment: Option<(&'static str, &'static str)>,
    /// Delimiters of strings that may span lines.
    long_strings: &'static [&'static str],
    /// `'` encloses one character, or is no quote at all (a lifetime).
    single_is_char: bool,
    /// `/…/` may be a regular expression.
    has_regex: bool,
    heredocs: bool,
    /// Every `"…"` may span lines.
    spanning_quotes: bool,
}

fn habits(language: Language) -> Habits {
    let none = Habits {
        line_comments: &[],
        block_comment: None,
        long_strings: &[],
        single_is_char: false,
        has_regex: false,
        heredocs: false,
        spanning_quotes: false,
    };
    let c_like = Habits { line_comments: &["//"], block_comment: Some(("/*", "*/")), single_is_char: true, ..none };
    match language {
        Language::Python => Habits { line_comments: &["#"], long_strings: &["\"\"\"", "'''"], ..none },
        Language::Ruby => {
            Habits { line_comments: &["#"], block_comment: Some(("=begin", "=end")), heredocs: true, ..none }
        }
        Language::Elixir => Habits { line_comments: &["#"], long_strings: &["\"\"\"", "'''"], ..none },
        Language::Lua => Habits { line_comments: &["--"], block_comment: Some(("[[", "]]")), ..none },
        Language::JavaScript | Language::Component => Habits {
            line_comments: &["//"],
            block_comment: Some(("/*", "*/")),
            long_strings: &["`"],
            has_regex: true,
            ..none
        },
        Language::Go => Habits { long_strings: &["`"], ..c_like },
        Language::Rust => Habits { spanning_quotes: true, ..c_like },
        Language::C | Language::Cpp => c_like,
        Language::Java | Language::Kotlin => Habits { long_strings: &["\"\"\""], ..c_like },
        Language::Php => Habits { line_comments: &["//", "#"], heredocs: true, single_is_char: false, ..c_like },
        Language::Css => Habits { line_comments: &[], single_is_char: false, ..c_like },
        Language::Shell => Habits { line_comments: &["#"], heredocs: true, ..none },
        Language::Sql => Habits { line_comments: &["--"], block_comment: Some(("/*", "*/")), ..none },
        Language::Toml => Habits { line_comments: &["#", ";"], long_strings: &["\"\"\"", "'''"], ..none },
        Language::Yaml | Language::Make | Language::Docker => Habits { line_comments: &["#"], ..none },
        Language::Lisp => Habits { line_comments: &[";"], single_is_char: true, ..none },
        Language::Generic | Language::Plain => none,
    }
}

/// Markers of whole-line comments, for telling the comment block above a definition.
pub(crate) fn comment_markers(language: Language) -> &'static [&'static str] {
    match language {
        Language::JavaScript
        | Language::Go
        | Language::Rust
        | Language::C
        | Language::Cpp
        | Language::Java
        | Language::Kotlin => &["//", "/*", "*/", "* "],
        Language::Component => &["//", "/*", "*/", "* ", "<!--"],
        Language::Php => &["//", "#", "/*", "*/", "* "],
        Language::Css => &["/*", "*/", "//", "* "],
        Language::Sql | Language::Lua => &["--", "/*", "*/"],
        Language::Lisp => &[";"],
        Language::Toml => &["#", ";"],
        Language::Generic => &["#", "//", "--", ";", "/*", "*/", "* ", "%", "\" ", "<!--", "(*", "{-"],
        Language::Plain => &[],
        _ => &["#"],
    }
}

/// How often a string or comment that never ends is taken back before the rest is simply code.
const RETRIES: usize = 24;

/// The state at the beginning of every line. A string or comment that is still open at the end of the file was none (a quote in
/// a regular expression, say): its opening is then read as plain code, so that one odd character cannot hide the rest of a file.
pub(crate) fn states(lines: &[&str], language: Language) -> Vec<State> {
    let habits = habits(language);
    let mut states = vec![State::Code; lines.len()];
    let mut ignored: Vec<(usize, usize)> = Vec::new();
    let mut from = 0;
    for attempt in 0..=RETRIES {
        match scan(lines, from, &habits, &ignored, &mut states) {
            Some(open) if attempt < RETRIES => {
                ignored.push(open);
                from = open.0;
            }
            Some(open) => {
                states[open.0 + 1..].fill(State::Code);
                break;
            }
            None => break,
        }
    }
    states
}

/// Scan from line `from`, which begins in code. Returns where an unclosed string or comment began.
fn scan(
    lines: &[&str],
    from: usize,
    habits: &Habits,
    ignored: &[(usize, usize)],
    states: &mut [State],
) -> Option<(usize, usize)> {
    enum Open {
        Comment(&'static str),
        Text(&'static str),
        /// A string without escapes, up to this mark.
        Raw(String),
        Heredoc(String),
    }
    let mut open: Option<(Open, (usize, usize))> = None;
    // Words that end no here-document from here on: looked for once, however often they occur.
    let mut absent: Vec<String> = Vec::new();
    for line_index in from..lines.len() {
        let line = lines[line_index];
        let bytes = line.as_bytes();
        states[line_index] = match &open {
            None => State::Code,
            Some((Open::Comment(_), _)) => State::Comment,
            Some(_) => State::Text,
        };
        let mut at = 0;
        let mut heredoc: Option<(String, usize)> = None;
        let mut last_code = b' ';
        loop {
            match &open {
                Some((Open::Comment(end), _)) => match find(line, end, at) {
                    Some(found) => {
                        at = found + end.len();
                        open = None;
                    }
                    None => break,
                },
                Some((Open::Text(end), _)) => match find_unescaped(line, end, at) {
                    Some(found) => {
                        at = found + end.len();
                        last_code = b'"';
                        open = None;
                    }
                    None => break,
                },
                Some((Open::Raw(end), _)) => match find(line, end, at) {
                    Some(found) => {
                        at = found + end.len();
                        last_code = b'"';
                        open = None;
                    }
                    None => break,
                },
                Some((Open::Heredoc(end), _)) => {
                    if line.trim() == end {
                        open = None;
                    }
                    break;
                }
                None => {}
            }
            if at >= bytes.len() {
                break;
            }
            let byte = bytes[at];
            // Everything that can begin something is ASCII.
            if byte == b' ' || byte.is_ascii_alphanumeric() || byte >= 0x80 {
                if byte != b' ' {
                    last_code = byte;
                }
                // `=begin` counts at the start of a line only, and so needs no look here.
                at += 1;
                continue;
            }
            let rest = &bytes[at..];
            let starts = |marker: &str| rest.starts_with(marker.as_bytes());
            let is_ignored = ignored.contains(&(line_index, at));
            if let Some((begin, end)) = habits.block_comment
                && starts(begin)
                && !is_ignored
                && (begin != "=begin" || at == 0)
            {
                open = Some((Open::Comment(end), (line_index, at)));
                at += begin.len();
                continue;
            }
            if habits.line_comments.iter().any(|marker| starts(marker))
                && (byte != b'#' || at == 0 || is_comment_position(bytes, at))
            {
                // Lua: "--[[" opens a block.
                if habits.block_comment.is_some_and(|(begin, _)| begin == "[[")
                    && rest.starts_with(b"--[[")
                    && !is_ignored
                {
                    open = Some((Open::Comment("]]"), (line_index, at)));
                    at += 4;
                    continue;
                }
                break;
            }
            if let Some(mark) = habits.long_strings.iter().find(|mark| starts(mark))
                && !is_ignored
            {
                open = Some((Open::Text(mark), (line_index, at)));
                at += mark.len();
                continue;
            }
            if habits.spanning_quotes && byte == b'"' && !is_ignored {
                // `r#"` and `br"` have no escapes and end with as many marks.
                let before = &bytes[..at];
                let marks = before.iter().rev().take_while(|byte| **byte == b'#').count();
                let is_raw = before[..at - marks].ends_with(b"r");
                open = Some(if is_raw {
                    (Open::Raw(format!("\"{}", "#".repeat(marks))), (line_index, at))
                } else {
                    (Open::Text("\""), (line_index, at))
                });
                at += 1;
                continue;
            }
            if habits.heredocs && rest.starts_with(b"<<") && heredoc.is_none() && !is_ignored {
                heredoc = heredoc_end(&line[at..]).map(|word| (word, at));
                at += 2;
                continue;
            }
            match byte {
                b'\'' if habits.single_is_char => at = char_end(bytes, at),
                b'"' | b'\'' => {
                    at = quote_end(bytes, at);
                    last_code = b'"';
                    continue;
                }
                b'/' if habits.has_regex && is_regex_position(last_code, &line[..at]) => at = regex_end(bytes, at),
                b'\\' => at += 2,
                _ => at += 1,
            }
            last_code = byte;
        }
        if open.is_none()
            && let Some((word, column)) = heredoc
            && !absent.contains(&word)
        {
            if lines[line_index + 1..].iter().any(|line| line.trim() == word) {
                open = Some((Open::Heredoc(word), (line_index, column)));
            } else if absent.len() < 64 {
                absent.push(word);
            }
        }
    }
    open.map(|(_, start)| start)
}

fn find(line: &str, needle: &str, from: usize) -> Option<usize> {
    line.get(from..)?.find(needle).map(|found| from + found)
}

fn find_unescaped(line: &str, needle: &str, mut from: usize) -> Option<usize> {
    let bytes = line.as_bytes();
    while from < bytes.len() {
        match bytes[from] {
            b'\\' => from += 2,
            _ if bytes[from..].starts_with(needle.as_bytes()) => return Some(from),
            _ => from += 1,
        }
    }
    None
}

/// `$#` and `${#x}` are no comments.
fn is_comment_position(bytes: &[u8], at: usize) -> bool {
    matches!(bytes[at - 1], b' ' | b'\t' | b';' | b'(' | b')' | b'{' | b'}' | b',' | b':')
}

/// Behind a quoted string that ends on this line, or the end of the line.
fn quote_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            byte if byte == bytes[start] => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// Behind `'x'`, `'\n'` or `'\u{1f600}'`; else behind the mark alone.
fn char_end(bytes: &[u8], start: usize) -> usize {
    let rest = &bytes[start + 1..];
    let limit = if rest.first() == Some(&b'\\') { 12 } else { 5 };
    let skip = usize::from(rest.first() == Some(&b'\\')) + 1;
    match rest.iter().take(limit).skip(skip).position(|byte| *byte == b'\'') {
        Some(end) => start + 1 + skip + end + 1,
        None => start + 1,
    }
}

/// A slash begins a regular expression where a value may begin.
fn is_regex_position(last: u8, before: &str) -> bool {
    matches!(last, b'(' | b',' | b'=' | b':' | b'[' | b'!' | b'&' | b'|' | b'?' | b'{' | b'}' | b';' | b'>' | b'+')
        || before.trim().is_empty()
        || before.trim_end().ends_with("return")
        || before.trim_end().ends_with("case")
}

fn regex_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    let mut in_class = false;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'[' => in_class = true,
            b']' => in_class = false,
            b'/' if !in_class => return at + 1,
            _ => {}
        }
        at += 1;
    }
    // No regular expression after all: a division.
    start + 1
}

/// The word that ends `<<EOF`, `<<-'EOF'`, `<<~SQL`, `<<<'EOT'`.
fn heredoc_end(text: &str) -> Option<String> {
    let rest = text.strip_prefix("<<<").or_else(|| text.strip_prefix("<<"))?;
    let rest = rest.trim_start_matches(['-', '~']).trim_start_matches(['\'', '"', '\\']);
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
    let word = &rest[..end];
    (word.len() > 1 && word.starts_with(|c: char| c.is_ascii_uppercase() || c == '_')).then(|| word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(text: &str, language: Language) -> String {
        let lines: Vec<&str> = text.lines().collect();
        states(&lines, language)
            .iter()
            .map(|state| match state {
                State::Code => '.',
                State::Comment => 'c',
                State::Text => 's',
            })
            .collect()
    }

    #[test]
    fn lines_inside_strings_and_comments_are_known() {
        assert_eq!("..s.", codes("def f():\n    '''doc\n    class X: '''\n    pass", Language::Python));
        assert_eq!(".cc.", codes("/* a\n function b() {\n */\nfunction c() {", Language::JavaScript));
        assert_eq!(".ss.", codes("const a = `\nfunction b() {\n`\nfunction c() {", Language::JavaScript));
        assert_eq!(".ss.", codes("cat <<EOF\nfoo() {\nEOF\nbar() {", Language::Shell));
        assert_eq!("...", codes("x << 1\ny <<EOF_without_end\nz", Language::Shell));
        assert_eq!(".c.", codes("--[[ a\n function b() ]]\nfunction c()", Language::Lua));
        assert_eq!(".ss.", codes("let a = \"\nfn b() {\n\\\"\"; fn c() {}\nfn d() {", Language::Rust));
        assert_eq!(".ss.", codes("let a = r#\"\nfn b() \"{\n\\\"#;\nfn d() {", Language::Rust));
        assert_eq!("..", codes("fn f<'a>(x: &'a str, c: char = '\"') {\nfn g()", Language::Rust));
    }

    #[test]
    fn quotes_elsewhere_do_not_open_anything() {
        assert_eq!("..", codes("const glob = 'src/**/*.ts' // `\nfunction f() {}", Language::JavaScript));
        assert_eq!("..", codes("x = a.replace(/[`\"']/g, '')\nfunction f() {}", Language::JavaScript));
        assert_eq!("..", codes("s = \"#not a comment ''' \"\ndef f(): pass", Language::Python));
    }

    // FIELD 61, 63: one odd character must not hide every definition after it.
    #[test]
    fn an_opening_without_end_is_taken_back() {
        assert_eq!("....", codes("a ` b\nfunction f() {\n}\nfunction g() {", Language::JavaScript));
        assert_eq!("...", codes("int a; /* never closed\nint f() {\n}", Language::C));
        // Three marks: whichever is taken back, the function after them is seen.
        assert!(codes("x = y / `\nconst a = `\n`\nfunction f() {}", Language::JavaScript).ends_with('.'));
    }
}
