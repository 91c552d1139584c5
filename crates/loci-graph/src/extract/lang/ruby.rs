//! Ruby.

use tree_sitter::Node;

use crate::extract::facts::{ReferenceKind, SymbolKind};
use crate::extract::walk::{Definition, Rules, Step, Walk, child, children, kinds, no_finish, squeeze};

kinds! {
    Comment = "comment",
    Class = "class",
    Module = "module",
    Singleton = "singleton_class",
    Method = "method" | "singleton_method",
    Alias = "alias",
    Assignment = "assignment" | "operator_assignment",
    Call = "call",
    Block = "block" | "do_block" | "lambda",
    Parameters = "method_parameters" | "block_parameters" | "lambda_parameters",
    Rescue = "exception_variable",
    Constant = "constant",
    Super = "super",
    Scope = "scope_resolution",
    Identifier = "identifier",
}

pub(super) static RULES: Rules =
    Rules { grammar: || tree_sitter_ruby::LANGUAGE.into(), kinds: KINDS, enter, finish: no_finish };

fn enter<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: u8) -> Step {
    match Kind::of(kind) {
        Kind::Comment => walk.comment(node),
        Kind::Class | Kind::Module => {
            // The keyword has the kind's name too, but no children.
            let Some(at) = child(node, "name") else { return Step::Into };
            let kind = if Kind::of(kind) == Kind::Class { SymbolKind::Class } else { SymbolKind::Module };
            let name = walk.read(at).trim_start_matches("::").replace("::", ".");
            let last = name.rsplit('.').next().unwrap_or(&name).to_owned();
            let body = child(node, "superclass").or_else(|| child(node, "body"));
            let definition = Definition { node, name: &last, at, kind, body };
            let symbol = match name.rsplit_once('.') {
                Some((owner, _)) => walk.define_member(owner, definition),
                None => walk.define(definition),
            };
            if let Some(at) = child(at, "name") {
                walk.consume(at);
            }
            let test = last.ends_with("Test") && walk.test_file;
            if let Some(fact) = walk.symbol(symbol) {
                fact.test = test;
            }
            if let Some(base) = child(node, "superclass").and_then(|base| base.named_child(0)) {
                walk.refer_path(ReferenceKind::Inherit, base, Some(symbol), None);
                walk.consume(base);
                if let Some(name) = child(base, "name") {
                    walk.consume(name);
                }
            }
            walk.open_symbol(symbol);
        }
        Kind::Singleton | Kind::Other => {}
        Kind::Method => {
            let Some(at) = child(node, "name") else { return Step::Into };
            let name = walk.read(at);
            let method = walk.in_class() || walk.inside().is_some();
            let kind = match name {
                "initialize" => SymbolKind::Constructor,
                _ if method => SymbolKind::Method,
                _ => SymbolKind::Function,
            };
            let body = child(node, "body");
            let symbol = walk.define(Definition { node, name, at, kind, body });
            let test = walk.test_file && name.starts_with("test_");
            if let Some(fact) = walk.symbol(symbol) {
                fact.test = test;
            }
            if let Some(object) = child(node, "object") {
                walk.consume(object);
            }
            walk.open_symbol(symbol);
        }
        Kind::Alias => {
            if let Some(at) = child(node, "name") {
                walk.define(Definition {
                    node,
                    name: walk.read(at).trim_start_matches(':'),
                    at,
                    kind: SymbolKind::Method,
                    body: None,
                });
            }
            return Step::Over;
        }
        Kind::Assignment => assignment(walk, node),
        Kind::Call => return call(walk, node),
        Kind::Block => walk.open_block(true),
        Kind::Parameters => {
            for one in children(node) {
                let name = child(one, "name").unwrap_or(one);
                if name.kind() == "identifier" {
                    walk.local(walk.read(name));
                    walk.consume(name);
                }
                if one.kind() == "destructured_parameter" {
                    for name in children(one) {
                        walk.local(walk.read(name));
                        walk.consume(name);
                    }
                }
            }
        }
        Kind::Rescue => {
            if let Some(name) = node.named_child(0) {
                walk.local(walk.read(name));
                walk.consume(name);
            }
        }
        Kind::Constant => walk.refer_value(node),
        Kind::Scope => {
            if let (Some(scope), Some(name)) = (child(node, "scope"), child(node, "name")) {
                walk.refer_member_value(scope, name);
                walk.consume(name);
            }
        }
        // The method of the same name above, with or without arguments.
        Kind::Super => {
            let around = walk.inside().and_then(|symbol| walk.facts.symbols.get(symbol as usize));
            if let Some(name) = around.filter(|one| is_method(one.kind)).map(|one| one.name.clone()) {
                walk.refer(ReferenceKind::Call, &name, Some("super".to_owned()), node, None);
            }
        }
        // A bare name that is no local variable is a call.
        Kind::Identifier => {
            let name = walk.read(node);
            if !walk.is_consumed(node) && !walk.is_local(name) {
                let keyword = matches!(
                    name,
                    "private" | "protected" | "public" | "module_function" | "block_given?" | "__method__" | "raise"
                );
                if !keyword {
                    walk.refer(ReferenceKind::Call, name, None, node, Some(0));
                }
            }
        }
    }
    Step::Into
}

fn is_method(kind: SymbolKind) -> bool {
    matches!(kind, SymbolKind::Method | SymbolKind::Constructor)
}

fn assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let (Some(left), Some(right)) = (child(node, "left"), child(node, "right")) else { return };
    let name = walk.read(left);
    match left.kind() {
        "identifier" => {
            walk.consume(left);
            if walk.in_function() {
                walk.local(name);
                let of = value(walk, right);
                walk.bind(name, of, left);
            }
        }
        "instance_variable" | "class_variable" => {
            let of = value(walk, right);
            walk.bind_field(name.trim_start_matches('@'), of, left);
        }
        "constant" if node.kind() == "assignment" => {
            // What stands in its block belongs to it: `Line = Struct.new(:price) do … end`.
            let part =
                |field| child(right, field).filter(|_| right.kind() == "call").map_or("", |part| walk.read(part));
            let (kind, body) = match (part("receiver"), part("method")) {
                ("Struct" | "Class", "new") | ("Data", "define") => (SymbolKind::Class, Some(right)),
                ("Module", "new") => (SymbolKind::Module, Some(right)),
                _ => (SymbolKind::Constant, None),
            };
            let symbol = walk.define(Definition { node, name, at: left, kind, body });
            if kind != SymbolKind::Constant {
                walk.open_symbol(symbol);
            } else {
                let of = value(walk, right);
                walk.bind(name, of, left);
            }
        }
        "left_assignment_list" => {
            for one in children(left) {
                if one.kind() == "identifier" {
                    walk.local(walk.read(one));
                    walk.consume(one);
                }
            }
        }
        _ => {}
    }
}

/// `Cart.new(1)` is a `Cart()`.
fn value<'t>(walk: &Walk<'t>, node: Node<'t>) -> Option<String> {
    let text = walk.value_text(node)?;
    let text = text
        .strip_suffix(".new()")
        .or_else(|| text.strip_suffix(".new").map(|text| text.trim_start_matches('=')))
        .map_or(text.clone(), |class| format!("{class}()"));
    Some(text)
}

fn first_text<'t>(walk: &Walk<'t>, arguments: Node<'t>) -> Option<(&'t str, Node<'t>)> {
    let first = arguments.named_child(0)?;
    match first.kind() {
        "string" => Some((walk.read(first).trim_matches(['"', '\'']), first)),
        "simple_symbol" => Some((walk.read(first).trim_start_matches(':'), first)),
        _ => None,
    }
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Step {
    let Some(at) = child(node, "method") else { return Step::Into };
    let name = walk.read(at);
    let (receiver, arguments) = (child(node, "receiver"), child(node, "arguments"));
    if at.kind() == "super" {
        return Step::Into;
    }
    walk.consume(at);
    if receiver.is_none()
        && let Some(arguments) = arguments
    {
        match name {
            "require" | "require_relative" | "load" | "autoload" => {
                if let Some((module, _)) = first_text(walk, arguments) {
                    let relative = name == "require_relative" && !module.starts_with('.');
                    let module = if relative { format!("./{module}") } else { module.to_owned() };
                    if name == "autoload" {
                        let path =
                            arguments.named_child(1).map_or("", |path| walk.read(path).trim_matches(['"', '\'']));
                        walk.import(path, Some(&module), None, at, false);
                    } else {
                        walk.import(&module, None, None, at, false);
                    }
                    return Step::Over;
                }
            }
            "attr_accessor" | "attr_reader" | "attr_writer" | "mattr_accessor" | "cattr_accessor" | "delegate"
            | "def_delegator" | "def_delegators" | "define_method" | "alias_method" | "scope" | "has_many"
            | "has_one" | "belongs_to" => {
                let all = name.contains("attr_") || name == "delegate";
                let skip = usize::from(name.starts_with("def_"));
                let block = child(node, "block");
                for (index, one) in children(arguments).into_iter().enumerate() {
                    if index < skip || (index > skip && !all) || !matches!(one.kind(), "simple_symbol" | "string") {
                        continue;
                    }
                    let text = walk.read(one).trim_matches([':', '"', '\'']);
                    let kind = if name.contains("attr_") { SymbolKind::Property } else { SymbolKind::Method };
                    let symbol = walk.define(Definition { node, name: text, at: one, kind, body: block });
                    if name == "define_method" {
                        walk.open_symbol(symbol);
                    }
                }
            }
            "include" | "extend" | "prepend" => {
                for one in children(arguments) {
                    if matches!(one.kind(), "constant" | "scope_resolution") {
                        let inside = walk.inside();
                        walk.refer_path(ReferenceKind::Inherit, one, inside, None);
                        walk.consume(one);
                        if let Some(name) = child(one, "name") {
                            walk.consume(name);
                        }
                    }
                }
                return Step::Into;
            }
            "describe" | "context" | "it" | "specify" | "test" | "should" | "feature" | "scenario" | "task"
                if child(node, "block").is_some() && (walk.test_file || name == "task") =>
            {
                if let Some((title, first)) = first_text(walk, arguments) {
                    let kind = if name == "task" { SymbolKind::Function } else { SymbolKind::Test };
                    let title = squeeze(title, 120);
                    let symbol =
                        walk.define(Definition { node, name: &title, at: first, kind, body: child(node, "block") });
                    if let Some(fact) = walk.symbol(symbol) {
                        fact.test = kind == SymbolKind::Test;
                    }
                    walk.open_symbol(symbol);
                    return Step::Into;
                }
            }
            _ => {}
        }
    }
    let count = arguments.map_or(0, crate::extract::walk::count);
    match (receiver, name) {
        (Some(class), "new") if matches!(class.kind(), "constant" | "scope_resolution") => {
            let inside = walk.inside();
            match walk.read(class).strip_prefix("::") {
                // `::Logger.new` is no `Logger` of the module around it.
                Some(name) if !name.contains(':') => {
                    walk.refer(ReferenceKind::Instantiate, name, Some("::".to_owned()), class, Some(count));
                }
                _ => {
                    walk.refer_path(ReferenceKind::Instantiate, class, inside, Some(count));
                }
            }
            walk.consume(class);
            if let Some(name) = child(class, "name") {
                walk.consume(name);
            }
        }
        _ => {
            let qualifier = receiver.map(|receiver| walk.receiver(receiver));
            walk.refer(ReferenceKind::Call, name, qualifier, at, Some(count));
        }
    }
    Step::Into
}
