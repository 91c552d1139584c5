//! Documents are cut by heading, and a long section at the borders of its paragraphs.

use super::{Cut, Kind, char_count, char_limit};
use crate::policy::Policy;
use crate::role::{Role, is_document_extension, is_document_name, is_man_page};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Markdown,
    ReStructuredText,
    AsciiDoc,
    Org,
    Text,
    Man,
    Html,
    Notebook,
    Tex,
    Pod,
}

/// The document format of a path; `None` for what is source.
pub(crate) fn format_of(path: &str, role: Role) -> Option<Format> {
    let lower = path.to_ascii_lowercase();
    let name = lower.rsplit('/').next().unwrap_or(&lower);
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    if matches!(extension, "html" | "htm" | "xhtml") {
        // Elsewhere HTML is a template: part of the program.
        return (role == Role::Docs).then_some(Format::Html);
    }
    if !is_document_name(name) {
        return None;
    }
    Some(match extension {
        "md" | "markdown" | "mdown" | "mkd" | "mdx" | "mdc" | "rmd" | "qmd" => Format::Markdown,
        "rst" | "rest" => Format::ReStructuredText,
        "adoc" | "asciidoc" | "asc" => Format::AsciiDoc,
        "org" => Format::Org,
        "ipynb" => Format::Notebook,
        "tex" | "texi" | "texinfo" => Format::Tex,
        "pod" => Format::Pod,
        "prebuilt" => Format::Man,
        _ if is_man_page(stem, extension) && !is_document_extension(extension) => Format::Man,
        _ => Format::Text,
    })
}

/// A heading: where its section starts, its depth from 1, its words.
#[derive(Debug, PartialEq, Eq)]
struct Heading {
    /// First line that belongs to it: an overline or a label may stand above the words.
    start: usize,
    /// First line after it.
    body: usize,
    level: usize,
    title: String,
}

/// Cut a document. Lines are given without their ends.
pub(crate) fn cut(lines: &[&str], format: Format, policy: &Policy) -> Vec<Cut> {
    if format == Format::Notebook {
        return notebook(lines, policy);
    }
    let headings = match format {
        Format::Markdown => markdown(lines),
        Format::ReStructuredText => underlined(lines, true),
        Format::Text => underlined(lines, false),
        Format::AsciiDoc => asciidoc(lines),
        Format::Org => org(lines),
        Format::Man => man(lines),
        Format::Html => html(lines),
        Format::Tex => tex(lines),
        Format::Pod => pod(lines),
        Format::Notebook => Vec::new(),
    };
    let mut cuts = Vec::new();
    for (start, end, head) in sections(lines, &headings) {
        fill(lines, start, end, &head, policy.document_passage_chars, &mut cuts);
    }
    cuts
}

/// Tile the lines: `(first, end, head)` with `end` excluded.
fn sections(lines: &[&str], headings: &[Heading]) -> Vec<(usize, usize, String)> {
    let mut sections: Vec<(usize, usize, String)> = Vec::new();
    let mut path: Vec<(usize, &str)> = Vec::new();
    let mut start = 0;
    let mut head = String::new();
    let mut body = 0;
    let mut level = 0;
    for heading in headings {
        let has_body = lines[body..heading.start.max(body)].iter().any(|line| !line.trim().is_empty());
        // A title with nothing under it but the next title is no passage of its own: it opens that one.
        let opens_next = body > 0 && !has_body && heading.level > level;
        if !opens_next && heading.start > start {
            sections.push((start, heading.start, std::mem::take(&mut head)));
            start = heading.start;
        }
        path.retain(|(depth, _)| *depth < heading.level);
        path.push((heading.level, &heading.title));
        head = path.iter().map(|(_, title)| *title).filter(|title| !title.is_empty()).collect::<Vec<_>>().join(" > ");
        body = heading.body;
        level = heading.level;
    }
    sections.push((start, lines.len(), head));
    sections
}

/// Fill passages of one section with whole paragraphs; cut a paragraph that is too long at lines, a line at blanks.
fn fill(lines: &[&str], start: usize, end: usize, head: &str, limit: usize, cuts: &mut Vec<Cut>) {
    let mut push = |first: usize, last: usize, part| {
        cuts.push(Cut {
            first,
            last,
            part,
            head: head.to_owned(),
            symbol: String::new(),
            text: None,
            kind: Kind::Document,
        });
    };
    let mut open: Option<(usize, usize, usize)> = None; // first, last, characters
    for (first, last) in paragraphs(lines, start, end) {
        let size: usize = lines[first..=last].iter().map(|line| char_count(line) + 1).sum();
        if let Some((begin, previous, used)) = open {
            // Blank lines between the two count as well.
            let gap =
                first - previous - 1 + lines[previous + 1..first].iter().map(|line| char_count(line)).sum::<usize>();
            if used + gap + size <= limit + 1 {
                open = Some((begin, last, used + gap + size));
                continue;
            }
            push(begin, previous, None);
            open = None;
        }
        if size <= limit + 1 {
            open = Some((first, last, size));
            continue;
        }
        let mut begin = first;
        let mut used = 0;
        for (line, text) in lines.iter().enumerate().take(last + 1).skip(first) {
            let size = char_count(text) + 1;
            if used > 0 && used + size > limit + 1 {
                push(begin, line - 1, None);
                begin = line;
                used = 0;
            }
            if size > limit + 1 {
                split_line(text, limit, |part| push(line, line, Some(part)));
                begin = line + 1;
                used = 0;
            } else {
                used += size;
            }
        }
        if used > 0 {
            open = Some((begin, last, used));
        }
    }
    if let Some((begin, last, _)) = open {
        push(begin, last, None);
    }
}

/// Cut one line into parts of at most `limit` characters, after a sentence or at a blank where there is one.
fn split_line(line: &str, limit: usize, mut push: impl FnMut((usize, usize))) {
    let mut start = 0;
    while start < line.len() {
        let rest = &line[start..];
        let mut end = char_limit(rest, limit);
        if end < rest.len() {
            let half = char_limit(rest, limit / 2);
            let window = &rest[half..end];
            let sentence = window
                .char_indices()
                .filter(|(_, c)| matches!(c, '。' | '！' | '？' | '.' | '!' | '?'))
                .map(|(at, c)| half + at + c.len_utf8())
                // The dot of "3.11" or "foo.py" ends no sentence.
                .rfind(|at| rest[*at..].starts_with(char::is_whitespace) || !rest[..*at].ends_with(['.', '!', '?']));
            let blank = || window.rfind(char::is_whitespace).map(|at| half + at).filter(|at| *at > 0);
            end = sentence.or_else(blank).unwrap_or(end);
        }
        let text = &rest[..end];
        let trimmed = text.trim();
        if !trimmed.is_empty() {
            let lead = text.len() - text.trim_start().len();
            push((start + lead, start + lead + trimmed.len()));
        }
        start += end;
    }
}

/// Runs of lines that are not blank, `(first, last)`; a fenced block counts as one run although it may hold blank lines.
fn paragraphs(lines: &[&str], start: usize, end: usize) -> Vec<(usize, usize)> {
    let mut runs = Vec::new();
    let mut open: Option<usize> = None;
    let mut fence: Option<(char, usize)> = None;
    for (at, line) in lines.iter().enumerate().take(end).skip(start) {
        let line = line.trim();
        match fence {
            Some((mark, width)) => {
                if is_fence_end(line, mark, width) {
                    fence = None;
                }
            }
            None => fence = fence_start(line),
        }
        if line.is_empty() && fence.is_none() {
            if let Some(first) = open.take() {
                runs.push((first, at - 1));
            }
        } else if open.is_none() {
            open = Some(at);
        }
    }
    if let Some(first) = open {
        runs.push((first, end - 1));
    }
    runs
}

/// The opening of a fenced code block: its mark and width.
fn fence_start(line: &str) -> Option<(char, usize)> {
    let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let width = line.chars().take_while(|c| *c == mark).count();
    // "```js```" is a code span, not a fence.
    (width >= 3 && (mark == '~' || !line[width..].contains('`'))).then_some((mark, width))
}

fn is_fence_end(line: &str, mark: char, width: usize) -> bool {
    let run = line.chars().take_while(|c| *c == mark).count();
    run >= width && line[run..].trim().is_empty()
}

fn leading_spaces(line: &str) -> usize {
    line.bytes().take_while(|byte| *byte == b' ').count()
}

fn markdown(lines: &[&str]) -> Vec<Heading> {
    let mut headings = Vec::new();
    let mut at = 0;
    // Front matter: its `title:` is a title.
    if let Some(mark) = lines.first().map(|line| line.trim_end()).filter(|line| matches!(*line, "---" | "+++"))
        && let Some(length) = lines.iter().skip(1).take(200).position(|line| line.trim_end() == mark)
    {
        let end = length + 1;
        let title = lines[1..end].iter().find_map(|line| {
            let value = line.strip_prefix("title")?.trim_start().strip_prefix([':', '='])?;
            Some(value.trim().trim_matches(['"', '\'']).to_owned())
        });
        if let Some(title) = title.filter(|title| !title.is_empty()) {
            headings.push(Heading { start: 0, body: end + 1, level: 1, title });
        }
        at = end + 1;
    }
    let has_front_title = !headings.is_empty();
    let mut fence: Option<(char, usize)> = None;
    let mut in_comment = false;
    let mut paragraph: Option<usize> = None; // first line of the paragraph we are in, for underlined titles
    while at < lines.len() {
        let line = lines[at];
        let trimmed = line.trim();
        if let Some((mark, width)) = fence {
            if is_fence_end(trimmed, mark, width) {
                fence = None;
            }
            at += 1;
            continue;
        }
        if in_comment {
            in_comment = !trimmed.contains("-->");
            at += 1;
            continue;
        }
        fence = fence_start(trimmed);
        if fence.is_some() {
            paragraph = None;
            at += 1;
            continue;
        }
        if let Some(start) = trimmed.rfind("<!--")
            && !trimmed[start..].contains("-->")
        {
            in_comment = true;
            at += 1;
            continue;
        }
        // Four spaces or a tab make it code, unless a paragraph goes on.
        let is_code = (leading_spaces(line) >= 4 || line.starts_with('\t')) && paragraph.is_none();
        let heading = if is_code { None } else { atx(line).or_else(|| html_heading(trimmed)) };
        if let Some((level, title)) = heading {
            headings.push(Heading { start: at, body: at + 1, level, title });
            paragraph = None;
        } else if let Some(first) = paragraph
            && leading_spaces(line) < 4
            && is_underline(trimmed)
        {
            let title = plain(&lines[first..at].join(" "));
            headings.push(Heading {
                start: first,
                body: at + 1,
                level: if trimmed.starts_with('=') { 1 } else { 2 },
                title,
            });
            paragraph = None;
        } else if trimmed.is_empty() || trimmed.starts_with(['>', '|', '<']) || is_list_item(trimmed) {
            paragraph = None;
        } else if paragraph.is_none() && !is_code {
            paragraph = Some(at);
        }
        at += 1;
    }
    // "title" in the front matter stands above a body that starts at "##"; a body with its own "#" repeats it.
    if has_front_title && headings.iter().skip(1).any(|heading| heading.level == 1) {
        headings.iter_mut().skip(1).for_each(|heading| heading.level += 1);
    }
    headings
}

fn is_list_item(line: &str) -> bool {
    line.starts_with("- ") || line.starts_with("* ") || line.starts_with("+ ")
}

/// `===` or `---` under a paragraph. One character is enough for CommonMark; two keep a stray dash apart.
fn is_underline(line: &str) -> bool {
    line.len() >= 2 && (line.bytes().all(|byte| byte == b'=') || line.bytes().all(|byte| byte == b'-'))
}

fn atx(line: &str) -> Option<(usize, String)> {
    if leading_spaces(line) > 3 {
        return None;
    }
    let line = line.trim();
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let rest = &line[level..];
    if !(1..=6).contains(&level) || !(rest.is_empty() || rest.starts_with([' ', '\t'])) {
        return None;
    }
    let rest = rest.trim();
    // Closing marks, only behind a blank.
    let title = match rest.trim_end_matches('#') {
        "" => "",
        shorter if shorter.len() < rest.len() && shorter.ends_with([' ', '\t']) => shorter.trim_end(),
        _ => rest,
    };
    Some((level, plain(title)))
}

/// `<h1 align="center">Title</h1>` on one line.
fn html_heading(line: &str) -> Option<(usize, String)> {
    let rest = line.strip_prefix("<h").or_else(|| line.strip_prefix("<H"))?;
    let level = rest.chars().next()?.to_digit(10).filter(|level| (1..=6).contains(level))?;
    let (_, inner) = rest.split_once('>')?;
    let end = inner.find("</h").or_else(|| inner.find("</H"))?;
    let title = plain(&inner[..end]);
    (!title.is_empty()).then_some((level as usize, title))
}

/// The words of a title, without markup: links show their text, pictures nothing, tags and anchors go.
fn plain(title: &str) -> String {
    let mut text = String::with_capacity(title.len());
    let mut rest = title;
    while let Some(c) = rest.chars().next() {
        if c == '!' && rest.starts_with("![") {
            if let Some(end) = link_end(&rest[1..]) {
                rest = &rest[1 + end.1..];
                continue;
            }
        } else if c == '[' {
            if let Some((label, end)) = link_end(rest) {
                text.push_str(&plain(&rest[1..label]));
                rest = &rest[end..];
                continue;
            }
        } else if c == '<' {
            let tag = rest[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!');
            if let Some(end) = rest.find('>').filter(|_| tag) {
                rest = &rest[end + 1..];
                continue;
            }
        } else if c == '{' && rest.starts_with("{#") {
            if let Some(end) = rest.find('}') {
                rest = &rest[end + 1..];
                continue;
            }
        } else if matches!(c, '`' | '*') || (c == '\\' && rest[1..].starts_with(|c: char| c.is_ascii_punctuation())) {
            rest = &rest[1..];
            continue;
        }
        text.push(c);
        rest = &rest[c.len_utf8()..];
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// For `[label](target)` or `[label][name]`: the byte where the label ends, and where the whole ends.
fn link_end(text: &str) -> Option<(usize, usize)> {
    let mut depth = 0;
    let mut label = None;
    for (at, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => {
                depth -= 1;
                if depth == 0 {
                    label = Some(at);
                    break;
                }
            }
            _ => {}
        }
    }
    let label = label?;
    let close = match text[label + 1..].chars().next() {
        Some('(') => ')',
        Some('[') => ']',
        _ => return None,
    };
    let end = text[label + 2..].find(close)?;
    Some((label, label + 2 + end + 1))
}

const RST_MARKS: &str = "=-`:.'\"~^_*+#<>!$%&,/;?@|\\(){}[]";

fn adornment(line: &str) -> Option<(char, usize)> {
    let line = line.trim_end();
    let mark = line.chars().next().filter(|c| RST_MARKS.contains(*c))?;
    line.chars().all(|c| c == mark).then_some((mark, line.len()))
}

/// Titles with a line of marks below (and above). Depth is the order in which a document first uses each style. In plain text
/// only `=`, `-`, `~`, `#` and `*` count, and the lengths must agree, since any table would be a title otherwise.
fn underlined(lines: &[&str], is_rst: bool) -> Vec<Heading> {
    let mut headings: Vec<Heading> = Vec::new();
    let mut styles: Vec<(char, bool)> = Vec::new();
    let mut at = 0;
    while at + 1 < lines.len() {
        let title = lines[at].trim_end();
        let is_title = !title.trim().is_empty() && adornment(title).is_none();
        let below = adornment(lines[at + 1]);
        let above = at.checked_sub(1).and_then(|above| adornment(lines[above]));
        let Some((mark, width)) = below.filter(|_| is_title) else {
            at += 1;
            continue;
        };
        let has_overline = above == below;
        let length = char_count(title);
        let fits = if is_rst {
            width >= 3 && width + 2 >= length || width >= length
        } else {
            width >= 3 && width.abs_diff(length) <= 2
        };
        let is_plain_mark = is_rst || matches!(mark, '=' | '-' | '~' | '#' | '*');
        let is_flush = has_overline || !title.starts_with([' ', '\t']);
        let begins = at == 0
            || has_overline
            || lines[at - 1].trim().is_empty()
            || above.is_some()
            || lines[at - 1].starts_with("..");
        if !(fits && is_plain_mark && is_flush && begins && length <= 200) {
            at += 1;
            continue;
        }
        let style = (mark, has_overline);
        let level = styles.iter().position(|known| *known == style).unwrap_or_else(|| {
            styles.push(style);
            styles.len() - 1
        }) + 1;
        let mut start = if has_overline { at - 1 } else { at };
        // `.. _label:` names what follows.
        let floor = headings.last().map_or(0, |heading| heading.body);
        let mut above = start;
        while is_rst && above > floor && (lines[above - 1].trim().is_empty() || lines[above - 1].starts_with(".. _")) {
            above -= 1;
            if lines[above].starts_with(".. _") {
                start = above;
            }
        }
        headings.push(Heading { start, body: at + 2, level, title: rst_plain(title.trim()) });
        at += 2;
    }
    headings
}

/// A reStructuredText title without inline markup: ``literal``, :role:`text`, `text <target>`_.
fn rst_plain(title: &str) -> String {
    let mut text = String::with_capacity(title.len());
    let mut rest = title;
    while let Some(c) = rest.chars().next() {
        if c == ':'
            && let Some(end) = rest[1..].find(":`")
            && rest[1..=end].bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b':' | b'-' | b'_'))
        {
            rest = &rest[end + 2..];
            continue;
        }
        if !matches!(c, '`' | '*') {
            text.push(c);
        }
        rest = &rest[c.len_utf8()..];
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn asciidoc(lines: &[&str]) -> Vec<Heading> {
    let mut headings = Vec::new();
    let mut block: Option<&str> = None;
    for (at, line) in lines.iter().enumerate() {
        let line = line.trim_end();
        if let Some(mark) = block {
            if line == mark {
                block = None;
            }
            continue;
        }
        let is_delimiter = line.len() >= 4
            && matches!(line.as_bytes()[0], b'-' | b'.' | b'=' | b'*' | b'+' | b'_' | b'/')
            && line.bytes().all(|byte| byte == line.as_bytes()[0]);
        if is_delimiter || line.starts_with("```") {
            block = Some(if line.starts_with("```") { "```" } else { line });
            continue;
        }
        let mark = if line.starts_with('=') { b'=' } else { b'#' };
        let level = line.bytes().take_while(|byte| *byte == mark).count();
        if (1..=6).contains(&level) && line[level..].starts_with(' ') {
            headings.push(Heading {
                start: at,
                body: at + 1,
                level,
                title: plain(line[level..].trim().trim_end_matches(['=', '#']).trim_end()),
            });
        }
    }
    headings
}

fn org(lines: &[&str]) -> Vec<Heading> {
    let mut headings = Vec::new();
    let mut in_block = false;
    for (at, line) in lines.iter().enumerate() {
        let start = line.trim_start().get(..9).unwrap_or(line.trim_start()).to_ascii_lowercase();
        if start.starts_with("#+begin_") || start.starts_with("#+end_") {
            in_block = start.starts_with("#+begin_");
            continue;
        }
        if in_block {
            continue;
        }
        let title = line.get(..8).is_some_and(|key| key.eq_ignore_ascii_case("#+title:"));
        if title {
            headings.push(Heading { start: at, body: at + 1, level: 1, title: line[8..].trim().to_owned() });
            continue;
        }
        let level = line.bytes().take_while(|byte| *byte == b'*').count();
        if level > 0 && line[level..].starts_with(' ') {
            let mut words = line[level..].trim();
            words = words.strip_prefix("TODO ").or_else(|| words.strip_prefix("DONE ")).unwrap_or(words);
            // Tags stand at the end, between colons.
            if let Some((text, tags)) = words.rsplit_once(char::is_whitespace)
                && tags.len() > 2
                && tags.starts_with(':')
                && tags.ends_with(':')
            {
                words = text.trim_end();
            }
            headings.push(Heading { start: at, body: at + 1, level: level + 1, title: words.to_owned() });
        }
    }
    headings
}

/// Both macro families: man (`.TH`, `.SH`, `.SS`) and mdoc (`.Dt`, `.Sh`, `.Ss`).
fn man(lines: &[&str]) -> Vec<Heading> {
    let mut headings = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some((request, rest)) = line.strip_prefix('.').map(|line| line.split_once(' ').unwrap_or((line, "")))
        else {
            continue;
        };
        let level = match request.trim() {
            "TH" | "Dt" => 1,
            "SH" | "Sh" => 2,
            "SS" | "Ss" => 3,
            _ => continue,
        };
        let mut body = at + 1;
        let mut title = rest.trim();
        // "The heading may stand on the next line."
        if title.is_empty()
            && level > 1
            && let Some(next) = lines.get(body).filter(|next| !next.starts_with('.'))
        {
            title = next.trim();
            body += 1;
        }
        let title = if level == 1 { title.split_whitespace().next().unwrap_or("") } else { title };
        headings.push(Heading { start: at, body, level, title: roff_plain(title) });
    }
    headings
}

fn roff_plain(text: &str) -> String {
    let text = text.replace("\\-", "-").replace("\\(aq", "'").replace("\\&", "").replace("\\e", "\\");
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(c) = rest.chars().next() {
        if rest.starts_with("\\fB") || rest.starts_with("\\fI") || rest.starts_with("\\fR") || rest.starts_with("\\fP")
        {
            rest = &rest[3..];
            continue;
        }
        if c != '"' {
            plain.push(c);
        }
        rest = &rest[c.len_utf8()..];
    }
    plain.trim().to_owned()
}

fn html(lines: &[&str]) -> Vec<Heading> {
    let mut headings = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let line = line.trim();
        // Headings may be wrapped by other tags on the same line.
        let found = ["<h1", "<h2", "<h3", "<h4", "<h5", "<h6"].iter().find_map(|tag| line.find(tag));
        if let Some((level, title)) = found.and_then(|start| html_heading(&line[start..])) {
            headings.push(Heading { start: at, body: at + 1, level, title });
        }
    }
    headings
}

fn tex(lines: &[&str]) -> Vec<Heading> {
    const COMMANDS: &[(&str, usize)] = &[
        ("\\title{", 1),
        ("\\part{", 1),
        ("\\chapter{", 2),
        ("\\section{", 3),
        ("\\section*{", 3),
        ("\\subsection{", 4),
        ("\\subsection*{", 4),
        ("\\subsubsection{", 5),
        ("@settitle ", 1),
        ("@chapter ", 2),
        ("@section ", 3),
        ("@subsection ", 4),
    ];
    let mut headings = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let line = line.trim();
        if let Some((command, level)) = COMMANDS.iter().find(|(command, _)| line.starts_with(command)) {
            let rest = &line[command.len()..];
            let title =
                if command.ends_with('{') { rest.rsplit_once('}').map_or(rest, |(title, _)| title) } else { rest };
            headings.push(Heading { start: at, body: at + 1, level: *level, title: title.trim().to_owned() });
        }
    }
    headings
}

fn pod(lines: &[&str]) -> Vec<Heading> {
    let heading = |(at, line): (usize, &&str)| {
        let rest = line.strip_prefix("=head")?;
        let level = rest.chars().next()?.to_digit(10)? as usize;
        Some(Heading { start: at, body: at + 1, level, title: rest[1..].trim().to_owned() })
    };
    lines.iter().enumerate().filter_map(heading).collect()
}

/// The cells of a Jupyter notebook as written by every tool that pretty-prints it: one source line a line. Outputs are left out.
fn notebook(lines: &[&str], policy: &Policy) -> Vec<Cut> {
    let mut cuts = Vec::new();
    let mut is_markdown = false;
    let mut is_cell = false;
    let mut path: Vec<(usize, String)> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at].trim();
        if let Some(kind) = line.strip_prefix("\"cell_type\":") {
            is_markdown = kind.contains("markdown");
            is_cell = is_markdown || kind.contains("code");
        }
        if is_cell && line.starts_with("\"source\": [") && !line.ends_with("],") && !line.ends_with(']') {
            let first = at + 1;
            let mut cell: Vec<String> = Vec::new();
            at += 1;
            while at < lines.len() {
                let text = lines[at].trim();
                let Ok(text) = serde_json::from_str::<String>(text.strip_suffix(',').unwrap_or(text)) else { break };
                cell.push(text.strip_suffix('\n').unwrap_or(&text).to_owned());
                at += 1;
            }
            is_cell = false;
            if at > first {
                let cell: Vec<&str> = cell.iter().map(String::as_str).collect();
                push_cell(&cell, first, is_markdown, &mut path, policy, &mut cuts);
            }
            continue;
        }
        at += 1;
    }
    cuts
}

fn push_cell(
    cell: &[&str],
    first: usize,
    is_markdown: bool,
    path: &mut Vec<(usize, String)>,
    policy: &Policy,
    cuts: &mut Vec<Cut>,
) {
    // Headings of Markdown cells go on standing above the cells that follow.
    let headings = if is_markdown { markdown(cell) } else { Vec::new() };
    let mut starts: Vec<usize> = headings.iter().map(|heading| heading.start).collect();
    if starts.first() != Some(&0) {
        starts.insert(0, 0);
    }
    for (position, start) in starts.iter().enumerate() {
        let end = starts.get(position + 1).copied().unwrap_or(cell.len());
        if let Some(heading) = headings.iter().find(|heading| heading.start == *start) {
            path.retain(|(level, _)| *level < heading.level);
            path.push((heading.level, heading.title.clone()));
        }
        let head = path.iter().map(|(_, title)| title.as_str()).collect::<Vec<_>>().join(" > ");
        let mut inner = Vec::new();
        fill(cell, *start, end, &head, policy.document_passage_chars, &mut inner);
        for cut in inner {
            let text = match cut.part {
                Some((from, to)) => cell[cut.first][from..to].to_owned(),
                None => cell[cut.first..=cut.last].join("\n"),
            };
            if text.trim().is_empty() {
                continue;
            }
            cuts.push(Cut {
                first: first + cut.first,
                last: first + cut.last,
                part: None,
                text: Some(text),
                kind: if is_markdown { Kind::Document } else { Kind::Source },
                ..cut
            });
        }
    }
}
