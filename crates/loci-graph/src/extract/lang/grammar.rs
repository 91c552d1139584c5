//! Grammars of parser generators: the C or C++ in `.y` and `.l` files, and the rules around it.
//!
//! Such a file becomes a C file of the same lines, which is then read as any other: prologue and epilogue as they stand, a function
//! for each rule of yacc with its actions as the body, and the actions of lex in `yylex`, which is what they become. What is written
//! by the generator from it is left out as any generated file.

use rustc_hash::FxHashSet;

use crate::extract::facts::{FileFacts, Language};
use crate::extract::walk::squeeze;

/// Whether a path is that of a grammar, and of which kind.
fn is_grammar(path: &str) -> Option<bool> {
    match path.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase()).as_deref() {
        Some("y" | "yy" | "ypp" | "y++" | "yxx") => Some(false),
        Some("l" | "ll" | "lex" | "lpp" | "l++" | "lxx") => Some(true),
        _ => None,
    }
}

/// Of a grammar the text as C; `Some(None)` where the file only has the ending of one.
pub(super) fn as_c(path: &str, text: &str) -> Option<Option<Grammar>> {
    let lexer = is_grammar(path)?;
    if !text.lines().any(|line| line.trim_end() == "%%") {
        return Some(None);
    }
    let mut reader = Reader {
        text,
        at: 0,
        out: String::with_capacity(text.len() + text.len() / 8),
        heads: Vec::new(),
        counted: (0, 1),
    };
    if lexer {
        reader.lexer();
    } else {
        reader.parser();
    }
    Some(Some(Grammar { text: reader.out, heads: reader.heads }))
}

/// A grammar as C.
pub(super) struct Grammar {
    pub(super) text: String,
    /// Name, line and text of the head of each rule.
    heads: Vec<(String, u32, String)>,
}

impl Grammar {
    /// Writes what the file says of the rules into their symbols.
    pub(super) fn finish(&self, facts: &mut FileFacts) {
        let mut heads = self.heads.iter().peekable();
        for symbol in &mut facts.symbols {
            while heads.peek().is_some_and(|(_, line, _)| *line < symbol.name_line) {
                heads.next();
            }
            if let Some((name, line, text)) = heads.peek()
                && *line == symbol.name_line
                && *name == symbol.name
            {
                symbol.signature.clone_from(text);
                symbol.returns = None;
            }
        }
    }
}

/// Whether a file of this language may be a grammar.
pub(super) fn concerns(language: Language) -> bool {
    matches!(language, Language::C | Language::Cpp)
}

/// How far a bracket is looked for that belongs to what stands here; looked for to the end a hostile file would cost its square.
const NEAR: usize = 400;

/// Where a byte stands near the beginning of a text.
fn near(text: &str, byte: u8) -> Option<usize> {
    text.bytes().take(NEAR).position(|one| one == byte)
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    out: String,
    heads: Vec<(String, u32, String)>,
    /// A place and its line.
    counted: (usize, u32),
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// The line from 1 that is reached.
    fn line(&mut self) -> u32 {
        let lines = self.text[self.counted.0..self.at].matches('\n').count() as u32;
        self.counted = (self.at, self.counted.1 + lines);
        self.counted.1
    }

    /// Leaves so many bytes out; lines stay.
    fn skip(&mut self, length: usize) {
        let part = &self.text[self.at..(self.at + length).min(self.text.len())];
        self.out.extend(part.chars().filter(|c| *c == '\n'));
        self.at += part.len();
    }

    /// Takes so many bytes as they are.
    fn copy(&mut self, length: usize) {
        self.out.push_str(&self.text[self.at..(self.at + length).min(self.text.len())]);
        self.at = (self.at + length).min(self.text.len());
    }

    /// Length up to and with the end of the line.
    fn line_length(&self) -> usize {
        self.rest().find('\n').map_or(self.rest().len(), |at| at + 1)
    }

    /// Length of the comment, text or character that begins here; 0 if none does.
    fn opaque(&self) -> usize {
        let rest = self.rest();
        let bytes = rest.as_bytes();
        if let Some(comment) = rest.strip_prefix("/*") {
            return comment.find("*/").map_or(rest.len(), |at| at + 4);
        }
        if rest.starts_with("//") {
            return rest.find('\n').unwrap_or(rest.len());
        }
        let quote = bytes[0];
        if !matches!(quote, b'"' | b'\'') {
            return 0;
        }
        let mut at = 1;
        while at < bytes.len() && bytes[at] != quote && bytes[at] != b'\n' {
            at += if bytes[at] == b'\\' { 2 } else { 1 };
        }
        let mut end = (at + 1).min(bytes.len());
        while !rest.is_char_boundary(end) {
            end += 1;
        }
        end
    }

    fn character(&self) -> usize {
        self.rest().chars().next().map_or(0, char::len_utf8)
    }

    /// `{ … }` with what stands for values, `$$`, `$1`, `@1`, as a number; without its brackets where `bare`.
    fn block(&mut self, bare: bool) {
        let mut depth = 0;
        while self.at < self.text.len() {
            let opaque = self.opaque();
            if opaque > 0 {
                self.copy(opaque);
                continue;
            }
            let rest = self.rest();
            match rest.as_bytes()[0] {
                b'{' => {
                    depth += 1;
                    if bare && depth == 1 { self.skip(1) } else { self.copy(1) }
                }
                b'}' => {
                    depth -= 1;
                    if bare && depth == 0 {
                        self.skip(1)
                    } else {
                        self.copy(1)
                    }
                    if depth <= 0 {
                        return;
                    }
                }
                b'$' | b'@' if self.value() => {}
                _ => self.copy(self.character()),
            }
        }
    }

    /// A value of an action, `$$`, `$<tag>1`, `@name`, `$[name]`; false where none stands here.
    fn value(&mut self) -> bool {
        let rest = self.rest();
        let mut length = 1;
        if rest[length..].starts_with('<') {
            length += near(&rest[length..], b'>').map_or(0, |at| at + 1);
        }
        let bytes = &rest.as_bytes()[length..];
        length += match bytes.first() {
            Some(b'$') => 1,
            Some(b'[') => match near(&rest[length..], b']') {
                Some(at) => at + 1,
                None => return false,
            },
            Some(byte) if is_word(*byte) || *byte == b'-' => {
                1 + bytes[1..].iter().take_while(|byte| is_word(**byte)).count()
            }
            _ => return false,
        };
        self.out.push_str("(0)");
        self.at += length;
        true
    }

    /// The part before the first `%%`: what is C in it.
    fn declarations(&mut self, lexer: bool) {
        while self.at < self.text.len() {
            let rest = self.rest();
            let first_column = self.at == 0 || self.text.as_bytes()[self.at - 1] == b'\n';
            if first_column && rest.starts_with("%%") {
                return;
            }
            let opaque = self.opaque();
            if opaque > 0 && (!lexer || rest.starts_with('/')) {
                if rest.starts_with('/') { self.copy(opaque) } else { self.skip(opaque) }
            } else if rest.starts_with("%{") {
                self.prologue();
            } else if let Some(word) = rest.strip_prefix('%') {
                let word = &word[..word.bytes().take_while(|byte| is_word(*byte) || *byte == b'-').count()];
                let line = self.line_length();
                let opens = near(rest, b'{').filter(|at| *at < line || rest[line..*at].trim().is_empty());
                match (word, opens) {
                    ("code" | "top" | "initial-action" | "destructor" | "printer", Some(open)) => {
                        self.skip(open);
                        self.block(matches!(word, "code" | "top"));
                    }
                    ("union", Some(open)) => {
                        let name = rest["%union".len()..open].trim();
                        self.out.push_str("union ");
                        self.out.push_str(if name.is_empty() { "YYSTYPE" } else { name });
                        self.skip(open);
                        self.block(false);
                        self.out.push(';');
                    }
                    _ => self.skip(1),
                }
            } else if lexer && first_column && rest.starts_with([' ', '\t']) {
                self.copy(self.line_length());
            } else if lexer {
                self.skip(self.line_length());
            } else {
                self.skip(self.character());
            }
        }
    }

    /// `%{ … %}`
    fn prologue(&mut self) {
        self.skip(2);
        let length = self.rest().find("%}").unwrap_or(self.rest().len());
        self.copy(length);
        self.skip(2);
    }

    /// `%%` and what stands behind it on its line.
    fn separator(&mut self) {
        self.skip(self.line_length());
    }

    fn parser(&mut self) {
        self.declarations(false);
        self.separator();
        let rules = self.rules();
        let mut open = false;
        while self.at < self.text.len() {
            let rest = self.rest();
            let first_column = self.text.as_bytes()[self.at - 1] == b'\n';
            if first_column && rest.starts_with("%%") {
                break;
            }
            let opaque = self.opaque();
            if opaque > 0 {
                if rest.starts_with('/') {
                    self.copy(opaque)
                } else {
                    self.skip(opaque)
                }
                continue;
            }
            let byte = rest.as_bytes()[0];
            if rest.starts_with("%{") {
                self.prologue();
            } else if byte == b'{' {
                self.block(false);
            } else if is_word(byte) && !byte.is_ascii_digit() {
                let length = rest.bytes().take_while(|byte| is_word(*byte) || matches!(byte, b'.' | b'-')).count();
                let name = &rest[..length];
                match colon(&rest[length..]) {
                    Some(behind) => {
                        if open {
                            self.out.push('}');
                        }
                        open = true;
                        self.head(name);
                        self.out.push_str("void ");
                        self.out.push_str(name);
                        self.out.push_str("() {");
                        self.skip(length + behind);
                    }
                    None => {
                        if rules.contains(name) {
                            self.out.push_str(name);
                            self.out.push(';');
                        }
                        self.skip(length);
                    }
                }
            } else if byte == b';' && open {
                self.out.push('}');
                open = false;
                self.skip(1);
            } else if byte == b'%' {
                // `%prec NAME`, `%empty`
                self.skip(1 + rest[1..].bytes().take_while(|byte| is_word(*byte) || *byte == b'-').count());
            } else if byte.is_ascii_whitespace() {
                self.copy(1);
            } else {
                self.skip(self.character());
            }
        }
        if open {
            self.out.push('}');
        }
        if self.at < self.text.len() {
            self.separator();
            self.copy(self.rest().len());
        }
    }

    /// The names of all rules.
    fn rules(&self) -> FxHashSet<&'t str> {
        let mut found = FxHashSet::default();
        for line in self.rest().lines().take_while(|line| !line.starts_with("%%")) {
            let trimmed = line.trim_start_matches(['|', ';', ' ']);
            let length = trimmed.bytes().take_while(|byte| is_word(*byte) || matches!(byte, b'.' | b'-')).count();
            let after = trimmed[length..].trim_start();
            // The colon may stand on a line of its own.
            if length > 0 && (after.starts_with([':', '[']) || after.is_empty() && line == trimmed) {
                found.insert(&trimmed[..length]);
            }
        }
        found
    }

    /// Notes where a rule begins and how.
    fn head(&mut self, name: &str) {
        let line = self.line();
        let rest = self.rest();
        let mut ahead = Reader { text: self.text, at: self.at, out: String::new(), heads: Vec::new(), counted: (0, 1) };
        while ahead.at < self.at + NEAR && !ahead.rest().is_empty() && !ahead.rest().starts_with(['{', ';', '|']) {
            let opaque = ahead.opaque();
            ahead.at += if opaque > 0 { opaque } else { ahead.character() };
        }
        let end = ahead.at - self.at;
        self.heads.push((name.to_owned(), line, squeeze(rest[..end].trim_end(), 120)));
    }

    fn lexer(&mut self) {
        self.declarations(true);
        self.out.push_str("int yylex() {");
        self.heads.push((
            "yylex".to_owned(),
            self.text[..self.at].matches('\n').count() as u32 + 1,
            "yylex".to_owned(),
        ));
        self.separator();
        let mut states = 0;
        while self.at < self.text.len() && !self.rest().starts_with("%%") {
            let line = &self.rest()[..self.line_length()];
            if line.starts_with("%{") {
                self.prologue();
                self.skip(self.line_length());
            } else if line.trim().is_empty() {
                self.skip(line.len());
            } else if line.trim_start().starts_with("/*") {
                self.skip(line.len() - line.trim_start().len());
                self.copy(self.opaque());
            } else if line.trim_start().starts_with('<') && line.trim_end().ends_with(">{") {
                // A group of rules of one state.
                states += 1;
                self.skip(line.len());
            } else if states > 0 && line.trim() == "}" {
                states -= 1;
                self.skip(line.len());
            } else if states == 0 && line.starts_with([' ', '\t']) {
                self.copy(line.len());
            } else {
                let indent = line.len() - line.trim_start().len();
                self.skip(indent + pattern_length(line.trim_start()));
                let action = self.rest();
                let blank = action.len() - action.trim_start_matches([' ', '\t']).len();
                self.skip(blank);
                match self.rest().as_bytes().first() {
                    Some(b'{') => self.block(false),
                    Some(b'|') => self.skip(self.line_length()),
                    _ => self.copy(self.line_length()),
                }
            }
        }
        self.out.push('}');
        if self.at < self.text.len() {
            self.separator();
            self.copy(self.rest().len());
        }
    }
}

/// The length up to and with the colon behind the name of a rule.
fn colon(text: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let blank = rest.len() - rest.trim_start().len();
        at += blank;
        let rest = &text[at..];
        if rest.starts_with("/*") {
            at += rest.find("*/")? + 2;
        } else if rest.starts_with('[') {
            at += near(rest, b']')? + 1;
        } else {
            return (rest.starts_with(':') && !rest.starts_with("::")).then_some(at + 1);
        }
    }
}

/// The length of a pattern of lex: up to white space outside of texts, classes and brackets of states.
fn pattern_length(line: &str) -> usize {
    let bytes = line.as_bytes();
    let (mut at, mut text, mut class) = (0, false, false);
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'"' if !class => text = !text,
            b'[' if !text => class = true,
            b']' if !text => class = false,
            b' ' | b'\t' | b'\n' if !text && !class => break,
            _ => {}
        }
        at += 1;
    }
    let mut at = at.min(bytes.len());
    while !line.is_char_boundary(at) {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_a_function_on_the_same_lines() {
        let text = "%{\nint helper(void);\n%}\n%token <number> NUMBER \"it's\"\n%union { int number; }\n%%\nSum:\n  Sum '{' Term \
                    { $$ = add($1, $<number>3->x); /* } */ }\n| Term\n;\nTerm[left]: NUMBER %prec NUMBER { $$ = \
                    $NUMBER; }\n%%\nint add(int a, int b) { return a + b; }\n";
        let found = as_c("src/sum.y", text).unwrap().unwrap();
        assert_eq!(
            "\nint helper(void);\n\n\nunion YYSTYPE{ int number; };\n\nvoid Sum() {\n  Sum;  Term; { (0) = add((0), \
             (0)->x); /* } */ }\n Term;\n}\nvoid Term() {    { (0) = (0); }\n}\nint add(int a, int b) { return a + b; }\n",
            found.text
        );
        assert_eq!(text.matches('\n').count(), found.text.matches('\n').count());
        assert_eq!(("Sum".to_owned(), 7, "Sum: Sum '{' Term".to_owned()), found.heads[0]);
    }

    #[test]
    fn the_actions_of_a_lexer_stand_in_one_function() {
        let text = "%{\n#include \"a.h\"\n%}\nDIGIT [0-9 ]\n%x STRING\n%%\n\"/*\"[^ ]  { skip(yytext); }\n{DIGIT}+ return \
                    number();\n\"x\" { x(); }\n\"y\" { y(); }\n<STRING>{\n  \"a b\" { quote(); }\n}\n. |\n%%\nint other(void) { return 1; }\n";
        let found = as_c("src/sum.l", text).unwrap().unwrap();
        assert_eq!(
            "\n#include \"a.h\"\n\n\n\nint yylex() {\n{ skip(yytext); }\nreturn number();\n{ x(); }\n{ y(); }\n\n{ quote(); }\n\n\n}\nint other(void) \
             { return 1; }\n",
            found.text
        );
        assert!(as_c("src/shop.l", "(defun x ())\n").unwrap().is_none());
        assert!(as_c("src/shop.c", "%%\n").is_none());
    }
}
