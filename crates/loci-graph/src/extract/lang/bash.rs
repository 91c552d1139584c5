//! Bash and its relatives.

use tree_sitter::Node;

use crate::extract::facts::{ReferenceKind, SymbolKind};
use crate::extract::walk::{Definition, Rules, Step, Walk, child, children, kinds, no_finish};

kinds! {
    Comment = "comment",
    Function = "function_definition",
    Command = "command",
    Assignment = "variable_assignment",
    Declaration = "declaration_command",
}

pub(super) static RULES: Rules =
    Rules { grammar: || tree_sitter_bash::LANGUAGE.into(), kinds: KINDS, enter, finish: no_finish };

fn enter<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: u8) -> Step {
    match Kind::of(kind) {
        Kind::Comment => walk.comment(node),
        Kind::Function => {
            if let Some(at) = child(node, "name") {
                let symbol = walk.define(Definition {
                    node,
                    name: walk.read(at),
                    at,
                    kind: SymbolKind::Function,
                    body: child(node, "body"),
                });
                walk.open_symbol(symbol);
            }
        }
        Kind::Command => {
            let Some(at) = child(node, "name") else { return Step::Into };
            let name = walk.read(at);
            let mut cursor = node.walk();
            let arguments: Vec<Node<'t>> = node.children_by_field_name("argument", &mut cursor).collect();
            match name {
                "source" | "." => {
                    if let Some(path) = arguments.first() {
                        walk.import(walk.read(*path).trim_matches(['"', '\'']), None, None, *path, false);
                    }
                }
                "alias" => {
                    for one in &arguments {
                        let text = walk.read(*one);
                        if let Some((alias, _)) = text.split_once('=') {
                            walk.define(Definition {
                                node,
                                name: alias,
                                at: *one,
                                kind: SymbolKind::Function,
                                body: None,
                            });
                        }
                    }
                }
                "trap" => {
                    // `trap cleanup EXIT` calls a function by its name.
                    if let Some(handler) = arguments.first().filter(|handler| handler.kind() == "word") {
                        walk.refer(ReferenceKind::Reference, walk.read(*handler), None, *handler, None);
                    }
                }
                _ => {
                    let plain = name
                        .chars()
                        .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '+' | '@' | '/'));
                    if plain
                        && !matches!(
                            name,
                            "echo"
                                | "printf"
                                | "cd"
                                | "exit"
                                | "return"
                                | "set"
                                | "shift"
                                | "test"
                                | "true"
                                | "false"
                                | "read"
                                | "eval"
                                | "exec"
                        )
                    {
                        let count = u16::try_from(arguments.len()).unwrap_or(u16::MAX);
                        walk.refer(ReferenceKind::Call, name, None, at, Some(count));
                    }
                }
            }
        }
        Kind::Assignment => {
            if let Some(at) = child(node, "name").filter(|at| at.kind() == "variable_name" && !walk.in_function()) {
                let name = walk.read(at);
                // Only the first value defines, and not one for a single command.
                let top = walk.parents.len() <= 2;
                if top && walk.flags.insert(name) {
                    walk.define(Definition { node, name, at, kind: SymbolKind::Variable, body: None });
                }
            }
        }
        Kind::Declaration => {
            for one in children(node) {
                if one.kind() == "variable_assignment"
                    && let Some(at) = child(one, "name").filter(|_| walk.in_function())
                {
                    walk.local(walk.read(at));
                }
            }
        }
        Kind::Other => {}
    }
    Step::Into
}
