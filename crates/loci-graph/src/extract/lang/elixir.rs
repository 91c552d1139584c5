//! Elixir: everything is a call, definitions as well.

use tree_sitter::Node;

use crate::extract::facts::{ReferenceKind, SymbolKind};
use crate::extract::walk::{Definition, Rules, Step, Walk, child, child_of, children, kinds, no_finish, squeeze};

kinds! {
    Comment = "comment",
    Call = "call",
    Attribute = "unary_operator",
    Match = "binary_operator",
    Clause = "stab_clause",
    Alias = "alias",
    Identifier = "identifier",
}

pub(super) static RULES: Rules =
    Rules { grammar: || tree_sitter_elixir::LANGUAGE.into(), kinds: KINDS, enter, finish: no_finish };

fn enter<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: u8) -> Step {
    match Kind::of(kind) {
        Kind::Comment => walk.comment(node),
        Kind::Call => return call(walk, node),
        Kind::Attribute => return attribute(walk, node),
        Kind::Match => {
            let assigns = child(node, "operator").is_some_and(|operator| walk.read(operator) == "=");
            if assigns && let Some(left) = child(node, "left") {
                pattern(walk, left);
            }
            if assigns
                && let (Some(left), Some(right)) = (child(node, "left"), child(node, "right"))
                && left.kind() == "identifier"
            {
                let of = walk.value_text(right);
                walk.bind(walk.read(left), of, left);
            }
        }
        Kind::Clause => {
            walk.open_block(true);
            if let Some(left) = child(node, "left") {
                pattern(walk, left);
            }
        }
        Kind::Alias => walk.refer_value(node),
        Kind::Identifier => {
            if !walk.read(node).starts_with('_') {
                walk.refer_value(node);
            }
        }
        Kind::Other => {}
    }
    Step::Into
}

fn pattern<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let mut pending = vec![node];
    let mut steps = 0;
    while let Some(one) = pending.pop() {
        steps += 1;
        if steps > 200 {
            return;
        }
        match one.kind() {
            "identifier" => {
                walk.local(walk.read(one));
                walk.consume(one);
            }
            "call" | "string" | "alias" => {}
            "binary_operator" => pending.extend(child(one, "left")),
            _ => pending.extend(children(one)),
        }
    }
}

/// `@doc "…"`, `@moduledoc`, `@behaviour X`, `@type t :: …`, `@limit 3`.
fn attribute<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Step {
    let Some(operand) = child(node, "operand").filter(|_| walk.slice(node.start_byte(), node.start_byte() + 1) == "@")
    else {
        return Step::Into;
    };
    let Some(target) = child(operand, "target").filter(|_| operand.kind() == "call") else {
        walk.consume(operand);
        return Step::Over;
    };
    let name = walk.read(target);
    let value = child_of(operand, "arguments").and_then(|arguments| arguments.named_child(0));
    match (name, value) {
        ("doc" | "typedoc", Some(_)) => walk.text_comment(node),
        ("moduledoc", Some(text)) => {
            if let Some(module) = walk.inside() {
                let text = walk.read(text);
                walk.set_documentation(module, text.trim_matches('"'));
            }
        }
        ("behaviour", Some(of)) => {
            let inside = walk.inside();
            walk.refer_path(ReferenceKind::Implement, of, inside, None);
        }
        ("type" | "typep" | "opaque", Some(of)) => {
            let at = child(of, "left").unwrap_or(of);
            let at = child(at, "target").unwrap_or(at);
            walk.define(Definition { node, name: walk.read(at), at, kind: SymbolKind::Type, body: None });
        }
        ("callback" | "macrocallback", Some(of)) => {
            let at = child(of, "left").unwrap_or(of);
            let at = child(at, "target").unwrap_or(at);
            walk.define(Definition { node, name: walk.read(at), at, kind: SymbolKind::Method, body: None });
        }
        ("spec" | "impl" | "deprecated" | "since" | "dialyzer" | "compile", _) => walk.attribute_line(node),
        (name, Some(_)) if !walk.in_function() => {
            let again = !walk.flags.insert(name);
            if !again {
                walk.define(Definition { node, name, at: target, kind: SymbolKind::Constant, body: None });
            }
            // What stands behind the name is code, the name no call.
            walk.taken.insert(operand.start_byte());
            return Step::Into;
        }
        _ => {}
    }
    Step::Over
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Step {
    let Some(target) = child(node, "target") else { return Step::Into };
    let arguments = child_of(node, "arguments");
    let block = child_of(node, "do_block");
    let first = arguments.and_then(|arguments| arguments.named_child(0));
    let count = arguments.map_or(0, crate::extract::walk::count);
    if target.kind() == "dot" {
        if let (Some(object), Some(name)) = (child(target, "left"), child(target, "right")) {
            walk.refer_member(ReferenceKind::Call, Some(object), name, arguments);
        }
        return Step::Into;
    }
    let word = walk.read(target);
    walk.consume(target);
    match (word, first) {
        ("defmodule" | "defprotocol" | "defimpl", Some(at)) => {
            let kind = if word == "defprotocol" { SymbolKind::Interface } else { SymbolKind::Module };
            let symbol = walk.define(Definition { node, name: walk.read(at), at, kind, body: block });
            if word == "defimpl" {
                walk.refer_path(ReferenceKind::Implement, at, Some(symbol), None);
            }
            walk.open_module(symbol);
        }
        (
            "def" | "defp" | "defmacro" | "defmacrop" | "defguard" | "defguardp" | "defdelegate" | "defn",
            Some(first),
        ) => {
            let mut head = first;
            if head.kind() == "binary_operator" {
                head = child(head, "left").unwrap_or(head);
            }
            let at = if head.kind() == "call" { child(head, "target").unwrap_or(head) } else { head };
            let name = walk.read(at);
            let kind = if word.starts_with("defmacro") { SymbolKind::Macro } else { SymbolKind::Function };
            // The clauses of one function are one symbol.
            let parent = walk.inside();
            let last = walk.facts.symbols.iter().rposition(|one| one.parent == parent);
            let same =
                last.filter(|last| walk.facts.symbols[*last].name == name && walk.facts.symbols[*last].kind == kind);
            let symbol = match same {
                Some(same) => {
                    let end = node.end_position().row as u32 + 1;
                    walk.facts.symbols[same].lines.1 = end;
                    walk.consume(at);
                    same as u32
                }
                None => {
                    let symbol = walk.define(Definition { node, name, at, kind, body: block });
                    if let Some(fact) = walk.symbol(symbol) {
                        fact.exported = Some(!matches!(word, "defp" | "defmacrop" | "defguardp"));
                    }
                    symbol
                }
            };
            walk.open_symbol(symbol);
            walk.consume(head);
            walk.taken.insert(head.start_byte());
            if let Some(list) = child_of(head, "arguments") {
                for one in children(list) {
                    pattern(walk, one);
                }
            }
        }
        ("defstruct" | "defexception", _) => {
            walk.define(Definition { node, name: "__struct__", at: target, kind: SymbolKind::Struct, body: arguments });
        }
        ("alias" | "import" | "require" | "use", Some(first)) => {
            import(walk, word, first, arguments);
            return Step::Over;
        }
        ("test" | "describe", Some(title)) if block.is_some() && title.kind() == "string" => {
            let name = squeeze(walk.read(title).trim_matches('"'), 120);
            let symbol = walk.define(Definition { node, name: &name, at: title, kind: SymbolKind::Test, body: block });
            if let Some(fact) = walk.symbol(symbol) {
                fact.test = true;
            }
            walk.open_symbol(symbol);
        }
        (
            "if" | "unless" | "case" | "cond" | "with" | "for" | "try" | "receive" | "quote" | "unquote" | "fn"
            | "super",
            _,
        ) => {}
        _ => {
            // The head of a definition is not a call.
            if !walk.taken.remove(&node.start_byte()) {
                walk.refer(ReferenceKind::Call, word, None, target, Some(count));
            }
        }
    }
    Step::Into
}

fn import<'t>(walk: &mut Walk<'t>, word: &str, first: Node<'t>, arguments: Option<Node<'t>>) {
    let text = walk.read(first);
    if text.len() > 1000 {
        return;
    }
    let alias = arguments
        .and_then(|arguments| arguments.named_child(1))
        .map(|options| walk.read(options))
        .and_then(|options| options.split_once("as:"))
        .map(|(_, alias)| alias.trim().trim_end_matches(']'));
    let name = if matches!(word, "import" | "use") { Some("*") } else { None };
    match text.split_once(".{") {
        Some((prefix, list)) => {
            for one in list.trim_end_matches('}').split(',') {
                walk.import(&format!("{prefix}.{}", one.trim()), name, None, first, false);
            }
        }
        None => walk.import(text, name, alias, first, false),
    }
}
