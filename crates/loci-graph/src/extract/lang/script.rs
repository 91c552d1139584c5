//! JavaScript and TypeScript, with JSX: one set of rules over three grammars.

use tree_sitter::Node;

use crate::extract::facts::{Language, RETURNED, ReferenceKind, SymbolKind};
use crate::extract::walk::{
    Definition, Pending, Rules, Step, Walk, child, child_of, children, count, has_token, kinds, line, no_finish,
    split_path,
};

kinds! {
    Comment = "comment",
    Function = "function_declaration" | "generator_function_declaration" | "function_signature",
    Expression = "function_expression" | "generator_function" | "arrow_function",
    Class = "class_declaration" | "abstract_class_declaration" | "class",
    Interface = "interface_declaration",
    TypeAlias = "type_alias_declaration",
    Enum = "enum_declaration",
    EnumBody = "enum_body",
    Namespace = "internal_module" | "module",
    Method = "method_definition" | "method_signature" | "abstract_method_signature",
    Construct = "construct_signature",
    CallSignature = "call_signature",
    Field = "field_definition" | "public_field_definition" | "property_signature",
    Variable = "lexical_declaration" | "variable_declaration",
    Declarator = "variable_declarator",
    Assignment = "assignment_expression",
    Pair = "pair",
    Call = "call_expression",
    New = "new_expression",
    Member = "member_expression",
    Identifier = "identifier" | "shorthand_property_identifier",
    TypeName = "type_identifier",
    NestedType = "nested_type_identifier",
    Import = "import_statement",
    Export = "export_statement",
    Decorator = "decorator",
    Element = "jsx_opening_element" | "jsx_self_closing_element",
    ElementEnd = "jsx_closing_element",
    Catch = "catch_clause",
    ForIn = "for_in_statement",
    Label = "statement_identifier",
    TypeParameter = "type_parameter",
    Object = "object",
    Return = "return_statement",
}

pub(super) static JAVASCRIPT: Rules =
    Rules { grammar: || tree_sitter_javascript::LANGUAGE.into(), kinds: KINDS, enter, finish };
pub(super) static TYPESCRIPT: Rules =
    Rules { grammar: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(), kinds: KINDS, enter, finish };
pub(super) static TSX: Rules =
    Rules { grammar: || tree_sitter_typescript::LANGUAGE_TSX.into(), kinds: KINDS, enter, finish };

fn is_function(node: Node<'_>) -> bool {
    matches!(node.kind(), "arrow_function" | "function_expression" | "generator_function")
}

/// `(f)`, `f as T`, `f satisfies T`: the `f`.
fn bare<'t>(mut node: Node<'t>) -> Node<'t> {
    for _ in 0..8 {
        match node.kind() {
            "parenthesized_expression" | "as_expression" | "satisfies_expression" | "non_null_expression" => {
                match node.named_child(0) {
                    Some(inner) => node = inner,
                    None => return node,
                }
            }
            _ => return node,
        }
    }
    node
}

/// The function that a value is, also through a wrapper that hands it on: `memo(() => …)`.
fn function_of<'t>(walk: &Walk<'t>, value: Node<'t>) -> Option<Node<'t>> {
    let value = bare(value);
    if is_function(value) {
        return Some(value);
    }
    if value.kind() != "call_expression" {
        return None;
    }
    if let Some(function) = child(value, "function").and_then(returned_function) {
        return Some(function);
    }
    let callee = walk.read(child(value, "function")?);
    let wrapper = callee.strip_prefix("React.").unwrap_or(callee);
    let hands_on = matches!(
        wrapper,
        "memo"
            | "forwardRef"
            | "useCallback"
            | "debounce"
            | "throttle"
            | "withBatchedUpdates"
            | "withBatchedUpdatesThrottled"
            | "once"
            | "defineComponent"
            | "promisify"
    );
    if !hands_on {
        return None;
    }
    let first = bare(child(value, "arguments")?.named_child(0)?);
    is_function(first).then_some(first)
}

/// What a function that is called where it stands ends with, if that is a function: `(function (that) { return function () { … }; })`
/// before its `(this)`, as older compilers write methods that are bound.
fn returned_function(callee: Node<'_>) -> Option<Node<'_>> {
    let around = bare(callee);
    if !is_function(around) {
        return None;
    }
    let body = child(around, "body")?;
    let last = body.named_child(u32::try_from(body.named_child_count()).ok()?.checked_sub(1)?)?;
    let value = bare(if last.kind() == "return_statement" { last.named_child(0)? } else { return None });
    is_function(value).then_some(value)
}

fn enter<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: u8) -> Step {
    match Kind::of(kind) {
        Kind::Comment => walk.comment(node),
        Kind::Function => {
            let at = child(node, "name");
            define_function(
                walk,
                node,
                at.unwrap_or(node),
                at.map_or("default", |at| walk.read(at)),
                node,
                SymbolKind::Function,
            );
        }
        Kind::Expression => {
            if walk.parent_kind(0) == Kind::Export as u8 {
                define_function(walk, node, node, "default", node, SymbolKind::Function);
            } else if take_function(walk, node) {
                own_name(walk, node, SymbolKind::Function);
            } else {
                // `this.on('mount', function onmount(parent) { … })`: a name that only stack traces show, but one people look for.
                match child(node, "name") {
                    Some(at) => define_function(walk, node, at, walk.read(at), node, SymbolKind::Function),
                    None => {
                        walk.open_block(true);
                        parameters(walk, node);
                    }
                }
            }
        }
        Kind::Class => class(walk, node),
        Kind::Interface => {
            if let Some(at) = child(node, "name") {
                let body = child(node, "body");
                let symbol =
                    walk.define(Definition { node, name: walk.read(at), at, kind: SymbolKind::Interface, body });
                let exported = is_exported(walk);
                if let Some(fact) = walk.symbol(symbol) {
                    fact.exported = Some(exported);
                }
                if let Some(clause) = child_of(node, "extends_type_clause") {
                    for base in children(clause) {
                        heritage(walk, ReferenceKind::Inherit, base, symbol);
                    }
                }
                walk.open_symbol(symbol);
            }
        }
        Kind::TypeAlias => {
            if let Some(at) = child(node, "name") {
                let symbol = walk.define(Definition {
                    node,
                    name: walk.read(at),
                    at,
                    kind: SymbolKind::Type,
                    body: child(node, "value"),
                });
                let exported = is_exported(walk);
                if let Some(fact) = walk.symbol(symbol) {
                    fact.exported = Some(exported);
                }
                walk.open_symbol(symbol);
            }
        }
        Kind::Enum => {
            if let Some(at) = child(node, "name") {
                let symbol = walk.define(Definition {
                    node,
                    name: walk.read(at),
                    at,
                    kind: SymbolKind::Enum,
                    body: child(node, "body"),
                });
                let exported = is_exported(walk);
                if let Some(fact) = walk.symbol(symbol) {
                    fact.exported = Some(exported);
                }
                walk.open_symbol(symbol);
            }
        }
        Kind::EnumBody => {
            for member in children(node) {
                let at = if member.kind() == "enum_assignment" { child(member, "name") } else { Some(member) };
                if let Some(at) = at.filter(|at| matches!(at.kind(), "property_identifier" | "string")) {
                    let name = unquote(walk.read(at));
                    walk.define(Definition { node: member, name, at, kind: SymbolKind::Variant, body: None });
                }
            }
        }
        Kind::Namespace => {
            if let Some(at) = child(node, "name") {
                let name = unquote(walk.read(at));
                let symbol =
                    walk.define(Definition { node, name, at, kind: SymbolKind::Module, body: child(node, "body") });
                let exported = is_exported(walk);
                if let Some(fact) = walk.symbol(symbol) {
                    fact.exported = Some(exported);
                }
                walk.open_symbol(symbol);
            }
        }
        Kind::Return => {
            if let (Some(value), Some(symbol)) = (node.named_child(0), walk.inside()) {
                returned_object(walk, value, symbol);
            }
        }
        Kind::Method => method(walk, node),
        Kind::Construct => {
            // `new (message?: string): Error` in an interface.
            if walk.in_class() {
                define_function(walk, node, node, "new", node, SymbolKind::Constructor);
                let returns = child(node, "type").and_then(|of| walk.type_text(of));
                if let Some(fact) = walk.last_symbol() {
                    fact.returns = returns;
                }
            }
        }
        Kind::CallSignature => {
            walk.open_block(true);
            parameters(walk, node);
        }
        Kind::Field => {
            let Some(at) = child(node, "property").or_else(|| child(node, "name")) else { return Step::Into };
            let name = unquote(walk.read(at));
            let value = child(node, "value");
            let of = child(node, "type").and_then(|of| walk.type_text(of));
            if let Some(function) = value.and_then(|value| function_of(walk, value)) {
                define_function(walk, node, at, name, function, SymbolKind::Method);
            } else if walk.in_class() && at.kind() != "computed_property_name" {
                let of = of.or_else(|| value.and_then(|value| value_text(walk, value)));
                walk.bind_field(name, of, at);
                let symbol = walk.define(Definition { node, name, at, kind: SymbolKind::Field, body: None });
                let private = is_private(walk, node, name);
                if let Some(fact) = walk.symbol(symbol) {
                    fact.exported = Some(!private);
                }
            }
        }
        Kind::Declarator => return declarator(walk, node),
        Kind::Assignment => assignment(walk, node),
        Kind::Pair => {
            if let (Some(key), Some(value)) = (child(node, "key"), child(node, "value"))
                && key.kind() != "computed_property_name"
                && is_function(bare(value))
            {
                let function = bare(value);
                let name = unquote(walk.read(key));
                // The keys of a description say nothing; the function's own name does.
                let kind = match name {
                    "get" | "set" | "value" => SymbolKind::Property,
                    _ => SymbolKind::Method,
                };
                let says_nothing = matches!(name, "get" | "set" | "value" | "handler" | "callback");
                match child(function, "name").filter(|_| says_nothing) {
                    Some(own) => define_function(walk, node, own, walk.read(own), function, kind),
                    None => define_function(walk, node, key, name, function, SymbolKind::Method),
                }
            }
        }
        Kind::Call => return call(walk, node),
        Kind::New => {
            if let Some(constructor) = child(node, "constructor") {
                reference(walk, ReferenceKind::Instantiate, constructor, child(node, "arguments"));
            }
        }
        Kind::Member => {
            if let (Some(object), Some(name)) = (child(node, "object"), child(node, "property")) {
                walk.refer_member_value(object, name);
                walk.consume(name);
            }
        }
        Kind::Identifier => walk.refer_value(node),
        Kind::TypeName => {
            if !walk.is_consumed(node) {
                walk.refer(ReferenceKind::TypeUse, walk.read(node), None, node, None);
            }
        }
        Kind::NestedType => {
            if let (Some(module), Some(name)) = (child(node, "module"), child(node, "name"))
                && !walk.is_consumed(name)
            {
                walk.refer_member(ReferenceKind::TypeUse, Some(module), name, None);
            }
        }
        Kind::Import => {
            import(walk, node);
            return Step::Over;
        }
        Kind::Export => return export(walk, node),
        Kind::Decorator => {
            walk.attribute(node);
            if let Some(expression) = node.named_child(0) {
                let arguments = child(expression, "arguments").map(count);
                let path = child(expression, "function").unwrap_or(expression);
                if let Some((qualifier, name)) = split_path(walk.read(path)) {
                    walk.pending.push(Pending { name, qualifier, line: line(path), arguments });
                    walk.consume(path);
                    if let Some(name) = child(path, "property") {
                        walk.consume(name);
                    }
                }
            }
        }
        Kind::Element => {
            if let Some(name) = child(node, "name") {
                let text = walk.read(name);
                walk.consume(name);
                // Lower case is HTML's own.
                if text.contains('.') || text.starts_with(char::is_uppercase) {
                    reference(walk, ReferenceKind::Call, name, None);
                }
            }
        }
        Kind::ElementEnd | Kind::Label => return Step::Over,
        Kind::Catch => {
            walk.open_block(false);
            if let Some(parameter) = child(node, "parameter") {
                pattern(walk, parameter);
            }
        }
        Kind::ForIn => {
            if let Some(left) = child(node, "left").filter(|_| child(node, "kind").is_some()) {
                pattern(walk, left);
            }
        }
        Kind::TypeParameter => {
            if let Some(name) = child(node, "name") {
                walk.consume(name);
            }
        }
        Kind::Variable | Kind::Object | Kind::Other => {}
    }
    Step::Into
}

fn unquote(text: &str) -> &str {
    text.trim_matches(['"', '\'', '`'])
}

fn is_exported(walk: &Walk<'_>) -> bool {
    let exported = Kind::Export as u8;
    walk.parent_kind(0) == exported || walk.parent_kind(1) == exported
}

fn is_private(walk: &Walk<'_>, node: Node<'_>, name: &str) -> bool {
    name.starts_with('#') || child_of(node, "accessibility_modifier").is_some_and(|word| walk.read(word) == "private")
}

/// Remembers that the function at this byte has its symbol already.
fn take_function(walk: &mut Walk<'_>, node: Node<'_>) -> bool {
    walk.taken.remove(&node.start_byte())
}

/// A function with a name, wherever the name comes from. `node` is the current node and the span; `function` holds the parameters.
fn define_function<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    at: Node<'t>,
    name: &str,
    function: Node<'t>,
    kind: SymbolKind,
) {
    let symbol = walk.define(Definition { node, name, at, kind, body: child(function, "body") });
    let returns = child(function, "return_type").and_then(|of| walk.type_text(of));
    let exported = match kind {
        SymbolKind::Function if !walk.in_function() => Some(is_exported(walk)),
        SymbolKind::Function => Some(false),
        _ => Some(!is_private(walk, node, name)),
    };
    if let Some(fact) = walk.symbol(symbol) {
        fact.returns = returns;
        fact.exported = exported;
    }
    // `() => ({ … })`
    if let Some(body) = child(function, "body").filter(|body| body.kind() == "parenthesized_expression") {
        returned_object(walk, body, symbol);
    }
    walk.open_symbol(symbol);
    if function.id() != node.id() {
        walk.taken.insert(function.start_byte());
    }
    if let Some(own) = child(function, "name") {
        walk.consume(own);
    }
    parameters(walk, function);
}

/// What a function gives back as an object literal: a binding for the whole, and one for each name in it that stands for another.
fn returned_object<'t>(walk: &mut Walk<'t>, value: Node<'t>, function: u32) {
    let value = bare(value);
    if value.kind() != "object" {
        return;
    }
    walk.bind_in(RETURNED, Some("{}".to_owned()), value, Some(function));
    for member in children(value) {
        let (name, of) = match member.kind() {
            "shorthand_property_identifier" => (walk.read(member), Some(format!("={}", walk.read(member)))),
            "pair" => match (child(member, "key"), child(member, "value").map(bare)) {
                (Some(key), Some(value)) if key.kind() == "property_identifier" && !is_function(value) => {
                    (walk.read(key), value_text(walk, value))
                }
                _ => continue,
            },
            _ => continue,
        };
        walk.bind_in(&format!("{RETURNED}.{name}"), of, member, Some(function));
    }
}

/// As [`Walk::value_text`]; `inject(Service)` of a framework that hands out its services by their class gives one of them.
fn value_text<'t>(walk: &Walk<'t>, value: Node<'t>) -> Option<String> {
    let value = bare(value);
    let injected = child(value, "function").filter(|callee| walk.read(*callee) == "inject").and_then(|_| {
        let class = child(value, "arguments")?.named_child(0).filter(|class| class.kind() == "identifier")?;
        walk.read(class).starts_with(char::is_uppercase).then(|| format!("{}()", walk.read(class)))
    });
    injected.or_else(|| walk.value_text(value))
}

/// What the names of `const { a, b: c } = value` stand for.
fn taken_apart<'t>(walk: &mut Walk<'t>, names: Node<'t>, value: Node<'t>) {
    let Some(of) = value_text(walk, value).filter(|_| names.kind() == "object_pattern") else { return };
    let of = of.trim_start_matches('=').to_owned();
    for item in children(names) {
        let (key, alias) = match item.kind() {
            "shorthand_property_identifier_pattern" => (item, item),
            "object_assignment_pattern" => match child(item, "left") {
                Some(left) => (left, left),
                None => continue,
            },
            "pair_pattern" => match (child(item, "key"), child(item, "value")) {
                (Some(key), Some(alias)) if alias.kind() == "identifier" => (key, alias),
                _ => continue,
            },
            _ => continue,
        };
        let path = format!("={of}.{}", walk.read(key));
        walk.bind(walk.read(alias), Some(path), alias);
    }
}

/// `read = function shell_read() {}`: the name that stack traces show, and that the function has for itself, is a symbol as well.
fn own_name<'t>(walk: &mut Walk<'t>, function: Node<'t>, kind: SymbolKind) {
    let Some(at) = child(function, "name") else { return };
    let name = walk.read(at);
    let around = walk.inside().and_then(|symbol| walk.facts.symbols.get(symbol as usize));
    if around.is_none_or(|around| around.name == name) {
        return;
    }
    let body = child(function, "body");
    let symbol = walk.define(Definition { node: function, name, at, kind, body });
    if let Some(fact) = walk.symbol(symbol) {
        fact.exported = Some(false);
    }
}

fn parameters<'t>(walk: &mut Walk<'t>, function: Node<'t>) {
    if let Some(single) = child(function, "parameter") {
        pattern(walk, single);
        return;
    }
    let Some(list) = child(function, "parameters") else { return };
    for parameter in children(list) {
        match parameter.kind() {
            "required_parameter" | "optional_parameter" => {
                let Some(name) = child(parameter, "pattern") else { continue };
                let of = child(parameter, "type").and_then(|of| walk.type_text(of));
                let of = of.or_else(|| child(parameter, "value").and_then(|value| walk.value_text(value)));
                pattern(walk, name);
                if name.kind() == "identifier" {
                    walk.bind(walk.read(name), of.clone(), name);
                    // `constructor(private session: Session)` is a field as well.
                    if child_of(parameter, "accessibility_modifier").is_some() || has_token(parameter, "readonly") {
                        walk.bind_field(walk.read(name), of, name);
                    }
                }
            }
            "assignment_pattern" => {
                if let Some(left) = child(parameter, "left") {
                    pattern(walk, left);
                    if let Some(right) = child(parameter, "right").filter(|_| left.kind() == "identifier") {
                        let of = walk.value_text(right);
                        walk.bind(walk.read(left), of, left);
                    }
                }
            }
            _ => pattern(walk, parameter),
        }
    }
}

/// The names that a pattern binds, as local names.
fn pattern<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    for name in names_of(node) {
        walk.local(walk.read(name));
        walk.consume(name);
    }
}

fn names_of(node: Node<'_>) -> Vec<Node<'_>> {
    let mut found = Vec::new();
    let mut pending = vec![node];
    while let Some(node) = pending.pop() {
        match node.kind() {
            "identifier" | "shorthand_property_identifier_pattern" => found.push(node),
            "object_assignment_pattern" | "assignment_pattern" => pending.extend(child(node, "left")),
            "pair_pattern" => pending.extend(child(node, "value")),
            "object_pattern" | "array_pattern" | "rest_pattern" => {
                let mut inner = children(node);
                inner.reverse();
                pending.extend(inner);
            }
            _ => {}
        }
    }
    found
}

fn heritage<'t>(walk: &mut Walk<'t>, kind: ReferenceKind, node: Node<'t>, symbol: u32) {
    let base =
        if node.kind() == "generic_type" { child(node, "name").or(node.named_child(0)).unwrap_or(node) } else { node };
    match base.kind() {
        "identifier" | "member_expression" | "type_identifier" | "nested_type_identifier" | "nested_identifier" => {
            walk.refer_path(kind, base, Some(symbol), None);
            walk.consume(base);
            if let Some(name) = child(base, "property").or_else(|| child(base, "name")) {
                walk.consume(name);
            }
        }
        _ => {}
    }
}

fn class<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let body = child(node, "body");
    let at = child(node, "name");
    if take_function(walk, node) {
        own_name(walk, node, SymbolKind::Class);
        return;
    }
    let name = match at {
        Some(at) => walk.read(at),
        None if walk.parent_kind(0) == Kind::Export as u8 => "default",
        None => {
            walk.open_block(false);
            return;
        }
    };
    define_class(walk, node, at.unwrap_or(node), name, node, body);
}

fn define_class<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    at: Node<'t>,
    name: &str,
    class: Node<'t>,
    body: Option<Node<'t>>,
) {
    let symbol = walk.define(Definition { node, name, at, kind: SymbolKind::Class, body });
    let exported = is_exported(walk);
    if let Some(fact) = walk.symbol(symbol) {
        fact.exported = Some(exported);
    }
    if let Some(clauses) = child_of(class, "class_heritage") {
        for clause in children(clauses) {
            match clause.kind() {
                "extends_clause" => {
                    if let Some(value) = child(clause, "value") {
                        heritage(walk, ReferenceKind::Inherit, value, symbol);
                    }
                }
                "implements_clause" => {
                    for base in children(clause) {
                        heritage(walk, ReferenceKind::Implement, base, symbol);
                    }
                }
                _ => heritage(walk, ReferenceKind::Inherit, clause, symbol),
            }
        }
    }
    walk.open_symbol(symbol);
}

fn method<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(at) = child(node, "name") else { return };
    if at.kind() == "computed_property_name" {
        walk.open_block(true);
        parameters(walk, node);
        return;
    }
    let name = unquote(walk.read(at));
    // After a syntax error statements look like methods of the class around them.
    if matches!(
        name,
        "if" | "for" | "while" | "switch" | "return" | "const" | "let" | "var" | "function" | "throw" | "await"
    ) {
        return;
    }
    let kind = match name {
        "constructor" => SymbolKind::Constructor,
        _ if has_token(node, "get") || has_token(node, "set") => SymbolKind::Property,
        _ => SymbolKind::Method,
    };
    define_function(walk, node, at, name, node, kind);
}

/// Where the value of a module's variable comes from `require`: its module, and the member taken out of it.
fn required<'t>(walk: &Walk<'t>, value: Node<'t>) -> Option<(&'t str, Option<&'t str>)> {
    let mut node = bare(value);
    let mut member = None;
    if node.kind() == "member_expression" {
        member = child(node, "property").map(|name| walk.read(name));
        node = bare(child(node, "object")?);
    }
    if node.kind() == "await_expression" {
        node = node.named_child(0)?;
    }
    // `require('x')(arguments)` is a call of what is imported.
    let function = child(node, "function").filter(|_| node.kind() == "call_expression")?;
    if !matches!(walk.read(function), "require" | "import") {
        return None;
    }
    let module = child(node, "arguments")?.named_child(0).filter(|module| module.kind() == "string")?;
    Some((unquote(walk.read(module)), member))
}

fn declarator<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Step {
    let Some(at) = child(node, "name") else { return Step::Into };
    let value = child(node, "value");
    if let Some((module, member)) = value.and_then(|value| required(walk, value)) {
        if at.kind() == "identifier" {
            let name = walk.read(at);
            walk.import(module, member, Some(name).filter(|name| Some(*name) != member), at, false);
        } else {
            for item in children(at) {
                match item.kind() {
                    "shorthand_property_identifier_pattern" => {
                        walk.import(module, Some(walk.read(item)), None, item, false)
                    }
                    "pair_pattern" => {
                        if let (Some(key), Some(alias)) = (child(item, "key"), child(item, "value")) {
                            walk.import(module, Some(walk.read(key)), Some(walk.read(alias)), alias, false);
                        }
                    }
                    _ => {}
                }
            }
        }
        return Step::Over;
    }
    let of = child(node, "type").and_then(|of| walk.type_text(of));
    if at.kind() != "identifier" {
        if walk.in_function() {
            pattern(walk, at);
        }
        if let Some(value) = value {
            taken_apart(walk, at, value);
        }
        if !walk.in_function() {
            for name in names_of(at) {
                let symbol = walk.define(Definition {
                    node,
                    name: walk.read(name),
                    at: name,
                    kind: SymbolKind::Variable,
                    body: None,
                });
                let exported = is_exported(walk);
                if let Some(fact) = walk.symbol(symbol) {
                    fact.exported = Some(exported);
                }
            }
        }
        return Step::Into;
    }
    let name = walk.read(at);
    if let Some(function) = value.and_then(|value| function_of(walk, value)) {
        define_function(walk, node, at, name, function, SymbolKind::Function);
        return Step::Into;
    }
    if let Some(class) = value.map(bare).filter(|value| value.kind() == "class") {
        walk.taken.insert(class.start_byte());
        if let Some(own) = child(class, "name") {
            walk.consume(own);
        }
        define_class(walk, node, at, name, class, child(class, "body"));
        return Step::Into;
    }
    // `declare const box: { open(): void }`: what it has stands in its type.
    let members =
        child(node, "type").and_then(|of| of.named_child(0)).filter(|of| of.kind() == "object_type" && value.is_none());
    let of = of.filter(|_| members.is_none()).or_else(|| value.and_then(|value| value_text(walk, value)));
    if walk.in_function() {
        walk.local(name);
    }
    walk.bind(name, of, at);
    if walk.in_function() {
        walk.consume(at);
    } else {
        let constant = walk.parent().is_some_and(|parent| has_token(parent, "const"));
        let kind = if constant { SymbolKind::Constant } else { SymbolKind::Variable };
        let symbol = walk.define(Definition { node, name, at, kind, body: None });
        let exported = is_exported(walk);
        if let Some(fact) = walk.symbol(symbol) {
            fact.exported = Some(exported);
        }
        if members.is_some() || value.is_some_and(|value| last_value(bare(value)).kind() == "object") {
            walk.open_object(symbol);
        }
    }
    Step::Into
}

/// What `a = b = value` gives to all of them.
fn last_value(value: Node<'_>) -> Node<'_> {
    let mut last = value;
    for _ in 0..8 {
        match child(last, "right").filter(|_| last.kind() == "assignment_expression") {
            Some(inner) => last = bare(inner),
            None => break,
        }
    }
    last
}

fn is_plain(path: &str) -> bool {
    !path.is_empty() && path.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '.'))
}

/// A class that is assigned to a name, `exports.Cart = class { … }`; returns whether it was one.
fn assigned_class<'t>(walk: &mut Walk<'t>, node: Node<'t>, at: Node<'t>, name: &str, value: Node<'t>) -> bool {
    let class = bare(value);
    if class.kind() != "class" {
        return false;
    }
    match child(class, "name") {
        // It has its symbol when the pass comes to it.
        Some(own) if walk.read(own) == name => return true,
        Some(own) => walk.consume(own),
        None => {}
    }
    walk.taken.insert(class.start_byte());
    walk.consume(at);
    define_class(walk, node, at, name, class, child(class, "body"));
    true
}

/// `exports.x = function`, `Foo.prototype.bar = () =>`, `this.x = new X()`, `module.exports = Foo`.
fn assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let (Some(left), Some(right)) = (child(node, "left"), child(node, "right")) else { return };
    let text = walk.read(left);
    if left.kind() == "identifier" {
        if let Some(function) = function_of(walk, right) {
            define_function(walk, node, left, text, function, SymbolKind::Function);
        } else if !assigned_class(walk, node, left, text, right) && bare(right).kind() == "object" {
            // `var shop; shop = { … }`
            walk.open_owner(text);
        }
        return;
    }
    if left.kind() != "member_expression" || text.len() > 120 {
        return;
    }
    let (Some(object), Some(at)) = (child(left, "object"), child(left, "property")) else { return };
    let (owner, name) = (walk.read(object), walk.read(at));
    let exports = matches!(owner, "exports" | "module.exports");
    let value = bare(right);
    if text == "module.exports" {
        match value.kind() {
            "identifier" | "member_expression" => {
                let of = walk.value_text(value);
                walk.bind_in("default", of, at, None);
                walk.consume(at);
                walk.consume(left);
                walk.list_export(value);
            }
            "function_expression" | "arrow_function" => {
                let named = child(value, "name");
                define_function(
                    walk,
                    node,
                    at,
                    named.map_or("default", |name| walk.read(name)),
                    value,
                    SymbolKind::Function,
                );
                if let Some(fact) = walk.last_symbol() {
                    fact.exported = Some(true);
                }
            }
            "object" => {
                for item in children(value) {
                    if item.kind() == "shorthand_property_identifier" {
                        walk.list_export(item);
                    }
                }
            }
            "class" if child(value, "name").is_none() && assigned_class(walk, node, at, "default", value) => {
                if let Some(fact) = walk.last_symbol() {
                    fact.exported = Some(true);
                }
            }
            _ => {}
        }
        return;
    }
    if name == "prototype" && value.kind() == "object" {
        walk.consume(at);
        walk.open_owner(owner);
        return;
    }
    // `exports.a = exports.b = function`: the last value counts for all.
    let last = last_value(value);
    if assigned_class(walk, node, at, name, last) {
        if exports {
            if let Some(fact) = walk.last_symbol() {
                fact.exported = Some(true);
            }
        } else if owner != "this" && is_plain(owner) {
            walk.rename_last(format!("{owner}.{name}"), owner);
        }
        return;
    }
    let owner_name = owner.strip_suffix(".prototype").unwrap_or(owner);
    if let Some(function) = function_of(walk, last) {
        if exports {
            define_function(walk, node, at, name, function, SymbolKind::Function);
            if let Some(fact) = walk.last_symbol() {
                fact.exported = Some(true);
            }
        } else if owner == "this" {
            define_function(walk, node, at, name, function, SymbolKind::Method);
        } else if is_plain(owner_name) {
            let qualified = format!("{owner_name}.{name}");
            define_function(walk, node, at, name, function, SymbolKind::Method);
            walk.rename_last(qualified, owner_name);
        }
        // The function belongs to the innermost name, which is this one.
        if value.id() != last.id() {
            walk.taken.insert(function.start_byte());
        }
    } else if owner == "this" {
        let of = walk.value_text(right);
        walk.bind_field(name, of, at);
        walk.consume(at);
    } else if exports && !walk.in_function() {
        match value.kind() {
            "identifier" | "member_expression" if required(walk, value).is_none() => {
                if walk.read(value) == name {
                    walk.listed.get_or_insert_default().insert(name);
                } else {
                    let of = walk.value_text(value);
                    walk.bind_in(name, of, at, None);
                }
                walk.consume(at);
            }
            _ => match required(walk, value) {
                Some((module, member)) => walk.import(module, member, Some(name), at, true),
                None if last.id() == value.id() => {
                    let symbol = walk.define(Definition { node, name, at, kind: SymbolKind::Variable, body: None });
                    if let Some(fact) = walk.symbol(symbol) {
                        fact.exported = Some(true);
                    }
                }
                None => {}
            },
        }
    }
}

/// What a call of a test framework says: `it("…", …)`, `describe.each(…)("…", …)`.
fn test_name<'t>(walk: &Walk<'t>, function: Node<'t>, arguments: Node<'t>) -> Option<(&'t str, Node<'t>)> {
    let mut callee = function;
    if callee.kind() == "call_expression" {
        callee = child(callee, "function")?;
    }
    let text = walk.read(callee);
    if text.len() > 40 {
        return None;
    }
    let root = text.split('.').next().unwrap_or(text);
    if !matches!(root, "it" | "test" | "describe" | "suite" | "context" | "bench") || arguments.named_child_count() < 2
    {
        return None;
    }
    let title = arguments.named_child(0).filter(|title| matches!(title.kind(), "string" | "template_string"))?;
    Some((unquote(walk.read(title)), title))
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Step {
    let Some(function) = child(node, "function") else { return Step::Into };
    let Some(arguments) = child(node, "arguments") else { return Step::Into };
    if function.kind() == "import" || (function.kind() == "identifier" && walk.read(function) == "require") {
        if let Some(module) = arguments.named_child(0).filter(|module| module.kind() == "string") {
            walk.import(unquote(walk.read(module)), None, None, node, false);
            walk.consume(function);
            return Step::Over;
        }
        return Step::Into;
    }
    let callee = match bare(function) {
        // The grammar takes `await api.get<T>(url)` for a call of `await api.get`.
        waiting if waiting.kind() == "await_expression" => waiting.named_child(0).map_or(waiting, bare),
        callee => callee,
    };
    if arguments.kind() == "arguments"
        && let Some((name, title)) = test_name(walk, callee, arguments)
    {
        let name = crate::extract::walk::squeeze(name, 120);
        let symbol =
            walk.define(Definition { node, name: &name, at: title, kind: SymbolKind::Test, body: Some(title) });
        if let Some(fact) = walk.symbol(symbol) {
            fact.test = true;
            fact.signature = name;
            fact.exported = Some(false);
        }
        walk.open_symbol(symbol);
        walk.consume(callee);
        if let Some(name) = child(callee, "property") {
            walk.consume(name);
        }
        return Step::Into;
    }
    reference(walk, ReferenceKind::Call, callee, Some(arguments).filter(|arguments| arguments.kind() == "arguments"));
    // Members that are copied into something: Object.assign(Cart.prototype, { total() { … } }).
    if matches!(walk.read(callee), "Object.assign" | "_.extend" | "_.assign" | "$.extend" | "jQuery.extend" | "extend")
        && let [first, second, ..] = children(arguments)[..]
        && matches!(first.kind(), "identifier" | "member_expression")
        && second.kind() == "object"
    {
        let owner = walk.read(first);
        let owner = owner.strip_suffix(".prototype").unwrap_or(owner);
        if is_plain(owner) && !matches!(owner, "this" | "exports" | "module.exports") {
            walk.open_owner(owner);
        }
    }
    // A property defined by a helper: defineGetter(req, 'protocol', function …), Object.defineProperty(a, 'b', …).
    if callee.end_byte() - callee.start_byte() < 60 {
        let text = walk.read(callee);
        let (object, last) = text.rsplit_once('.').unwrap_or(("", text));
        if matches!(last, "defineGetter" | "defineProperty" | "__defineGetter__" | "__defineSetter__") {
            let items = children(arguments);
            let at = usize::from(!last.starts_with('_'));
            if let (Some(first), Some(title)) = (items.first(), items.get(at).filter(|title| title.kind() == "string"))
            {
                let owner = if at == 0 { object } else { walk.read(*first) };
                let owner = owner.strip_suffix(".prototype").unwrap_or(owner);
                let name = unquote(walk.read(*title));
                let value = items.get(at + 1).copied();
                match value.filter(|value| is_function(*value)) {
                    Some(function) => define_function(walk, node, *title, name, function, SymbolKind::Property),
                    None => {
                        walk.define(Definition { node, name, at: *title, kind: SymbolKind::Property, body: value });
                    }
                }
                walk.rename_last(format!("{owner}.{name}"), owner);
            }
        }
    }
    Step::Into
}

fn reference<'t>(walk: &mut Walk<'t>, kind: ReferenceKind, callee: Node<'t>, arguments: Option<Node<'t>>) {
    match callee.kind() {
        "identifier" if !walk.is_consumed(callee) || kind == ReferenceKind::Call && arguments.is_none() => {
            walk.refer_member(kind, None, callee, arguments);
        }
        "member_expression" => {
            if let (Some(object), Some(name)) = (child(callee, "object"), child(callee, "property"))
                && !walk.is_consumed(name)
            {
                walk.refer_member(kind, Some(object), name, arguments);
            }
        }
        "super" => walk.refer(kind, "super", None, callee, arguments.map(count)),
        _ => {}
    }
}

fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let source = child(node, "source");
    let Some(clause) = child_of(node, "import_clause") else {
        match (source, child_of(node, "import_require_clause")) {
            (Some(source), _) => walk.import(unquote(walk.read(source)), None, None, source, false),
            (None, Some(clause)) => {
                if let (Some(name), Some(source)) = (clause.named_child(0), child(clause, "source")) {
                    walk.import(unquote(walk.read(source)), None, Some(walk.read(name)), name, false);
                }
            }
            _ => {}
        }
        return;
    };
    let Some(source) = source else { return };
    let module = unquote(walk.read(source));
    for item in children(clause) {
        match item.kind() {
            "identifier" => walk.import(module, Some("default"), Some(walk.read(item)), item, false),
            "namespace_import" => {
                if let Some(name) = item.named_child(0) {
                    walk.import(module, None, Some(walk.read(name)), name, false);
                }
            }
            "named_imports" => {
                for one in children(item) {
                    if let Some(name) = child(one, "name") {
                        let alias = child(one, "alias").map(|alias| walk.read(alias));
                        walk.import(module, Some(unquote(walk.read(name))), alias, name, false);
                    }
                }
            }
            _ => {}
        }
    }
}

fn export<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Step {
    if let Some(source) = child(node, "source") {
        let module = unquote(walk.read(source));
        if let Some(clause) = child_of(node, "export_clause") {
            for one in children(clause) {
                if let Some(name) = child(one, "name") {
                    let alias = child(one, "alias").map(|alias| walk.read(alias));
                    walk.import(module, Some(walk.read(name)), alias, name, true);
                }
            }
        } else if let Some(name) = child_of(node, "namespace_export").and_then(|export| export.named_child(0)) {
            walk.import(module, None, Some(walk.read(name)), name, true);
        } else {
            walk.import(module, Some("*"), None, source, true);
        }
        return Step::Over;
    }
    if let Some(clause) = child_of(node, "export_clause") {
        for one in children(clause) {
            if let Some(name) = child(one, "name") {
                walk.list_export(name);
                if let Some(alias) = child(one, "alias") {
                    let of = walk.value_text(name);
                    walk.bind_in(walk.read(alias), of, alias, None);
                }
            }
        }
        return Step::Over;
    }
    if let Some(value) = child(node, "value")
        && matches!(value.kind(), "identifier" | "member_expression" | "call_expression")
    {
        let of = walk.value_text(value);
        walk.bind_in("default", of, value, None);
        walk.list_export(value);
    }
    Step::Into
}

fn finish(walk: &mut Walk<'_>) {
    no_finish(walk);
    let Some(listed) = walk.listed.take() else { return };
    for symbol in walk.facts.symbols.iter_mut().filter(|symbol| symbol.parent.is_none()) {
        if listed.contains(symbol.name.as_str()) {
            symbol.exported = Some(true);
        }
    }
    for import in walk.facts.imports.iter_mut().filter(|import| import.inside.is_none()) {
        let known_as = import.alias.as_deref().or(import.name.as_deref());
        import.reexport |= known_as.is_some_and(|name| listed.contains(name));
    }
}

/// The script of a component: its `<script>` blocks, with everything else blanked so that lines stay.
pub(super) fn script_of(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let blank = |out: &mut String, part: &str| out.extend(part.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
    while let Some(open) = rest.find("<script") {
        let Some(begin) = rest[open..].find('>').map(|at| open + at + 1) else { break };
        let end = rest[begin..].find("</script").map_or(rest.len(), |at| begin + at);
        blank(&mut out, &rest[..begin]);
        out.push_str(&rest[begin..end]);
        // Two blocks on one line must not run together.
        rest = &rest[end..];
    }
    blank(&mut out, rest);
    out
}

/// The text with a `;` in the white space before every line that begins with `<` behind a finished line: between two call signatures of
/// an interface the grammar needs one, TypeScript does not. Bytes and lines stay where they are. `None` if there is no such line.
pub(super) fn separated(text: &str) -> Option<String> {
    let mut out: Option<Vec<u8>> = None;
    let mut finished = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        let indent = line.len() - line.trim_start().len();
        if finished && indent > 0 && trimmed.starts_with('<') && !trimmed.starts_with("</") {
            out.get_or_insert_with(|| text.as_bytes().to_vec())[at] = b';';
        }
        if !trimmed.is_empty() && !trimmed.starts_with("//") && !trimmed.starts_with('*') && !trimmed.starts_with("/*")
        {
            finished = trimmed.ends_with([']', '>', ')', '}']) || trimmed.ends_with(char::is_alphanumeric);
        }
        at += line.len();
    }
    out.and_then(|bytes| String::from_utf8(bytes).ok())
}

/// Which rules read the script of this language.
pub(super) fn rules(language: Language) -> &'static Rules {
    match language {
        Language::JavaScript => &JAVASCRIPT,
        Language::Tsx => &TSX,
        _ => &TYPESCRIPT,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn call_signatures_without_a_semicolon_are_separated_in_place() {
        let text = "interface A {\n  // one\n  <I>(h: H): [H]\n\n  // two\n  <J>(h: H): X\n  a: 1\n}\n";
        let separated = separated(text).unwrap();
        assert_eq!(text.replace("two\n  <J>", "two\n; <J>"), separated);
        assert_eq!(None, super::separated("const a =\n  <T>(x: T) => x\n"));
    }

    #[test]
    fn the_script_of_a_component_keeps_its_lines() {
        assert_eq!(
            "      \n        \nlet a\n         \n",
            script_of("<b>é\u{1}<\n<script>\nlet a\n</script>\n").replace('\u{1}', " ")
        );
    }
}
