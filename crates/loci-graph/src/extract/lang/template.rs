//! The templates of Vue and Svelte: what they use of what the script of the same file imports or defines.
//!
//! No grammar reads them, only enough to find tags and the expressions in attributes and between braces. A name counts where the
//! script binds it at its top and the template gives no variable that name anywhere (`v-for`, slot properties, `{#each}`, parameters);
//! every other name is somebody else's, and is left alone.

use rustc_hash::FxHashSet;

use crate::extract::facts::{FileFacts, Language, Limits, ReferenceFact, ReferenceKind, SymbolKind};

/// Words of JavaScript that are no names.
const WORDS: &[&str] = &[
    "as",
    "async",
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "delete",
    "do",
    "else",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "from",
    "function",
    "if",
    "import",
    "in",
    "instanceof",
    "let",
    "new",
    "null",
    "of",
    "return",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "undefined",
    "var",
    "void",
    "while",
    "yield",
];

/// Bytes of an expression that are looked through for the parameters of one function.
const MOST_PARAMETERS: usize = 400;

/// A place of a template: its text and where it begins.
#[derive(Clone, Copy)]
struct Piece<'t> {
    text: &'t str,
    start: usize,
}

#[derive(Default)]
struct Found<'t> {
    /// Names of elements.
    tags: Vec<Piece<'t>>,
    expressions: Vec<Piece<'t>>,
    /// Patterns whose names are variables of the template.
    patterns: Vec<&'t str>,
}

/// Adds to the facts of the script what the template around it refers to.
pub(super) fn add(language: Language, text: &str, facts: &mut FileFacts, limits: &Limits) {
    let svelte = language == Language::Svelte;
    // Without `setup` a template sees what the component gives it, and of the script itself the components it imports.
    let setup = svelte || heads(text).any(|head| head.split_whitespace().any(|word| word == "setup"));
    let imported = |one: &crate::extract::facts::ImportFact| {
        let name = one.alias.clone().or_else(|| one.name.clone().filter(|name| name != "*" && name != "default"));
        Some((name.filter(|_| one.inside.is_none())?, is_component(&one.module)))
    };
    let imports: Vec<(String, bool)> = facts.imports.iter().filter_map(imported).collect();
    let components: FxHashSet<&str> = imports.iter().filter(|(_, is)| *is).map(|(name, _)| name.as_str()).collect();
    let mut bound: FxHashSet<&str> = imports.iter().map(|(name, _)| name.as_str()).collect();
    let defined: Vec<String> = facts
        .symbols
        .iter()
        .filter(|one| one.parent.is_none() && one.qualified == one.name)
        .filter(|one| !matches!(one.kind, SymbolKind::Interface | SymbolKind::Type | SymbolKind::Test))
        .map(|one| one.name.clone())
        .collect();
    if setup {
        bound.extend(defined.iter().map(String::as_str));
    }
    if bound.is_empty() {
        return;
    }
    let found = scan(text, svelte);
    let mut own: FxHashSet<&str> = FxHashSet::default();
    for pattern in &found.patterns {
        own.extend(names(pattern).filter(|name| !name.is_member).map(|name| name.text));
    }
    for piece in &found.expressions {
        parameters(piece.text, &mut own);
    }
    let mut uses: Vec<(usize, ReferenceKind, String, Option<String>)> = Vec::new();
    for tag in &found.tags {
        let (first, rest) = tag.text.split_once('.').map_or((tag.text, None), |(first, rest)| (first, Some(rest)));
        let name = if first.contains('-') && !svelte { pascal(first) } else { first.to_owned() };
        // Lower case is HTML's own.
        if !name.starts_with(char::is_uppercase) || !bound.contains(name.as_str()) || own.contains(name.as_str()) {
            continue;
        }
        // What a component's file is, is the component.
        let kind = if components.contains(name.as_str()) { ReferenceKind::Reference } else { ReferenceKind::Call };
        match rest {
            Some(rest) => uses.push((tag.start, kind, rest.to_owned(), Some(name))),
            None => uses.push((tag.start, kind, name, None)),
        }
    }
    for piece in found.expressions.iter().filter(|_| setup) {
        let is_bound = |name: &str| bound.contains(name) && !own.contains(name);
        for name in names(piece.text).filter(|name| !name.is_member && !name.is_key) {
            // `$count` is what the store `count` holds.
            let root = match name.text.strip_prefix('$') {
                Some(store) if svelte && !is_bound(name.text) => store,
                _ => name.text,
            };
            if !is_bound(root) {
                continue;
            }
            let start = piece.start + name.start;
            let (path, called) = path_after(&piece.text[name.start + name.text.len()..]);
            match path.last() {
                Some(last) if called => {
                    let before = &path[..path.len() - 1];
                    let qualifier = std::iter::once(root).chain(before.iter().copied()).collect::<Vec<_>>().join(".");
                    uses.push((start, ReferenceKind::Call, (*last).to_owned(), Some(qualifier)));
                    uses.push((start, ReferenceKind::Reference, root.to_owned(), None));
                }
                None if called => uses.push((start, ReferenceKind::Call, root.to_owned(), None)),
                _ => uses.push((start, ReferenceKind::Reference, root.to_owned(), None)),
            }
        }
    }
    uses.sort_by_key(|(start, ..)| *start);
    let mut seen: FxHashSet<(String, Option<String>)> = FxHashSet::default();
    let (mut line, mut at) = (1, 0);
    for (start, kind, name, qualifier) in uses {
        line += text.as_bytes()[at..start].iter().filter(|&&byte| byte == b'\n').count() as u32;
        at = start;
        let again = kind == ReferenceKind::Reference && !seen.insert((name.clone(), qualifier.clone()));
        if !again && name.len() <= 200 && facts.references.len() < limits.facts {
            let fact =
                ReferenceFact { kind, name, qualifier, line, inside: None, arguments: None, local: false, block: None };
            facts.references.push(fact);
        }
    }
}

/// What stands between `<script` and `>`, of every script.
fn heads(text: &str) -> impl Iterator<Item = &str> {
    text.split("<script").skip(1).filter_map(|rest| rest.split_once('>').map(|(head, _)| head))
}

fn is_component(module: &str) -> bool {
    module.ends_with(".vue") || module.ends_with(".svelte")
}

/// `my-thing` as it is imported: `MyThing`.
fn pascal(tag: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>()).unwrap_or_default()
    };
    tag.split('-').map(word).collect()
}

/// The tags and expressions of a file outside of its scripts and styles.
fn scan(text: &str, svelte: bool) -> Found<'_> {
    let mut found = Found::default();
    let bytes = text.as_bytes();
    // Of Vue only the template itself, not documentation or translations beside it.
    let (mut at, end) = match svelte {
        true => (0, bytes.len()),
        false => match (text.find("<template"), text.rfind("</template")) {
            (Some(start), Some(end)) if start < end => (start, end),
            _ => return found,
        },
    };
    if !svelte && text[at..end].split('>').next().is_some_and(|head| head.contains("lang=")) {
        return found;
    }
    while at < end {
        let rest = &text[at..end];
        if rest.starts_with("<!--") {
            at += rest.find("-->").map_or(rest.len(), |close| close + 3);
        } else if let Some(closing) = [("<script", "</script"), ("<style", "</style")]
            .iter()
            .find_map(|(open, close)| rest.starts_with(open).then_some(*close))
        {
            at += rest.find(closing).map_or(rest.len(), |close| close + closing.len());
        } else if bytes[at] == b'<' && bytes.get(at + 1).is_some_and(u8::is_ascii_alphabetic) {
            at = tag(text, at + 1, end, svelte, &mut found);
        } else if !svelte && rest.starts_with("{{") {
            let close = rest.find("}}").unwrap_or(rest.len());
            found.expressions.push(Piece { text: &rest[2.min(close)..close], start: at + 2 });
            at += (close + 2).min(rest.len());
        } else if svelte && bytes[at] == b'{' {
            let close = closing_brace(bytes, at, end);
            mustache(Piece { text: &text[at + 1..close], start: at + 1 }, &mut found);
            at = (close + 1).min(end);
        } else {
            at += 1;
            while at < end && !text.is_char_boundary(at) {
                at += 1;
            }
        }
    }
    found
}

/// Reads an element's name and attributes from `at`; where it ends.
fn tag<'t>(text: &'t str, mut at: usize, end: usize, svelte: bool, found: &mut Found<'t>) -> usize {
    let bytes = text.as_bytes();
    let start = at;
    while at < end && (bytes[at].is_ascii_alphanumeric() || matches!(bytes[at], b'-' | b'_' | b'.' | b':')) {
        at += 1;
    }
    found.tags.push(Piece { text: &text[start..at], start });
    while at < end && bytes[at] != b'>' {
        if bytes[at].is_ascii_whitespace() || bytes[at] == b'/' {
            at += 1;
            continue;
        }
        if svelte && bytes[at] == b'{' {
            let close = closing_brace(bytes, at, end);
            mustache(Piece { text: &text[at + 1..close], start: at + 1 }, found);
            at = (close + 1).min(end);
            continue;
        }
        let from = at;
        while at < end && !bytes[at].is_ascii_whitespace() && !matches!(bytes[at], b'=' | b'>') {
            // `@click` and `#item.name` may hold a slash no more than other names.
            if bytes[at] == b'/' && bytes.get(at + 1) == Some(&b'>') {
                break;
            }
            at += 1;
        }
        let name = &text[from..at];
        if at < end && bytes[at] == b'=' {
            at += 1;
            let (value, after) = match bytes.get(at).filter(|_| at < end) {
                Some(&quote @ (b'"' | b'\'')) => {
                    let close = text[at + 1..end].bytes().position(|byte| byte == quote).map_or(end, |to| at + 1 + to);
                    (Piece { text: &text[at + 1..close], start: at + 1 }, (close + 1).min(end))
                }
                Some(b'{') if svelte => {
                    let close = closing_brace(bytes, at, end);
                    (Piece { text: &text[at..(close + 1).min(end)], start: at }, (close + 1).min(end))
                }
                _ => {
                    let close = text[at..end].bytes().position(|byte| byte.is_ascii_whitespace() || byte == b'>');
                    let close = close.map_or(end, |to| at + to);
                    (Piece { text: &text[at..close], start: at }, close)
                }
            };
            at = after;
            attribute(name, value, svelte, found);
        } else if svelte {
            directive(name, from, found);
        }
        if at == from {
            at += 1;
            while at < end && !text.is_char_boundary(at) {
                at += 1;
            }
        }
    }
    (at + 1).min(end)
}

fn attribute<'t>(name: &'t str, value: Piece<'t>, svelte: bool, found: &mut Found<'t>) {
    if svelte {
        if let Some(variable) = name.strip_prefix("let:") {
            found.patterns.push(variable);
            found.patterns.push(value.text);
            return;
        }
        // The name of the action before the value that it is given.
        let start = value.start - name.len().min(value.start);
        directive(name, start, found);
        let bytes = value.text.as_bytes();
        let mut at = 0;
        while let Some(open) = value.text[at..].find('{').map(|open| at + open) {
            let close = closing_brace(bytes, open, bytes.len());
            mustache(Piece { text: &value.text[open + 1..close], start: value.start + open + 1 }, found);
            at = (close + 1).min(bytes.len());
        }
        return;
    }
    if name == "v-for" {
        let (pattern, list) = match (value.text.find(" in "), value.text.find(" of ")) {
            (Some(one), Some(other)) => value.text.split_at(one.min(other)),
            (Some(one), None) | (None, Some(one)) => value.text.split_at(one),
            (None, None) => (value.text, ""),
        };
        found.patterns.push(pattern);
        found.expressions.push(Piece { text: list.get(4..).unwrap_or(""), start: value.start + pattern.len() + 4 });
    } else if name.starts_with('#') || name.starts_with("v-slot") || name == "slot-scope" {
        found.patterns.push(value.text);
    } else if name.starts_with([':', '@']) || name.starts_with("v-") {
        found.expressions.push(value);
    }
}

/// `use:tooltip` and `transition:fade` of Svelte name functions.
fn directive<'t>(name: &'t str, start: usize, found: &mut Found<'t>) {
    if let Some((kind, rest)) = name.split_once(':') {
        if matches!(kind, "use" | "transition" | "in" | "out" | "animate") {
            let function = rest.split('|').next().unwrap_or(rest);
            found.expressions.push(Piece { text: function, start: start + kind.len() + 1 });
        } else if kind == "let" {
            found.patterns.push(rest);
        }
    }
}

/// What stands in braces in Svelte: an expression, or a block that begins with `#`, `:`, `@` or `/`.
fn mustache<'t>(piece: Piece<'t>, found: &mut Found<'t>) {
    let text = piece.text;
    let part = |from: usize, to: usize| Piece { text: &text[from..to], start: piece.start + from };
    let whole = text.len();
    let Some(word) = text.strip_prefix(['#', ':', '@', '/']) else {
        found.expressions.push(piece);
        return;
    };
    let after = text.find(char::is_whitespace).unwrap_or(whole);
    match word.split(char::is_whitespace).next().unwrap_or("") {
        "each" => {
            let split = text.find(" as ").unwrap_or(whole);
            found.expressions.push(part(after.min(split), split));
            let rest = split + 4;
            if rest < whole {
                let key = text[rest..].find('(').map_or(whole, |at| rest + at);
                found.patterns.push(&text[rest..key]);
                found.expressions.push(part(key, whole));
            }
        }
        "await" => {
            let split = text.find(" then ").or_else(|| text.find(" catch ")).unwrap_or(whole);
            found.expressions.push(part(after.min(split), split));
            found.patterns.push(&text[split..]);
        }
        "then" | "catch" | "snippet" => found.patterns.push(&text[after..]),
        "const" => {
            let split = text.find('=').unwrap_or(whole);
            found.patterns.push(&text[after.min(split)..split]);
            found.expressions.push(part(split, whole));
        }
        "debug" => {}
        _ => found.expressions.push(part(after, whole)),
    }
}

/// Where a `{` is closed; the end where it is not.
fn closing_brace(bytes: &[u8], open: usize, end: usize) -> usize {
    let mut depth = 0;
    let mut at = open;
    while at < end {
        match bytes[at] {
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    return at;
                }
            }
            b'"' | b'\'' | b'`' => at = closing_quote(bytes, at, end),
            _ => {}
        }
        at += 1;
    }
    end
}

/// Where a text is closed that a quote opens; the quote itself where it is not, as an apostrophe in prose.
fn closing_quote(bytes: &[u8], open: usize, end: usize) -> usize {
    let mut at = open + 1;
    while at < end {
        match bytes[at] {
            b'\\' => at += 1,
            b'\n' if bytes[open] != b'`' => return open,
            byte if byte == bytes[open] => return at,
            _ => {}
        }
        at += 1;
    }
    open
}

/// A name of an expression.
struct Name<'t> {
    text: &'t str,
    start: usize,
    /// Behind a `.`.
    is_member: bool,
    /// Of an object literal, before `:`.
    is_key: bool,
}

/// The names in an expression, outside of its texts.
fn names(text: &str) -> impl Iterator<Item = Name<'_>> {
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut before = b' ';
    let mut spread = false;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            let byte = bytes[at];
            if byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$') || byte >= 0x80 {
                let start = at;
                while at < bytes.len()
                    && (bytes[at].is_ascii_alphanumeric() || matches!(bytes[at], b'_' | b'$') || bytes[at] >= 0x80)
                {
                    at += 1;
                }
                let name = &text[start..at];
                let next = text[at..].trim_start();
                let is_member = before == b'.' && !spread;
                let is_key = matches!(before, b'{' | b',') && next.starts_with(':');
                before = b'a';
                spread = false;
                if !WORDS.contains(&name) {
                    return Some(Name { text: name, start, is_member, is_key });
                }
                continue;
            }
            match byte {
                b'"' | b'\'' => at = closing_quote(bytes, at, bytes.len()),
                // What is put into a template string is read as the rest is; its words are not.
                b'`' => at = closing_quote(bytes, at, bytes.len()),
                b'0'..=b'9' => {
                    while at + 1 < bytes.len() && bytes[at + 1].is_ascii_alphanumeric() {
                        at += 1;
                    }
                }
                _ => {}
            }
            if !byte.is_ascii_whitespace() {
                spread = byte == b'.' && at >= 2 && &bytes[at - 2..at] == b"..";
                before = byte;
            }
            at += 1;
        }
        None
    })
}

/// The members behind a name, and whether the last of them, or the name itself, is called.
fn path_after(mut rest: &str) -> (Vec<&str>, bool) {
    let mut path = Vec::new();
    loop {
        rest = rest.trim_start().trim_start_matches('!');
        let member = rest.strip_prefix("?.").or_else(|| rest.strip_prefix('.').filter(|after| !after.starts_with('.')));
        let Some(member) = member else { break };
        if member.starts_with('(') {
            return (path, true);
        }
        let end = member.find(|one: char| !one.is_alphanumeric() && !matches!(one, '_' | '$')).unwrap_or(member.len());
        if end == 0 {
            return (path, false);
        }
        path.push(&member[..end]);
        rest = &member[end..];
        if rest.starts_with('(') {
            return (path, true);
        }
    }
    (path, rest.starts_with('('))
}

/// Adds the parameters of the functions that an expression holds, and the variables that it declares.
fn parameters<'t>(text: &'t str, own: &mut FxHashSet<&'t str>) {
    for (arrow, _) in text.match_indices("=>") {
        let before = last_part(text[..arrow].trim_end());
        let list = match before.strip_suffix(')') {
            Some(inner) => {
                let mut depth = 1;
                let open = inner.bytes().rposition(|byte| {
                    depth += i32::from(byte == b')') - i32::from(byte == b'(');
                    depth == 0
                });
                &inner[open.map_or(0, |open| open + 1)..]
            }
            None => {
                let name = |one: char| one.is_alphanumeric() || matches!(one, '_' | '$');
                &before[before.trim_end_matches(name).len()..]
            }
        };
        own.extend(names(list).filter(|name| !name.is_member).map(|name| name.text));
    }
    for word in ["const ", "let ", "var ", "function"] {
        for (at, _) in text.match_indices(word) {
            let rest = first_part(&text[at + word.len()..]);
            let ends: &[char] = if word == "function" { &['{'] } else { &['=', ';'] };
            let end = rest.find(ends).unwrap_or(rest.len());
            own.extend(names(&rest[..end]).filter(|name| !name.is_member).map(|name| name.text));
        }
    }
}

/// As much of the beginning of a text as a list of parameters may take.
fn first_part(text: &str) -> &str {
    let mut end = text.len().min(MOST_PARAMETERS);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// As [`first_part`], of the end.
fn last_part(text: &str) -> &str {
    let mut start = text.len().saturating_sub(MOST_PARAMETERS);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    &text[start..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::extract;

    /// What a file refers to, as `line kind qualifier.name`.
    fn uses(path: &str, text: &str) -> Vec<String> {
        let facts = extract(path, text, &Limits::default());
        let shown = |one: &ReferenceFact| {
            let qualifier = one.qualifier.as_ref().map(|qualifier| format!("{qualifier}.")).unwrap_or_default();
            format!("{} {:?} {qualifier}{}", one.line, one.kind, one.name)
        };
        facts.references.iter().map(shown).collect()
    }

    #[test]
    fn a_template_of_vue_uses_what_its_script_binds() {
        let script = "<script setup lang=\"ts\">\nimport MyThing from './MyThing.vue'\nimport { fmt, save as store } from './lib'\n\
                      import { Panel } from './ui'\nfunction compute() {}\nconst till = 1\n</script>\n";
        let template = "<template>\n  <my-thing :x=\"compute(y)\" @click=\"store\" title=\"fmt\" />\n  <MyThing/><Panel/><div/>\n  \
                        {{ fmt(x) + 'compute' + `fmt` }}\n  <p v-for=\"(item, till) in fmt(1)\" @x=\"e => item(e)\">{{ till }}</p>\n  \
                        <b @a.b=\"till.open().close(compute)\" :c=\"{ fmt: 1, save }\"/><!-- {{ fmt(x) }} -->\n</template>\n";
        assert_eq!(
            vec![
                "9 Reference MyThing",
                "9 Call compute",
                "9 Reference store",
                "10 Call Panel",
                "11 Call fmt",
                "12 Call fmt",
                // `till` is a variable of the template somewhere, and so means nothing sure anywhere.
                "13 Reference compute",
            ],
            uses("a.vue", &format!("{script}{template}"))
        );
        // Without `setup` only components are seen through.
        let options = "<script>\nimport Cart from './Cart.vue'\nimport { fmt } from './lib'\n</script>\n";
        let page = format!("{options}<template><cart-x/><Cart @a=\"fmt(1)\"/>{{{{ fmt(2) }}}}</template>");
        assert_eq!(vec!["5 Reference Cart"], uses("a.vue", &page));
        assert_eq!(Vec::<String>::new(), uses("a.vue", &page.replace("<template>", "<template lang=\"pug\">")));
        // Only the template is one.
        let page = format!("{script}<i18n>{{{{ fmt(1) }}}}</i18n><template><p/></template>");
        assert_eq!(Vec::<String>::new(), uses("a.vue", &page));
    }

    #[test]
    fn a_component_of_svelte_uses_what_its_script_binds() {
        let text = "<script>\nimport MyThing from './MyThing.svelte'\nimport { fmt, fade, list, count } from './lib'\n\
                    function save() {}\nfunction item() {}\n</script>\n<MyThing {save} on:click={save} let:row/>\n\
                    {#if fmt('a}')}{fmt(x)} it's{/if}\n{#each list(1) as item, i (fmt(item))}{item(i)}{/each}\n\
                    <p transition:fade|local title=\"a {$count} b\" class:fmt={() => save()}>{@html fmt(1)}</p>\n\
                    <style>p { color: list(1) }</style>\n";
        assert_eq!(
            vec![
                "7 Reference MyThing",
                "7 Reference save",
                "8 Call fmt",
                "8 Call fmt",
                "9 Call list",
                "9 Call fmt",
                "10 Reference fade",
                "10 Reference count",
                "10 Call save",
                "10 Call fmt",
            ],
            uses("a.svelte", text)
        );
    }

    #[test]
    fn broken_templates_end() {
        let script = "<script setup>\nimport { fmt } from './lib'\n</script>\n";
        for piece in [
            "{{",
            "<p :a=\"",
            "<é é='",
            "{#each ",
            "<a {",
            ")=>",
            "function ",
            "`${",
            "'",
            "<!--",
            "x ? é : ü",
            "<p @a=\"((((",
        ] {
            for path in ["a.vue", "a.svelte"] {
                let text = format!("{script}<template>{}</template>", piece.repeat(20_000));
                let found = uses(path, &text);
                assert!(found.is_empty(), "{piece} {found:?}");
            }
        }
    }
}
