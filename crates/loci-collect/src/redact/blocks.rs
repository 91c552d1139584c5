//! Private keys of many lines: the BEGIN and END lines stay, every line between them is hidden on its own, so that no line of
//! the file moves.

use std::ops::Range;

/// No key has more lines, nor a line more bytes.
const LONGEST: usize = 512;
const WIDEST: usize = 1 << 14;

/// Where the line at `from` ends; `None` where it is wider than any line of a key.
fn line_end(text: &str, from: usize) -> Option<usize> {
    let window = text.len().min(from + WIDEST);
    match text.as_bytes()[from..window].iter().position(|&byte| byte == b'\n') {
        Some(length) => Some(from + length),
        None => (window == text.len()).then_some(window),
    }
}

/// Where the line before `to` begins; `None` where it is wider than any line of a key.
fn line_start(text: &str, to: usize) -> Option<usize> {
    let window = to.saturating_sub(WIDEST);
    match text.as_bytes()[window..to].iter().rposition(|&byte| byte == b'\n') {
        Some(at) => Some(window + at + 1),
        None => (window == 0).then_some(0),
    }
}

/// What of one line is key material, less the quotes, comment signs and joints around it; `None` where the line is no such line.
fn body(text: &str, line: Range<usize>) -> Option<Range<usize>> {
    let whole = &text[line.clone()];
    let lead = whole.len() - whole.trim_start_matches([' ', '\t', '"', '\'', '`', '#', '*', '>', '|', ';']).len();
    let lead = if whole[lead..].starts_with("// ") { lead + 3 } else { lead };
    let mut inner = whole[lead..].trim_end_matches([' ', '\t', '\r', ',', ';', '\\', '.']);
    // "...\n" + of a string in pieces.
    loop {
        let shorter = inner.trim_end_matches([' ', '"', '\'', '`', '+', ',', ';', '\\', ')']);
        let shorter = shorter.strip_suffix("\\n").or_else(|| shorter.strip_suffix("\\r")).unwrap_or(shorter);
        // A plus sign may be the last digit of base64; only one after a quote is a joint.
        if shorter.len() == inner.len() || !inner[shorter.len()..].contains(['"', '\'', '`', '\\', ' ']) {
            break;
        }
        inner = shorter;
    }
    if inner.is_empty() {
        return None;
    }
    let start = line.start + lead;
    Some(start..start + inner.len())
}

fn base64(text: &str) -> bool {
    let stem = text.trim_end_matches('=');
    text.len() - stem.len() <= 2
        && stem
            .strip_prefix('=')
            .unwrap_or(stem)
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/')
}

fn header(text: &str) -> bool {
    ["Proc-Type:", "DEK-Info:", "Version:", "Comment:", "Hash:", "Charset:", "MessageID:"]
        .iter()
        .any(|name| text.starts_with(name))
}

fn edge(text: &str) -> bool {
    text.contains("-----") || text.contains("---- ") || text.starts_with("Private-MAC")
}

/// The lines after a BEGIN whose marker ends at `begin`.
pub(super) fn after(text: &str, begin: usize, spans: &mut Vec<Range<usize>>) {
    let wide = line_end(text, begin);
    let mut first = wide.unwrap_or(begin + WIDEST).min(text.len());
    while !text.is_char_boundary(first) {
        first -= 1;
    }
    // A key on one line, its line ends written as \n: all of it up to END.
    let rest = &text[begin..first];
    if let Some(end) = rest.find("----")
        && rest[end..].trim_start_matches('-').trim_start().starts_with("END")
        && let inner = rest[..end].trim()
        && inner.bytes().filter(u8::is_ascii_alphanumeric).count() >= 16
        && !inner.contains("...")
    {
        let start = begin + (rest.len() - rest.trim_start().len());
        // Whole escapes at both ends stay.
        let lead = inner.len() - inner.trim_start_matches("\\n").trim_start_matches("\\r\\n").len();
        let tail = inner.trim_end_matches("\\n").trim_end_matches("\\r").len();
        if lead < tail {
            spans.push(start + lead..start + tail);
        }
        return;
    }
    // "-----BEGIN ... KEY-----\nMIIE... and no END on this line: a key cut short.
    let stem = rest.trim_start_matches("\\n").trim_start_matches("\\r\\n");
    let cut = stem.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || b"+/=\\".contains(byte)).count();
    if cut >= 32 && stem.len() < rest.len() {
        let start = begin + rest.len() - stem.len();
        spans.push(start..start + cut);
        return;
    }
    if wide.is_none() {
        return;
    }
    let mut line = first + 1;
    let mut seen = 0;
    let mut lines = 0;
    while line < text.len() && lines < LONGEST {
        let Some(end) = line_end(text, line) else { return };
        if edge(&text[line..end]) {
            break;
        }
        if let Some(inner) = body(text, line..end) {
            let value = &text[inner.clone()];
            let next = text[(end + 1).min(text.len())..].lines().find(|line| !line.trim().is_empty()).is_none_or(edge);
            let material = base64(value) && (value.len() >= 16 || (seen > 0 && (next || value.starts_with('='))));
            if !(material || header(value)) {
                break;
            }
            seen += 1;
            spans.push(inner);
        }
        line = end + 1;
        lines += 1;
    }
}

/// The lines before an END at `end` whose BEGIN was cut away.
pub(super) fn before(text: &str, end: usize, spans: &mut Vec<Range<usize>>) {
    let mut close = line_start(text, end).unwrap_or(0).saturating_sub(1);
    for count in 0..LONGEST {
        if close == 0 {
            return;
        }
        let Some(start) = line_start(text, close) else { return };
        if edge(&text[start..close]) {
            return;
        }
        if let Some(inner) = body(text, start..close) {
            let value = &text[inner.clone()];
            // Only the last line of a key is short.
            if !(header(value)
                || base64(value)
                    && (value.len() >= 32
                        || count == 0 && value.len() >= 4 && value.ends_with('=')
                        || count <= 1 && value.starts_with('=')))
            {
                return;
            }
            spans.push(inner);
        }
        close = start.saturating_sub(1);
    }
}
