//! What a manual page says: its text without the macros and escapes between which people's words stand (`\fBescape\-time\fP`,
//! `.Fl -exclude-dir`). Only for finding words; what is stored and shown is the page as it is written.

/// Words of mdoc that are macros wherever they stand in a line, and print nothing themselves.
const CALLABLE: &[&str] = &[
    "Ac", "Ad", "An", "Ao", "Ap", "Aq", "Ar", "Bc", "Bo", "Bq", "Brc", "Bro", "Brq", "Cd", "Cm", "Dc", "Do", "Dq",
    "Dv", "Ec", "Em", "En", "Eo", "Er", "Ev", "Fa", "Fc", "Fl", "Fn", "Fo", "Ft", "Ic", "In", "Li", "Lk", "Ms", "Mt",
    "Nm", "No", "Ns", "Oc", "Oo", "Op", "Pa", "Pc", "Pf", "Po", "Pq", "Qc", "Ql", "Qo", "Qq", "Sc", "So", "Sq", "Sx",
    "Sy", "Ta", "Tn", "Va", "Vt", "Xc", "Xo", "Xr",
];
/// Macros of man that set their arguments in changing fonts, with nothing between them.
const ALTERNATING: &[&str] = &["BR", "BI", "IR", "IB", "RB", "RI"];

/// What the page is called: the first `.Nm name`, or the first word of `.TH` or `.Dt`.
pub(crate) fn name(lines: &[&str]) -> String {
    let argument = |macros: &[&str]| {
        lines.iter().find_map(|line| {
            let mut words = line.strip_prefix('.')?.split_whitespace();
            macros
                .contains(&words.next()?)
                .then(|| words.next())
                .flatten()
                .map(|word| unescaped(word.trim_matches('"')))
        })
    };
    argument(&["Nm"]).or_else(|| argument(&["TH", "Dt"])).unwrap_or_default()
}

/// The words of `text`, line by line. `name` stands where the page names itself.
pub(crate) fn plain(text: &str, name: &str) -> String {
    let mut said = String::with_capacity(text.len());
    for (place, line) in text.split('\n').enumerate() {
        if place > 0 {
            said.push('\n');
        }
        match line.strip_prefix(['.', '\'']) {
            Some(request) => said.push_str(&requested(request, name)),
            None => said.push_str(&unescaped(line)),
        }
    }
    said
}

fn requested(request: &str, name: &str) -> String {
    if let Some(comment) = request.trim_start().strip_prefix("\\\"") {
        return comment.to_owned();
    }
    let mut words = arguments(request).into_iter();
    let Some(first) = words.next() else { return String::new() };
    let words: Vec<String> = words.collect();
    if ALTERNATING.contains(&first.as_str()) {
        return unescaped(&words.concat());
    }
    if !CALLABLE.contains(&first.as_str()) && first != "It" {
        return unescaped(&words.join(" "));
    }
    let mut said: Vec<String> = Vec::new();
    let mut current = String::new();
    let mut arguments_seen = 0;
    let mut joins = false;
    for word in std::iter::once(first).chain(words).chain(std::iter::once("No".to_owned())) {
        if CALLABLE.contains(&word.as_str()) || word == "It" {
            if current == "Nm" && arguments_seen == 0 {
                said.push(name.to_owned());
            }
            // `-a Ns = Ns value` has no blanks.
            joins |= word == "Ns";
            current = word;
            arguments_seen = 0;
            continue;
        }
        let mut word = unescaped(&word);
        if current == "Fl" && word.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '?' | '#' | '_')) {
            word.insert(0, '-');
        } else if current == "Xr" && arguments_seen == 1 {
            word = format!("({word})");
            joins = true;
        }
        arguments_seen += 1;
        match said.last_mut() {
            Some(last) if joins => last.push_str(&word),
            _ => said.push(word),
        }
        joins = false;
    }
    said.join(" ")
}

/// Words of a request: quoted ones whole.
fn arguments(request: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = request.trim();
    while !rest.is_empty() {
        let (word, after) = match rest.strip_prefix('"') {
            Some(inner) => inner.split_once('"').unwrap_or((inner, "")),
            // An escaped blank does not end a word.
            None => {
                let end = rest
                    .char_indices()
                    .find(|(at, c)| c.is_whitespace() && !rest[..*at].ends_with('\\'))
                    .map_or(rest.len(), |(at, _)| at);
                rest.split_at(end)
            }
        };
        words.push(word.to_owned());
        rest = after.trim_start();
    }
    words
}

/// Text without escapes: `\-` is a hyphen, fonts and sizes are nothing, special characters a blank.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        plain.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let Some(mark) = rest.chars().next() else { break };
        rest = &rest[mark.len_utf8()..];
        // What names a font or a character: one letter, `(` and two, or `[` to `]`.
        let mut named = || {
            let (name, after) = match rest.as_bytes().first() {
                Some(b'[') => rest[1..].split_once(']').unwrap_or((&rest[1..], "")),
                Some(b'(') => {
                    let end = rest.char_indices().nth(3).map_or(rest.len(), |(end, _)| end);
                    (&rest[1..end], &rest[end..])
                }
                _ => {
                    let end = rest.char_indices().nth(1).map_or(rest.len(), |(end, _)| end);
                    rest.split_at(end)
                }
            };
            rest = after;
            name.to_owned()
        };
        match mark {
            '-' => plain.push('-'),
            'e' | '\\' => plain.push('\\'),
            'f' | 'F' | 'm' | 'M' => drop(named()),
            '*' => {
                named();
                plain.push(' ');
            }
            's' => {
                rest = rest.trim_start_matches(['+', '-']);
                rest = rest.strip_prefix(|c: char| c.is_ascii_digit()).unwrap_or(rest);
            }
            '(' | '[' => {
                rest = &text[text.len() - rest.len() - 1..];
                let name = {
                    let (name, after) = if mark == '[' {
                        rest[1..].split_once(']').unwrap_or((&rest[1..], ""))
                    } else {
                        let end = rest.char_indices().nth(3).map_or(rest.len(), |(end, _)| end);
                        (&rest[1..end], &rest[end..])
                    };
                    rest = after;
                    name
                };
                plain.push_str(match name {
                    "aq" | "cq" | "oq" => "'",
                    "hy" | "mi" => "-",
                    "ti" => "~",
                    "dq" => "\"",
                    "rs" => "\\",
                    _ => " ",
                });
            }
            '&' | '|' | '^' | '%' | 'c' | ':' | '/' | ',' | ')' | '{' | '}' => {}
            ' ' | '~' | '0' | 't' => plain.push(' '),
            '"' | '#' => {
                plain.push_str(rest);
                return plain;
            }
            other => plain.push(other),
        }
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_and_escapes_leave_the_words_that_people_read() {
        for (written, said) in [
            ("Set \\fBescape\\-time\\fP or \\f[I]\\-\\-no\\-color\\f[].", "Set escape-time or --no-color."),
            (".BR git\\-log (1)", "git-log(1)"),
            (".B \\-\\-flag \"two words\"", "--flag two words"),
            (".IP \"\\(bu\" 4", "  4"),
            (".It Fl -exclude-dir Ns = Ns Ar pattern", "--exclude-dir=pattern"),
            (".Op Fl abc Ar file", "-abc file"),
            (".Nm", "tmux"),
            (".Nm Fl f Ar x", "tmux -f x"),
            (".Xr ssh 1 for more", "ssh(1) for more"),
            (".\\\" a comment", " a comment"),
            ("don\\(aqt \\s-1SMALL\\s0 a\\e b", "don't SMALL a\\ b"),
            ("plain text, no markup", "plain text, no markup"),
            ("\\", ""),
            (".", ""),
            ("\\(é", " "),
        ] {
            assert_eq!(said, plain(written, "tmux"), "{written}");
        }
        assert_eq!("tmux", name(&[".Dd today", ".Nm tmux", ".Nm"]));
        assert_eq!("GIT-LOG", name(&[".TH GIT\\-LOG 1"]));
    }
}
