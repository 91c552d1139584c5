//! Manifests that hold secrets by declaration (`kind: Secret` of Kubernetes): whatever its keys are called, what stands under
//! `data` and `stringData` is a secret.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

/// No manifest is longer, to either side of its `kind`.
const LONGEST: usize = 1 << 16;

static FIELD: LazyLock<Regex> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "a fixed pattern, compiled by every test")]
    Regex::new(r#"\\?"(data|stringData)\\?"[ \t\r\n]*:[ \t\r\n]*\{([^{}]*)"#).expect("a valid pattern")
});
static ENTRY: LazyLock<Regex> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "a fixed pattern, compiled by every test")]
    Regex::new(r#"\\?"[A-Za-z0-9_.-]+\\?"[ \t\r\n]*:[ \t\r\n]*\\?"([^"\\]+)"#).expect("a valid pattern")
});

/// The values of the manifest whose `kind` stands at `at`, and whether each stands where values are encoded.
pub(super) fn values(text: &str, at: usize, found: &mut Vec<(Range<usize>, bool)>) {
    if text[at..].starts_with(['"', '\\']) {
        object(text, at, found);
    } else {
        block(text, at, found);
    }
}

fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// JSON: the object around `at`.
fn object(text: &str, at: usize, found: &mut Vec<(Range<usize>, bool)>) {
    let bytes = text.as_bytes();
    let mut depth = 0;
    let from = (at.saturating_sub(LONGEST)..at).rev().find(|&place| {
        depth += i32::from(bytes[place] == b'}') - i32::from(bytes[place] == b'{');
        depth < 0
    });
    depth = 0;
    let to = (at..bytes.len().min(at + LONGEST)).find(|&place| {
        depth += i32::from(bytes[place] == b'{') - i32::from(bytes[place] == b'}');
        depth < 0
    });
    let from = from.unwrap_or_else(|| boundary(text, at.saturating_sub(LONGEST)));
    let to = to.unwrap_or_else(|| boundary(text, bytes.len().min(at + LONGEST)));
    for field in FIELD.captures_iter(&text[from..to]) {
        let (Some(name), Some(inner)) = (field.get(1), field.get(2)) else { continue };
        for entry in ENTRY.captures_iter(inner.as_str()) {
            if let Some(value) = entry.get(1) {
                let start = from + inner.start() + value.start();
                found.push((start..start + value.len(), name.as_str() == "data"));
            }
        }
    }
}

/// A line: where it begins, how deep its text stands (marks of lists, quotations and comments counted as blanks), its text.
fn line(text: &str, start: usize) -> (usize, &str, usize) {
    let end = text[start..].find('\n').map_or(text.len(), |length| start + length);
    let whole = &text[start..end];
    let inner = whole.trim_start_matches([' ', '\t', '>', '#', '*']);
    let inner = inner.strip_prefix("- ").map_or(inner, str::trim_start);
    (whole.len() - inner.len(), inner.trim_end(), end)
}

/// YAML: the lines level with `kind` and those below them.
fn block(text: &str, at: usize, found: &mut Vec<(Range<usize>, bool)>) {
    let own = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let depth = at - own;
    let ends = |place: usize| {
        let (indent, inner, _) = line(text, place);
        inner.starts_with("---") || (!inner.is_empty() && indent < depth) || inner.starts_with("```")
    };
    let mut first = own;
    while first > 0 && own - first < LONGEST {
        let above = text[..first - 1].rfind('\n').map_or(0, |end| end + 1);
        if ends(above) {
            break;
        }
        first = above;
    }
    let (mut place, mut section, mut scalar) = (first, None, None);
    while place < text.len() && place < own + LONGEST {
        let (indent, inner, end) = line(text, place);
        if place != own && place > own && ends(place) {
            break;
        }
        let start = place + indent;
        place = end + 1;
        if inner.is_empty() {
            continue;
        }
        if indent == depth {
            scalar = None;
            section = match inner.split_once(':') {
                Some(("data", rest)) if rest.trim().is_empty() => Some(true),
                Some(("stringData", rest)) if rest.trim().is_empty() => Some(false),
                _ => None,
            };
            continue;
        }
        let Some(is_encoded) = section else { continue };
        if let Some(above) = scalar {
            if indent > above {
                found.push((start..start + inner.len(), is_encoded));
                continue;
            }
            scalar = None;
        }
        let Some((key, rest)) = inner.split_once(": ").or_else(|| inner.strip_suffix(':').map(|key| (key, ""))) else {
            continue;
        };
        let lead = key.len() + 2 + rest.len() - rest.trim_start().len();
        let value = rest.trim_start();
        if value.is_empty() || value.starts_with(['|', '>']) {
            scalar = Some(indent);
            continue;
        }
        let (open, value) = match value.chars().next() {
            Some(quote @ ('"' | '\'')) => (1, value[1..].split(quote).next().unwrap_or("")),
            Some('&' | '*' | '!' | '{' | '[') => continue,
            _ => (0, value.split(" #").next().unwrap_or(value).trim_end()),
        };
        if !value.is_empty() {
            found.push((start + lead + open..start + lead + open + value.len(), is_encoded));
        }
    }
}
