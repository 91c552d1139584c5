//! Python.

use tree_sitter::Node;

use crate::extract::facts::{ReferenceKind, SymbolKind};
use crate::extract::walk::{
    Definition, Pending, Rules, Step, Walk, child, child_of, children, count, kinds, line, split_path,
};

kinds! {
    Comment = "comment",
    Function = "function_definition",
    Class = "class_definition",
    Decorator = "decorator",
    Decorated = "decorated_definition",
    Lambda = "lambda",
    Call = "call",
    Attribute = "attribute",
    Identifier = "identifier",
    Assignment = "assignment",
    Augmented = "augmented_assignment",
    Named = "named_expression",
    Loop = "for_statement",
    Comprehension = "list_comprehension" | "set_comprehension" | "dictionary_comprehension" | "generator_expression",
    AsTarget = "as_pattern_target",
    Keyword = "keyword_argument",
    Type = "type",
    Import = "import_statement",
    ImportFrom = "import_from_statement" | "future_import_statement",
    Global = "global_statement" | "nonlocal_statement",
    TypeAlias = "type_alias_statement",
    Text = "string",
}

pub(super) static RULES: Rules = Rules { grammar, kinds: KINDS, enter, finish };

fn grammar() -> tree_sitter::Language {
    tree_sitter_python::LANGUAGE.into()
}

fn enter<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: u8) -> Step {
    match Kind::of(kind) {
        Kind::Comment => walk.comment(node),
        Kind::Function => function(walk, node),
        Kind::Class => class(walk, node),
        Kind::Decorated => walk.attribute(node),
        Kind::Decorator => {
            if let Some(expression) = node.named_child(0) {
                let arguments = child(expression, "arguments").map(count);
                let path = child(expression, "function").unwrap_or(expression);
                if let Some((qualifier, name)) = split_path(walk.read(path)) {
                    walk.pending.push(Pending { name, qualifier, line: line(path), arguments });
                    consume_path(walk, path);
                }
            }
        }
        Kind::Lambda => {
            walk.open_block(true);
            if let Some(list) = child(node, "parameters") {
                parameters(walk, list);
            }
        }
        Kind::Call => call(walk, node),
        Kind::Attribute => {
            if let (Some(object), Some(name)) = (child(node, "object"), child(node, "attribute")) {
                walk.refer_member_value(object, name);
                if object.kind() == "identifier" {
                    walk.consume(object);
                }
                walk.consume(name);
            }
        }
        Kind::Identifier => walk.refer_value(node),
        Kind::Assignment => return assignment(walk, node),
        Kind::Augmented => {
            if let Some(left) = child(node, "left").filter(|left| left.kind() == "identifier")
                && walk.in_function()
            {
                walk.consume(left);
            }
        }
        Kind::Named => {
            if let Some(name) = child(node, "name") {
                target(walk, name);
                if let Some(value) = child(node, "value") {
                    let of = walk.value_text(value);
                    walk.bind(walk.read(name), of, name);
                }
            }
        }
        Kind::Loop => {
            if let Some(left) = child(node, "left") {
                target(walk, left);
            }
        }
        Kind::Comprehension => {
            // The names of the loop hold in the element, which stands before it.
            walk.open_block(true);
            for clause in children(node) {
                if clause.kind() == "for_in_clause"
                    && let Some(left) = child(clause, "left")
                {
                    target(walk, left);
                }
            }
        }
        Kind::AsTarget => {
            if let Some(name) = node.named_child(0) {
                target(walk, name);
                if let Some(parent) = walk.parent()
                    && let Some(value) = parent.named_child(0).filter(|value| value.id() != node.id())
                {
                    let of = walk.value_text(value);
                    walk.bind(walk.read(name), of, name);
                }
            }
        }
        Kind::Keyword => {
            if let Some(name) = child(node, "name") {
                walk.consume(name);
            }
        }
        Kind::Type => walk.types(node),
        Kind::Import => {
            for item in children(node) {
                import_module(walk, item);
            }
            return Step::Over;
        }
        Kind::ImportFrom => {
            import_from(walk, node);
            return Step::Over;
        }
        Kind::Global => return Step::Over,
        Kind::TypeAlias => {
            if let Some(left) = child(node, "left").and_then(|left| left.named_child(0)) {
                walk.define(Definition { node, name: walk.read(left), at: left, kind: SymbolKind::Type, body: None });
            }
        }
        // Only an f-string holds code.
        Kind::Text => {
            if child_of(node, "interpolation").is_none() {
                return Step::Over;
            }
        }
        Kind::Other => {}
    }
    Step::Into
}

/// A path whose names need no reference of their own: the decorator is one.
fn consume_path<'t>(walk: &mut Walk<'t>, path: Node<'t>) {
    let mut node = path;
    for _ in 0..16 {
        walk.consume(node);
        if let Some(name) = child(node, "attribute") {
            walk.consume(name);
        }
        match child(node, "object") {
            Some(object) => node = object,
            None => return,
        }
    }
}

fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(at) = child(node, "name") else { return };
    let name = walk.read(at);
    let method = walk.in_class();
    let decorated =
        |walk: &Walk<'t>, wanted: &[&str]| walk.pending.iter().any(|one| wanted.contains(&one.name.as_str()));
    let property = decorated(walk, &["property", "cached_property", "setter", "getter", "deleter", "hybrid_property"]);
    let is_static = decorated(walk, &["staticmethod"]);
    let kind = match name {
        "__init__" if method => SymbolKind::Constructor,
        _ if method && property => SymbolKind::Property,
        _ if method => SymbolKind::Method,
        _ => SymbolKind::Function,
    };
    let body = child(node, "body");
    let symbol = walk.define(Definition { node, name, at, kind, body });
    let returns = child(node, "return_type").and_then(|node| walk.type_text(node));
    let in_test_class = walk.class().is_some_and(|class| walk.facts.symbols[class as usize].test);
    let test = name.starts_with("test_") || (name.starts_with("test") && (in_test_class || walk.test_file));
    let documented = body.and_then(|body| docstring(walk, body));
    if let Some(fact) = walk.symbol(symbol) {
        fact.returns = returns;
        fact.test = test;
    }
    if let Some(text) = documented {
        walk.set_documentation(symbol, text);
    }
    let class = walk.class();
    walk.open_symbol(symbol);
    if let Some(list) = child(node, "parameters") {
        parameters(walk, list);
        if method
            && !is_static
            && let (Some(class), Some(first)) =
                (class, list.named_child(0).filter(|first| first.kind() == "identifier"))
        {
            // `self` is the class, whatever it is called; so is `cls`.
            let name = walk.facts.symbols[class as usize].name.clone();
            walk.bind(walk.read(first), Some(name), first);
        }
    }
}

/// The text of a docstring, without its quotes.
fn docstring<'t>(walk: &Walk<'t>, body: Node<'t>) -> Option<&'t str> {
    let first = body.named_child(0)?;
    let text = if first.kind() == "string" {
        first
    } else {
        first.named_child(0).filter(|_| first.kind() == "expression_statement")?
    };
    if text.kind() != "string" {
        return None;
    }
    let text = walk.read(text).trim_start_matches(|c: char| c.is_ascii_alphabetic());
    Some(text.trim_matches(['"', '\'']))
}

fn parameters<'t>(walk: &mut Walk<'t>, list: Node<'t>) {
    for parameter in children(list) {
        let (name, of) = match parameter.kind() {
            "identifier" => (Some(parameter), None),
            "default_parameter" => {
                (child(parameter, "name"), child(parameter, "value").and_then(|value| walk.value_text(value)))
            }
            "typed_parameter" | "typed_default_parameter" => (
                child(parameter, "name").or_else(|| parameter.named_child(0)),
                child(parameter, "type").and_then(|of| walk.type_text(of)),
            ),
            _ => (parameter.named_child(0), None),
        };
        let Some(mut name) = name else { continue };
        let splat = name.kind() != "identifier";
        if splat {
            match name.named_child(0) {
                Some(inner) => name = inner,
                None => continue,
            }
        }
        if name.kind() == "identifier" {
            walk.local(walk.read(name));
            walk.consume(name);
            if !splat {
                walk.bind(walk.read(name), of, name);
            }
        }
    }
}

fn class<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(at) = child(node, "name") else { return };
    let name = walk.read(at);
    let body = child(node, "body");
    let mut bases = Vec::new();
    if let Some(list) = child(node, "superclasses") {
        for base in children(list) {
            match base.kind() {
                "keyword_argument" | "comment" => {}
                "subscript" => {
                    if let Some(value) = child(base, "value") {
                        bases.push(value);
                    }
                }
                _ => bases.push(base),
            }
        }
    }
    let is = |wanted: &[&str]| bases.iter().any(|base| wanted.iter().any(|wanted| walk.read(*base).ends_with(wanted)));
    let kind = if is(&["Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"]) {
        SymbolKind::Enum
    } else if is(&["Protocol"]) {
        SymbolKind::Interface
    } else {
        SymbolKind::Class
    };
    let test = is(&["TestCase"]) || (name.starts_with("Test") && walk.test_file);
    let symbol = walk.define(Definition { node, name, at, kind, body });
    let documented = body.and_then(|body| docstring(walk, body));
    if let Some(fact) = walk.symbol(symbol) {
        fact.test = test;
    }
    if let Some(text) = documented {
        walk.set_documentation(symbol, text);
    }
    for base in bases {
        if walk.refer_path(ReferenceKind::Inherit, base, Some(symbol), None) {
            consume_path(walk, base);
        }
    }
    walk.open_symbol(symbol);
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(function) = child(node, "function") else { return };
    let arguments = child(node, "arguments");
    match function.kind() {
        "identifier" if !walk.is_consumed(function) => {
            walk.refer_member(ReferenceKind::Call, None, function, arguments)
        }
        "attribute" => {
            if let (Some(object), Some(name)) = (child(function, "object"), child(function, "attribute"))
                && !walk.is_consumed(name)
            {
                walk.refer_member(ReferenceKind::Call, Some(object), name, arguments);
            }
        }
        _ => {}
    }
}

/// Names that are assigned to.
fn target<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let mut pending = vec![node];
    while let Some(node) = pending.pop() {
        match node.kind() {
            "identifier" => {
                walk.local(walk.read(node));
                walk.consume(node);
            }
            "pattern_list"
            | "tuple_pattern"
            | "list_pattern"
            | "list_splat_pattern"
            | "tuple"
            | "list"
            | "parenthesized_expression"
            | "expression_list" => pending.extend(children(node)),
            _ => {}
        }
    }
}

fn assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Step {
    let Some(left) = child(node, "left") else { return Step::Into };
    let (right, annotation) = (child(node, "right"), child(node, "type"));
    let mut of = annotation.and_then(|node| walk.type_text(node));
    if of.as_deref() == Some("Final") || of.as_deref() == Some("ClassVar") || of.is_none() {
        of = right.and_then(|node| walk.value_text(node)).or(of);
    }
    match left.kind() {
        "identifier" => {
            let name = walk.read(left);
            if walk.in_function() {
                target(walk, left);
                walk.bind(name, of, left);
            } else if let Some(list) = right.filter(|_| name == "__all__") {
                for item in children(list) {
                    if item.kind() == "string" {
                        let name = walk.read(item).trim_matches(['"', '\'']);
                        walk.listed.get_or_insert_default().insert(name);
                    }
                }
                return Step::Over;
            } else {
                let callee = right.filter(|right| right.kind() == "call").and_then(|right| child(right, "function"));
                let callee = callee.map_or("", |callee| walk.read(callee));
                let lambda = right.is_some_and(|right| right.kind() == "lambda");
                let upper = name.chars().any(char::is_uppercase) && !name.chars().any(char::is_lowercase);
                let is_enum =
                    walk.class().is_some_and(|class| walk.facts.symbols[class as usize].kind == SymbolKind::Enum);
                let kind = match (walk.in_class(), callee) {
                    _ if lambda => SymbolKind::Function,
                    (false, "NamedTuple" | "namedtuple" | "collections.namedtuple" | "typing.NamedTuple") => {
                        SymbolKind::Class
                    }
                    (false, "TypeVar" | "NewType" | "t.TypeVar" | "typing.TypeVar" | "t.NewType") => SymbolKind::Type,
                    (true, _) if is_enum => SymbolKind::Variant,
                    (true, "property" | "cached_property") => SymbolKind::Property,
                    (true, _) => SymbolKind::Field,
                    (false, _) if upper => SymbolKind::Constant,
                    (false, _) => SymbolKind::Variable,
                };
                // The same name again is another value of the same variable.
                let qualified = walk.qualify(name);
                let again = !lambda
                    && !walk.flags.insert(name)
                    && walk.facts.symbols.iter().any(|one| one.qualified == qualified);
                if walk.in_class() {
                    walk.bind_field(name, of, left);
                } else {
                    walk.bind(name, of, left);
                }
                if again {
                    walk.consume(left);
                } else {
                    let body = right.filter(|_| lambda).and_then(|right| child(right, "body"));
                    let symbol = walk.define(Definition { node, name, at: left, kind, body });
                    if lambda {
                        walk.open_symbol(symbol);
                    }
                }
            }
        }
        "attribute" => {
            if let (Some(object), Some(name)) = (child(left, "object"), child(left, "attribute"))
                && matches!(walk.read(object), "self" | "cls")
            {
                walk.bind_field(walk.read(name), of, left);
                walk.consume(left);
                walk.consume(object);
                walk.consume(name);
            }
        }
        _ => target(walk, left),
    }
    Step::Into
}

fn import_module<'t>(walk: &mut Walk<'t>, item: Node<'t>) {
    let (name, alias) = match item.kind() {
        "aliased_import" => (child(item, "name"), child(item, "alias")),
        "dotted_name" => (Some(item), None),
        _ => (None, None),
    };
    if let Some(name) = name {
        let alias = alias.map(|alias| walk.read(alias));
        walk.import(walk.read(name), None, alias, name, alias == Some(walk.read(name)));
    }
}

fn import_from<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let module_node = child(node, "module_name");
    let module = module_node.map_or("__future__", |module| walk.read(module));
    let package = walk.path.ends_with("__init__.py") && module.starts_with('.');
    for item in children(node) {
        if module_node.is_some_and(|module| module.id() == item.id()) {
            continue;
        }
        match item.kind() {
            "wildcard_import" => walk.import(module, Some("*"), None, item, package),
            "aliased_import" => {
                if let Some(name) = child(item, "name") {
                    let alias = child(item, "alias").map(|alias| walk.read(alias));
                    let again = alias == Some(walk.read(name));
                    walk.import(module, Some(walk.read(name)), alias, name, package || again);
                }
            }
            "dotted_name" => walk.import(module, Some(walk.read(item)), None, item, package),
            _ => {}
        }
    }
}

fn finish(walk: &mut Walk<'_>) {
    let listed = walk.listed.take();
    for import in walk.facts.imports.iter_mut().filter(|import| import.inside.is_none()) {
        let known_as = import.alias.as_deref().or(import.name.as_deref());
        import.reexport |= known_as.is_some_and(|name| listed.as_ref().is_some_and(|listed| listed.contains(name)));
    }
    for symbol in &mut walk.facts.symbols {
        let private = symbol.name.starts_with('_') && !(symbol.name.starts_with("__") && symbol.name.ends_with("__"));
        symbol.exported = Some(match &listed {
            Some(listed) if symbol.parent.is_none() => listed.contains(symbol.name.as_str()),
            _ => !private,
        });
    }
}
