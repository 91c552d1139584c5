//! C and C++: one set of rules over two grammars.

use tree_sitter::Node;

use crate::extract::facts::{DECLARED, Language, ReferenceKind, SymbolKind};
use crate::extract::walk::{
    Definition, Rules, Step, Walk, child, child_of, children, has_token, kinds, no_finish, split_path,
};

kinds! {
    Comment = "comment",
    Include = "preproc_include",
    Function = "function_definition",
    Declaration = "declaration",
    FieldDeclaration = "field_declaration",
    Typedef = "type_definition",
    Struct = "struct_specifier" | "union_specifier",
    Class = "class_specifier",
    Enum = "enum_specifier",
    Enumerator = "enumerator",
    Define = "preproc_def",
    DefineFunction = "preproc_function_def",
    Namespace = "namespace_definition",
    NamespaceAlias = "namespace_alias_definition",
    Alias = "alias_declaration",
    Using = "using_declaration",
    Concept = "concept_definition",
    Parameter = "parameter_declaration" | "optional_parameter_declaration" | "variadic_parameter_declaration",
    TypeParameter = "type_parameter_declaration" | "optional_type_parameter_declaration" | "variadic_type_parameter_declaration",
    Call = "call_expression",
    New = "new_expression",
    Lambda = "lambda_expression",
    ForRange = "for_range_loop",
    Field = "field_expression",
    Qualified = "qualified_identifier",
    Identifier = "identifier",
    TypeName = "type_identifier",
    Label = "statement_identifier",
    FieldDesignator = "field_designator",
    Attribute = "attribute_specifier" | "attribute_declaration",
}

pub(super) static C: Rules =
    Rules { grammar: || tree_sitter_c::LANGUAGE.into(), kinds: KINDS, enter, finish: no_finish };
pub(super) static CPP: Rules =
    Rules { grammar: || tree_sitter_cpp::LANGUAGE.into(), kinds: KINDS, enter, finish: no_finish };

/// Whether a `.h` is C++.
pub(super) fn is_cpp_header(text: &str) -> bool {
    [
        "\nclass ",
        "\nnamespace ",
        "\ntemplate <",
        "\ntemplate<",
        "\nusing namespace ",
        "#include <string>",
        "#include <vector>",
        "public:",
        "std::",
    ]
    .iter()
    .any(|mark| text.contains(mark))
}

/// The text with blanks for attributes that are macros, `void printflike(1, 2) log_it(const char *, ...);`: brackets around numbers
/// alone, behind a type. The grammar takes the rest of the file for something else. `None` if there is none.
pub(super) fn without_attributes(text: &str) -> Option<String> {
    let mut out: Option<Vec<u8>> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            for (open, _) in line.match_indices('(') {
                let word = line[..open].trim_end_matches(|c: char| c.is_alphanumeric() || c == '_').len();
                let Some(end) = line[open..].find(')').map(|at| open + at + 1) else { break };
                let numbers = &line[open + 1..end - 1];
                let is_attribute = (1..open).contains(&word)
                    && line[..word].ends_with([' ', '\t', '*', ')'])
                    && numbers.contains(|c: char| c.is_ascii_digit())
                    && numbers.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | ' '))
                    && !line[..word].contains(['=', '{'])
                    && line[end..].starts_with([' ', '\t', ';', '\n', '\r']);
                if is_attribute {
                    out.get_or_insert_with(|| text.as_bytes().to_vec())[start + word..start + end].fill(b' ');
                }
            }
        }
        start += line.len();
    }
    out.and_then(|bytes| String::from_utf8(bytes).ok())
}

/// The text with blanks for comments in the middle of macros that go over several lines: the grammar ends the macro at the first of
/// them and takes the lines behind it for code. `None` if there is none.
pub(super) fn without_comments_in_macros(text: &str) -> Option<String> {
    let mut out: Option<Vec<u8>> = None;
    let mut at = 0;
    while let Some(found) = text[at..].find("define") {
        let word = at + found;
        at = word + "define".len();
        let start = text[..word].rfind('\n').map_or(0, |end| end + 1);
        if text[start..word].trim() != "#" {
            continue;
        }
        let mut end = at;
        loop {
            let line = text[end..].find('\n').map_or(text.len(), |length| end + length);
            let goes_on = text[..line].trim_end_matches('\r').ends_with('\\');
            end = (line + 1).min(text.len());
            if !goes_on || line == text.len() {
                break;
            }
        }
        let mut inside = at;
        while let Some(open) = text[inside..end].find("/*").map(|open| inside + open) {
            let Some(close) = text[open..].find("*/").map(|close| open + close + 2) else { break };
            // Behind a macro it is a comment like any other.
            if text[close..end.max(close)].trim_matches(['\\', ' ', '\t', '\r', '\n']).is_empty() {
                break;
            }
            let bytes = out.get_or_insert_with(|| text.as_bytes().to_vec());
            for byte in bytes[open..close].iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r' | b'\\')) {
                *byte = b' ';
            }
            inside = close;
        }
        at = end.max(at);
    }
    out.and_then(|bytes| String::from_utf8(bytes).ok())
}

/// The text with blanks for names that stand alone on a line between two statements: macros that bring their own semicolon, as
/// `BEGIN_CRITICAL`, which the grammar takes for the type of what comes next. `None` if there is none.
pub(super) fn without_lone_macros(text: &str) -> Option<String> {
    let mut out: Option<Vec<u8>> = None;
    let mut before = "";
    let mut start = 0;
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let name = line.trim();
        let indent = line.len() - line.trim_start().len();
        let next = lines.peek().copied().unwrap_or("");
        let is_name = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let is_statement = || {
            let (words, rest) = next
                .trim_start()
                .split_at(next.trim_start().find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(0));
            !words.is_empty()
                && rest.trim_start().starts_with(['(', '=', '-', '.', '['])
                && next.len() - next.trim_start().len() == indent
        };
        if indent > 0 && name.contains('_') && is_name(name) && before.ends_with([';', '{', '}']) && is_statement() {
            out.get_or_insert_with(|| text.as_bytes().to_vec())[start + indent..start + indent + name.len()].fill(b' ');
        }
        if !name.is_empty() && !name.starts_with('#') {
            before = name;
        }
        start += line.len();
    }
    out.and_then(|bytes| String::from_utf8(bytes).ok())
}

/// The name that a declarator declares, and whether it declares a function.
fn declared<'t>(declarator: Node<'t>) -> Option<(Node<'t>, Option<Node<'t>>)> {
    let mut node = declarator;
    let mut function = None;
    for _ in 0..32 {
        match node.kind() {
            "identifier"
            | "field_identifier"
            | "type_identifier"
            | "qualified_identifier"
            | "operator_name"
            | "destructor_name"
            | "operator_cast"
            | "template_function"
            | "primitive_type" => return Some((node, function)),
            "function_declarator" => {
                function = Some(node);
                node = child(node, "declarator")?;
            }
            "parenthesized_declarator" | "reference_declarator" | "attributed_declarator" => {
                // `(*handler)(int)` is a pointer; `(name)(int)` keeps a macro away.
                let inner = node.named_child(0)?;
                if inner.kind() == "pointer_declarator" {
                    function = None;
                }
                node = inner;
            }
            _ => node = child(node, "declarator")?,
        }
    }
    None
}

fn enter<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: u8) -> Step {
    match Kind::of(kind) {
        Kind::Comment => walk.comment(node),
        Kind::Include => {
            if let Some(path) = child(node, "path") {
                let text = walk.read(path);
                walk.import(text.trim_matches(['<', '>', '"']), None, None, path, false);
                let conditional = of_a_platform(walk);
                if let Some(import) = walk.facts.imports.last_mut() {
                    import.conditional = conditional;
                }
            }
            return Step::Over;
        }
        Kind::Function => function(walk, node),
        Kind::Declaration => declaration(walk, node),
        Kind::FieldDeclaration => field(walk, node),
        Kind::Typedef => typedef(walk, node),
        Kind::Struct | Kind::Class => record(walk, node, Kind::of(kind) == Kind::Class),
        Kind::Enum => {
            if let (Some(at), Some(body)) = (child(node, "name"), child(node, "body")) {
                let symbol =
                    walk.define(Definition { node, name: walk.read(at), at, kind: SymbolKind::Enum, body: Some(body) });
                walk.open_symbol(symbol);
            }
        }
        Kind::Enumerator => {
            if let Some(at) = child(node, "name") {
                walk.define(Definition { node, name: walk.read(at), at, kind: SymbolKind::Variant, body: None });
            }
        }
        Kind::Define | Kind::DefineFunction => {
            let function = Kind::of(kind) == Kind::DefineFunction;
            if let Some(at) = child(node, "name") {
                let value = child(node, "value");
                if function || value.is_some() {
                    let kind = if function { SymbolKind::Macro } else { SymbolKind::Constant };
                    let symbol = walk.define(Definition {
                        node,
                        name: walk.read(at),
                        at,
                        kind,
                        body: value.filter(|_| function),
                    });
                    // One branch defines a macro, another one or a source file may hold a function of that name.
                    let exported = (!in_a_branch(walk)).then_some(true);
                    if let Some(fact) = walk.symbol(symbol) {
                        fact.exported = exported;
                    }
                    if let (true, Some(value)) = (function, value) {
                        calls_in(walk, value, symbol);
                    }
                }
            }
            return Step::Over;
        }
        Kind::Namespace => {
            if let Some(at) = child(node, "name") {
                // What stands in an inline namespace belongs to the one around it.
                if has_token(node, "inline") {
                    return Step::Into;
                }
                let name = walk.read(at).replace("::", ".");
                let symbol = walk.define(Definition {
                    node,
                    name: &name,
                    at,
                    kind: SymbolKind::Module,
                    body: child(node, "body"),
                });
                walk.open_symbol(symbol);
            }
        }
        Kind::NamespaceAlias => {
            if let (Some(alias), Some(of)) = (child(node, "name"), node.named_child(1)) {
                let of = walk.read(of).to_owned();
                walk.bind(walk.read(alias), Some(format!("={of}")), alias);
            }
        }
        Kind::Alias => {
            if let Some(at) = child(node, "name") {
                let symbol =
                    walk.define(Definition { node, name: walk.read(at), at, kind: SymbolKind::Type, body: None });
                let of = child(node, "type").and_then(|of| walk.type_text(of));
                if let Some(fact) = walk.symbol(symbol) {
                    fact.returns = of;
                }
            }
        }
        Kind::Using => {
            if let Some(path) = node.named_child(0) {
                let text = walk.read(path);
                let everything = walk.read(node).starts_with("using namespace");
                match text.rsplit_once("::") {
                    Some((module, name)) if !everything => walk.import(module, Some(name), None, path, false),
                    _ => walk.import(text, Some("*"), None, path, false),
                }
            }
            return Step::Over;
        }
        Kind::Concept => {
            if let Some(at) = child(node, "name") {
                walk.define(Definition { node, name: walk.read(at), at, kind: SymbolKind::Type, body: None });
            }
        }
        Kind::Parameter => {
            if walk.in_function()
                && let Some((name, _)) = child(node, "declarator").and_then(declared)
                && name.kind() == "identifier"
            {
                walk.local(walk.read(name));
                walk.consume(name);
                let of = child(node, "type").and_then(|of| walk.type_text(of));
                walk.bind(walk.read(name), of, name);
            } else if let Some((name, _)) = child(node, "declarator").and_then(declared) {
                walk.consume(name);
            }
        }
        Kind::TypeParameter => {
            for name in children(node) {
                walk.consume(name);
            }
        }
        Kind::Call => call(walk, node),
        Kind::New => {
            if let Some(of) = child(node, "type") {
                let inside = walk.inside();
                let arguments = child(node, "arguments").map(crate::extract::walk::count);
                walk.refer_path(ReferenceKind::Instantiate, of, inside, arguments);
                consume_path(walk, of);
            }
        }
        Kind::Lambda => walk.open_block(true),
        Kind::ForRange => {
            if let Some((name, _)) = child(node, "declarator").and_then(declared) {
                walk.local(walk.read(name));
                walk.consume(name);
                let of = child(node, "type").and_then(|of| walk.type_text(of)).filter(|of| !of.contains("auto"));
                walk.bind(walk.read(name), of, name);
            }
        }
        Kind::Field => {
            if let (Some(object), Some(name)) = (child(node, "argument"), child(node, "field"))
                && name.kind() == "field_identifier"
            {
                walk.refer_member_value(object, name);
            }
        }
        Kind::Qualified => {
            if let Some(name) = child(node, "name")
                && !walk.is_consumed(node)
            {
                let inside = walk.inside();
                let kind = if name.kind() == "identifier" { ReferenceKind::Reference } else { ReferenceKind::TypeUse };
                walk.refer_path(kind, node, inside, None);
                consume_path(walk, node);
            }
        }
        Kind::Identifier => walk.refer_value(node),
        Kind::TypeName => {
            if !walk.is_consumed(node) {
                walk.refer(ReferenceKind::TypeUse, walk.read(node), None, node, None);
            }
        }
        Kind::Label | Kind::FieldDesignator | Kind::Attribute => return Step::Over,
        Kind::Other => {}
    }
    Step::Into
}

/// A qualified name is one reference, not one for each part.
fn consume_path<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let mut node = node;
    for _ in 0..16 {
        walk.consume(node);
        if let Some(scope) = child(node, "scope") {
            walk.consume(scope);
        }
        match child(node, "name") {
            Some(name) => node = name,
            None => return,
        }
    }
}

fn is_static(walk: &Walk<'_>, node: Node<'_>) -> bool {
    child_of(node, "storage_class_specifier").is_some_and(|word| walk.read(word) == "static")
}

/// Whether the current node stands in a branch that is compiled for some platforms alone: `#ifdef _WIN32`.
fn of_a_platform(walk: &Walk<'_>) -> bool {
    // What stands in an alternative does not stand in the branch before it.
    let mut alternative = false;
    for (node, _) in walk.parents.iter().rev() {
        let (condition, goes_on) = match node.kind() {
            "preproc_else" => {
                alternative = true;
                continue;
            }
            "preproc_elif" => (child(*node, "condition"), true),
            "preproc_elifdef" => (child(*node, "name"), true),
            "preproc_if" => (child(*node, "condition"), false),
            "preproc_ifdef" => (child(*node, "name").filter(|_| !has_token(*node, "#ifndef")), false),
            _ => continue,
        };
        if !alternative && condition.is_some_and(|condition| names_a_platform(walk.read(condition))) {
            return true;
        }
        alternative = goes_on;
    }
    false
}

/// Whether the current node stands in a branch of the preprocessor, other than the one that keeps a header from being read twice.
fn in_a_branch(walk: &Walk<'_>) -> bool {
    walk.parents.iter().any(|(node, _)| match node.kind() {
        "preproc_if" | "preproc_ifdef" => !is_guard(walk, *node),
        "preproc_else" | "preproc_elif" | "preproc_elifdef" => true,
        _ => false,
    })
}

/// `#ifndef CART_H` with `#define CART_H` as the first thing in it.
fn is_guard(walk: &Walk<'_>, node: Node<'_>) -> bool {
    let Some(condition) = child(node, "name").or_else(|| child(node, "condition")) else { return false };
    let first = children(node).into_iter().find(|inner| inner.id() != condition.id() && inner.kind() != "comment");
    let defined = first.filter(|first| first.kind() == "preproc_def" && child(*first, "value").is_none());
    let name = defined.and_then(|first| child(first, "name")).map(|name| walk.read(name));
    name.is_some_and(|name| {
        walk.read(condition).trim_start_matches(['!', ' ']).trim_start_matches("defined").trim_matches(['(', ')', ' '])
            == name
    })
}

/// Whether a condition asks for a platform, and not for any other.
fn names_a_platform(condition: &str) -> bool {
    const PLATFORMS: &[&str] = &[
        "WIN32",
        "WIN64",
        "_MSC_VER",
        "__MINGW",
        "__CYGWIN__",
        "__APPLE__",
        "__MACH__",
        "__linux__",
        "__FreeBSD__",
        "__NetBSD__",
        "__OpenBSD__",
        "__DragonFly__",
        "__sun",
        "_AIX",
        "__ANDROID__",
        "__EMSCRIPTEN__",
        "__HAIKU__",
        "__OS400__",
        "__VMS",
        "__MVS__",
        "__QNX",
        "__hpux",
        "MSDOS",
        "AMIGA",
        "__wasi__",
    ];
    PLATFORMS.iter().any(|platform| {
        condition.match_indices(platform).any(|(at, _)| {
            let before = condition[..at].trim_end_matches(|c: char| c.is_alphanumeric() || c == '_').trim_end();
            let before = before.trim_end_matches('(').trim_end();
            let before = before.strip_suffix("defined").unwrap_or(before).trim_end();
            !before.ends_with('!')
        })
    })
}

/// `test, name` of `TEST(test, name) { … }`.
fn framework_test(name: &str) -> bool {
    matches!(name, "TEST" | "TEST_F" | "TEST_P" | "TYPED_TEST" | "TEST_CASE" | "SCENARIO" | "BOOST_AUTO_TEST_CASE")
}

fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some((at, declarator)) = child(node, "declarator").and_then(declared) else {
        walk.open_block(true);
        return;
    };
    let body = child(node, "body");
    let text = walk.read(at);
    // After a syntax error statements look like functions.
    if matches!(text, "if" | "for" | "while" | "switch" | "return" | "else" | "do" | "catch") {
        return;
    }
    if framework_test(text)
        && child(node, "type").is_none()
        && let Some(list) = declarator.and_then(|declarator| child(declarator, "parameters"))
    {
        let name = walk.read(list).trim_matches(['(', ')']).replace(", ", ".").replace('"', "");
        let symbol = walk.define(Definition { node, name: &name, at, kind: SymbolKind::Test, body });
        if let Some(fact) = walk.symbol(symbol) {
            fact.test = true;
        }
        walk.open_symbol(symbol);
        return;
    }
    let symbol = if at.kind() == "qualified_identifier" {
        let Some((owner, name)) = last_part(text) else { return };
        let owner_name = owner.rsplit('.').next().unwrap_or(&owner).to_owned();
        let kind = if owner_name == name { SymbolKind::Constructor } else { SymbolKind::Method };
        consume_path(walk, at);
        // The name stands in the last part of the path.
        let mut last = at;
        while let Some(inner) = child(last, "name") {
            last = inner;
        }
        walk.define_member(&owner, Definition { node, name, at: last, kind, body })
    } else {
        let class =
            walk.class().filter(|_| walk.in_class()).map(|class| walk.facts.symbols[class as usize].name.clone());
        let name = if at.kind() == "operator_cast" { text.split('(').next().unwrap_or(text).trim() } else { text };
        let kind = match class {
            Some(class) if class == name => SymbolKind::Constructor,
            Some(_) => SymbolKind::Method,
            None => SymbolKind::Function,
        };
        walk.define(Definition { node, name, at, kind, body })
    };
    let returns = child(node, "type").and_then(|of| walk.type_text(of));
    // Whether others can use what only some platforms have, the file does not say.
    let exported = if of_a_platform(walk) { None } else { Some(!is_static(walk, node)) };
    if let Some(fact) = walk.symbol(symbol) {
        fact.returns = returns;
        fact.exported = exported;
        fact.test = fact.name.starts_with("test_");
    }
    walk.open_symbol(symbol);
}

/// `ns::Cart<T>::total` is (`ns.Cart`, `total`).
fn last_part(text: &str) -> Option<(String, &str)> {
    // `operator()` and conversions hold brackets and spaces.
    let cut = match text.find("operator") {
        Some(at) if at > 1 && text[..at].ends_with("::") => at,
        _ => text.rfind("::")? + 2,
    };
    let (owner, name) = (text[..cut].trim_end_matches(':'), text[cut..].trim());
    let (before, last) = split_path(owner)?;
    let owner = match before {
        Some(before) => format!("{}.{last}", before.replace("::", ".").trim_matches('.')),
        None => last,
    };
    (!name.is_empty()).then_some((owner.trim_start_matches('.').to_owned(), name))
}

/// The type that `std::make_unique<Cart>(…)` and `std::make_shared<Cart>(…)` give a pointer to.
fn made(value: &str) -> Option<String> {
    let value = value.strip_prefix("std::").unwrap_or(value);
    let rest = value.strip_prefix("make_unique<").or_else(|| value.strip_prefix("make_shared<"))?;
    let (of, _) = rest.split_once('>')?;
    Some(of.to_owned()).filter(|of| !of.contains(['<', '(']) && of.len() <= 120)
}

fn declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let of = child(node, "type").and_then(|of| walk.type_text(of));
    let mut cursor = node.walk();
    let declarators: Vec<Node<'t>> = node.children_by_field_name("declarator", &mut cursor).collect();
    let constant =
        child_of(node, "type_qualifier").is_some_and(|word| matches!(walk.read(word), "const" | "constexpr"));
    let external = child_of(node, "storage_class_specifier").is_some_and(|word| walk.read(word) == "extern");
    for declarator in declarators {
        let Some((at, function)) = declared(declarator) else { continue };
        let name = walk.read(at);
        walk.consume(at);
        if at.kind() == "qualified_identifier" {
            consume_path(walk, at);
            continue;
        }
        if function.is_some() && !walk.in_function() {
            // A prototype: the definition is the symbol. In a class it is all there is of the member.
            if let Some(class) = walk.class().filter(|_| walk.in_class()) {
                let constructor = walk.facts.symbols.get(class as usize).is_some_and(|class| class.name == name);
                let kind = if constructor { SymbolKind::Constructor } else { SymbolKind::Method };
                walk.define(Definition { node, name, at, kind, body: None });
            } else if walk.facts.language == Language::Cpp {
                // What a header declares its readers may use, wherever it is defined.
                walk.bind(&format!("{name}{DECLARED}"), Some(of.clone().unwrap_or_else(|| "void".to_owned())), at);
            }
            continue;
        }
        let value = child(declarator, "value");
        let of = match of.as_deref() {
            Some(text) if text.contains("auto") => {
                value.and_then(|value| made(walk.read(value)).or_else(|| walk.value_text(value)))
            }
            _ => of.clone(),
        };
        if walk.in_function() {
            walk.local(name);
        }
        walk.bind(name, of, at);
        if !walk.in_function() && !external && matches!(at.kind(), "identifier" | "field_identifier") {
            let kind = if constant { SymbolKind::Constant } else { SymbolKind::Variable };
            let symbol = walk.define(Definition { node, name, at, kind, body: value });
            let exported = !is_static(walk, node);
            if let Some(fact) = walk.symbol(symbol) {
                fact.exported = Some(exported);
            }
        }
    }
}

fn field<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let of = child(node, "type").and_then(|of| walk.type_text(of));
    let mut cursor = node.walk();
    let declarators: Vec<Node<'t>> = node.children_by_field_name("declarator", &mut cursor).collect();
    for declarator in declarators {
        let Some((at, function)) = declared(declarator) else { continue };
        let name = walk.read(at);
        walk.consume(at);
        if !walk.in_class() {
            continue;
        }
        if function.is_some() {
            let symbol = walk.define(Definition { node, name, at, kind: SymbolKind::Method, body: None });
            let returns = of.clone();
            if let Some(fact) = walk.symbol(symbol) {
                fact.returns = returns;
            }
        } else {
            walk.bind_field(name, of.clone(), at);
            walk.define(Definition { node, name, at, kind: SymbolKind::Field, body: None });
        }
    }
}

fn typedef<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let of = child(node, "type");
    let body = of.and_then(|of| child(of, "body"));
    let nameless = of.filter(|of| child(*of, "name").is_none() && body.is_some());
    let mut cursor = node.walk();
    let declarators: Vec<Node<'t>> = node.children_by_field_name("declarator", &mut cursor).collect();
    let mut first = true;
    for declarator in declarators {
        let Some((at, _)) = declared(declarator) else { continue };
        let kind = match nameless.filter(|_| first).map(|of| of.kind()) {
            Some("enum_specifier") => SymbolKind::Enum,
            Some(_) => SymbolKind::Struct,
            None => SymbolKind::Type,
        };
        let name = walk.read(at);
        if kind == SymbolKind::Type {
            let target = of.filter(|of| child(*of, "body").is_none()).and_then(|of| walk.type_text(of));
            walk.bind(name, target, at);
        }
        let symbol = walk.define(Definition { node, name, at, kind, body });
        if nameless.is_some() && first {
            walk.open_symbol(symbol);
        }
        first = false;
    }
}

fn record<'t>(walk: &mut Walk<'t>, node: Node<'t>, class: bool) {
    let Some(body) = child(node, "body") else { return };
    let Some(at) = child(node, "name") else {
        return;
    };
    let kind = if class { SymbolKind::Class } else { SymbolKind::Struct };
    let text = walk.read(at);
    let symbol = match last_part(text) {
        Some((owner, name)) if at.kind() == "qualified_identifier" => {
            consume_path(walk, at);
            walk.define_member(&owner, Definition { node, name, at, kind, body: Some(body) })
        }
        _ => {
            let name = text.split('<').next().unwrap_or(text).trim();
            walk.define(Definition { node, name, at, kind, body: Some(body) })
        }
    };
    if let Some(bases) = child_of(node, "base_class_clause") {
        for base in children(bases) {
            if matches!(base.kind(), "type_identifier" | "qualified_identifier" | "template_type") {
                walk.refer_path(ReferenceKind::Inherit, base, Some(symbol), None);
                consume_path(walk, base);
            }
        }
    }
    walk.open_symbol(symbol);
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(function) = child(node, "function") else { return };
    let arguments = child(node, "arguments");
    match function.kind() {
        "identifier" => walk.refer_member(ReferenceKind::Call, None, function, arguments),
        "field_expression" => {
            if let (Some(object), Some(name)) = (child(function, "argument"), child(function, "field")) {
                let name = if name.kind() == "template_method" { child(name, "name").unwrap_or(name) } else { name };
                walk.refer_member(ReferenceKind::Call, Some(object), name, arguments);
            }
        }
        "template_function" if walk.read(function).contains("_cast<") => consume_path(walk, function),
        "qualified_identifier" | "template_function" => {
            let inside = walk.inside();
            walk.refer_path(ReferenceKind::Call, function, inside, arguments.map(crate::extract::walk::count));
            consume_path(walk, function);
        }
        _ => {}
    }
}

/// The body of a macro is text: a name before a parenthesis is a call.
fn calls_in<'t>(walk: &mut Walk<'t>, value: Node<'t>, symbol: u32) {
    let text = walk.read(value);
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut found = 0;
    while at < bytes.len() && found < 50 {
        if bytes[at].is_ascii_alphabetic() || bytes[at] == b'_' {
            let start = at;
            while at < bytes.len() && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_') {
                at += 1;
            }
            let word = &text[start..at];
            let keyword = matches!(
                word,
                "if" | "while" | "for" | "switch" | "return" | "sizeof" | "do" | "defined" | "__attribute__"
            );
            let member = start > 0 && matches!(bytes[start - 1], b'.' | b'>');
            if bytes.get(at) == Some(&b'(') && !keyword && !member {
                walk.refer_in(ReferenceKind::Call, word, None, value, None, Some(symbol));
                found += 1;
            }
        } else {
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn attributes_that_are_macros_are_blanked_in_place() {
        let text = "void printflike(1, 2) log_it(const char *, ...);\nint a = f(1);\nvoid\tg(int) dead(2);\nx(1);\n";
        let expected =
            "void                  log_it(const char *, ...);\nint a = f(1);\nvoid\tg(int)        ;\nx(1);\n";
        assert_eq!(expected, super::without_attributes(text).unwrap());
        assert_eq!(None, super::without_attributes("int f(int a);\nint b[2];\n#define X(a) (1)\n"));
    }
}
