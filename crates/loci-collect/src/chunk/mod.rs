//! Cutting a text into passages: documents by heading, source by definition.

pub(crate) mod document;
pub(crate) mod language;
pub(crate) mod lexer;
mod roff;
pub(crate) mod source;

use crate::policy::Policy;
use crate::role::{Role, role_of};

/// What a passage was made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Kind {
    /// A piece of a document.
    Document = 0,
    /// A piece of source or configuration.
    Source = 1,
    /// A commit message.
    Commit = 2,
}

/// A verbatim piece of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// What it was made from.
    pub kind: Kind,
    /// Where in the project it stands.
    pub role: Role,
    /// Path of the file, relative to the root.
    pub path: String,
    /// First and last line, counted from 1, both included.
    pub lines: (u32, u32),
    /// For documents the headings above it ("Title > Section"); for source its symbol and the words of its signatures. May be "".
    pub head: String,
    /// Qualified name of the definition it holds, as the language writes it (`Flask.wsgi_app`, `Router::route`); "" if none.
    pub symbol: String,
    /// The text: those lines, redacted, without line end at the end; over-long lines of source are clipped, and one over-long line
    /// of a document is several passages.
    pub text: String,
    /// What the text says, where its words cannot be found in it as it is written: the text of a manual page without its macros
    /// and escapes. Made for the index, never shown.
    pub plain: Option<String>,
}

/// Passages of one file, and what was cut away from it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chunked {
    /// In the order of their lines.
    pub passages: Vec<Passage>,
    /// Lines that were clipped to [`Policy::max_line_chars`].
    pub clipped_lines: u32,
}

/// A stretch of lines, or a part of one line, on its way to becoming a passage. Lines count from 0, both ends included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cut {
    pub(crate) first: usize,
    pub(crate) last: usize,
    /// Only a part of line `first`, as a byte range.
    pub(crate) part: Option<(usize, usize)>,
    pub(crate) head: String,
    pub(crate) symbol: String,
    /// Text to use instead of the lines, for containers such as notebooks.
    pub(crate) text: Option<String>,
    pub(crate) kind: Kind,
}

/// Cut a text into passages. The path decides how: which format or language, and the role.
///
/// Every line that is not blank is in exactly one passage (but see [`Passage::text`] on over-long lines); no passage is longer than
/// the policy allows. Headings and definitions are found by rules of thumb: text that defies them is cut by size and nothing is lost.
///
/// ```
/// use loci_collect::{Policy, chunk};
/// let chunked = chunk("README.md", "# Title\n\n## Use\n\nRun it.\n", &Policy::default());
/// assert_eq!("Title > Use", chunked.passages[0].head);
/// let chunked = chunk("a.py", "class A:\n    def f(self):\n        return 1\n", &Policy::default());
/// assert_eq!("A", chunked.passages[0].symbol);
/// ```
pub fn chunk(path: &str, text: &str, policy: &Policy) -> Chunked {
    let mut lines: Vec<&str> = text.split('\n').collect();
    if lines.last() == Some(&"") {
        lines.pop();
    }
    let role = role_of(path);
    let format = document::format_of(path, role);
    let page = (format == Some(document::Format::Man)).then(|| roff::name(&lines));
    let cuts = match format {
        Some(format) => document::cut(&lines, format, policy),
        None => source::cut(&lines, language::of(path, lines.first().copied().unwrap_or("")), policy),
    };
    let mut chunked = Chunked::default();
    for mut cut in cuts {
        let is_blank = |line: usize| lines[line].trim().is_empty();
        if cut.part.is_none() && cut.text.is_none() {
            while cut.first < cut.last && is_blank(cut.first) {
                cut.first += 1;
            }
            while cut.last > cut.first && is_blank(cut.last) {
                cut.last -= 1;
            }
            if is_blank(cut.first) {
                continue;
            }
        }
        let text = match (cut.text, cut.part) {
            (Some(text), _) => text,
            (None, Some((start, end))) => lines[cut.first][start..end].to_owned(),
            (None, None) => {
                let mut text = String::new();
                for (position, line) in lines[cut.first..=cut.last].iter().enumerate() {
                    if position > 0 {
                        text.push('\n');
                    }
                    let end = char_limit(line, policy.max_line_chars);
                    if cut.kind == Kind::Source && end < line.len() {
                        chunked.clipped_lines += 1;
                        text.push_str(&line[..end]);
                    } else {
                        text.push_str(line);
                    }
                }
                text
            }
        };
        let plain = page.as_ref().map(|name| roff::plain(&text, name)).filter(|plain| *plain != text);
        chunked.passages.push(Passage {
            plain,
            kind: cut.kind,
            role,
            path: path.to_owned(),
            lines: (line_number(cut.first), line_number(cut.last)),
            head: cut.head,
            symbol: cut.symbol,
            text,
        });
    }
    chunked
}

fn line_number(index: usize) -> u32 {
    u32::try_from(index + 1).unwrap_or(u32::MAX)
}

/// The byte length of the first `limit` characters.
pub(crate) fn char_limit(text: &str, limit: usize) -> usize {
    if text.len() <= limit {
        return text.len();
    }
    text.char_indices().nth(limit).map_or(text.len(), |(end, _)| end)
}

pub(crate) fn char_count(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().count() }
}
