//! Lua.

use tree_sitter::Node;

use crate::extract::facts::{ReferenceKind, SymbolKind};
use crate::extract::walk::{Definition, Rules, Step, Walk, child, children, kinds, no_finish};

kinds! {
    Comment = "comment",
    Function = "function_declaration",
    Expression = "function_definition",
    Assignment = "assignment_statement",
    Declaration = "variable_declaration",
    Field = "field",
    Call = "function_call",
    Index = "dot_index_expression",
    Identifier = "identifier",
    ForGeneric = "for_generic_clause",
    ForNumeric = "for_numeric_clause",
    Return = "return_statement",
}

pub(super) static RULES: Rules =
    Rules { grammar: || tree_sitter_lua::LANGUAGE.into(), kinds: KINDS, enter, finish: no_finish };

fn enter<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: u8) -> Step {
    match Kind::of(kind) {
        Kind::Comment => walk.comment(node),
        Kind::Function => {
            if let Some(at) = child(node, "name") {
                define(walk, node, at, node);
            }
        }
        Kind::Expression => {
            if !walk.taken.remove(&node.start_byte()) {
                walk.open_block(true);
                parameters(walk, node);
            }
        }
        Kind::Assignment => return assignment(walk, node),
        Kind::Declaration => {
            // `local x` without a value.
            for list in children(node).into_iter().filter(|list| list.kind() == "variable_list") {
                for name in children(list) {
                    walk.local(walk.read(name));
                    walk.consume(name);
                }
            }
        }
        Kind::Field => {
            if let (Some(name), Some(value)) = (child(node, "name"), child(node, "value"))
                && name.kind() == "identifier"
            {
                walk.consume(name);
                if value.kind() == "function_definition" {
                    define(walk, node, name, value);
                }
            }
        }
        Kind::Call => {
            let Some(function) = child(node, "name") else { return Step::Into };
            let arguments = child(node, "arguments");
            let text = walk.read(function);
            if text == "require"
                && let Some(module) =
                    arguments.and_then(|list| list.named_child(0)).filter(|module| module.kind() == "string")
            {
                walk.import(unquote(walk.read(module)), None, None, function, false);
                return Step::Over;
            }
            match function.kind() {
                "identifier" => walk.refer_member(ReferenceKind::Call, None, function, arguments),
                "dot_index_expression" | "method_index_expression" => {
                    let name = child(function, "field").or_else(|| child(function, "method"));
                    if let (Some(table), Some(name)) = (child(function, "table"), name) {
                        walk.refer_member(ReferenceKind::Call, Some(table), name, arguments);
                    }
                }
                _ => {}
            }
        }
        Kind::Return => {
            // `return setmetatable({}, Store)`
            let value = node
                .named_child(0)
                .and_then(|list| if list.kind() == "expression_list" { list.named_child(0) } else { Some(list) });
            if let Some((class, false)) = value.and_then(|value| metatable(walk, value)) {
                walk.bind("return", Some(format!("{}()", walk.read(class))), class);
            } else if let Some(value) = value.filter(|value| value.kind() == "identifier" && !walk.in_function()) {
                // What `require` gives.
                walk.bind("default", Some(format!("={}", walk.read(value))), value);
            }
        }
        Kind::Index => {
            if let (Some(table), Some(name)) = (child(node, "table"), child(node, "field")) {
                walk.refer_member_value(table, name);
                walk.consume(name);
            }
        }
        Kind::Identifier => walk.refer_value(node),
        Kind::ForGeneric => {
            for list in children(node).into_iter().take(1) {
                for name in children(list) {
                    walk.local(walk.read(name));
                    walk.consume(name);
                }
            }
        }
        Kind::ForNumeric => {
            if let Some(name) = child(node, "name") {
                walk.local(walk.read(name));
                walk.consume(name);
            }
        }
        Kind::Other => {}
    }
    Step::Into
}

/// `setmetatable({}, { __index = Store })` makes a table that has what `Store` has, `setmetatable({}, Store)` one of its objects.
fn metatable<'t>(walk: &Walk<'t>, value: Node<'t>) -> Option<(Node<'t>, bool)> {
    let callee = child(value, "name").filter(|_| value.kind() == "function_call")?;
    let table = child(value, "arguments")?.named_child(1).filter(|_| walk.read(callee) == "setmetatable")?;
    match table.kind() {
        "identifier" | "dot_index_expression" => Some((table, false)),
        "table_constructor" => children(table).into_iter().find_map(|field| {
            let index = child(field, "name").is_some_and(|name| walk.read(name) == "__index");
            child(field, "value").filter(|value| index && value.kind() == "identifier").map(|value| (value, true))
        }),
        _ => None,
    }
}

fn unquote(text: &str) -> &str {
    text.trim_matches(['"', '\'', '[', ']'])
}

/// `function a.b:c()`, `a.b = function()`, `c = function()` in a table.
fn define<'t>(walk: &mut Walk<'t>, node: Node<'t>, at: Node<'t>, function: Node<'t>) {
    let text = walk.read(at);
    let body = child(function, "body");
    let (owner, name) = match text.rfind(['.', ':']) {
        Some(cut) => (Some(&text[..cut]), &text[cut + 1..]),
        None => (None, text),
    };
    let name_node = child(at, "field").or_else(|| child(at, "method")).unwrap_or(at);
    let kind = if owner.is_some() || node.kind() == "field" { SymbolKind::Method } else { SymbolKind::Function };
    let symbol = walk.define(Definition { node, name, at: name_node, kind, body });
    walk.consume(at);
    if function.id() != node.id() {
        walk.taken.insert(function.start_byte());
    }
    walk.open_symbol(symbol);
    if let Some(owner) = owner {
        walk.rename_last(format!("{}.{name}", owner.replace(':', ".")), owner);
        if text.contains(':') {
            walk.bind("self", Some(owner.to_owned()), at);
            // A table with methods is a class.
            let class = walk.symbol(symbol).and_then(|fact| fact.parent);
            if let Some(fact) = class.and_then(|class| walk.symbol(class))
                && fact.kind == SymbolKind::Variable
            {
                fact.kind = SymbolKind::Class;
            }
        }
    }
    parameters(walk, function);
}

fn parameters<'t>(walk: &mut Walk<'t>, function: Node<'t>) {
    if let Some(list) = child(function, "parameters") {
        for name in children(list) {
            if name.kind() == "identifier" {
                walk.local(walk.read(name));
                walk.consume(name);
            }
        }
    }
}

fn assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Step {
    let inner = children(node);
    let [left, right] = inner.as_slice() else { return Step::Into };
    let is_local = walk.parent_kind(0) == Kind::Declaration as u8;
    let values = children(*right);
    let names = children(*left);
    for (index, at) in names.iter().enumerate() {
        let value = values.get(index).copied();
        if let Some(function) = value.filter(|value| value.kind() == "function_definition" && names.len() == 1) {
            define(walk, node, *at, function);
            return Step::Into;
        }
        if at.kind() != "identifier" {
            continue;
        }
        let name = walk.read(*at);
        walk.consume(*at);
        let of = value.and_then(|value| walk.value_text(value));
        let required = value.filter(|value| value.kind() == "function_call").and_then(|value| {
            let callee = child(value, "name")?;
            let module = child(value, "arguments")?.named_child(0)?;
            (walk.read(callee) == "require" && module.kind() == "string").then(|| unquote(walk.read(module)))
        });
        if let Some(module) = required {
            walk.import(module, None, Some(name), *at, false);
            if names.len() == 1 {
                return Step::Over;
            }
        } else if walk.in_function() {
            if is_local {
                walk.local(name);
            }
            walk.bind(name, of, *at);
        } else {
            walk.bind(name, of, *at);
            if walk.flags.insert(name) {
                let table = value.is_some_and(|value| value.kind() == "table_constructor");
                let symbol = walk.define(Definition { node, name, at: *at, kind: SymbolKind::Variable, body: None });
                if let Some((base, true)) = value.and_then(|value| metatable(walk, value)) {
                    let inside = Some(symbol);
                    walk.refer_in(ReferenceKind::Inherit, walk.read(base), None, base, None, inside);
                }
                if table && names.len() == 1 {
                    walk.open_object(symbol);
                }
            }
        }
    }
    Step::Into
}
