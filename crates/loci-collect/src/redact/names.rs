//! Secrets by the name they are given to: `password = "…"`, `--api-key …`, `<token>…</token>`, `{"name": "TOKEN", "value": "…"}`.
//!
//! No grammar of any language stands here. From a keyword the identifier around it is read, its last words decide whether it
//! names a secret, and what follows decides whether a literal is given to it. A literal is quoted, or a bare word in a file of
//! a kind where bare words are literals; elsewhere a bare word must be opaque, since it is an expression.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use super::rules::{FilesData, Floor, NameData, NamesData, RulesError};
use super::values::{Values, camel};

/// How far from a name its value may begin, and how long one may be; keeps a line of megabytes linear.
const REACH: usize = 4096;
/// How many values of one list are looked at.
const LIST: usize = 64;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// A bare word is an expression.
    Code,
    /// A bare word is the value.
    Literal,
    /// A bare word is a word of a sentence.
    Prose,
}

struct Name {
    kind: usize,
    endings: Vec<String>,
    within: Vec<String>,
    apart: bool,
    floor: Floor,
}

pub(super) struct Names {
    longest: usize,
    trailing: FxHashSet<String>,
    public: Vec<String>,
    fields: FxHashSet<String>,
    names: Vec<Name>,
    modes: FxHashMap<String, Mode>,
}

/// What was found: which bytes, and which kind.
pub(super) struct Found {
    pub(super) span: Range<usize>,
    pub(super) kind: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Operator {
    /// `=`, `:`, `=>`, `:=`, `==`, …
    Assign,
    /// `name "…"`
    Beside,
    /// `name("…")`, `"name", "…"`, `name = Call("…")`: a value may be given, but a weak one proves nothing.
    Loose,
    /// `--name value`
    Flag,
    /// `<name>value</name>`
    Element,
    /// `| name | value |`
    Cell,
    /// `name value` in netrc, Dockerfile, redis.conf
    Space,
}

impl Names {
    pub(super) fn new(
        data: &NamesData,
        files: &FilesData,
        names: &[NameData],
        kinds: &mut Vec<String>,
    ) -> Result<Self, RulesError> {
        let squash = |text: &String| text.replace(' ', "");
        let mut compiled = Vec::new();
        for name in names {
            super::rules::check(&name.family, &name.kind, &name.hit, &name.miss)?;
            if name.endings.is_empty() {
                return Err(RulesError::new(&name.kind, "`endings` is empty"));
            }
            compiled.push(Name {
                kind: super::intern(kinds, &name.kind),
                endings: name.endings.iter().map(squash).collect(),
                within: name.within.clone(),
                apart: name.apart,
                floor: name.floor,
            });
        }
        let mut modes = FxHashMap::default();
        modes.extend(files.code.iter().map(|extension| (extension.clone(), Mode::Code)));
        modes.extend(files.literal.iter().map(|extension| (extension.clone(), Mode::Literal)));
        Ok(Self {
            longest: data.longest,
            trailing: data.trailing.iter().cloned().collect(),
            public: data.public.iter().map(squash).collect(),
            fields: data.fields.iter().cloned().collect(),
            names: compiled,
            modes,
        })
    }

    /// Every spelling of the keywords of a name: `api key` is sought as apikey, api_key, api-key and `api key`.
    pub(super) fn keywords(name: &NameData) -> Vec<String> {
        let words = if name.within.is_empty() { &name.endings } else { &name.within };
        let mut spellings = Vec::new();
        for word in words {
            for joint in ["", "_", "-", " "] {
                spellings.push(word.replace(' ', joint));
            }
        }
        spellings
    }

    /// `hint` is a file's name or path; an unknown or missing extension means prose.
    pub(super) fn mode(&self, hint: &str) -> Mode {
        let name = hint.rsplit(['/', '\\']).next().unwrap_or(hint).to_ascii_lowercase();
        let extension = name.rsplit('.').next().unwrap_or(&name);
        if name.starts_with("dockerfile") || name.starts_with(".env") {
            return Mode::Literal;
        }
        self.modes.get(extension).copied().unwrap_or(Mode::Prose)
    }

    /// Which rule an identifier falls under, by its last words.
    fn classify(&self, identifier: &str) -> Option<&Name> {
        let mut words: Vec<String> = Vec::with_capacity(6);
        for part in identifier.split(|character: char| !character.is_ascii_alphanumeric()) {
            words.extend(camel(part).map(str::to_ascii_lowercase).filter(|word| !word.is_empty()));
        }
        let digits = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
        while words.len() > 1 && words.last().is_some_and(|word| digits(word) || self.trailing.contains(word)) {
            words.pop();
        }
        if let Some(last) = words.last_mut() {
            last.truncate(last.trim_end_matches(|character: char| character.is_ascii_digit()).len());
        }
        let squashed = words.concat();
        let starts: Vec<usize> = words
            .iter()
            .scan(0, |offset, word| {
                let start = *offset;
                *offset += word.len();
                Some(start)
            })
            .collect();
        if self.public.iter().any(|word| {
            starts.iter().any(|&start| squashed[start..].starts_with(word.as_str()))
                && (word.len() > 3 || at_word(&squashed, &starts, word))
        }) {
            return None;
        }
        self.names.iter().find(|name| {
            (name.within.is_empty()
                || words.iter().any(|word| name.within.contains(word))
                || name.within.iter().any(|word| word.len() > 3 && squashed.contains(word.as_str())))
                && name.endings.iter().any(|ending| {
                    squashed
                        .strip_suffix(ending.as_str())
                        .is_some_and(|head| !name.apart || starts.contains(&head.len()))
                })
        })
    }

    /// Looks at the identifier around `hit`; returns where it ends, so that no identifier is read twice.
    pub(super) fn look(
        &self,
        text: &str,
        hit: Range<usize>,
        mode: Mode,
        values: &Values,
        found: &mut Vec<Found>,
    ) -> usize {
        let bytes = text.as_bytes();
        let within = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        let (mut start, mut end) = (hit.start, hit.end);
        while start > 0 && hit.start - start <= self.longest && within(bytes[start - 1]) {
            start -= 1;
        }
        while end < bytes.len() && end - hit.end <= self.longest && within(bytes[end]) {
            end += 1;
        }
        if end - start > self.longest {
            return end;
        }
        // `name-` belongs to an operator (`<-`, `->`) or to nothing.
        let mut last = end;
        while last > start && bytes[last - 1] == b'-' {
            last -= 1;
        }
        let mut first = start;
        while first < last && bytes[first] == b'-' {
            first += 1;
        }
        if first >= last {
            return end;
        }
        // "\ntoken": the letter of an escape is none of the name's.
        if first > 0 && bytes[first - 1] == b'\\' && matches!(bytes[first], b'n' | b't' | b'r') {
            first += 1;
        }
        if let Some(name) = self.classify(&text[first..last]) {
            let mut site = Site {
                text,
                bytes,
                mode,
                values,
                fields: &self.fields,
                name: first..last,
                flag: first - start >= 1,
                apart: name.apart,
                floor: name.floor,
                kind: name.kind,
                found,
            };
            site.read();
        }
        end
    }
}

fn at_word(squashed: &str, starts: &[usize], word: &str) -> bool {
    starts.iter().any(|&start| {
        squashed[start..].starts_with(word)
            && (start + word.len() == squashed.len() || starts.contains(&(start + word.len())))
    })
}

/// A quote as it stands in the text: `"`, or `\"` inside a string, or `&quot;`.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Quote {
    mark: u8,
    escaped: bool,
    entity: bool,
}

struct Site<'a, 'f> {
    text: &'a str,
    bytes: &'a [u8],
    mode: Mode,
    values: &'a Values,
    fields: &'a FxHashSet<String>,
    name: Range<usize>,
    flag: bool,
    /// The name is a common word (`pass`), which proves less.
    apart: bool,
    floor: Floor,
    kind: usize,
    found: &'f mut Vec<Found>,
}

impl Site<'_, '_> {
    fn at(&self, index: usize) -> u8 {
        self.bytes.get(index).copied().unwrap_or(b'\n')
    }

    fn starts(&self, index: usize, text: &str) -> bool {
        self.bytes.get(index..).is_some_and(|rest| rest.starts_with(text.as_bytes()))
    }

    fn blanks(&self, mut index: usize) -> usize {
        while matches!(self.at(index), b' ' | b'\t') && index < self.bytes.len() {
            index += 1;
        }
        index
    }

    /// Blanks and at most `lines` line ends.
    fn blanks_and_lines(&self, mut index: usize, mut lines: u32) -> usize {
        while index < self.bytes.len() {
            match self.bytes[index] {
                b' ' | b'\t' | b'\r' => index += 1,
                b'\n' if lines > 0 => {
                    lines -= 1;
                    index += 1;
                }
                _ => break,
            }
        }
        index
    }

    fn quote(&self, index: usize) -> Option<(Quote, usize)> {
        let quote = |mark, escaped, entity, width| Some((Quote { mark, escaped, entity }, index + width));
        match self.at(index) {
            mark @ (b'"' | b'\'' | b'`') => quote(mark, false, false, 1),
            b'\\' if matches!(self.at(index + 1), b'"' | b'\'') => quote(self.at(index + 1), true, false, 2),
            b'&' if self.starts(index, "&quot;") => quote(b'"', false, true, 6),
            b'&' if self.starts(index, "&#39;") => quote(b'\'', false, true, 5),
            _ => None,
        }
    }

    /// The text between `index` (after the opening quote) and the closing one on the same line, and where that one ends.
    fn quoted(&self, quote: Quote, index: usize) -> Option<(Range<usize>, usize)> {
        let limit = self.bytes.len().min(index + REACH);
        let mut end = index;
        while end < limit {
            match self.bytes[end] {
                b'\n' => return None,
                b'&' if quote.entity => {
                    if let Some((closing, after)) = self.quote(end)
                        && closing == quote
                    {
                        return Some((index..end, after));
                    }
                    end += 1;
                }
                b'\\' if quote.escaped && self.at(end + 1) == quote.mark => return Some((index..end, end + 2)),
                b'\\' => end += 2,
                mark if mark == quote.mark && !quote.entity => {
                    return if quote.escaped { None } else { Some((index..end, end + 1)) };
                }
                _ => end += 1,
            }
        }
        None
    }

    /// True where the quote at hand closes a string in which the name stands: `"password=" + other`.
    fn closes(&self, quote: Quote) -> bool {
        let from = self.name.start.saturating_sub(REACH);
        let line =
            self.bytes[from..self.name.start].iter().rposition(|&byte| byte == b'\n').map_or(from, |at| from + at + 1);
        let mut open = false;
        let mut index = line;
        while index < self.name.start {
            match self.bytes[index] {
                b'\\' => index += 1,
                mark if mark == quote.mark => open = !open,
                _ => {}
            }
            index += 1;
        }
        open
    }

    fn read(&mut self) {
        let before = if self.name.start > 0 { self.at(self.name.start - 1) } else { b'\n' };
        // The end of a path or of a package's name.
        if before == b'/' {
            return;
        }
        let mut index = self.name.end;
        let mut quoted = None;
        // "name"] ) ? ! close what the name stands in.
        for _ in 0..4 {
            if let Some((quote, after)) = self.quote(index) {
                if quoted.is_some() {
                    break;
                }
                // `password "x"` with no blank is no closing quote unless one opened the name.
                quoted = Some(quote);
                index = after;
            } else if matches!(self.at(index), b']' | b'?' | b'!') && self.at(index + 1) != b'='
                || self.at(index) == b')' && quoted.is_some()
            {
                if self.at(index) == b'?' && matches!(self.at(index + 1), b'.' | b'?') {
                    return;
                }
                index += 1;
            } else if self.at(index) == b'['
                && let Some(size) = self.until(index, b']')
                && self.bytes[index + 1..size].iter().all(u8::is_ascii_digit)
            {
                index = size + 1;
            } else if self.mode == Mode::Prose && self.at(index) == b'*' {
                // **name**: the end of emphasis.
                index += 1;
            } else {
                break;
            }
        }
        // The name opens the string ("password"), ends it ("spring.datasource.password", "--password"), or no string is open and
        // the quote begins something else.
        let named_in_quotes = quoted
            .is_some_and(|quote: Quote| before == quote.mark || quote.escaped || quote.entity || self.closes(quote));
        if quoted.is_some() && !named_in_quotes {
            return;
        }
        let after_name = index;
        index = self.blanks(index);

        // <name>value</name>, <x name="name">value</x>
        let tag = before == b'<' || (self.at(after_name) == b'>' && (named_in_quotes || before == b':'));
        if tag && let Some(begin) = self.element(after_name) {
            self.element_value(begin);
            if before == b'<' {
                return;
            }
        }
        // <key>name</key><string>value</string>
        if before == b'>' && self.starts(after_name, "</") {
            if let Some(close) = self.until(after_name, b'>') {
                let next = self.blanks_and_lines(close + 1, 1);
                if self.at(next) == b'<'
                    && self.at(next + 1) != b'/'
                    && let Some(open) = self.until(next, b'>')
                {
                    self.element_value(open + 1);
                }
            }
            return;
        }
        // {"name": "NAME", "value": "..."}, name="NAME" value="..."
        if self.pair(after_name) {
            return;
        }
        if let Some((operator, begin)) = self.operator(index, after_name, named_in_quotes) {
            self.value(operator, begin);
        }
    }

    fn until(&self, index: usize, mark: u8) -> Option<usize> {
        let limit = self.bytes.len().min(index + 256);
        self.bytes
            .get(index..limit)?
            .iter()
            .take_while(|&&byte| byte != b'\n')
            .position(|&byte| byte == mark)
            .map(|at| index + at)
    }

    /// Where the text of an element begins, given the end of its name.
    fn element(&self, index: usize) -> Option<usize> {
        let close = self.until(index, b'>')?;
        let inner = &self.bytes[index..close];
        let attributes = inner.is_empty() || matches!(inner[0], b' ' | b'\t');
        (attributes && !inner.ends_with(b"/") && !inner.contains(&b'<')).then_some(close + 1)
    }

    fn element_value(&mut self, begin: usize) {
        let mut begin = self.blanks_and_lines(begin, 1);
        if self.starts(begin, "<![CDATA[") {
            begin += 9;
        }
        let limit = self.bytes.len().min(begin + REACH);
        let Some(length) = self.bytes[begin..limit].iter().position(|&byte| matches!(byte, b'<' | b'\n' | b']')) else {
            return;
        };
        let end = begin + length;
        let closed = matches!(self.at(end), b'<' | b']') || self.at(self.blanks_and_lines(end, 1)) == b'<';
        let end = begin + self.text[begin..end].trim_end().len();
        if closed {
            self.take(begin..end, Operator::Element);
        }
    }

    /// The value that stands in the field beside the name; true where there is such a field.
    fn pair(&mut self, after_name: usize) -> bool {
        // The name itself must be a value: after `:` or `=`, perhaps in quotes.
        let mut before = self.name.start;
        while before > 0 && matches!(self.bytes[before - 1], b'"' | b'\'' | b'\\' | b' ' | b'`' | b'-') {
            before -= 1;
        }
        if before == 0 || !matches!(self.bytes[before - 1], b':' | b'=') {
            return false;
        }
        let mut index = self.blanks(after_name);
        if self.at(index) == b',' {
            index += 1;
        }
        index = self.blanks_and_lines(index, 1);
        if let Some((_, after)) = self.quote(index) {
            index = after;
        }
        let word_end = (index..self.bytes.len().min(index + 16))
            .find(|&at| !self.bytes[at].is_ascii_alphabetic())
            .unwrap_or(index);
        if !self.fields.contains(&self.text[index..word_end].to_ascii_lowercase()) {
            return false;
        }
        index = word_end;
        if let Some((_, after)) = self.quote(index) {
            index = after;
        }
        index = self.blanks(index);
        if !matches!(self.at(index), b':' | b'=') {
            return false;
        }
        self.value(Operator::Assign, index + 1);
        true
    }

    fn operator(&self, index: usize, after_name: usize, named_in_quotes: bool) -> Option<(Operator, usize)> {
        const ASSIGN: [&str; 17] =
            ["===", "!==", "||=", "??=", "=>", ":=", "==", "!=", "?=", "+=", "<-", "||", "??", ":-", "=", ":", "|="];
        if self.starts(index, "::") || self.starts(index, "->") {
            return None;
        }
        for operator in ASSIGN {
            if self.starts(index, operator) {
                let begin = index + operator.len();
                // name: Type = "..."
                if operator == ":"
                    && let Some(typed) = self.typed(begin)
                {
                    return Some((Operator::Assign, typed));
                }
                return Some((Operator::Assign, begin));
            }
        }
        match self.at(index) {
            // "name", "..."
            b',' if named_in_quotes => return Some((Operator::Loose, index + 1)),
            // | name | value |
            b'|' if self.mode == Mode::Prose => return Some((Operator::Cell, index + 1)),
            // name("...")
            b'(' if index == after_name => return Some((Operator::Loose, index + 1)),
            _ => {}
        }
        if index == after_name {
            return None;
        }
        if self.flag && before_is_blank(self.bytes, self.name.start) {
            return Some((Operator::Flag, index));
        }
        // variable "name" { default = "..." }
        if named_in_quotes && self.at(index) == b'{' {
            return self.default_in(index + 1).map(|begin| (Operator::Assign, begin));
        }
        for word in ["or ", "is ", "to ", "was "] {
            if self.mode == Mode::Prose
                && self.starts(index, word)
                && self.quote(self.blanks(index + word.len())).is_none()
            {
                // "set DB_PASSWORD to ...": a sentence may go on with anything, so only an opaque value counts.
                return Some((Operator::Space, index + word.len()));
            }
            if self.starts(index, word)
                && self
                    .quote(self.blanks(index + word.len()))
                    .is_some_and(|(quote, _)| quote.mark != b'`' || !self.apart)
            {
                return Some((Operator::Assign, index + word.len()));
            }
        }
        if let Some((quote, _)) = self.quote(index) {
            return (quote.mark != b'`')
                .then_some((if self.apart { Operator::Loose } else { Operator::Beside }, index));
        }
        if !named_in_quotes && let Some(typed) = self.typed(index) {
            return Some((Operator::Assign, typed));
        }
        (self.mode != Mode::Code && !self.apart).then_some((Operator::Space, index))
    }

    /// Where the value of `default =` begins in the block that `index` stands in.
    fn default_in(&self, index: usize) -> Option<usize> {
        let limit = self.bytes.len().min(index + 512);
        let block = &self.bytes[index..limit];
        let block = &block[..block.iter().position(|&byte| byte == b'}').unwrap_or(block.len())];
        let at = block.windows(7).position(|window| window == b"default")?;
        let equals = self.blanks(index + at + 7);
        (self.at(equals) == b'=').then_some(equals + 1)
    }

    /// `Type =` before a quoted value: where that value is.
    fn typed(&self, index: usize) -> Option<usize> {
        let limit = self.bytes.len().min(index + 64);
        let length = self
            .bytes
            .get(index..limit)?
            .iter()
            .position(|&byte| !(byte.is_ascii_alphanumeric() || b"_&<>[]|?. *':".contains(&byte)))?;
        let equals = index + length;
        if length == 0 || self.at(equals) != b'=' || matches!(self.at(equals + 1), b'=' | b'>') {
            return None;
        }
        let begin = self.blanks_and_lines(equals + 1, 1);
        let kind = self.text[index..equals].trim();
        let quote = self.quote(begin).is_some() || self.quote(begin + 1).is_some();
        (!kind.is_empty() && quote).then_some(begin)
    }

    fn value(&mut self, operator: Operator, begin: usize) {
        // A value may stand on the next line when it is quoted there.
        let mut index = self.blanks(begin);
        // **name:** value
        if self.mode == Mode::Prose && self.starts(index, "**") {
            index = self.blanks(index + 2);
        }
        if self.at(index) == b'\\' && matches!(self.at(index + 1), b'\n' | b'\r') {
            index += 1;
        }
        let mut next = self.blanks_and_lines(index, 1);
        let list = matches!(self.at(next), b'[' | b'(' | b'{')
            && !matches!(operator, Operator::Space | Operator::Cell | Operator::Loose);
        if list && self.at(next) != b'{' {
            next = self.blanks_and_lines(next + 1, 1);
        }
        if next > index && next > self.blanks(index) && self.prefixed(next).is_none() && !list {
            return;
        }
        // YAML's block scalar: the text is the next line.
        if matches!(self.at(index), b'|' | b'>') && self.mode != Mode::Code {
            let header = (index + 1..self.bytes.len())
                .find(|&at| !matches!(self.bytes[at], b'+' | b'-' | b'0'..=b'9' | b' '))
                .unwrap_or(index);
            if matches!(self.at(header), b'\n' | b'\r') {
                let line = self.blanks_and_lines(header, 1);
                self.bare(operator, line);
                return;
            }
        }
        if let Some((quote, after)) = self.prefixed(next) {
            // No blank between operator and quote, and the name stands in a string of the same quote: that string ends here.
            if next == begin && !quote.escaped && !quote.entity && !self.named_in(quote) && self.closes(quote) {
                return;
            }
            self.literals(operator, quote, after, list);
            return;
        }
        if let Some((quote, after)) = self.wrapped(next) {
            self.literals(Operator::Loose, quote, after, false);
            return;
        }
        if !list && operator != Operator::Loose && operator != Operator::Beside {
            self.bare(operator, index);
        }
    }

    fn named_in(&self, quote: Quote) -> bool {
        self.name.start > 0 && self.at(self.name.start - 1) == quote.mark
    }

    /// A quote after at most three letters or marks of a string's prefix: `b"`, `rb'`, `@"`, `$"`.
    fn prefixed(&self, index: usize) -> Option<(Quote, usize)> {
        for width in 0..=3 {
            if let Some((quote, mut after)) = self.quote(index + width) {
                if self.starts(after, "\"\"") && quote.mark == b'"' && !quote.escaped {
                    after += 2;
                }
                return Some((quote, after));
            }
            if !b"bBrRuUfFLcs@$#&".contains(&self.at(index + width)) {
                return None;
            }
        }
        None
    }

    /// A literal in one or two calls: `SecretStr("...")`, `[]byte("...")`, `new Token(Some("..."))`.
    fn wrapped(&self, index: usize) -> Option<(Quote, usize)> {
        let limit = self.bytes.len().min(index + 48);
        let mut at = index;
        if self.starts(at, "new ") {
            at += 4;
        }
        let mut called = false;
        while at < limit {
            match self.bytes[at] {
                byte if byte.is_ascii_alphanumeric() || b"_.:$<>&[]!?".contains(&byte) => at += 1,
                b'(' => {
                    called = true;
                    at += 1;
                    if let Some(quote) = self.prefixed(at) {
                        return Some(quote);
                    }
                }
                _ => return None,
            }
            if called && self.at(at) == b'\n' {
                return None;
            }
        }
        None
    }

    /// One quoted literal, or those of a list.
    fn literals(&mut self, operator: Operator, mut quote: Quote, mut after: usize, list: bool) {
        for _ in 0..LIST {
            let Some((span, end)) = self.quoted(quote, after) else {
                // No closing quote: a string of many lines, or no string at all.
                if !list && !quote.entity && operator != Operator::Loose && operator != Operator::Beside {
                    self.bare(Operator::Space, after);
                }
                return;
            };
            self.take(span, operator);
            if !list {
                return;
            }
            let mut next = self.blanks_and_lines(end, 1);
            if self.at(next) != b',' {
                return;
            }
            next = self.blanks_and_lines(next + 1, 1);
            match self.prefixed(next) {
                Some((opening, begin)) => (quote, after) = (opening, begin),
                None => return,
            }
        }
    }

    /// A word without quotes.
    fn bare(&mut self, operator: Operator, begin: usize) {
        let limit = self.bytes.len().min(begin + REACH);
        let stop = |byte: u8| match self.mode {
            _ if byte.is_ascii_whitespace() => true,
            Mode::Code => !(byte.is_ascii_alphanumeric() || b"+/=_-.~%".contains(&byte)),
            Mode::Literal => matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'>'),
            Mode::Prose => matches!(
                byte,
                b'"' | b'\''
                    | b'`'
                    | b'<'
                    | b'>'
                    | b'|'
                    | b'('
                    | b')'
                    | b'{'
                    | b'}'
                    | b'['
                    | b']'
                    | b','
                    | b';'
                    | b'&'
                    | b'\\'
            ),
        };
        let length = self.bytes[begin..limit].iter().position(|&byte| stop(byte)).unwrap_or(limit - begin);
        let mut end = begin + length;
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let next = self.at(end);
        let whole = &self.text[begin..end];
        // Parts of a query: ?token=...&page=2
        if let Some(at) = self.bytes[begin..end].iter().position(|&byte| byte == b'&')
            && operator == Operator::Assign
            && self.text[begin..end].contains('=')
        {
            end = begin + at;
        }
        end = begin + self.text[begin..end].trim_end_matches([',', ';', ')', ']', '}', '.', ':', '\\']).len();
        if begin >= end {
            return;
        }
        if self.text[end..].starts_with("...") {
            return;
        }
        let value = &self.text[begin..end];
        // Tags, anchors and comments stand after a blank; the first character of a password, right at its operator.
        let blank = begin > 0 && matches!(self.bytes[begin - 1], b' ' | b'\t');
        let opening = value.starts_with(['$', '{', '(', '['])
            || (value.starts_with('-') && (blank || self.mode == Mode::Code || value.starts_with("--")))
            || (blank && value.starts_with(['!', '&', '*', '%', '@', '#']));
        // os.getcwd(), hosts[0], f(x,
        let called = value.find(['(', '[']).is_some_and(|at| {
            let inner = &whole[at + 1..];
            let closed = inner.contains([')', ']']) || inner.ends_with(',');
            at > 0
                && (inner.is_empty()
                    || inner.starts_with([')', ']'])
                    || (closed && (value[..at].contains('.') || self.values.wordy(&value[..at]))))
        });
        if opening
            || called
            || (self.mode == Mode::Code && matches!(next, b'(' | b'[' | b'{' | b'?' | b'!' | b':' | b'$' | b'<'))
        {
            return;
        }
        let weak = match (self.mode, operator) {
            (_, Operator::Flag) => true,
            (Mode::Literal, Operator::Assign) => true,
            (Mode::Literal, Operator::Space) => false,
            (Mode::Prose, Operator::Assign) => value.len() >= 8,
            _ => false,
        };
        let floor = if weak { self.floor } else { Floor::Opaque };
        // Members and paths are no literals: config.token2, key/of/it.
        if self.mode == Mode::Code && value.contains('.') {
            return;
        }
        let secret = if floor == Floor::Opaque {
            self.values.drawn(value, self.mode == Mode::Code)
        } else {
            self.values.passes(floor, value)
        };
        if secret {
            self.found.push(Found { span: begin..end, kind: self.kind });
        }
    }

    fn take(&mut self, span: Range<usize>, operator: Operator) {
        let value = &self.text[span.clone()];
        let secret = match operator {
            Operator::Loose | Operator::Cell => self.values.drawn(value, true),
            _ => self.values.passes(self.floor, value),
        };
        if secret {
            self.found.push(Found { span, kind: self.kind });
        }
    }
}

fn before_is_blank(bytes: &[u8], name: usize) -> bool {
    let mut index = name;
    while index > 0 && bytes[index - 1] == b'-' {
        index -= 1;
    }
    index < name && (index == 0 || matches!(bytes[index - 1], b' ' | b'\t' | b'\n' | b'"' | b'\'' | b'`' | b'(' | b'['))
}
