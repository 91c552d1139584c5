//! Zig.

use tree_sitter::Node;

use crate::extract::facts::{ReferenceKind, SymbolKind};
use crate::extract::walk::{Definition, Rules, Step, Walk, child, child_of, children, has_token, kinds, no_finish};

kinds! {
    Comment = "comment",
    Function = "function_declaration",
    Variable = "variable_declaration",
    Field = "container_field",
    Test = "test_declaration",
    Parameter = "parameter",
    Payload = "payload",
    Call = "call_expression",
    Member = "field_expression",
    Identifier = "identifier",
}

pub(super) static RULES: Rules =
    Rules { grammar: || tree_sitter_zig::LANGUAGE.into(), kinds: KINDS, enter, finish: no_finish };

fn enter<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: u8) -> Step {
    match Kind::of(kind) {
        Kind::Comment => walk.comment(node),
        Kind::Function => {
            if let Some(at) = child(node, "name") {
                let kind = if walk.in_class() { SymbolKind::Method } else { SymbolKind::Function };
                let symbol = walk.define(Definition { node, name: walk.read(at), at, kind, body: child(node, "body") });
                let returns = child(node, "type").and_then(|of| walk.type_text(of));
                let exported = has_token(node, "pub") || has_token(node, "export");
                if let Some(fact) = walk.symbol(symbol) {
                    fact.returns = returns;
                    fact.exported = Some(exported);
                }
                walk.open_symbol(symbol);
            }
        }
        Kind::Variable => return variable(walk, node),
        Kind::Field => {
            if let Some(at) = child(node, "name").filter(|_| walk.in_class()) {
                let of = child(node, "type").and_then(|of| walk.type_text(of));
                walk.bind_field(walk.read(at), of, at);
                walk.define(Definition { node, name: walk.read(at), at, kind: SymbolKind::Field, body: None });
            }
        }
        Kind::Test => {
            let at = child_of(node, "string").or_else(|| child_of(node, "identifier"));
            if let Some(at) = at {
                let name = walk.read(at).trim_matches('"');
                let symbol =
                    walk.define(Definition { node, name, at, kind: SymbolKind::Test, body: child_of(node, "block") });
                if let Some(fact) = walk.symbol(symbol) {
                    fact.test = true;
                }
                walk.open_symbol(symbol);
            }
        }
        Kind::Parameter => {
            if let Some(at) = child(node, "name") {
                walk.local(walk.read(at));
                walk.consume(at);
                let of = child(node, "type").and_then(|of| walk.type_text(of));
                walk.bind(walk.read(at), of, at);
            }
        }
        Kind::Payload => {
            for at in children(node) {
                walk.local(walk.read(at));
                walk.consume(at);
            }
        }
        Kind::Call => {
            if let Some(function) = child(node, "function") {
                let count = u16::try_from(node.named_child_count().saturating_sub(1)).unwrap_or(u16::MAX);
                match function.kind() {
                    "identifier" => walk.refer(ReferenceKind::Call, walk.read(function), None, function, Some(count)),
                    "field_expression" => {
                        if let (Some(object), Some(name)) = (child(function, "object"), child(function, "member")) {
                            let qualifier = Some(walk.receiver(object));
                            walk.refer(ReferenceKind::Call, walk.read(name), qualifier, name, Some(count));
                        }
                    }
                    _ => {}
                }
            }
        }
        Kind::Member => {
            if let (Some(object), Some(name)) = (child(node, "object"), child(node, "member")) {
                walk.refer_member_value(object, name);
                walk.consume(name);
            }
        }
        Kind::Identifier => walk.refer_value(node),
        Kind::Other => {}
    }
    Step::Into
}

/// `const std = @import("std");`, `const Cart = struct { … };`, `var x: T = …`.
fn variable<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Step {
    let Some(at) = child_of(node, "identifier") else { return Step::Into };
    let name = walk.read(at);
    let inner = children(node);
    let value = inner.last().copied().filter(|value| value.id() != at.id());
    walk.consume(at);
    let text = value.map_or("", |value| walk.read(value));
    if let Some(rest) = text.strip_prefix("@import(\"") {
        let (module, after) = rest.split_once('"').unwrap_or((rest, ""));
        let member = after.trim_start_matches(')').strip_prefix('.');
        walk.import(module, member, Some(name).filter(|name| Some(*name) != member), at, has_token(node, "pub"));
        return Step::Over;
    }
    let of = child(node, "type")
        .and_then(|of| walk.type_text(of))
        .or_else(|| value.and_then(|value| walk.value_text(value)));
    let container = value.map(|value| value.kind()).and_then(|kind| match kind {
        "struct_declaration" | "union_declaration" | "opaque_declaration" => Some(SymbolKind::Struct),
        "enum_declaration" | "error_set_declaration" => Some(SymbolKind::Enum),
        _ => None,
    });
    if walk.in_function() && container.is_none() {
        walk.local(name);
        walk.bind(name, of, at);
        return Step::Into;
    }
    let kind = container.unwrap_or(if has_token(node, "var") { SymbolKind::Variable } else { SymbolKind::Constant });
    let symbol = walk.define(Definition { node, name, at, kind, body: value.filter(|_| container.is_some()) });
    let exported = has_token(node, "pub");
    if let Some(fact) = walk.symbol(symbol) {
        fact.exported = Some(exported);
    }
    if container.is_some() {
        walk.open_symbol(symbol);
    } else {
        walk.bind(name, of, at);
    }
    Step::Into
}
