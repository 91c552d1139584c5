//! Paths, types and signatures as they are written, taken apart.

/// Parts of a path as written: name and whether it is called. Separators are `.`, `::`, `->`, `\` and `:`.
pub(super) fn parts_of(path: &str) -> Vec<(&str, bool)> {
    let mut parts = Vec::new();
    let bytes = path.as_bytes();
    let (mut start, mut at, mut depth) = (0, 0, 0i32);
    while at <= bytes.len() {
        let byte = bytes.get(at).copied().unwrap_or(b'.');
        match byte {
            b'(' | b'[' | b'<' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b'>' if at == 0 || bytes[at - 1] != b'-' => depth -= 1,
            _ => {}
        }
        let arrow = byte == b'-' && bytes.get(at + 1) == Some(&b'>');
        if at == bytes.len() || depth <= 0 && (matches!(byte, b'.' | b':' | b'\\') || arrow) {
            let part = path[start..at].trim_matches('?');
            if !part.is_empty() {
                parts.push(match part.strip_suffix("()") {
                    Some(called) => (called, true),
                    None => (part, false),
                });
            }
            at += 1 + usize::from(arrow);
            start = at;
        } else {
            at += 1;
        }
    }
    parts
}

/// A type without the words and marks before and after it: references, lifetimes, `const`, `?`.
pub(super) fn without_marks(text: &str) -> &str {
    let mut text = text.trim().trim_matches(['"', '\'', ' ']);
    loop {
        let before = text;
        for prefix in [
            "&",
            "*",
            "mut ",
            "dyn ",
            "impl ",
            "const ",
            "final ",
            "readonly ",
            "volatile ",
            "struct ",
            "...",
            "async ",
            "static ",
            "unsigned ",
            "class ",
            "enum ",
            "some ",
            "any ",
            "?",
        ] {
            text = text.strip_prefix(prefix).unwrap_or(text).trim_start();
        }
        if text.starts_with('\'') {
            // A lifetime.
            text = text.split_once(' ').map_or("", |(_, rest)| rest);
        }
        text = text.trim_end_matches(['?', '!', '&', '*', ' ']);
        if text == before {
            break;
        }
    }
    text
}

/// The parts of a text between separators that stand in no brackets.
pub(super) fn top_level(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let mut depth = 0i32;
    text.split(move |character: char| {
        match character {
            '(' | '[' | '<' | '{' => depth += 1,
            ')' | ']' | '>' | '}' => depth -= 1,
            _ => {}
        }
        character == separator && depth == 0
    })
}

/// How many arguments a function takes, by its signature as written; `None` where that does not show.
pub(super) fn parameters_of(signature: &str, name: &str) -> Option<std::ops::RangeInclusive<u32>> {
    let (at, _) = signature.match_indices(name).find(|(at, _)| {
        let after = signature[at + name.len()..].trim_start();
        let word = |c: char| c.is_alphanumeric() || c == '_';
        !signature[..*at].ends_with(word) && after.starts_with(['(', '<'])
    })?;
    let mut rest = signature[at + name.len()..].trim_start();
    if rest.starts_with('<') {
        rest = rest.split_once('(').map(|(generic, _)| &rest[generic.len()..])?;
    }
    let mut depth = 0;
    let end = rest.find(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0
    })?;
    let inner = rest.get(1..end)?.trim();
    if inner.is_empty() || inner == "void" {
        return Some(0..=0);
    }
    if inner.contains("->") || inner.contains("=>") {
        return None;
    }
    let (mut least, mut most) = (0, 0);
    for part in top_level(inner, ',').map(str::trim) {
        let several = part.contains("...") || part.starts_with("vararg ") || part.contains("params ");
        most = if several { 10_000 } else { most + 1 };
        // An extension of C# is called with what it extends before it.
        least += u32::from(!several && !part.contains('=') && !part.starts_with("this "));
    }
    Some(least..=most)
}

pub(super) fn is_version(part: &str) -> bool {
    part.strip_prefix('v').is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

pub(super) fn shared_prefix(a: &str, b: &str) -> usize {
    a.split('/').zip(b.split('/')).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn a_path_is_cut_outside_of_brackets() {
        assert_eq!(vec![("self", false), ("session", false)], parts_of("self.session"));
        assert_eq!(vec![("make_app", true), ("client", false)], parts_of("make_app().client"));
        assert_eq!(vec![("crate", false), ("a", false), ("B", false)], parts_of("crate::a::B"));
        assert_eq!(vec![("p", false), ("next", false)], parts_of("p->next"));
        assert_eq!(vec![("Vec<a::B>", false), ("new", true)], parts_of("Vec<a::B>::new()"));
        assert_eq!(Vec::<(&str, bool)>::new(), parts_of(""));
    }

    #[test]
    fn a_type_loses_its_marks() {
        assert_eq!("Cart<T>", without_marks("&'a mut Cart<T>"));
        assert_eq!("Cart", without_marks(" const struct Cart *"));
        assert_eq!("Cart", without_marks("Cart?"));
        assert_eq!("[]byte", without_marks("...[]byte"));
        assert_eq!("str", without_marks("&'static str"));
    }

    #[test]
    fn a_signature_tells_how_many_arguments_a_function_takes() {
        let taken =
            |signature: &str, name: &str| parameters_of(signature, name).map(|range| (*range.start(), *range.end()));
        assert_eq!(Some((1, 1)), taken("public CSVFormat withEscape(final char escape)", "withEscape"));
        assert_eq!(Some((0, 0)), taken("private static void show()", "show"));
        assert_eq!(Some((2, 2)), taken("<T> void put(Map<String, List<T>> all, T one) throws E", "put"));
        assert_eq!(Some((1, 10_000)), taken("String format(final Locale locale, final Object... values)", "format"));
        assert_eq!(Some((1, 2)), taken("fun sink(file: Path, mustCreate: Boolean = false): Sink", "sink"));
        assert_eq!(Some((1, 2)), taken("static T Query<T>(this IDbConnection cnn, string sql)", "Query"));
        // Cut off, or with a function as a parameter: it does not show.
        assert_eq!(None, taken("void many(int a, int b,", "many"));
        assert_eq!(None, taken("fun each(action: (Int) -> Unit)", "each"));
        assert_eq!(None, taken("val total", "total"));
    }
}
