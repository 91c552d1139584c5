//! Rust.

use tree_sitter::Node;

use crate::extract::facts::{ReferenceKind, SymbolKind};
use crate::extract::walk::{
    Definition, Pending, Rules, Step, TYPE_CHARS, Walk, child, child_of, children, kinds, line, no_finish, split_path,
    squeeze,
};

kinds! {
    Comment = "line_comment" | "block_comment",
    Attribute = "attribute_item",
    Function = "function_item" | "function_signature_item",
    Struct = "struct_item" | "union_item",
    Enum = "enum_item",
    Variant = "enum_variant",
    Trait = "trait_item",
    Type = "type_item" | "associated_type",
    Impl = "impl_item",
    Module = "mod_item",
    Constant = "const_item" | "static_item",
    Macro = "macro_definition",
    Field = "field_declaration",
    Use = "use_declaration",
    ExternCrate = "extern_crate_declaration",
    Let = "let_declaration",
    LetCondition = "let_condition",
    Closure = "closure_expression",
    For = "for_expression",
    Arm = "match_arm",
    Call = "call_expression",
    StructExpression = "struct_expression",
    Invocation = "macro_invocation",
    Tokens = "token_tree",
    FieldExpression = "field_expression",
    Scoped = "scoped_identifier",
    Identifier = "identifier",
    TypeName = "type_identifier",
    ScopedType = "scoped_type_identifier",
    TypeParameter = "type_parameter",
}

pub(super) static RULES: Rules =
    Rules { grammar: || tree_sitter_rust::LANGUAGE.into(), kinds: KINDS, enter, finish: no_finish };

fn public(node: Node<'_>) -> bool {
    child_of(node, "visibility_modifier").is_some()
}

fn define<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: SymbolKind, body: Option<Node<'t>>) -> Option<u32> {
    let at = child(node, "name")?;
    let symbol = walk.define(Definition { node, name: walk.read(at), at, kind, body });
    if let Some(fact) = walk.symbol(symbol) {
        fact.exported = Some(public(node));
    }
    Some(symbol)
}

fn enter<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: u8) -> Step {
    match Kind::of(kind) {
        Kind::Comment => walk.comment(node),
        Kind::Attribute => {
            attribute(walk, node);
            return Step::Over;
        }
        Kind::Function => function(walk, node),
        Kind::Struct | Kind::Enum => {
            let kind = if Kind::of(kind) == Kind::Enum { SymbolKind::Enum } else { SymbolKind::Struct };
            if let Some(symbol) = define(walk, node, kind, child(node, "body")) {
                walk.open_symbol(symbol);
            }
        }
        Kind::Variant => {
            if let Some(symbol) = define(walk, node, SymbolKind::Variant, None)
                && let Some(fact) = walk.symbol(symbol)
            {
                fact.exported = None;
            }
        }
        Kind::Trait => {
            if let Some(symbol) = define(walk, node, SymbolKind::Trait, child(node, "body")) {
                if let Some(bounds) = child(node, "bounds") {
                    for base in children(bounds) {
                        inherit(walk, ReferenceKind::Inherit, base, Some(symbol));
                    }
                }
                walk.open_symbol(symbol);
            }
        }
        Kind::Type => {
            if let Some(symbol) = define(walk, node, SymbolKind::Type, None) {
                walk.open_symbol(symbol);
            }
        }
        Kind::Impl => {
            let Some(of) = child(node, "type") else { return Step::Into };
            let mut name = split_path(walk.read(of)).map(|(_, name)| name).unwrap_or_default();
            if name.is_empty() {
                // A tuple or an array: what stands in it belongs to that, and is no function of the module.
                name = squeeze(walk.read(of), TYPE_CHARS).replace('.', "");
            }
            let prefix = walk.qualify(&name);
            let symbol = walk.type_named(&prefix);
            if let Some(base) = child(node, "trait") {
                let before = walk.facts.references.len();
                inherit(walk, ReferenceKind::Implement, base, symbol);
                if symbol.is_none() && walk.facts.references.len() > before {
                    walk.orphan_references.push((before, prefix));
                }
            }
            walk.pending.clear();
            walk.pending_row = None;
            walk.open_type(&name);
            if of.kind() == "type_identifier" {
                walk.consume(of);
            }
        }
        Kind::Module => {
            let cfg_test = walk.flags.remove("cfg(test)");
            if let Some(symbol) = define(walk, node, SymbolKind::Module, child(node, "body")) {
                if let Some(fact) = walk.symbol(symbol) {
                    fact.test = cfg_test;
                }
                if child(node, "body").is_some() {
                    walk.open_symbol(symbol);
                }
            }
        }
        Kind::Constant => {
            let of = child(node, "type").and_then(|of| walk.type_text(of));
            if let Some(at) = child(node, "name") {
                if walk.in_class() {
                    walk.bind_field(walk.read(at), of, at);
                } else {
                    walk.bind(walk.read(at), of, at);
                }
            }
            if walk.in_function() {
                if let Some(at) = child(node, "name") {
                    walk.local(walk.read(at));
                    walk.consume(at);
                }
            } else {
                define(walk, node, SymbolKind::Constant, None);
            }
        }
        Kind::Macro => {
            let exported = walk.flags.remove("macro_export");
            let body = child_of(node, "macro_rule");
            if let Some(symbol) = define(walk, node, SymbolKind::Macro, body)
                && let Some(fact) = walk.symbol(symbol)
            {
                fact.exported = Some(exported);
            }
            return Step::Over;
        }
        Kind::Field => {
            let of = child(node, "type").and_then(|of| walk.type_text(of));
            if let Some(at) = child(node, "name").filter(|_| walk.in_class()) {
                walk.bind_field(walk.read(at), of, at);
                define(walk, node, SymbolKind::Field, None);
            }
        }
        Kind::Use => {
            walk.pending.clear();
            walk.pending_row = None;
            if let Some(argument) = child(node, "argument") {
                use_tree(walk, argument, public(node));
            }
            return Step::Over;
        }
        Kind::ExternCrate => {
            if let Some(name) = child(node, "name") {
                let alias = child(node, "alias").map(|alias| walk.read(alias));
                walk.import(walk.read(name), None, alias, name, public(node));
            }
            return Step::Over;
        }
        Kind::Let => {
            let of = child(node, "type").and_then(|of| walk.type_text(of));
            let of = of.or_else(|| child(node, "value").and_then(|node| value(walk, node)));
            if let Some(pattern) = child(node, "pattern") {
                bind_pattern(walk, pattern, of);
            }
        }
        Kind::LetCondition => {
            if let Some(pattern) = child(node, "pattern") {
                bind_pattern(walk, pattern, None);
            }
        }
        Kind::For => {
            if let Some(pattern) = child(node, "pattern") {
                bind_pattern(walk, pattern, None);
            }
        }
        Kind::Arm => {
            walk.open_block(false);
            if let Some(pattern) = child(node, "pattern") {
                bind_pattern(walk, pattern, None);
            }
        }
        Kind::Closure => {
            walk.open_block(true);
            if let Some(list) = child(node, "parameters") {
                for parameter in children(list) {
                    let of = child(parameter, "type").and_then(|of| walk.type_text(of));
                    bind_pattern(walk, child(parameter, "pattern").unwrap_or(parameter), of);
                }
            }
        }
        Kind::Call => {
            let Some(mut function) = child(node, "function") else { return Step::Into };
            if function.kind() == "generic_function" {
                function = child(function, "function").unwrap_or(function);
            }
            let arguments = child(node, "arguments");
            match function.kind() {
                "identifier" => walk.refer_member(ReferenceKind::Call, None, function, arguments),
                "field_expression" => {
                    if let (Some(value), Some(field)) = (child(function, "value"), child(function, "field")) {
                        walk.refer_member(ReferenceKind::Call, Some(value), field, arguments);
                    }
                }
                "scoped_identifier" => {
                    if let Some(name) = child(function, "name") {
                        let path = child(function, "path");
                        walk.refer_member(ReferenceKind::Call, path, name, arguments);
                        // `Foo::new()` is the use of `Foo`, and said.
                        consume_scoped(walk, function);
                    }
                }
                _ => {}
            }
        }
        Kind::StructExpression => {
            if let Some(name) = child(node, "name") {
                let inside = walk.inside();
                walk.refer_path(ReferenceKind::Instantiate, name, inside, None);
                walk.consume(name);
                if let Some(last) = child(name, "name") {
                    walk.consume(last);
                }
            }
        }
        Kind::Invocation => {
            if let Some(name) = child(node, "macro") {
                let inside = walk.inside();
                walk.refer_path(ReferenceKind::MacroUse, name, inside, None);
                consume_scoped(walk, name);
            }
        }
        Kind::Tokens => tokens(walk, node),
        Kind::FieldExpression => {
            if let (Some(value), Some(field)) = (child(node, "value"), child(node, "field"))
                && field.kind() == "field_identifier"
            {
                walk.refer_member_value(value, field);
            }
        }
        Kind::Scoped => {
            if let (Some(path), Some(name)) = (child(node, "path"), child(node, "name")) {
                walk.refer_member_value(path, name);
                consume_scoped(walk, node);
            }
        }
        Kind::Identifier => {
            // The variants that everyone uses would be references of every function.
            let prelude = matches!(walk.read(node), "Some" | "None" | "Ok" | "Err");
            if walk.parent_kind(0) != Kind::Tokens as u8 && !prelude {
                walk.refer_value(node);
            }
        }
        Kind::TypeName => {
            if !walk.is_consumed(node) && walk.read(node) != "Self" {
                walk.refer(ReferenceKind::TypeUse, walk.read(node), None, node, None);
            }
        }
        Kind::ScopedType => {
            if let (Some(path), Some(name)) = (child(node, "path"), child(node, "name"))
                && !walk.is_consumed(name)
            {
                walk.refer_member(ReferenceKind::TypeUse, Some(path), name, None);
                consume_scoped(walk, node);
            }
        }
        Kind::TypeParameter => {
            if let Some(name) = child(node, "name") {
                walk.consume(name);
            }
        }
        Kind::Other => {}
    }
    Step::Into
}

/// A path is one reference, not one for each of its parts.
fn consume_scoped<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let mut node = node;
    for _ in 0..16 {
        walk.consume(node);
        if let Some(name) = child(node, "name") {
            walk.consume(name);
        }
        match child(node, "path") {
            Some(path) => node = path,
            None => return,
        }
    }
}

fn inherit<'t>(walk: &mut Walk<'t>, kind: ReferenceKind, base: Node<'t>, inside: Option<u32>) {
    if matches!(base.kind(), "type_identifier" | "scoped_type_identifier" | "generic_type") {
        walk.refer_path(kind, base, inside, None);
        let name = if base.kind() == "generic_type" { child(base, "type").unwrap_or(base) } else { base };
        consume_scoped(walk, name);
    }
}

fn attribute<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.attribute(node);
    let text = walk.read(node);
    if text.contains("cfg(test)") {
        walk.flags.insert("cfg(test)");
    }
    if text.contains("macro_export") {
        walk.flags.insert("macro_export");
    }
    let Some(attribute) = node.named_child(0) else { return };
    let Some(path) = attribute.named_child(0) else { return };
    let Some((qualifier, name)) = split_path(walk.read(path)) else { return };
    let at = line(path);
    match name.as_str() {
        "derive" => {
            let derived = child(attribute, "arguments").map_or("", |list| walk.read(list));
            for one in derived.trim_matches(['(', ')']).split(',') {
                if let Some((qualifier, name)) = split_path(one.trim()) {
                    walk.pending.push(Pending { name, qualifier, line: at, arguments: None });
                }
            }
        }
        "allow" | "cfg" | "cfg_attr" | "deny" | "doc" | "expect" | "forbid" | "inline" | "must_use" | "warn"
        | "macro_export" => {}
        _ => walk.pending.push(Pending { name, qualifier, line: at, arguments: None }),
    }
}

fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let kind = if walk.in_class() { SymbolKind::Method } else { SymbolKind::Function };
    let test = walk
        .pending
        .iter()
        .any(|one| matches!(one.name.as_str(), "test" | "rstest" | "bench" | "test_case" | "proptest"));
    walk.flags.remove("cfg(test)");
    let Some(symbol) = define(walk, node, kind, child(node, "body")) else { return };
    let returns = child(node, "return_type").and_then(|of| walk.type_text(of));
    if let Some(fact) = walk.symbol(symbol) {
        fact.returns = returns;
        fact.test = test;
    }
    walk.open_symbol(symbol);
    if let Some(list) = child(node, "parameters") {
        for parameter in children(list) {
            if let Some(pattern) = child(parameter, "pattern") {
                let of = child(parameter, "type").and_then(|of| walk.type_text(of));
                bind_pattern(walk, pattern, of);
            }
        }
    }
}

/// `Foo { … }` is a `Foo`; `open()?` and `open().await` are what `open()` gives.
fn value<'t>(walk: &Walk<'t>, node: Node<'t>) -> Option<String> {
    let mut node = node;
    for _ in 0..4 {
        match node.kind() {
            "try_expression" | "await_expression" | "reference_expression" | "parenthesized_expression" => {
                node = child(node, "value").or_else(|| node.named_child(0))?;
            }
            "struct_expression" => return child(node, "name").and_then(|name| walk.type_text(name)),
            _ => break,
        }
    }
    walk.value_text(node)
}

/// Names that a pattern binds. A name with a capital is a constant or a variant.
fn bind_pattern<'t>(walk: &mut Walk<'t>, pattern: Node<'t>, of: Option<String>) {
    let mut of = of;
    let mut pending = vec![pattern];
    while let Some(node) = pending.pop() {
        match node.kind() {
            "identifier" | "shorthand_field_identifier" => {
                let name = walk.read(node);
                if !name.starts_with(char::is_uppercase) {
                    walk.local(name);
                    walk.consume(node);
                    walk.bind(name, of.take(), node);
                }
            }
            "mut_pattern" | "ref_pattern" | "reference_pattern" => pending.extend(children(node)),
            "scoped_identifier" | "type_identifier" | "scoped_type_identifier" | "generic_type" | "self" => {}
            "match_pattern" => {
                of = None;
                pending.extend(node.named_child(0));
            }
            "tuple_struct_pattern" => {
                of = None;
                let of = child(node, "type").map(|of| of.id());
                let mut inner = children(node);
                inner.retain(|one| Some(one.id()) != of);
                inner.reverse();
                pending.extend(inner);
            }
            "field_pattern" => match child(node, "pattern") {
                Some(inner) => pending.push(inner),
                None => pending.extend(child(node, "name")),
            },
            _ => {
                of = None;
                let mut inner = children(node);
                inner.reverse();
                pending.extend(inner);
            }
        }
    }
}

/// What a macro was given is not parsed: a name before a parenthesis is a call, `fn name` a function.
fn tokens<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let mut cursor = node.walk();
    if !cursor.goto_first_child() {
        return;
    }
    let mut keyword = "";
    loop {
        let token = cursor.node();
        let mut defined = false;
        if token.kind() == "identifier" {
            let name = walk.read(token);
            let next = token.end_byte();
            let kind = match keyword {
                "fn" => Some(SymbolKind::Function),
                "struct" | "union" => Some(SymbolKind::Struct),
                "enum" => Some(SymbolKind::Enum),
                "trait" => Some(SymbolKind::Trait),
                "type" => Some(SymbolKind::Type),
                "const" | "static" if !walk.in_function() => Some(SymbolKind::Constant),
                _ => None,
            };
            if let Some(kind) = kind {
                defined = true;
                walk.define(Definition { node: token, name, at: token, kind, body: None });
            } else if walk.text.as_bytes().get(next) == Some(&b'(') && !matches!(name, "cfg" | "Some" | "Ok" | "Err") {
                let qualifier = before(walk.text, token.start_byte());
                walk.refer(ReferenceKind::Call, name, qualifier, token, None);
            } else if walk.text.as_bytes().get(next) == Some(&b'!') && walk.text.as_bytes().get(next + 1) != Some(&b'=')
            {
                walk.refer(ReferenceKind::MacroUse, name, None, token, None);
            }
        }
        // `pub(crate) fn`, `struct Name`: the word right before a name.
        keyword = if token.is_named() || defined { "" } else { token.kind() };
        if !cursor.goto_next_sibling() {
            return;
        }
    }
}

/// The path written right before a byte: `self.a.` gives `self.a`, `Foo::` gives `Foo`.
fn before(text: &str, end: usize) -> Option<String> {
    let bytes = text.as_bytes();
    let is_path = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b'.');
    let start = (0..end).rev().take(120).take_while(|at| is_path(bytes[*at])).last()?;
    let path = text.get(start..end)?;
    let separated = path.ends_with('.') || path.ends_with("::");
    if !separated {
        return None;
    }
    let path = path.trim_end_matches(['.', ':']);
    if path.is_empty() || path.starts_with(['.', ':']) { Some("(expr)".to_owned()) } else { Some(path.to_owned()) }
}

fn use_tree<'t>(walk: &mut Walk<'t>, tree: Node<'t>, reexport: bool) {
    let mut pending = vec![(tree, String::new())];
    while let Some((node, prefix)) = pending.pop() {
        let join = |path: &str| if prefix.is_empty() { path.to_owned() } else { format!("{prefix}::{path}") };
        match node.kind() {
            "use_list" => {
                let mut items = children(node);
                items.reverse();
                pending.extend(items.into_iter().map(|item| (item, prefix.clone())));
            }
            "scoped_use_list" => {
                let path = child(node, "path").map_or(prefix.clone(), |path| join(walk.read(path)));
                if let Some(list) = child(node, "list") {
                    pending.push((list, path));
                }
            }
            "use_wildcard" => {
                let path = node.named_child(0).map_or(prefix.clone(), |path| join(walk.read(path)));
                walk.import(&path, Some("*"), None, node, reexport);
            }
            "use_as_clause" => {
                let alias = child(node, "alias").map(|alias| walk.read(alias));
                if let Some(path) = child(node, "path") {
                    use_path(walk, &join(walk.read(path)), alias, path, reexport);
                }
            }
            "self" => walk.import(&prefix, None, None, node, reexport),
            _ => {
                let path = join(walk.read(node));
                use_path(walk, &path, None, node, reexport);
            }
        }
    }
}

fn use_path<'t>(walk: &mut Walk<'t>, path: &str, alias: Option<&str>, at: Node<'t>, reexport: bool) {
    match path.rsplit_once("::") {
        Some((module, "self")) => walk.import(module, None, alias, at, reexport),
        Some((module, name)) => walk.import(module, Some(name), alias, at, reexport),
        None => walk.import(path, None, alias, at, reexport),
    }
}
