//! Functions that a parser lost: after a syntax error, which a macro or half of an `#ifdef` is enough for, the grammars of C, C++
//! and Bash often take the rest of a file for something else.
//!
//! Such functions are looked for line by line, by the shape of their heads, and each is read again by itself. Only files that did
//! not parse whole come here.

use std::borrow::Cow;

use rustc_hash::FxHashSet;

use crate::extract::facts::{FileFacts, Language, SymbolFact, SymbolKind};
use crate::extract::walk::{is_type, squeeze};

/// Lines that the head of a function may take.
const HEAD_LINES: usize = 16;
/// Functions looked for in one file.
const MOST: usize = 2000;

/// The head of a function, found without a grammar. Lines count from 0.
#[derive(Debug, PartialEq, Eq)]
struct Head<'t> {
    name: &'t str,
    first: usize,
    /// Where its body begins.
    opened: usize,
    last: usize,
    /// The text up to the body with what no grammar of the language reads left out.
    clean: String,
}

impl Head<'_> {
    fn copy(&self) -> Self {
        Head { name: self.name, clean: String::new(), ..*self }
    }
}

/// Adds the functions that `facts`, read from `text`, lack. `again` reads a piece of the text by itself.
pub(super) fn recover(mut facts: FileFacts, text: &str, again: impl Fn(&str) -> FileFacts) -> FileFacts {
    let lines: Vec<&str> = text.split('\n').collect();
    let heads = match facts.language {
        Language::C | Language::Cpp => functions_of_c(&lines),
        Language::Bash => functions_of_shell(&lines),
        _ => return facts,
    };
    let mut changed = false;
    for head in heads.iter().take(MOST) {
        if is_known(&facts, head) {
            continue;
        }
        let mut piece = head.clean.clone();
        for line in &lines[head.opened + 1..=head.last.max(head.opened)] {
            piece.push('\n');
            piece.push_str(line);
        }
        piece.push('\n');
        let mut found = again(&piece);
        // Lines whose references are taken from what was read first.
        let mut left = Vec::new();
        if !is_known(&found, &Head { first: 0, opened: head.opened - head.first, ..head.copy() }) {
            (piece, left) = first_branches(&piece);
            found = if left.is_empty() { found } else { again(&piece) };
            if !is_known(&found, &Head { first: 0, opened: head.opened - head.first, ..head.copy() }) {
                found = FileFacts::unparsed(facts.language);
                found.symbols.push(bare(head, facts.language != Language::Bash));
                left = ((head.opened - head.first) as u32 + 2..=(head.last - head.first) as u32 + 1).collect();
            }
        }
        shift(&mut found, head.first as u32);
        let left: FxHashSet<u32> = left.into_iter().map(|line| line + head.first as u32).collect();
        splice(&mut facts, found, (head.first as u32 + 1, head.last as u32 + 1), &left);
        changed = true;
    }
    if changed {
        order(&mut facts);
    }
    facts
}

/// A text without the second branches of its `#if`, and the lines from 1 that are gone: halves of blocks stand in them.
fn first_branches(text: &str) -> (String, Vec<u32>) {
    let (mut out, mut gone) = (String::with_capacity(text.len()), Vec::new());
    let mut branches: Vec<bool> = Vec::new();
    for (row, line) in text.split('\n').enumerate() {
        if row > 0 {
            out.push('\n');
        }
        let directive = line.trim_start().strip_prefix('#').map_or("", str::trim_start);
        if directive.starts_with("if") {
            branches.push(false);
        } else if directive.starts_with("el") {
            if let Some(branch) = branches.last_mut() {
                *branch = true;
            }
        } else if directive.starts_with("endif") {
            branches.pop();
        } else if branches.contains(&true) {
            gone.push(row as u32 + 1);
        } else {
            out.push_str(line);
        }
    }
    (out, gone)
}

fn is_callable(kind: SymbolKind) -> bool {
    matches!(kind, SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor | SymbolKind::Test)
}

fn is_known(facts: &FileFacts, head: &Head<'_>) -> bool {
    let last = head.name.rsplit("::").next().unwrap_or(head.name);
    let lines = head.first as u32 + 1..=head.opened as u32 + 1;
    facts.symbols.iter().any(|symbol| {
        lines.contains(&symbol.name_line)
            && is_callable(symbol.kind)
            && (symbol.name == last || symbol.kind == SymbolKind::Test)
    })
}

/// What is known of a function whose text does not parse by itself either.
fn bare(head: &Head<'_>, is_c: bool) -> SymbolFact {
    let name = head.name.rsplit("::").next().unwrap_or(head.name);
    let line = head.clean.split('\n').position(|line| has_word(line, name)).unwrap_or(0);
    SymbolFact {
        name: name.to_owned(),
        qualified: head.name.replace("::", "."),
        kind: SymbolKind::Function,
        lines: (1, (head.last - head.first) as u32 + 1),
        name_line: line as u32 + 1,
        signature: squeeze(head.clean.trim_end_matches(['{', ' ', '\n']), 200),
        documentation: String::new(),
        parent: None,
        exported: is_c.then(|| !head.clean.trim_start().starts_with("static ")),
        test: false,
        returns: None,
    }
}

fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '_');
        edge(line[..at].chars().next_back()) && edge(line[at + word.len()..].chars().next())
    })
}

fn shift(facts: &mut FileFacts, by: u32) {
    for symbol in &mut facts.symbols {
        symbol.lines = (symbol.lines.0 + by, symbol.lines.1 + by);
        symbol.name_line += by;
    }
    for one in &mut facts.references {
        one.line += by;
        one.block = one.block.map(|block| block + by);
    }
    facts.imports.iter_mut().for_each(|one| one.line += by);
    for one in &mut facts.bindings {
        one.line += by;
        one.until = one.until.map(|until| until + by);
    }
}

/// Puts what was found in some lines in the place of what had been found there. What had been found on the lines of `left` stays, and
/// belongs to the first function found.
fn splice(facts: &mut FileFacts, mut found: FileFacts, (first, last): (u32, u32), left: &FxHashSet<u32>) {
    let inside = |line: u32| (first..=last).contains(&line);
    let nests = facts.language == Language::Bash;
    let mut places: Vec<Option<u32>> = Vec::with_capacity(facts.symbols.len());
    let mut kept = 0;
    for symbol in &mut facts.symbols {
        let keep = !inside(symbol.name_line);
        places.push(keep.then_some(kept));
        kept += u32::from(keep);
        // The parser took what comes now for more of this function.
        if keep && !nests && is_callable(symbol.kind) && symbol.lines.0 < first && symbol.lines.1 >= first {
            symbol.lines.1 = first - 1;
        }
    }
    let now = |old: &mut Option<u32>| *old = old.and_then(|old| places.get(old as usize).copied().flatten());
    let mut at = 0;
    facts.symbols.retain(|_| {
        at += 1;
        places[at - 1].is_some()
    });
    facts.symbols.iter_mut().for_each(|symbol| now(&mut symbol.parent));
    let function = found.symbols.iter().position(|symbol| is_callable(symbol.kind)).map(|place| place as u32);
    for mut reference in facts.references.iter().filter(|one| left.contains(&one.line)).cloned() {
        reference.inside = function;
        found.references.push(reference);
    }
    for mut binding in facts.bindings.iter().filter(|one| left.contains(&one.line)).cloned() {
        binding.inside = function;
        found.bindings.push(binding);
    }
    facts.references.retain(|one| !inside(one.line));
    facts.references.iter_mut().for_each(|one| now(&mut one.inside));
    facts.imports.retain(|one| !inside(one.line));
    facts.imports.iter_mut().for_each(|one| now(&mut one.inside));
    facts.bindings.retain(|one| !inside(one.line));
    facts.bindings.iter_mut().for_each(|one| now(&mut one.inside));

    let around = facts
        .symbols
        .iter()
        .enumerate()
        .filter(|(_, symbol)| symbol.lines.0 < first && symbol.lines.1 >= last)
        .filter(|(_, symbol)| nests || symbol.kind == SymbolKind::Module || is_type(symbol.kind))
        .min_by_key(|(_, symbol)| symbol.lines.1 - symbol.lines.0)
        .map(|(place, symbol)| (place as u32, symbol.qualified.clone()));
    let base = facts.symbols.len() as u32;
    let moved = |old: &mut Option<u32>| {
        *old = old.map(|old| old + base).or(around.as_ref().map(|(place, _)| *place));
    };
    for symbol in &mut found.symbols {
        moved(&mut symbol.parent);
        if let Some((_, qualified)) = &around {
            symbol.qualified = format!("{qualified}.{}", symbol.qualified);
        }
    }
    found.references.iter_mut().for_each(|one| moved(&mut one.inside));
    found.imports.iter_mut().for_each(|one| moved(&mut one.inside));
    found.bindings.iter_mut().for_each(|one| moved(&mut one.inside));
    facts.symbols.append(&mut found.symbols);
    facts.references.append(&mut found.references);
    facts.imports.append(&mut found.imports);
    facts.bindings.append(&mut found.bindings);
}

/// Puts everything into the order of the file.
fn order(facts: &mut FileFacts) {
    let mut sorted: Vec<u32> = (0..facts.symbols.len() as u32).collect();
    sorted.sort_by_key(|&place| facts.symbols[place as usize].lines.0);
    let mut now = vec![0; sorted.len()];
    sorted.iter().zip(0..).for_each(|(&old, new)| now[old as usize] = new);
    let mut symbols: Vec<Option<SymbolFact>> = std::mem::take(&mut facts.symbols).into_iter().map(Some).collect();
    facts.symbols = sorted.iter().filter_map(|&old| symbols[old as usize].take()).collect();
    let moved = |old: &mut Option<u32>| *old = old.map(|old| now[old as usize]);
    facts.symbols.iter_mut().for_each(|one| moved(&mut one.parent));
    facts.references.iter_mut().for_each(|one| moved(&mut one.inside));
    facts.references.sort_by_key(|one| one.line);
    facts.imports.iter_mut().for_each(|one| moved(&mut one.inside));
    facts.imports.sort_by_key(|one| one.line);
    facts.bindings.iter_mut().for_each(|one| moved(&mut one.inside));
    facts.bindings.sort_by_key(|one| one.line);
}

/// `NAME(…)` at the top of a head.
struct Group {
    name: (usize, usize),
    /// Behind the bracket that closes it.
    end: usize,
    /// Whether between the brackets stands something that may be parameters.
    parameters: bool,
}

/// Functions of C and C++ whose head begins in the first column.
fn functions_of_c<'t>(lines: &[&'t str]) -> Vec<Head<'t>> {
    let mut found: Vec<Head<'t>> = Vec::new();
    let (mut at, mut comment, mut directive) = (0, false, false);
    while at < lines.len() {
        let line = lines[at];
        let continued = directive;
        directive = (directive || line.trim_start().starts_with('#')) && line.trim_end().ends_with('\\');
        if comment || continued || line.starts_with('#') {
            comment = if continued { comment } else { in_comment(line, comment) };
            at += 1;
            continue;
        }
        comment = in_comment(line, false);
        let begins = line.trim_start().starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '~'))
            && line.len() - line.trim_start().len() <= 1;
        match begins.then(|| head_of_c(lines, at)).flatten() {
            Some(head) => {
                at = head.opened + 1;
                found.push(head);
            }
            None => at += 1,
        }
    }
    close(lines, &mut found, |_| 0);
    found
}

/// Whether a block comment is open at the end of a line.
fn in_comment(line: &str, mut open: bool) -> bool {
    let mut rest = line;
    loop {
        let mark = if open { "*/" } else { "/*" };
        let Some(at) = rest.find(mark) else { return open };
        if !open && rest[..at].contains("//") {
            return false;
        }
        rest = &rest[at + 2..];
        open = !open;
    }
}

fn without_comments(line: &str) -> Cow<'_, str> {
    if !line.contains("//") && !line.contains("/*") {
        return Cow::Borrowed(line);
    }
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find("/*") {
        if let Some(end) = rest[at..].find("*/") {
            out.push_str(&rest[..at]);
            rest = &rest[at + end + 2..];
        } else {
            out.push_str(&rest[..at]);
            rest = "";
        }
    }
    out.push_str(rest.split("//").next().unwrap_or(rest));
    Cow::Owned(out)
}

fn head_of_c<'t>(lines: &[&'t str], first: usize) -> Option<Head<'t>> {
    let mut clean = String::new();
    let mut opened = None;
    'lines: for (row, line) in lines.iter().enumerate().skip(first).take(HEAD_LINES) {
        if row > first {
            clean.push('\n');
        }
        if line.starts_with('#') {
            continue;
        }
        let line = without_comments(line);
        for (at, character) in line.char_indices() {
            match character {
                '{' => {
                    clean.push_str(&line[..at]);
                    opened = Some((row, line[at..].to_owned()));
                    break 'lines;
                }
                '}' | '"' | '=' if !line.contains("operator") => return None,
                _ => {}
            }
        }
        clean.push_str(&line);
    }
    let (opened, rest) = opened?;
    let groups = groups_of(&clean)?;
    let usable = |group: &&Group| {
        let name = &clean[group.name.0..group.name.1];
        let keyword = matches!(
            name,
            "if" | "for"
                | "while"
                | "switch"
                | "return"
                | "sizeof"
                | "defined"
                | "__attribute__"
                | "__declspec"
                | "catch"
        );
        let before = clean[..group.name.0].trim();
        group.parameters && !keyword && (!before.is_empty() || name == "main")
    };
    let lower = |group: &&Group| clean[group.name.0..group.name.1].bytes().any(|byte| byte.is_ascii_lowercase());
    let group = groups.iter().filter(usable).find(lower).or_else(|| groups.iter().find(usable))?;
    let name_text = &clean[group.name.0..group.name.1];
    let first_word = clean.split(|c: char| !c.is_alphanumeric() && c != '_').find(|word| !word.is_empty())?;
    if matches!(
        first_word,
        "else"
            | "do"
            | "case"
            | "default"
            | "goto"
            | "return"
            | "typedef"
            | "using"
            | "if"
            | "while"
            | "for"
            | "switch"
    ) {
        return None;
    }
    // Behind the parameters stand declarations of K&R style or qualifiers, and nothing else ends in `;`.
    let after = &clean[group.end..];
    let inner = &clean[group.name.1..group.end];
    let names_alone =
        inner.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ',' | '(' | ')' | ' ' | '\n' | '\t'));
    if clean[..group.end].contains(';') || after.contains(';') && !(names_alone && after.trim_end().ends_with(';')) {
        return None;
    }
    let row = clean[..group.name.0].matches('\n').count();
    let name = lines[first + row]
        .match_indices(name_text)
        .map(|(at, text)| &lines[first + row][at..at + text.len()])
        .next()?;
    // What else looks like a call stands for attributes, which the grammar knows by their own names alone.
    let mut bytes = clean.clone().into_bytes();
    // Behind the parameters of a constructor its fields are made.
    let makes = |other: &&Group| other.name.0 >= group.end && clean[group.end..other.name.0].contains(':');
    for other in groups.iter().filter(|other| other.name != group.name && !makes(other)) {
        for byte in &mut bytes[other.name.0..other.end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }
    let mut clean = String::from_utf8(bytes).ok()?;
    clean.push_str(&rest);
    Some(Head { name, first, opened, last: opened, clean })
}

/// What looks like calls in a head; `None` where brackets do not match.
fn groups_of(text: &str) -> Option<Vec<Group>> {
    let bytes = text.as_bytes();
    let mut groups = Vec::new();
    let (mut depth, mut open, mut name) = (0usize, 0, (0, 0));
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            b'(' => {
                if depth == 0 {
                    open = at;
                    let end = text[..at].trim_end().len();
                    let start = text[..end]
                        .rfind(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | ':' | '~')))
                        .map_or(0, |start| start + text[start..].chars().next().map_or(1, char::len_utf8));
                    name = (start, end);
                }
                depth += 1;
            }
            b')' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 && name.0 < name.1 {
                    let inner = text[open + 1..at].trim();
                    let parameters = inner.is_empty() || inner.contains(|c: char| c.is_alphabetic() || c == '.');
                    groups.push(Group { name, end: at + 1, parameters });
                }
            }
            _ => {}
        }
    }
    (depth == 0).then_some(groups)
}

/// Functions of a shell.
fn functions_of_shell<'t>(lines: &[&'t str]) -> Vec<Head<'t>> {
    let mut found = Vec::new();
    let mut here: Option<&str> = None;
    for (row, &line) in lines.iter().enumerate() {
        if let Some(end) = here {
            if line.trim() == end {
                here = None;
            }
            continue;
        }
        here = here_document(line);
        let trimmed = line.trim_start();
        let (word, text) = match trimmed.strip_prefix("function ") {
            Some(rest) => (true, rest.trim_start()),
            None => (false, trimmed),
        };
        let length =
            text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '+' | '@' | '!')));
        let (name, rest) = text.split_at(length.unwrap_or(text.len()));
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let rest = rest.trim_start();
        let after = match rest.strip_prefix('(').map(|rest| rest.trim_start().strip_prefix(')')) {
            Some(Some(after)) => after.trim_start(),
            Some(None) => continue,
            None if word => rest,
            None => continue,
        };
        let opened = match after.chars().next() {
            Some('{' | '(') => row,
            None if lines.get(row + 1).is_some_and(|next| next.trim_start().starts_with('{')) => row + 1,
            _ => continue,
        };
        found.push(Head { name, first: row, opened, last: opened, clean: lines[row..=opened].join("\n") });
    }
    close(lines, &mut found, |line| line.len() - line.trim_start().len());
    found
}

/// The word that ends the here document which a line begins.
fn here_document(line: &str) -> Option<&str> {
    let at = line.find("<<").filter(|at| !line[at + 2..].starts_with('<') && !line.trim_start().starts_with('#'))?;
    let rest = line[at + 2..].trim_start_matches('-').trim_start().trim_start_matches(['"', '\'', '\\']);
    let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    let word = &rest[..length];
    word.starts_with(|c: char| c.is_alphabetic() || c == '_').then_some(word)
}

/// Lets every function end with the first `}` that stands as far to the right as it begins, or before the next such function.
fn close(lines: &[&str], heads: &mut [Head<'_>], indent: impl Fn(&str) -> usize) {
    for place in 0..heads.len() {
        let Head { first, opened, .. } = heads[place];
        let column = indent(lines[first]);
        let body = lines[opened];
        let (open, shut) = (body.matches('{').count(), body.matches('}').count());
        if open > 0 && open == shut {
            continue;
        }
        let next = heads[place + 1..].iter().find(|next| indent(lines[next.first]) <= column).map(|next| next.first);
        let limit = next.unwrap_or(lines.len());
        let end = (opened + 1..limit).find(|&row| {
            let trimmed = lines[row].trim_start();
            trimmed.starts_with(['}', ')']) && lines[row].len() - trimmed.len() == column
        });
        heads[place].last = end.unwrap_or(limit.saturating_sub(1)).max(opened);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heads(text: &str, shell: bool) -> Vec<(String, usize, usize)> {
        let lines: Vec<&str> = text.split('\n').collect();
        let found = if shell { functions_of_shell(&lines) } else { functions_of_c(&lines) };
        found.into_iter().map(|head| (head.name.to_owned(), head.first + 1, head.last + 1)).collect()
    }

    #[test]
    fn heads_of_c_by_their_shape() {
        let text = "static int wrong = f(1);\n\
                    #define LOOP(x) \\\nfor (;;) {\n\
                    /* void not_this(int a) {\n*/\n\
                    int old(a, b)\n  int a;\n  char *b;\n{\n  return other(a);\n}\n\
                    void printflike(3, 4)\ncmd_log(int argc, ...)\n{\n\tif (argc) {\n\t}\n}\n \
                    double\nstrtod2\n (const char *s)\n{\n}\n\
                    struct point {\n  int x;\n};\n\
                    EXPORT(int) made(void) { return 1; }\n\
                    int Cart::total() const {\n}\n\
                    while (x) {\n}\n\
                    int later(int a);\n";
        let expected =
            [("old", 6, 11), ("cmd_log", 12, 17), ("strtod2", 18, 22), ("made", 26, 26), ("Cart::total", 27, 28)];
        assert_eq!(expected.map(|(name, first, last)| (name.to_owned(), first, last)).to_vec(), heads(text, false));
    }

    #[test]
    fn heads_of_a_shell_by_their_shape() {
        let text = "main() {\n  a\n}\n\
                    function foo {\n  inner() {\n    b\n  }\n}\n\
                    cat <<'END'\nfunction js() {\n}\nEND\n\
                    x=()\n\
                    fzf-widget()\n{\n  c\n}\n\
                    one() { d; }\n\
                    sub() (\n  e\n)\n\
                    function words are no function\n";
        let expected =
            [("main", 1, 3), ("foo", 4, 8), ("inner", 5, 7), ("fzf-widget", 14, 17), ("one", 18, 18), ("sub", 19, 21)];
        assert_eq!(expected.map(|(name, first, last)| (name.to_owned(), first, last)).to_vec(), heads(text, true));
    }
}
