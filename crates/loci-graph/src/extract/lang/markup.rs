//! CSS and HTML: selectors as symbols, classes and ids in markup as their uses.

use tree_sitter::Node;

use crate::extract::facts::{ReferenceKind, SymbolKind};
use crate::extract::walk::{Definition, Rules, Step, Walk, child_of, kinds, no_finish};

kinds! {
    Comment = "comment",
    ClassSelector = "class_selector",
    IdSelector = "id_selector",
    Declaration = "declaration",
    Keyframes = "keyframes_statement",
    Import = "import_statement",
    Call = "call_expression",
    RuleSet = "rule_set",
    Attribute = "attribute",
}

pub(super) static CSS: Rules =
    Rules { grammar: || tree_sitter_css::LANGUAGE.into(), kinds: KINDS, enter, finish: no_finish };
pub(super) static HTML: Rules =
    Rules { grammar: || tree_sitter_html::LANGUAGE.into(), kinds: KINDS, enter, finish: no_finish };

fn enter<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: u8) -> Step {
    match Kind::of(kind) {
        Kind::Comment => walk.comment(node),
        Kind::ClassSelector | Kind::IdSelector => {
            let at = child_of(node, "class_name").or_else(|| child_of(node, "id_name"));
            if let Some(at) = at {
                let name = walk.read(at);
                if walk.flags.insert(name) {
                    walk.define(Definition { node, name, at, kind: SymbolKind::Selector, body: None });
                }
            }
        }
        Kind::Declaration => {
            if let Some(at) = child_of(node, "property_name") {
                let name = walk.read(at);
                if name.starts_with("--") && walk.flags.insert(name) {
                    walk.define(Definition { node, name, at, kind: SymbolKind::Variable, body: None });
                }
            }
        }
        Kind::Keyframes => {
            if let Some(at) = child_of(node, "keyframes_name") {
                walk.define(Definition { node, name: walk.read(at), at, kind: SymbolKind::Selector, body: None });
            }
        }
        Kind::Import => {
            let text = walk.read(node);
            if let Some(path) = text.split(['"', '\'']).nth(1) {
                walk.import(path, None, None, node, false);
            }
            return Step::Over;
        }
        Kind::Call => {
            let text = walk.read(node);
            if let Some(name) = text.strip_prefix("var(") {
                let name = name.split([',', ')']).next().unwrap_or("").trim();
                walk.refer(ReferenceKind::Reference, name, None, node, None);
            }
        }
        Kind::Attribute => attribute(walk, node),
        Kind::RuleSet | Kind::Other => {}
    }
    Step::Into
}

fn attribute<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let (Some(name), Some(value)) = (
        child_of(node, "attribute_name"),
        child_of(node, "quoted_attribute_value").or_else(|| child_of(node, "attribute_value")),
    ) else {
        return;
    };
    let text = walk.read(value).trim_matches(['"', '\'']);
    if text.len() > 1000 || text.contains(['{', '<']) {
        return;
    }
    match walk.read(name) {
        "id" => {
            walk.define(Definition { node, name: text, at: value, kind: SymbolKind::Selector, body: None });
        }
        "class" => {
            for class in text.split_whitespace() {
                walk.refer(ReferenceKind::Reference, class, None, value, None);
            }
        }
        "src" | "href" if !text.contains("://") && !text.starts_with(['#', '/']) && !text.starts_with("mailto:") => {
            walk.import(text, None, None, value, false);
        }
        _ => {}
    }
}
