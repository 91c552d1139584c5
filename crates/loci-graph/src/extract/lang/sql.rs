//! SQL: tables, views, functions and types, and what names them.

use tree_sitter::Node;

use crate::extract::facts::{ReferenceKind, SymbolKind};
use crate::extract::walk::{Definition, Rules, Step, Walk, child, child_of, kinds, no_finish};

kinds! {
    Comment = "comment" | "marginalia",
    Table = "create_table",
    View = "create_view" | "create_materialized_view",
    Function = "create_function",
    Type = "create_type",
    Column = "column_definition",
    Index = "create_index",
    Trigger = "create_trigger",
    Invocation = "invocation",
    Object = "object_reference",
}

pub(super) static RULES: Rules =
    Rules { grammar: || tree_sitter_sequel::LANGUAGE.into(), kinds: KINDS, enter, finish: no_finish };

fn enter<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: u8) -> Step {
    let kind = Kind::of(kind);
    match kind {
        Kind::Comment => walk.comment(node),
        Kind::Table | Kind::View | Kind::Function | Kind::Type => {
            let Some(object) = child_of(node, "object_reference") else { return Step::Into };
            let at = child(object, "name").unwrap_or(object);
            let kind = match kind {
                Kind::Function => SymbolKind::Function,
                Kind::Type => SymbolKind::Type,
                _ => SymbolKind::Table,
            };
            let body = child_of(node, "column_definitions")
                .or_else(|| child_of(node, "function_body"))
                .or_else(|| child_of(node, "create_query"));
            let symbol = walk.define(Definition { node, name: clean(walk.read(at)), at, kind, body });
            walk.consume(object);
            walk.open_symbol(symbol);
        }
        Kind::Column => {
            if let Some(at) = child(node, "name").filter(|_| walk.inside().is_some()) {
                walk.define(Definition { node, name: clean(walk.read(at)), at, kind: SymbolKind::Field, body: None });
            }
        }
        Kind::Index | Kind::Trigger | Kind::Other => {}
        Kind::Invocation => {
            if let Some(object) = child_of(node, "object_reference") {
                let at = child(object, "name").unwrap_or(object);
                walk.refer(ReferenceKind::Call, clean(walk.read(at)), None, at, None);
                walk.consume(object);
            }
        }
        Kind::Object => {
            let at = child(node, "name").unwrap_or(node);
            if !walk.is_consumed(node) && !walk.is_consumed(at) {
                walk.refer(ReferenceKind::Reference, clean(walk.read(at)), None, at, None);
            }
            return Step::Over;
        }
    }
    Step::Into
}

fn clean(name: &str) -> &str {
    name.trim_matches(['"', '`', '[', ']'])
}
