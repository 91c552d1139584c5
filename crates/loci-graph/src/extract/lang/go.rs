//! Go.

use tree_sitter::Node;

use crate::extract::facts::{ReferenceKind, SymbolKind};
use crate::extract::walk::{Definition, Rules, Step, Walk, child, children, kinds, no_finish, normal_path};

kinds! {
    Comment = "comment",
    Package = "package_clause",
    Import = "import_spec",
    Function = "function_declaration",
    Method = "method_declaration",
    Literal = "func_literal",
    Type = "type_spec" | "type_alias",
    Field = "field_declaration",
    MethodElement = "method_elem",
    Element = "type_elem",
    Constant = "const_spec",
    Variable = "var_spec",
    Short = "short_var_declaration",
    Range = "range_clause",
    Receive = "receive_statement",
    TypeSwitch = "type_switch_statement",
    Call = "call_expression",
    Conversion = "type_conversion_expression",
    Composite = "composite_literal",
    Selector = "selector_expression",
    Identifier = "identifier",
    TypeName = "type_identifier",
    Qualified = "qualified_type",
    Keyed = "keyed_element",
    Parameters = "parameter_list",
}

pub(super) static RULES: Rules =
    Rules { grammar: || tree_sitter_go::LANGUAGE.into(), kinds: KINDS, enter, finish: no_finish };

fn exported<'t>(walk: &mut Walk<'t>, symbol: u32, name: &str) {
    if let Some(fact) = walk.symbol(symbol) {
        fact.exported = Some(name.starts_with(char::is_uppercase));
    }
}

fn enter<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: u8) -> Step {
    match Kind::of(kind) {
        Kind::Comment => walk.comment(node),
        Kind::Package => {
            walk.facts.module = node.named_child(0).map(|name| walk.read(name).to_owned());
            return Step::Over;
        }
        Kind::Import => {
            if let Some(path) = child(node, "path") {
                let module = walk.read(path).trim_matches(['"', '`']);
                let alias = child(node, "name").map(|name| walk.read(name));
                match alias {
                    Some(".") => walk.import(module, Some("*"), None, path, false),
                    Some("_") => walk.import(module, None, Some("_"), path, false),
                    alias => walk.import(module, None, alias, path, false),
                }
            }
            return Step::Over;
        }
        Kind::Function => {
            let Some(at) = child(node, "name") else { return Step::Into };
            let name = walk.read(at);
            let symbol =
                walk.define(Definition { node, name, at, kind: SymbolKind::Function, body: child(node, "body") });
            let in_test_file = walk.path.ends_with("_test.go");
            let test =
                in_test_file && ["Test", "Benchmark", "Example", "Fuzz"].iter().any(|start| name.starts_with(start));
            finish_function(walk, node, symbol, name, test);
        }
        Kind::Method => {
            let Some(at) = child(node, "name") else { return Step::Into };
            let name = walk.read(at);
            let receiver = child(node, "receiver").and_then(|list| list.named_child(0));
            let owner = receiver.and_then(|receiver| child(receiver, "type")).map_or("", |of| type_name(walk.read(of)));
            let definition = Definition { node, name, at, kind: SymbolKind::Method, body: child(node, "body") };
            let symbol = if owner.is_empty() { walk.define(definition) } else { walk.define_member(owner, definition) };
            let test = walk.path.ends_with("_test.go") && name.starts_with("Test");
            finish_function(walk, node, symbol, name, test);
            if let Some(receiver) = receiver.and_then(|receiver| child(receiver, "name")) {
                walk.local(walk.read(receiver));
                walk.consume(receiver);
                walk.bind(walk.read(receiver), Some(owner.to_owned()), receiver);
            }
        }
        Kind::Literal => {
            walk.open_block(true);
            parameters(walk, node);
        }
        Kind::Type => {
            let Some(at) = child(node, "name") else { return Step::Into };
            let of = child(node, "type");
            let kind = match of.map(|of| of.kind()) {
                Some("struct_type") => SymbolKind::Struct,
                Some("interface_type") => SymbolKind::Interface,
                _ => SymbolKind::Type,
            };
            let name = walk.read(at);
            let body = of.and_then(|of| of.named_child(0)).filter(|_| kind != SymbolKind::Type);
            let symbol = walk.define(Definition { node, name, at, kind, body });
            exported(walk, symbol, name);
            // `type A = B` is another name for `B`, with its methods.
            if node.kind() == "type_alias" {
                let returns = of.and_then(|of| walk.type_text(of));
                if let Some(fact) = walk.symbol(symbol) {
                    fact.returns = returns;
                }
            }
            walk.open_symbol(symbol);
        }
        Kind::Field => {
            let of = child(node, "type");
            let mut named = false;
            for at in children(node) {
                if at.kind() == "field_identifier" {
                    named = true;
                    let name = walk.read(at);
                    if walk.in_class() {
                        let of = of.and_then(|of| walk.type_text(of));
                        walk.bind_field(name, of, at);
                        let symbol = walk.define(Definition { node, name, at, kind: SymbolKind::Field, body: None });
                        exported(walk, symbol, name);
                    }
                }
            }
            if !named
                && walk.in_class()
                && let Some(of) = of
            {
                let inside = walk.inside();
                walk.refer_path(ReferenceKind::Inherit, of, inside, None);
                consume_type(walk, of);
                let name = type_name(walk.read(of));
                walk.bind_field(name, Some(walk.read(of).trim_start_matches('*').to_owned()), of);
            }
        }
        Kind::MethodElement => {
            if let Some(at) = child(node, "name") {
                let name = walk.read(at);
                let symbol = walk.define(Definition { node, name, at, kind: SymbolKind::Method, body: None });
                exported(walk, symbol, name);
                let returns = child(node, "result").and_then(|of| walk.type_text(of));
                if let Some(fact) = walk.symbol(symbol) {
                    fact.returns = returns;
                }
                walk.open_symbol(symbol);
                parameters(walk, node);
            }
        }
        Kind::Element => {
            // The grammar has type arguments as such elements too, `type A = Base[int, B]`.
            let embedded = walk.parent().is_some_and(|parent| parent.kind() == "interface_type");
            if embedded && walk.in_class() && node.named_child_count() == 1 {
                let inside = walk.inside();
                walk.refer_path(ReferenceKind::Inherit, node, inside, None);
                if let Some(of) = node.named_child(0) {
                    consume_type(walk, of);
                }
            }
        }
        Kind::Constant | Kind::Variable => specification(walk, node, Kind::of(kind) == Kind::Constant),
        Kind::Short => {
            if let (Some(left), Some(right)) = (child(node, "left"), child(node, "right")) {
                assigned(walk, left, Some(right));
            }
        }
        Kind::Range | Kind::Receive => {
            if let Some(left) = child(node, "left") {
                assigned(walk, left, None);
            }
        }
        Kind::TypeSwitch => {
            if let Some(alias) = child(node, "alias") {
                assigned(walk, alias, None);
            }
        }
        Kind::Call => {
            let Some(function) = child(node, "function") else { return Step::Into };
            let arguments = child(node, "arguments");
            match function.kind() {
                "identifier" => {
                    walk.refer_member(ReferenceKind::Call, None, function, arguments);
                    // `new(T)` and `make(T)` take a type.
                    if matches!(walk.read(function), "new" | "make")
                        && let Some(first) =
                            arguments.and_then(|list| list.named_child(0)).filter(|first| first.kind() == "identifier")
                    {
                        walk.refer(ReferenceKind::TypeUse, walk.read(first), None, first, None);
                    }
                }
                "selector_expression" => {
                    if let (Some(operand), Some(field)) = (child(function, "operand"), child(function, "field")) {
                        walk.refer_member(ReferenceKind::Call, Some(operand), field, arguments);
                    }
                }
                _ => {}
            }
        }
        // `New[int](3)` reads as a conversion.
        Kind::Conversion => {
            if let Some(of) = child(node, "type").filter(|of| of.kind() == "generic_type") {
                let inside = walk.inside();
                walk.refer_path(ReferenceKind::Call, child(of, "type").unwrap_or(of), inside, Some(1));
                consume_type(walk, of);
            }
        }
        Kind::Composite => {
            if let Some(of) = child(node, "type") {
                let of = if of.kind() == "generic_type" { child(of, "type").unwrap_or(of) } else { of };
                match of.kind() {
                    "type_identifier" => walk.refer_member(ReferenceKind::Instantiate, None, of, None),
                    "qualified_type" => {
                        if let (Some(package), Some(name)) = (child(of, "package"), child(of, "name")) {
                            walk.refer_member(ReferenceKind::Instantiate, Some(package), name, None);
                        }
                    }
                    _ => {}
                }
            }
        }
        Kind::Selector => {
            if let (Some(operand), Some(field)) = (child(node, "operand"), child(node, "field")) {
                walk.refer_member_value(operand, field);
                walk.consume(field);
            }
        }
        Kind::Identifier => walk.refer_value(node),
        Kind::TypeName => {
            if !walk.is_consumed(node) && !is_builtin(walk.read(node)) {
                walk.refer(ReferenceKind::TypeUse, walk.read(node), None, node, None);
            }
        }
        Kind::Qualified => {
            if let (Some(package), Some(name)) = (child(node, "package"), child(node, "name"))
                && !walk.is_consumed(name)
            {
                walk.refer_member(ReferenceKind::TypeUse, Some(package), name, None);
            }
        }
        Kind::Keyed => {
            // `Name: value`: the name is a field.
            if let Some(key) =
                child(node, "key").and_then(|key| key.named_child(0)).filter(|key| key.kind() == "identifier")
            {
                walk.consume(key);
            }
        }
        Kind::Parameters | Kind::Other => {}
    }
    Step::Into
}

fn is_builtin(name: &str) -> bool {
    matches!(
        name,
        "string"
            | "int"
            | "int8"
            | "int16"
            | "int32"
            | "int64"
            | "uint"
            | "uint8"
            | "uint16"
            | "uint32"
            | "uint64"
            | "uintptr"
            | "bool"
            | "byte"
            | "rune"
            | "float32"
            | "float64"
            | "complex64"
            | "complex128"
            | "error"
            | "any"
    )
}

/// `*pkg.Cart[T]` is `Cart`.
fn type_name(text: &str) -> &str {
    let text = text.trim_start_matches(['*', ' ', '(']);
    let text = text.split('[').next().unwrap_or(text);
    text.rsplit('.').next().unwrap_or(text).trim_end_matches([' ', ')'])
}

fn consume_type<'t>(walk: &mut Walk<'t>, of: Node<'t>) {
    let mut node = of;
    for _ in 0..4 {
        walk.consume(node);
        if let Some(name) = child(node, "name") {
            walk.consume(name);
        }
        match node.kind() {
            "pointer_type" => match node.named_child(0) {
                Some(inner) => node = inner,
                None => return,
            },
            "generic_type" => match child(node, "type") {
                Some(inner) => node = inner,
                None => return,
            },
            _ => return,
        }
    }
}

fn finish_function<'t>(walk: &mut Walk<'t>, node: Node<'t>, symbol: u32, name: &str, test: bool) {
    exported(walk, symbol, name);
    let returns = child(node, "result").and_then(|of| walk.type_text(of));
    if let Some(fact) = walk.symbol(symbol) {
        fact.returns = returns;
        fact.test = test;
    }
    walk.open_symbol(symbol);
    parameters(walk, node);
}

fn parameters<'t>(walk: &mut Walk<'t>, function: Node<'t>) {
    for field in ["parameters", "result"] {
        let Some(list) = child(function, field).filter(|list| list.kind() == "parameter_list") else { continue };
        for parameter in children(list) {
            let of = child(parameter, "type");
            for name in children(parameter) {
                if name.kind() == "identifier" && of.is_none_or(|of| of.id() != name.id()) {
                    walk.local(walk.read(name));
                    walk.consume(name);
                    let spread = parameter.kind() == "variadic_parameter_declaration";
                    let of = of.and_then(|of| walk.type_text(of)).map(|of| if spread { format!("[]{of}") } else { of });
                    walk.bind(walk.read(name), of, name);
                }
            }
        }
    }
}

/// What a value is: `&Cart{}` is a `Cart`.
fn value<'t>(walk: &Walk<'t>, node: Node<'t>) -> Option<String> {
    let inner = if node.kind() == "unary_expression" { child(node, "operand").unwrap_or(node) } else { node };
    if inner.kind() == "composite_literal" {
        return child(inner, "type").and_then(|of| walk.type_text(of));
    }
    if inner.kind() == "type_assertion_expression" {
        return child(inner, "type").and_then(|of| walk.type_text(of));
    }
    if inner.kind() == "call_expression" {
        let callee = child(inner, "function")?;
        if matches!(walk.read(callee), "new" | "make") {
            let first = child(inner, "arguments").and_then(|list| list.named_child(0))?;
            return walk.type_text(first);
        }
        let path = normal_path(walk.read(callee));
        return (!path.starts_with('(')).then(|| format!("{path}()"));
    }
    walk.value_text(node)
}

fn assigned<'t>(walk: &mut Walk<'t>, left: Node<'t>, right: Option<Node<'t>>) {
    let values = right.map(children).unwrap_or_default();
    for (index, name) in children(left).into_iter().enumerate() {
        if name.kind() != "identifier" {
            continue;
        }
        // `session, err := open()`: the first of several results is the one that has members.
        let of = if values.len() == 1 { (index == 0).then(|| values[0]) } else { values.get(index).copied() };
        let of = of.and_then(|of| value(walk, of));
        walk.local(walk.read(name));
        walk.consume(name);
        walk.bind(walk.read(name), of, name);
    }
}

fn specification<'t>(walk: &mut Walk<'t>, node: Node<'t>, constant: bool) {
    let of = child(node, "type").and_then(|of| walk.type_text(of));
    let values = child(node, "value").map(children).unwrap_or_default();
    let names: Vec<Node<'t>> = children(node).into_iter().filter(|name| name.kind() == "identifier").collect();
    for (index, at) in names.iter().enumerate() {
        let name = walk.read(*at);
        let of = of.clone().or_else(|| values.get(index).and_then(|of| value(walk, *of)));
        if walk.in_function() {
            walk.local(name);
        }
        walk.bind(name, of, *at);
        walk.consume(*at);
        if !walk.in_function() && name != "_" {
            let function = !constant && values.get(index).is_some_and(|value| value.kind() == "func_literal");
            let kind = match (constant, function) {
                (true, _) => SymbolKind::Constant,
                (_, true) => SymbolKind::Function,
                _ => SymbolKind::Variable,
            };
            let body = values.get(index).filter(|_| function).and_then(|value| child(*value, "body"));
            let symbol = walk.define(Definition { node, name, at: *at, kind, body });
            exported(walk, symbol, name);
            if function && names.len() == 1 {
                walk.open_symbol(symbol);
            }
        }
    }
}
