//! Source is cut by definition. Definitions are found by the way lines begin and by indentation, language family by language
//! family, without a parser: a file that does not parse is cut as well as one that does, and in linear time.

use super::language::Language;
use super::lexer::{self, State};
use super::{Cut, Kind, char_limit};
use crate::policy::Policy;

/// Lines of a signature that are looked at and shown.
const SIGNATURE_LINES: usize = 12;
/// Characters of one signature that are kept.
const SIGNATURE_CHARS: usize = 240;
/// Characters of the head of a passage.
const HEAD_CHARS: usize = 600;
/// How far the end of a definition is searched. Longer ones end there.
const SCAN_LINES: usize = 60_000;

/// What a line defines, as its own words say.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Found {
    /// "" where there is no name worth showing (a test case called by its description).
    name: String,
    /// Whether definitions inside it are passages of their own.
    is_container: bool,
    /// What stands between the container's name and this one.
    separator: &'static str,
}

impl Found {
    fn leaf(name: &str) -> Self {
        Self { name: name.to_owned(), is_container: false, separator: "." }
    }

    fn container(name: &str) -> Self {
        Self { name: name.to_owned(), is_container: true, separator: "." }
    }

    fn joined_by(self, separator: &'static str) -> Self {
        Self { separator, ..self }
    }
}

/// A definition with its extent. Lines count from 0; `end` is excluded.
#[derive(Debug)]
struct Definition {
    found: Found,
    /// Where its leading comment or decorator begins.
    start: usize,
    line: usize,
    end: usize,
    indent: usize,
    /// The least indentation met inside so far: where its members stand.
    body_indent: usize,
    parent: Option<usize>,
    symbol: String,
}

struct Line {
    indent: usize,
    /// Byte where the text begins.
    text: usize,
    is_blank: bool,
}

struct File<'a> {
    lines: &'a [&'a str],
    shape: Vec<Line>,
    states: Vec<State>,
    language: Language,
}

/// A run of lines that will be a passage, or a part of one.
#[derive(Debug, Clone)]
struct Segment {
    first: usize,
    /// Excluded.
    end: usize,
    /// The container it stands in.
    parent: Option<usize>,
    /// Definitions that begin in it.
    definitions: Vec<usize>,
    /// The definition it is a piece of, when it begins none.
    inside: Option<usize>,
}

/// Cut source into passages. Lines are given without their ends.
pub(crate) fn cut(lines: &[&str], language: Language, policy: &Policy) -> Vec<Cut> {
    let file = File::new(lines, language);
    let definitions = file.definitions();
    let mut segments = Vec::new();
    file.segments(&definitions, policy, &mut segments);
    let segments = file.merged(segments, &definitions, policy);
    let mut cuts = Vec::new();
    for segment in &segments {
        let (symbol, head) = file.names(segment, &definitions);
        for (first, end) in file.pieces(segment.first, segment.end, policy) {
            cuts.push(Cut {
                first,
                last: end - 1,
                part: None,
                head: head.clone(),
                symbol: symbol.clone(),
                text: None,
                kind: Kind::Source,
            });
        }
    }
    cuts
}

impl<'a> File<'a> {
    fn new(lines: &'a [&'a str], language: Language) -> Self {
        let shape = lines
            .iter()
            .map(|line| {
                let text = line.len() - line.trim_start().len();
                let indent = line[..text].chars().map(|c| if c == '\t' { 4 } else { 1 }).sum();
                Line { indent, text, is_blank: line.trim().is_empty() }
            })
            .collect();
        Self { lines, shape, states: lexer::states(lines, language), language }
    }

    fn text(&self, line: usize) -> &'a str {
        self.lines[line][self.shape[line].text..].trim_end()
    }

    fn is_code(&self, line: usize) -> bool {
        self.states[line] == State::Code && !self.shape[line].is_blank
    }

    fn is_comment(&self, line: usize) -> bool {
        if self.states[line] == State::Comment {
            return true;
        }
        let text = self.text(line);
        if self.states[line] != State::Code || text.is_empty() {
            return false;
        }
        let is_marked = lexer::comment_markers(self.language)
            .iter()
            .any(|marker| text.starts_with(marker) || text == marker.trim_end());
        // A preprocessor line is no comment, nor is an attribute or a colour.
        is_marked && !(text.starts_with("#[") || text.starts_with("#!["))
    }

    /// All definitions in the order of their lines, with extents and qualified names.
    fn definitions(&self) -> Vec<Definition> {
        let mut definitions: Vec<Definition> = Vec::new();
        let mut stack: Vec<usize> = Vec::new();
        let mut floor = 0;
        for line in 0..self.lines.len() {
            if !self.is_code(line) {
                continue;
            }
            let indent = self.shape[line].indent;
            // A line to the left of (or level with) an open definition that has not met its end closes it, unless it is one of
            // the lines that stand there by habit; `end` is only an upper bound for languages with braces.
            while let Some(top) = stack.last() {
                if definitions[*top].end <= line {
                    stack.pop();
                } else {
                    break;
                }
            }
            let parent = stack.last().copied();
            let mut is_member = false;
            if let Some(parent) = parent
                && let container = &mut definitions[parent]
                && container.indent < indent
            {
                container.body_indent = container.body_indent.min(indent);
                is_member = container.found.is_container && container.body_indent == indent;
            }
            let Some(found) = self.definition_at(line, parent.is_none(), is_member) else { continue };
            // A definition level with or left of an open one: that one ended without our noticing, before the comment above this.
            let mut ended = Vec::new();
            while let Some(top) = stack.last().copied()
                && definitions[top].indent >= indent
            {
                ended.push(top);
                stack.pop();
            }
            let parent = stack.last().copied();
            let floor_here = parent.map_or(floor, |parent| floor.max(definitions[parent].line + 1));
            let start = self.leading(line, floor_here);
            for index in ended {
                definitions[index].end = definitions[index].end.min(start).max(definitions[index].line + 1);
            }
            let end = self.end_of(line, indent).max(line + 1);
            let end = parent.map_or(end, |parent| end.min(definitions[parent].end.max(line + 1)));
            let symbol = self.qualified(&found, parent, &definitions);
            floor = line + 1;
            stack.push(definitions.len());
            definitions.push(Definition { found, start, line, end, indent, body_indent: usize::MAX, parent, symbol });
        }
        definitions
    }

    fn qualified(&self, found: &Found, parent: Option<usize>, definitions: &[Definition]) -> String {
        if found.name.is_empty() {
            return String::new();
        }
        let mut above = parent;
        while let Some(parent) = above {
            let definition = &definitions[parent];
            if definition.found.is_container && !definition.symbol.is_empty() {
                return format!("{}{}{}", definition.symbol, found.separator, found.name);
            }
            above = definition.parent;
        }
        found.name.clone()
    }

    /// The first line of the comment, decorator or attribute block right above a definition.
    fn leading(&self, line: usize, floor: usize) -> usize {
        let indent = self.shape[line].indent;
        let mut start = line;
        while start > floor {
            let above = start - 1;
            if self.shape[above].is_blank {
                break;
            }
            let text = self.text(above);
            let is_level = self.shape[above].indent == indent;
            let is_attribute = is_level
                && (text.starts_with('@')
                    || text.starts_with("#[")
                    || text.starts_with("[[")
                    || text.starts_with("template"))
                || is_level && self.language == Language::Java && text.starts_with('[') && text.ends_with(']')
                || is_level && self.language == Language::Php && text.starts_with("#[");
            // One rule, several selectors.
            let is_selector = self.language == Language::Css && is_level && text.ends_with(',');
            if is_selector
                || self.is_comment(above)
                || (is_attribute && self.states[above] == State::Code)
                || self.is_return_type(above, line)
            {
                start = above;
                continue;
            }
            // The last line of a decorator, attribute or doc string of several lines: look for its first.
            let closes =
                is_level && (text.starts_with([')', ']', '}']) || text.ends_with("\"\"\"") || text.ends_with(")]"));
            let opened = if closes { self.opening_of(above, floor, indent) } else { None };
            match opened {
                Some(opening) => start = opening,
                None => break,
            }
        }
        // `/** … */`, an empty line, and then the function: an old habit in JavaScript.
        if start > floor + 1 && self.shape[start - 1].is_blank && self.text(start - 2).ends_with("*/") {
            let opening = (floor..start - 1).rev().find(|at| self.states[*at] == State::Code);
            if let Some(opening) = opening.filter(|at| self.text(*at).starts_with("/**")) {
                start = opening;
            }
        }
        start
    }

    fn opening_of(&self, close: usize, floor: usize, indent: usize) -> Option<usize> {
        let opening = (floor..close).rev().take(60).find(|at| {
            self.shape[*at].indent <= indent && !self.shape[*at].is_blank && self.states[*at] == State::Code
        })?;
        let text = self.text(opening);
        (text.starts_with('@') || text.starts_with("#[") || text.starts_with("[")).then_some(opening)
    }

    /// `static int` on a line of its own above `main(int argc, …)`.
    fn is_return_type(&self, above: usize, line: usize) -> bool {
        if !matches!(self.language, Language::C | Language::Cpp) || above + 1 != line || self.shape[line].indent > 0 {
            return false;
        }
        let text = self.text(above);
        self.shape[above].indent == 0
            && self.states[above] == State::Code
            && text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && !text.ends_with([';', '}', '{', ':', ',', '\\', '.'])
            && !text.contains(['(', '=', '#', '"'])
    }

    /// The line after the last one of the definition that begins at `line`.
    fn end_of(&self, line: usize, indent: usize) -> usize {
        let limit = (line + SCAN_LINES).min(self.lines.len());
        match self.language {
            Language::Python | Language::Yaml => self.end_by_indent(line, indent, limit, false),
            Language::Ruby | Language::Elixir | Language::Lua => self.end_by_indent(line, indent, limit, true),
            Language::Toml | Language::Docker | Language::Make | Language::Lisp => {
                self.end_at_next(line, indent, limit)
            }
            _ => self.end_by_brace(line, indent, limit),
        }
    }

    /// Everything that is indented further; with `has_end`, one closing word at the same indentation as well.
    fn end_by_indent(&self, line: usize, indent: usize, limit: usize, has_end: bool) -> usize {
        let mut end = line + 1;
        for at in line + 1..limit {
            if self.shape[at].is_blank {
                continue;
            }
            if self.states[at] == State::Code && self.shape[at].indent <= indent {
                let text = self.text(at);
                let closes_signature = text.starts_with([')', ']', '}']);
                if has_end && self.shape[at].indent == indent {
                    let word = text.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or("");
                    if word == "end" {
                        return at + 1;
                    }
                    if matches!(word, "rescue" | "ensure" | "else" | "elsif" | "after" | "catch") || closes_signature {
                        end = at + 1;
                        continue;
                    }
                }
                if !has_end && closes_signature {
                    end = at + 1;
                    continue;
                }
                // A comment to the left does not end a block.
                if self.is_comment(at) && self.shape[at].indent < indent {
                    continue;
                }
                return end;
            }
            end = at + 1;
        }
        end
    }

    fn end_at_next(&self, line: usize, indent: usize, limit: usize) -> usize {
        (line + 1..limit)
            .find(|at| {
                self.is_code(*at) && self.shape[*at].indent <= indent && self.definition_at(*at, true, false).is_some()
            })
            .map_or(limit, |next| next)
    }

    /// The closing brace at the indentation of the definition; a definition without a body ends with its statement.
    fn end_by_brace(&self, line: usize, indent: usize, limit: usize) -> usize {
        let mut opened = None;
        let mut last = line;
        for at in line..limit.min(line + 40) {
            if self.shape[at].is_blank || self.states[at] != State::Code {
                if self.shape[at].is_blank
                    && at > line
                    && opened.is_none()
                    && self.shape[line].indent == 0
                    && self.language == Language::Go
                {
                    return last + 1;
                }
                continue;
            }
            let text = without_comment(self.text(at));
            if at > line && self.shape[at].indent <= indent && !self.continues_signature(text) {
                let is_knr = matches!(self.language, Language::C | Language::Cpp)
                    && text.ends_with([';', ',', ')'])
                    && self.shape[at].indent == 0;
                if !is_knr
                    && !(matches!(self.language, Language::Css | Language::Sql | Language::Java | Language::Kotlin))
                {
                    return last + 1;
                }
                if self.language != Language::Sql && at > line + 8 {
                    return last + 1;
                }
            }
            last = at;
            let (balance, has_brace) = braces(text);
            if has_brace && balance > 0 {
                opened = Some(at);
                break;
            }
            // `S extends Schema = {},` goes on.
            let goes_on = text.ends_with([',', '(', '<', '=', '|', '&', '+', '[']);
            if (has_brace && balance == 0 && !goes_on) || text.ends_with(';') {
                return at + 1;
            }
            if text.ends_with(['(', '[']) {
                // `const (`, `const x = [` and long argument lists close with their own mark.
                opened = Some(at);
                break;
            }
        }
        let Some(opened) = opened else { return last + 1 };
        let mut at = opened + 1;
        let mut fallback = opened + 1;
        while at < limit {
            if self.is_code(at) && self.shape[at].indent <= indent {
                let text = self.text(at);
                if text.starts_with(['}', ')', ']']) {
                    // `} else {`, `) {`, `}, [` go on.
                    let (_, has_brace) = braces(text);
                    let goes_on = (has_brace || text.ends_with(['(', '['])) && text.ends_with(['{', '(', '[']);
                    if !goes_on {
                        return at + 1;
                    }
                } else if !self.stands_left_by_habit(text) {
                    return fallback;
                }
            } else if text_is_inside(&self.states, at) || !self.shape[at].is_blank {
                fallback = at + 1;
            }
            at += 1;
        }
        if at >= self.lines.len() { at } else { fallback }
    }

    /// Lines at the left edge that still belong to a signature begun above.
    fn continues_signature(&self, text: &str) -> bool {
        text.starts_with(['{', ')', ']', '}', '>', ':', '.', '?', '|', '&', '='])
            || ["where", "extends", "implements", "with", "throws", "permits"]
                .iter()
                .any(|word| after_word(text, word).is_some() || text == *word)
    }

    /// Lines that stand at the left edge inside a body: preprocessor lines, labels, an opening brace, access marks.
    fn stands_left_by_habit(&self, text: &str) -> bool {
        let is_c = matches!(self.language, Language::C | Language::Cpp);
        text.starts_with('{')
            || text.starts_with("where")
            || (text.starts_with('#') && is_c)
            || (is_c && text.ends_with(':') && !text.contains(' '))
            || (self.language == Language::Cpp && matches!(text, "public:" | "private:" | "protected:"))
            || (self.language == Language::Php && (text.starts_with("?>") || text.starts_with("<?")))
            || self.is_comment_text(text)
    }

    fn is_comment_text(&self, text: &str) -> bool {
        lexer::comment_markers(self.language).iter().any(|marker| text.starts_with(marker))
    }

    /// Turn definitions into segments that tile the file.
    fn segments(&self, definitions: &[Definition], policy: &Policy, segments: &mut Vec<Segment>) {
        let roots: Vec<usize> = (0..definitions.len()).filter(|index| definitions[*index].parent.is_none()).collect();
        self.segments_between(0, self.lines.len(), &roots, None, definitions, policy, segments);
    }

    #[expect(clippy::too_many_arguments, reason = "one recursive step, called in two places")]
    fn segments_between(
        &self,
        from: usize,
        to: usize,
        children: &[usize],
        parent: Option<usize>,
        definitions: &[Definition],
        policy: &Policy,
        segments: &mut Vec<Segment>,
    ) {
        let mut at = from;
        let gap = |first: usize, end: usize, segments: &mut Vec<Segment>| {
            if first < end {
                segments.push(Segment { first, end, parent, definitions: Vec::new(), inside: parent });
            }
        };
        for index in children {
            let definition = &definitions[*index];
            let start = definition.start.max(at);
            let end = definition.end.min(to).max(start);
            if start >= end {
                continue;
            }
            gap(at, start, segments);
            let inner: Vec<usize> = (index + 1..definitions.len())
                .take_while(|inner| definitions[*inner].line < end)
                .filter(|inner| definitions[*inner].parent == Some(*index))
                .collect();
            let length = end - start;
            let is_whole = inner.is_empty()
                || length <= policy.source_merge_lines
                || (!definition.found.is_container && length <= policy.source_passage_lines);
            if is_whole {
                // The script of a component has no name; what it defines has.
                let unnamed = self.language == Language::Component && definition.symbol.is_empty();
                let names = std::iter::once(*index).chain(inner.into_iter().filter(|_| unnamed)).collect();
                segments.push(Segment { first: start, end, parent, definitions: names, inside: Some(*index) });
            } else {
                let body = definitions[inner[0]].start.max(definition.line + 1).min(end);
                segments.push(Segment {
                    first: start,
                    end: body,
                    parent,
                    definitions: vec![*index],
                    inside: Some(*index),
                });
                self.segments_between(body, end, &inner, Some(*index), definitions, policy, segments);
            }
            at = end;
        }
        gap(at, to, segments);
    }

    fn size(&self, first: usize, end: usize) -> usize {
        (first..end).filter(|line| !self.shape[*line].is_blank).count()
    }

    /// Join small neighbours that belong together.
    fn merged(&self, segments: Vec<Segment>, definitions: &[Definition], policy: &Policy) -> Vec<Segment> {
        let mut merged: Vec<Segment> = Vec::new();
        for segment in segments {
            let size = self.size(segment.first, segment.end);
            if size == 0 {
                // Blank stretches go along with what precedes them, where they are trimmed.
                continue;
            }
            let Some(last) = merged.last_mut() else {
                merged.push(segment);
                continue;
            };
            let last_size = self.size(last.first, last.end);
            let is_rest = segment.definitions.is_empty() && size <= 2;
            // A container's first lines and its first small members, or neighbours in one container.
            let opens = segment.parent.is_some() && last.definitions.last().copied() == segment.parent;
            let belongs =
                last.parent == segment.parent || opens || (is_rest && is_inside(definitions, last, segment.parent));
            let limit = if is_rest { policy.source_passage_lines } else { policy.source_merge_lines };
            let lines = segment.end - last.first;
            // What documents itself at length stands alone.
            let is_small = is_rest || (size * 4 <= limit * 3 && last_size * 4 <= limit * 3);
            if belongs && is_small && lines <= limit && lines <= policy.source_passage_lines {
                last.end = segment.end;
                last.definitions.extend(segment.definitions);
            } else {
                merged.push(segment);
            }
        }
        merged
    }

    /// Symbol and head of a segment.
    fn names(&self, segment: &Segment, definitions: &[Definition]) -> (String, String) {
        let own: Vec<usize> = if segment.definitions.is_empty() {
            segment.inside.into_iter().collect()
        } else {
            segment.definitions.clone()
        };
        let symbol = own.iter().map(|index| &definitions[*index].symbol).find(|symbol| !symbol.is_empty());
        // A test case without a name stands for the suite around it only in the head.
        let symbol = symbol.cloned().unwrap_or_default();
        let mut head = String::new();
        for index in own {
            let definition = &definitions[index];
            let signature = self.signature(definition);
            let is_qualified = definition.symbol != definition.found.name;
            let mut part = if is_qualified { format!("{} {signature}", definition.symbol) } else { signature };
            if definition.symbol.is_empty()
                && let Some(parent) = definition.parent
            {
                part = format!("{} > {part}", self.signature(&definitions[parent]));
            }
            if !head.is_empty() {
                head.push_str("; ");
            }
            head.push_str(&part);
            if head.len() > HEAD_CHARS {
                head.truncate(char_limit(&head, HEAD_CHARS));
                break;
            }
        }
        (symbol, head)
    }

    /// The signature on one line, without the opening of the body.
    fn signature(&self, definition: &Definition) -> String {
        let mut text = String::new();
        let mut depth = 0i32;
        for line in definition.line..definition.end.min(definition.line + SIGNATURE_LINES) {
            if self.states[line] != State::Code {
                break;
            }
            let part = without_comment(self.text(line));
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(part);
            depth += part
                .chars()
                .map(|c| i32::from(matches!(c, '(' | '[')) - i32::from(matches!(c, ')' | ']')))
                .sum::<i32>();
            let is_open = depth > 0 && !part.ends_with('{');
            if !is_open || text.len() > SIGNATURE_CHARS {
                break;
            }
        }
        let text =
            match text.find('{').filter(|_| !matches!(self.language, Language::Make | Language::Yaml | Language::Toml))
            {
                // A destructured argument opens a brace inside the parentheses.
                Some(at) if at > 0 && text[..at].matches('(').count() <= text[..at].matches(')').count() => &text[..at],
                _ => &text,
            };
        let text = text.trim_end().trim_end_matches(['{', ':', '=', ';']).trim_end();
        let text = text.strip_suffix(" do").unwrap_or(text);
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        words[..char_limit(&words, SIGNATURE_CHARS)].to_owned()
    }

    /// Cut a segment that is longer than a passage may be, at blank lines and low indentation near even parts.
    fn pieces(&self, first: usize, end: usize, policy: &Policy) -> Vec<(usize, usize)> {
        let mut pieces = Vec::new();
        let mut at = first;
        while at < end {
            if self.shape[at].is_blank {
                at += 1;
                continue;
            }
            let rest = end - at;
            let mut cut = end;
            if rest > policy.source_passage_lines {
                let parts = rest.div_ceil(policy.source_passage_lines);
                let even = rest.div_ceil(parts);
                let low = at + (even * 6 / 10).max(1);
                let high = at + policy.source_passage_lines.min(even * 13 / 10).max(1);
                let high = high.min(at + policy.source_passage_lines).min(end);
                cut = (low.min(high)..=high)
                    .max_by_key(|line| self.border_score(*line, at + even, end))
                    .unwrap_or(high)
                    .max(at + 1);
            }
            // The same in characters, for tables of long lines.
            let mut used = 0;
            for line in at..cut {
                used += char_limit(self.lines[line], policy.max_line_chars) + 1;
                if used > policy.source_passage_chars && line > at {
                    cut = line;
                    break;
                }
            }
            pieces.push((at, cut));
            at = cut;
        }
        pieces
    }

    /// How good it is to begin a passage at `line`.
    fn border_score(&self, line: usize, even: usize, end: usize) -> i64 {
        if line >= end {
            return i64::MIN / 2;
        }
        let after_blank = line > 0 && self.shape[line - 1].is_blank && !self.shape[line].is_blank;
        let indent = i64::try_from(self.shape[line].indent.min(40)).unwrap_or(40);
        let distance = i64::try_from(line.abs_diff(even)).unwrap_or(0);
        let inside_text = self.states[line] != State::Code;
        i64::from(after_blank) * 40
            - indent * 2
            - distance
            - i64::from(self.shape[line].is_blank) * 20
            - i64::from(inside_text) * 10
    }

    /// What the line defines. `is_top` if no definition is open around it, `in_container` if it stands directly in a class or the like.
    fn definition_at(&self, line: usize, is_top: bool, in_container: bool) -> Option<Found> {
        let text = self.text(line);
        let indent = self.shape[line].indent;
        match self.language {
            Language::Python => python(text),
            Language::Ruby => ruby(text),
            Language::Elixir => elixir(text),
            Language::Lua => lua(text),
            Language::JavaScript => javascript(text, is_top && indent == 0, in_container),
            Language::Component => {
                component(text, indent).or_else(|| javascript(text, is_top && indent <= 4, in_container))
            }
            Language::Go => (indent == 0).then(|| go(text)).flatten(),
            Language::Rust => rust(text),
            Language::C | Language::Cpp => self.c_like(line, indent, in_container),
            Language::Java => self.java_like(line, in_container),
            Language::Kotlin | Language::Php => kotlin(text),
            Language::Shell => shell(text),
            Language::Sql => sql(text),
            Language::Css => (indent == 0).then(|| css(text)).flatten(),
            Language::Toml => toml(text),
            Language::Yaml => (indent == 0).then(|| yaml(text)).flatten(),
            Language::Make => (indent == 0).then(|| make(text)).flatten(),
            Language::Docker => text.get(..5).filter(|word| word.eq_ignore_ascii_case("from ")).map(|_| {
                let stage = text.to_ascii_lowercase().find(" as ").map_or("", |at| text[at + 4..].trim());
                Found::leaf(stage)
            }),
            Language::Lisp => (indent == 0).then(|| lisp(text)).flatten(),
            Language::Generic => generic(text, indent),
            Language::Plain => None,
        }
    }

    /// A function of C or C++: words, a name, an argument list, and a body before any semicolon.
    fn c_like(&self, line: usize, indent: usize, in_container: bool) -> Option<Found> {
        let text = self.text(line);
        let is_cpp = self.language == Language::Cpp;
        if let Some(rest) = text.strip_prefix("#define ") {
            let name = identifier(rest)?;
            return text.ends_with('\\').then(|| Found::leaf(name));
        }
        if text.starts_with('#') || (indent > 0 && !in_container && !is_cpp) {
            return None;
        }
        if is_cpp && let Some(found) = objective_c(text) {
            return Some(found);
        }
        let words = text.strip_prefix("typedef ").unwrap_or(text);
        let words = skip_words(
            words,
            &["static", "const", "extern", "inline", "export", "constexpr", "enum"]
                .map(|word| if word == "enum" { "\0" } else { word }),
        );
        for keyword in ["struct", "union", "enum", "class", "namespace"] {
            let Some(rest) = after_word(words, keyword) else { continue };
            let rest = after_word(rest, "class").or_else(|| after_word(rest, "struct")).unwrap_or(rest);
            let name = identifier(rest).unwrap_or("");
            let tail = &rest[name.len()..];
            if !self.opens_body(line, 4) || tail.contains(['(', '=']) || tail.trim_start().starts_with('*') {
                break;
            }
            let is_container = is_cpp && matches!(keyword, "struct" | "class" | "namespace");
            return Some(Found { name: name.to_owned(), is_container, separator: "::" });
        }
        if indent > 0 && !in_container {
            return None;
        }
        let name = function_name(text)?;
        (name.1 || self.language == Language::Cpp || indent == 0).then_some(())?;
        self.opens_body(line, 24).then(|| Found::leaf(&name.0).joined_by("::"))
    }

    fn java_like(&self, line: usize, in_container: bool) -> Option<Found> {
        let text = self.text(line);
        if let Some(found) = kotlin(text) {
            return Some(found);
        }
        if !in_container || text.starts_with(['@', '}', ')', '.', '"', '(']) {
            return None;
        }
        let words = skip_words(text, JVM_MODIFIERS);
        let (name, has_type) = function_name(words)?;
        let has_modifier = words.len() < text.len();
        // A call ends like an abstract method; a type or a modifier tells them apart.
        let is_abstract = (has_type || has_modifier) && self.ends_statement(line, 12);
        (self.opens_body(line, 12) || is_abstract || text.ends_with("=>")).then(|| Found::leaf(&name))
    }

    /// Whether a `{` comes before any `;` from this line on.
    fn opens_body(&self, line: usize, lines: usize) -> bool {
        for at in line..(line + lines).min(self.lines.len()) {
            if self.states[at] != State::Code {
                continue;
            }
            let text = without_comment(self.text(at));
            if let Some(mark) = text.find(['{', ';']) {
                if text.as_bytes()[mark] == b'{' {
                    // `= {` opens a value, not a body.
                    return !text[..mark].trim_end().ends_with('=');
                }
                // The declarations of old C stand between the argument list and the body.
                let is_old_style = self.language == Language::C && at > line && self.shape[at].indent <= 8;
                if !is_old_style {
                    return false;
                }
            }
            if at > line && self.shape[at].is_blank {
                return false;
            }
        }
        false
    }

    fn ends_statement(&self, line: usize, lines: usize) -> bool {
        (line..(line + lines).min(self.lines.len()))
            .map(|at| without_comment(self.text(at)))
            .find_map(|text| text.ends_with([';', '{', '}']).then(|| text.ends_with(';') && text.contains(')')))
            .unwrap_or(false)
    }
}

fn text_is_inside(states: &[State], at: usize) -> bool {
    states[at] != State::Code
}

fn is_ancestor(definitions: &[Definition], ancestor: usize, of: usize) -> bool {
    let mut at = definitions[of].parent;
    while let Some(parent) = at {
        if parent == ancestor {
            return true;
        }
        at = definitions[parent].parent;
    }
    false
}

/// Whether a segment ends inside the container `parent`, at any depth.
fn is_inside(definitions: &[Definition], segment: &Segment, parent: Option<usize>) -> bool {
    let Some(parent) = parent else { return true };
    segment.inside == Some(parent) || segment.inside.is_some_and(|inside| is_ancestor(definitions, parent, inside))
}

/// The balance of braces on a line, and whether there are any. Quoted ones do not count.
fn braces(text: &str) -> (i32, bool) {
    let (mut balance, mut has_brace) = (0, false);
    let mut quote = None;
    let mut escaped = false;
    for c in text.chars() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (_, '\\') => escaped = true,
            (Some(mark), _) if c == mark => quote = None,
            (Some(_), _) => {}
            (None, '"' | '`') => quote = Some(c),
            (None, '{') => {
                balance += 1;
                has_brace = true;
            }
            (None, '}') => balance -= 1,
            _ => {}
        }
    }
    (balance, has_brace)
}

/// The text before a comment at the end of the line.
fn without_comment(text: &str) -> &str {
    let end = ["//", "/*"].iter().filter_map(|mark| {
        let at = text.find(mark)?;
        // `https://` and a mark in a string are none.
        let before = &text[..at];
        let is_quoted = before.matches('"').count() % 2 == 1
            || before.matches('\'').count() % 2 == 1
            || before.matches('`').count() % 2 == 1;
        (!before.ends_with(':') && !is_quoted).then_some(at)
    });
    end.min().map_or(text, |end| text[..end].trim_end())
}

/// The identifier at the beginning of the text.
fn identifier(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).unwrap_or(text.len());
    (end > 0 && !text.starts_with(|c: char| c.is_ascii_digit())).then(|| &text[..end])
}

/// Letters, digits and the characters in `also`, from the beginning.
fn run<'t>(text: &'t str, also: &str) -> &'t str {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_' || also.contains(c))).unwrap_or(text.len());
    &text[..end]
}

/// The rest behind `word` and blanks, if the text begins with it.
fn after_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let rest = text.strip_prefix(word)?;
    let trimmed = rest.trim_start();
    (trimmed.len() < rest.len()).then_some(trimmed)
}

/// Drop any of these words from the beginning.
fn skip_words<'t>(mut text: &'t str, words: &[&str]) -> &'t str {
    while let Some(rest) = words.iter().find_map(|word| after_word(text, word)) {
        text = rest;
    }
    text
}

fn python(text: &str) -> Option<Found> {
    if let Some(rest) = after_word(text, "class").or_else(|| after_word(text, "cdef class")) {
        return identifier(rest).map(Found::container);
    }
    let text = skip_words(text, &["async", "static", "cpdef"]);
    let rest = after_word(text, "def").or_else(|| after_word(text, "func")).or_else(|| after_word(text, "proc"))?;
    identifier(rest).map(Found::leaf)
}

fn ruby(text: &str) -> Option<Found> {
    for keyword in ["class", "module"] {
        if let Some(rest) = after_word(text, keyword) {
            // `class << self` opens no new name.
            return Some(Found::container(run(rest, ":")).joined_by("::"));
        }
    }
    let text = skip_words(text, &["private", "protected", "public", "private_class_method", "module_function"]);
    if let Some(rest) = after_word(text, "def") {
        let (name, separator) = match rest.strip_prefix("self.") {
            Some(name) => (name, "."),
            None => (rest, "#"),
        };
        let name = run(name, ".?!=[]+-*/<>%~@");
        let name = if name.ends_with('=') && !name.ends_with("==") && rest[name.len()..].starts_with(' ') {
            name.trim_end_matches('=')
        } else {
            name
        };
        return (!name.is_empty()).then(|| Found::leaf(name).joined_by(separator));
    }
    let opens = text.ends_with(" do") || text.contains(" do |");
    for keyword in ["describe", "RSpec.describe", "context", "feature", "shared_examples", "namespace"] {
        if after_word(text, keyword).is_some() || text.starts_with(&format!("{keyword}(")) {
            return opens.then(|| Found::container(""));
        }
    }
    for keyword in ["it", "specify", "scenario", "should", "test", "task", "Given", "When", "Then", "subject"] {
        if after_word(text, keyword).is_some() && opens {
            return Some(Found::leaf(""));
        }
    }
    None
}

fn elixir(text: &str) -> Option<Found> {
    for keyword in ["defmodule", "defprotocol", "defimpl"] {
        if let Some(rest) = after_word(text, keyword) {
            return Some(Found::container(run(rest, ".")));
        }
    }
    for keyword in ["def", "defp", "defmacro", "defmacrop", "defguard", "defguardp", "defdelegate", "defn"] {
        if let Some(rest) = after_word(text, keyword) {
            return Some(Found::leaf(run(rest, "?!")));
        }
    }
    if after_word(text, "describe").is_some() && text.ends_with(" do") {
        return Some(Found::container(""));
    }
    (after_word(text, "test").is_some() && text.ends_with(" do")).then(|| Found::leaf(""))
}

fn lua(text: &str) -> Option<Found> {
    let text = skip_words(text, &["local"]);
    if let Some(rest) = after_word(text, "function") {
        return Some(Found::leaf(run(rest, ".:")));
    }
    let name = run(text, ".:");
    let rest = text[name.len()..].trim_start().strip_prefix('=')?.trim_start();
    (!name.is_empty() && rest.starts_with("function")).then(|| Found::leaf(name))
}

const JS_MODIFIERS: &[&str] = &[
    "export",
    "default",
    "declare",
    "async",
    "abstract",
    "public",
    "private",
    "protected",
    "static",
    "readonly",
    "override",
    "accessor",
];
/// Words that look like a call of a method being defined.
const NO_METHODS: &[&str] = &[
    "if",
    "for",
    "while",
    "switch",
    "catch",
    "return",
    "function",
    "super",
    "await",
    "throw",
    "new",
    "typeof",
    "else",
    "do",
    "try",
    "with",
    "yield",
    "delete",
    "case",
    "using",
    "lock",
    "foreach",
    "sizeof",
    "assert",
    "when",
    "elif",
    "elsif",
    "unless",
    "until",
    "defined",
    "import",
    "synchronized",
    "match",
    "loop",
    "unsafe",
];

fn javascript(text: &str, is_top: bool, in_container: bool) -> Option<Found> {
    let words = skip_words(text, JS_MODIFIERS);
    if let Some(rest) = words.strip_prefix("function") {
        let rest = rest.trim_start_matches('*').trim_start();
        let is_keyword = words.as_bytes().get(8).is_some_and(|byte| matches!(byte, b' ' | b'*' | b'('));
        return is_keyword.then(|| Found::leaf(identifier(rest).unwrap_or("")));
    }
    if words == "class" || words.starts_with("class {") {
        return Some(Found::container(""));
    }
    for keyword in ["class", "interface", "enum", "const enum", "namespace", "module"] {
        if let Some(rest) = after_word(words, keyword)
            && let Some(name) = identifier(rest)
        {
            // `module = x`, `enum: 1`: the words are names too.
            if rest[name.len()..].trim_start().starts_with(['=', ':', '.', '(', ',', ';', ')']) {
                break;
            }
            let is_container = matches!(keyword, "class" | "namespace" | "module");
            return Some(Found { name: name.to_owned(), is_container, separator: "." });
        }
    }
    if let Some(rest) = after_word(words, "type")
        && let Some(name) = identifier(rest)
        && rest[name.len()..].trim_start().starts_with(['=', '<'])
    {
        return Some(Found::leaf(name));
    }
    for keyword in ["const", "let", "var"] {
        let Some(rest) = after_word(words, keyword) else { continue };
        let name = identifier(rest)?;
        let value = rest[name.len()..].split_once('=').map_or("", |(_, value)| value.trim_start());
        if value.starts_with("require(") {
            return None;
        }
        let is_function = is_function_value(value);
        if !(is_top || is_function) || value.is_empty() && !rest.trim_end().ends_with('=') {
            return None;
        }
        return Some(Found {
            name: name.to_owned(),
            is_container: value.starts_with('{') || value.ends_with("({"),
            separator: ".",
        });
    }
    if text == "export default {" || text.starts_with("export default define") || text == "module.exports = {" {
        return Some(Found::container(""));
    }
    // `app.listen = function listen(`, `exports.x = async () => {`, `Foo.prototype.bar = function (`
    let path = run(text, ".$");
    if path.contains('.')
        && let Some(value) = text[path.len()..].trim_start().strip_prefix('=')
        && is_function_value(value.trim_start())
    {
        return Some(Found::leaf(path.strip_prefix("exports.").unwrap_or(path)));
    }
    if let Some(found) = test_case(text) {
        return Some(found);
    }
    if !in_container {
        return None;
    }
    let member = skip_words(words, &["get", "set"]).trim_start_matches('*');
    let name = run(member, "$#");
    let rest = &member[name.len()..];
    if name.is_empty() || NO_METHODS.contains(&name) {
        return None;
    }
    let is_method = rest.starts_with('(') || rest.starts_with('<');
    let opens = text.ends_with('{')
        || text.ends_with('(')
        || text.ends_with(',')
        || text.ends_with('}')
        || text.ends_with("=>");
    let value = rest.trim_start_matches(['?', '!']).trim_start();
    let is_member_function = value.strip_prefix(['=', ':']).is_some_and(|value| is_function_value(value.trim_start()))
        || value.starts_with(':') && value.contains("=> ") && text.ends_with('{');
    ((is_method && opens) || is_member_function).then(|| Found::leaf(name))
}

fn is_function_value(value: &str) -> bool {
    let value = value.strip_prefix("async").map_or(value, str::trim_start);
    value.starts_with("function")
        || value.starts_with("class ")
        || (value.starts_with('(') || value.starts_with('<'))
            && (value.contains("=>") || value.ends_with('(') || value.ends_with(','))
        || identifier(value).is_some_and(|name| value[name.len()..].trim_start().starts_with("=>"))
}

fn test_case(text: &str) -> Option<Found> {
    let word = run(text, ".");
    let base = word.split('.').next().unwrap_or(word);
    let rest = &text[word.len()..];
    // `describe.each(table)('…', …)` has two argument lists.
    let is_call = rest.starts_with('(')
        && (rest[1..].starts_with(['"', '\'', '`']) || word.ends_with(".each") || rest.len() == 1);
    if !is_call {
        return None;
    }
    match base {
        "describe" | "suite" | "context" => Some(Found::container("")),
        "it" | "test" | "bench" | "before" | "after" | "beforeEach" | "afterEach" => Some(Found::leaf("")),
        _ => None,
    }
}

fn component(text: &str, indent: usize) -> Option<Found> {
    let is_section = ["<script", "<template", "<style", "---"].iter().any(|tag| text.starts_with(tag));
    (indent == 0 && is_section).then(|| Found::leaf(""))
}

fn go(text: &str) -> Option<Found> {
    if let Some(rest) = text.strip_prefix("func ") {
        if let Some(receiver) = rest.strip_prefix('(') {
            let (receiver, rest) = receiver.split_once(')')?;
            let type_name = receiver.split_whitespace().last().unwrap_or("").trim_start_matches('*');
            let type_name = identifier(type_name).unwrap_or("");
            let name = identifier(rest.trim_start())?;
            return Some(Found::leaf(&format!("{type_name}.{name}")));
        }
        return identifier(rest).map(Found::leaf);
    }
    for keyword in ["type", "const", "var"] {
        if let Some(rest) = after_word(text, keyword) {
            return Some(Found::leaf(identifier(rest).unwrap_or("")));
        }
    }
    None
}

fn rust(text: &str) -> Option<Found> {
    let mut words = text;
    if let Some(rest) = words.strip_prefix("pub(") {
        words = rest.split_once(')').map_or(rest, |(_, rest)| rest.trim_start());
    }
    words = skip_words(words, &["pub", "default", "async", "unsafe", "extern", "\"C\"", "const fn\0"]);
    if let Some(rest) = after_word(words, "const")
        && ["fn", "unsafe", "async", "extern"].iter().any(|word| after_word(rest, word).is_some())
    {
        words = skip_words(rest, &["unsafe", "async", "extern", "\"C\""]);
    }
    if let Some(rest) = after_word(words, "fn") {
        return identifier(rest).map(|name| Found::leaf(name).joined_by("::"));
    }
    if let Some(rest) = words.strip_prefix("impl").filter(|rest| rest.starts_with([' ', '<'])) {
        return Some(Found::container(rust_impl_name(rest)).joined_by("::"));
    }
    if let Some(rest) = after_word(words, "trait") {
        return identifier(rest).map(|name| Found::container(name).joined_by("::"));
    }
    if let Some(rest) = after_word(words, "mod") {
        return identifier(rest).filter(|_| !text.ends_with(';')).map(|name| Found::container(name).joined_by("::"));
    }
    if let Some(rest) = words.strip_prefix("macro_rules!") {
        return identifier(rest.trim_start()).map(Found::leaf);
    }
    for keyword in ["struct", "enum", "union", "type", "const", "static"] {
        if let Some(rest) = after_word(words, keyword) {
            let rest = after_word(rest, "mut").unwrap_or(rest);
            return identifier(rest).map(|name| Found::leaf(name).joined_by("::"));
        }
    }
    None
}

/// The type an `impl` is for: `<T> fmt::Display for Foo<T> where …` gives `Foo`.
fn rust_impl_name(text: &str) -> &str {
    let mut rest = text.trim_start();
    if rest.starts_with('<') {
        let mut depth = 0;
        let end = rest.char_indices().find_map(|(at, c)| {
            depth += i32::from(c == '<') - i32::from(c == '>' && !rest[..at].ends_with('-'));
            (depth == 0).then_some(at + 1)
        });
        rest = rest[end.unwrap_or(rest.len())..].trim_start();
    }
    // `for<'a>` in a bound is no `impl … for`.
    if let Some(at) = rest.find(" for ") {
        rest = rest[at + 5..].trim_start();
    }
    let rest = rest.trim_start_matches(['&', '\'']);
    let rest = skip_words(rest, &["mut", "dyn", "a"]);
    let path = run(rest, ":");
    path.rsplit("::").next().unwrap_or(path)
}

/// The name before the first argument list, and whether a type stands before it.
fn function_name(text: &str) -> Option<(String, bool)> {
    let open = text.find('(')?;
    let before = text[..open].trim_end();
    // `operator==` and its like are names.
    let is_plain = !before.contains("operator");
    if before.is_empty()
        || (is_plain && before.contains(['=', '"', ';', '{', '}', '#', '?']))
        || (is_plain && before.ends_with(['.', ',', '+', '-', '!', '&', '|']))
    {
        return None;
    }
    let before = before
        .strip_suffix('>')
        .map_or(before, |generic| generic.rfind('<').map_or(before, |at| generic[..at].trim_end()));
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '~' | '$');
    let start = match before.find("operator") {
        // `Foo::operator==`
        Some(at) => before[..at].rfind(|c: char| !is_name(c)).map_or(0, |at| at + 1),
        None => before.char_indices().rev().find(|(_, c)| !is_name(*c)).map_or(0, |(at, c)| at + c.len_utf8()),
    };
    let name = before[start..].trim_matches(':');
    let type_part = before[..start].trim();
    let first_word = identifier(before).unwrap_or("");
    let is_control = NO_METHODS.contains(&name)
        || NO_METHODS.contains(&first_word)
        || matches!(name, "__attribute__" | "__declspec" | "defined");
    let is_named = name.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '~' | '$'));
    // `foo.bar(` is a call.
    (is_named && !is_control && !type_part.ends_with(['.', '(', ','])).then(|| (name.to_owned(), !type_part.is_empty()))
}

fn objective_c(text: &str) -> Option<Found> {
    for keyword in ["@interface", "@implementation", "@protocol"] {
        if let Some(rest) = after_word(text, keyword) {
            return identifier(rest).map(Found::container);
        }
    }
    if text.starts_with("- (") || text.starts_with("+ (") || text.starts_with("-(") || text.starts_with("+(") {
        let (_, rest) = text.split_once(')')?;
        return identifier(rest.trim_start()).map(Found::leaf);
    }
    None
}

const JVM_MODIFIERS: &[&str] = &[
    "public",
    "private",
    "protected",
    "internal",
    "static",
    "final",
    "abstract",
    "open",
    "override",
    "sealed",
    "data",
    "inner",
    "enum",
    "value",
    "annotation",
    "inline",
    "suspend",
    "operator",
    "infix",
    "external",
    "tailrec",
    "const",
    "lateinit",
    "virtual",
    "async",
    "partial",
    "readonly",
    "native",
    "synchronized",
    "transient",
    "volatile",
    "strictfp",
    "default",
    "case",
    "implicit",
    "lazy",
    "companion",
    "fileprivate",
    "mutating",
    "nonmutating",
    "convenience",
    "required",
    "indirect",
    "dynamic",
    "weak",
    "unowned",
    "extern",
    "unsafe",
    "noncopyable",
    "expect",
    "actual",
    "package",
    "@objc",
    "@MainActor",
    "@Override",
    "@JvmStatic",
    "@inlinable",
    "@discardableResult",
    "@Test",
    "factory",
    "export",
    "mixin",
];

/// Languages whose methods have a keyword, and the types of those whose methods have none.
fn kotlin(text: &str) -> Option<Found> {
    let words = skip_words(text, JVM_MODIFIERS);
    for keyword in [
        "class",
        "interface",
        "object",
        "trait",
        "struct",
        "record",
        "protocol",
        "extension",
        "actor",
        "namespace",
        "module",
        "enum",
        "@interface",
    ] {
        if let Some(rest) = after_word(words, keyword) {
            let rest = after_word(rest, "class").or_else(|| after_word(rest, "struct")).unwrap_or(rest);
            let Some(name) = Some(run(rest, ".")).filter(|name| !name.is_empty()) else { break };
            // `record = x`, `object.foo()`, `module(`
            if rest[name.len()..].trim_start().starts_with(['=', ';', ',', ')'])
                || rest.trim_end().ends_with(';') && keyword != "namespace" && keyword != "record"
            {
                break;
            }
            // A namespace of one line holds the whole file.
            return (!text.ends_with(';') || keyword == "record").then(|| Found::container(name));
        }
    }
    if words.starts_with("object {")
        || words == "object {"
        || (text.contains("companion object") && words.starts_with(['{', ':']))
    {
        return Some(Found::container(""));
    }
    // `enum Foo {` with the modifier skipped.
    if after_word(text, "enum").is_some() || text.contains(" enum ") {
        let name = identifier(words)?;
        let rest = words[name.len()..].trim_start();
        return (rest.is_empty() || rest.starts_with(['{', ':', '(', '<'])).then(|| Found::container(name));
    }
    for keyword in ["fun", "func", "def", "function"] {
        if let Some(rest) = after_word(words, keyword) {
            let rest = rest.trim_start_matches('&');
            // `fun <T> List<T>.foo(`
            let rest = if rest.starts_with('<') { rest.split_once("> ").map_or(rest, |(_, rest)| rest) } else { rest };
            let before = rest.split(['(', '[', '=', ':']).next().unwrap_or(rest).trim_end();
            let name = before.rsplit(['.', ' ', '>']).next().unwrap_or(before);
            let name = if name.is_empty() { before } else { name };
            return Some(Found::leaf(name.split('<').next().unwrap_or(name).trim_matches('`')));
        }
    }
    let special = ["init", "constructor", "deinit", "subscript"].iter().find(|word| {
        words
            .strip_prefix(**word)
            .is_some_and(|rest| rest.trim_start_matches(['?', '!']).trim_start().starts_with(['(', '{', '<']))
    });
    special.filter(|_| text.ends_with('{') || text.ends_with('(') || text.ends_with(',')).map(|word| Found::leaf(word))
}

fn shell(text: &str) -> Option<Found> {
    if let Some(rest) = after_word(text, "function") {
        let name = run(rest, "-:.+@");
        return (!name.is_empty()).then(|| Found::leaf(name));
    }
    if text.starts_with("@test ") {
        return Some(Found::leaf(""));
    }
    let name = run(text, "-:.+@");
    let rest = text[name.len()..].trim_start();
    (!name.is_empty() && rest.strip_prefix('(').is_some_and(|rest| rest.trim_start().starts_with(')')))
        .then(|| Found::leaf(name))
}

fn sql(text: &str) -> Option<Found> {
    let mut words = text.split_whitespace();
    let verb = words.next()?;
    if !verb.eq_ignore_ascii_case("create") && !verb.eq_ignore_ascii_case("alter") {
        return None;
    }
    const KINDS: &[&str] = &[
        "table",
        "view",
        "index",
        "function",
        "procedure",
        "trigger",
        "type",
        "schema",
        "sequence",
        "policy",
        "extension",
        "domain",
        "role",
    ];
    const FILLERS: &[&str] = &["if", "not", "exists", "only", "concurrently"];
    let kind = words.by_ref().take(5).find(|word| KINDS.iter().any(|kind| word.eq_ignore_ascii_case(kind)))?;
    let name = words.find(|word| !FILLERS.iter().any(|filler| word.eq_ignore_ascii_case(filler))).unwrap_or(kind);
    let name = name.split('(').next().unwrap_or(name).trim_matches(['"', '`', '[', ']', ';']);
    Some(Found::leaf(name))
}

fn css(text: &str) -> Option<Found> {
    let is_rule = text.ends_with('{') || text.starts_with('@') && text.contains('{');
    let name = text.trim_end_matches(['{', ',']).trim();
    let name = name.split('{').next().unwrap_or(name).trim();
    (is_rule && !name.is_empty() && !name.starts_with('}')).then(|| Found::leaf(&name[..char_limit(name, 80)]))
}

fn toml(text: &str) -> Option<Found> {
    let name = text.strip_prefix('[')?.trim_start_matches('[');
    let (name, rest) = name.split_once(']')?;
    let rest = rest.trim_start_matches(']').trim_start();
    (!name.contains(['"', ',']) || rest.is_empty()).then_some(())?;
    (rest.is_empty() || rest.starts_with(['#', ';'])).then(|| Found::leaf(name.trim()))
}

fn yaml(text: &str) -> Option<Found> {
    if text.starts_with(['-', '#', '{', '[', '%', '|', '}']) {
        return None;
    }
    let (name, rest) = text.split_once(':')?;
    (rest.is_empty() || rest.starts_with(' ')).then(|| Found::leaf(name.trim_matches(['"', '\''])))
}

fn make(text: &str) -> Option<Found> {
    if let Some(rest) = after_word(text, "define") {
        return identifier(rest).map(Found::leaf);
    }
    let (names, rest) = text.split_once(':')?;
    // `A := b`, `A ::= b` and `a = b:c` are assignments.
    let is_target = !rest.starts_with(['=', ':']) && !names.contains(['=', '#', '"', '(']) && !names.trim().is_empty();
    is_target.then(|| Found::leaf(names.split_whitespace().next().unwrap_or("")))
}

fn lisp(text: &str) -> Option<Found> {
    let rest = text.strip_prefix('(')?;
    let (word, rest) = rest.split_once(char::is_whitespace)?;
    let is_definition =
        word.starts_with("def") || word == "define" || word.starts_with("cl-def") || word == "ns" || word == "fn";
    let name = rest.trim_start().trim_start_matches('(');
    let end = name.find(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '[')).unwrap_or(name.len());
    is_definition.then(|| Found::leaf(&name[..end]))
}

/// Languages without rules of their own: the words most of them share.
fn generic(text: &str, indent: usize) -> Option<Found> {
    let words = skip_words(
        text,
        &[
            "pub",
            "public",
            "private",
            "protected",
            "export",
            "static",
            "async",
            "local",
            "final",
            "abstract",
            "inline",
            "override",
            "internal",
            "const",
            "pure",
            "recursive",
            "extern",
            "let rec",
            "default",
        ],
    );
    const CONTAINERS: &[&str] = &[
        "class",
        "module",
        "namespace",
        "trait",
        "interface",
        "impl",
        "object",
        "protocol",
        "service",
        "package",
        "contract",
    ];
    const LEAVES: &[&str] = &[
        "function",
        "function!",
        "func",
        "fun",
        "fn",
        "def",
        "defn",
        "defun",
        "sub",
        "proc",
        "procedure",
        "subroutine",
        "method",
        "macro",
        "struct",
        "enum",
        "record",
        "union",
        "message",
        "rpc",
        "type",
        "data",
        "newtype",
        "instance",
        "input",
        "fragment",
        "query",
        "mutation",
        "subscription",
        "resource",
        "variable",
        "provider",
        "output",
        "locals",
        "component",
        "theorem",
        "lemma",
        "predicate",
        "let",
        "val",
        "task",
        "filter",
    ];
    if let Some(rest) = CONTAINERS.iter().find_map(|word| after_word(words, word)) {
        let name = run(rest, ".:");
        return (!name.is_empty() && !rest[name.len()..].trim_start().starts_with(['=', ',', ';']))
            .then(|| Found::container(name));
    }
    let (word, rest) = LEAVES.iter().find_map(|word| after_word(words, word).map(|rest| (*word, rest)))?;
    if matches!(word, "let" | "val" | "type" | "data" | "input" | "output" | "query" | "task" | "filter") && indent > 0
    {
        return None;
    }
    // Terraform: `resource "a" "b" {`
    let name = if rest.starts_with('"') {
        rest.split('{').next().unwrap_or(rest).replace(['"', '\''], "").split_whitespace().collect::<Vec<_>>().join(".")
    } else {
        run(rest, ".:#-?!'").trim_end_matches([':', '-']).to_owned()
    };
    (!name.is_empty()).then(|| Found::leaf(&name))
}
