//! The languages of classes with members and typed parameters: Java, Kotlin, C#, Swift, Scala and PHP.
//!
//! Their grammars name the same things differently; a table for each maps its names to the shared kinds, and the rules look for the parts of
//! a node by the names that the six use.

use tree_sitter::Node;

use crate::extract::facts::{Language, ReferenceKind, SymbolKind};
use crate::extract::walk::{
    Definition, Rules, Step, Walk, child, child_of, children, count, has_token, no_finish, normal_path, split_path,
    squeeze,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Kind {
    Other,
    Comment,
    Package,
    Namespace,
    Import,
    Class,
    Interface,
    Struct,
    Enum,
    Trait,
    Object,
    Variant,
    Function,
    Constructor,
    Alias,
    /// A property, field, constant or variable, in a class, a function or a file.
    Variable,
    /// Several variables of one type, each a declarator.
    Variables,
    Parameter,
    Lambda,
    Call,
    New,
    Member,
    Identifier,
    /// The name of a type as a leaf.
    TypeName,
    /// A type as a path of names.
    TypePath,
    /// Whatever is inside stands in the place of a type.
    Types,
    TypeParameter,
    Annotation,
    Assignment,
    TraitUse,
    MethodReference,
    Infix,
    ForEach,
}

const ALL: [Kind; 33] = [
    Kind::Other,
    Kind::Comment,
    Kind::Package,
    Kind::Namespace,
    Kind::Import,
    Kind::Class,
    Kind::Interface,
    Kind::Struct,
    Kind::Enum,
    Kind::Trait,
    Kind::Object,
    Kind::Variant,
    Kind::Function,
    Kind::Constructor,
    Kind::Alias,
    Kind::Variable,
    Kind::Variables,
    Kind::Parameter,
    Kind::Lambda,
    Kind::Call,
    Kind::New,
    Kind::Member,
    Kind::Identifier,
    Kind::TypeName,
    Kind::TypePath,
    Kind::Types,
    Kind::TypeParameter,
    Kind::Annotation,
    Kind::Assignment,
    Kind::TraitUse,
    Kind::MethodReference,
    Kind::Infix,
    Kind::ForEach,
];

macro_rules! table {
    ($($kind:ident: $($name:literal)*;)*) => { &[$($(($name, Kind::$kind as u8),)*)*] };
}

pub(super) static JAVA: Rules = Rules {
    grammar: || tree_sitter_java::LANGUAGE.into(),
    kinds: table! {
        Comment: "line_comment" "block_comment";
        Package: "package_declaration";
        Import: "import_declaration";
        Class: "class_declaration" "record_declaration";
        Interface: "interface_declaration" "annotation_type_declaration";
        Enum: "enum_declaration";
        Variant: "enum_constant";
        Function: "method_declaration" "annotation_type_element_declaration";
        Constructor: "constructor_declaration" "compact_constructor_declaration";
        Variables: "field_declaration" "constant_declaration" "local_variable_declaration";
        Parameter: "formal_parameter" "catch_formal_parameter" "resource" "spread_parameter" "enhanced_for_statement";
        Lambda: "lambda_expression";
        Call: "method_invocation" "explicit_constructor_invocation";
        New: "object_creation_expression";
        Member: "field_access";
        Identifier: "identifier";
        TypeName: "type_identifier";
        TypeParameter: "type_parameter";
        Annotation: "annotation" "marker_annotation";
        MethodReference: "method_reference";
        Assignment: "assignment_expression";
    },
    enter,
    finish: no_finish,
};

pub(super) static KOTLIN: Rules = Rules {
    grammar: || tree_sitter_kotlin_ng::LANGUAGE.into(),
    kinds: table! {
        Comment: "line_comment" "block_comment";
        Package: "package_header";
        Import: "import";
        Class: "class_declaration";
        Object: "object_declaration" "companion_object";
        Variant: "enum_entry";
        Function: "function_declaration";
        Constructor: "secondary_constructor";
        Alias: "type_alias";
        Variable: "property_declaration" "class_parameter";
        Parameter: "parameter" "variable_declaration";
        Lambda: "lambda_literal" "anonymous_function";
        Call: "call_expression";
        Member: "navigation_expression";
        Identifier: "identifier";
        TypePath: "user_type";
        TypeParameter: "type_parameter";
        Annotation: "annotation";
        MethodReference: "callable_reference";
        Infix: "infix_expression";
    },
    enter,
    finish: no_finish,
};

pub(super) static CSHARP: Rules = Rules {
    grammar: || tree_sitter_c_sharp::LANGUAGE.into(),
    kinds: table! {
        Comment: "comment";
        Package: "file_scoped_namespace_declaration";
        Namespace: "namespace_declaration";
        Import: "using_directive";
        Class: "class_declaration" "record_declaration";
        Struct: "struct_declaration";
        Interface: "interface_declaration";
        Enum: "enum_declaration";
        Variant: "enum_member_declaration";
        Alias: "delegate_declaration";
        Function: "method_declaration" "local_function_statement" "destructor_declaration";
        Constructor: "constructor_declaration";
        Variable: "property_declaration" "event_declaration";
        Variables: "variable_declaration";
        Parameter: "parameter" "foreach_statement" "catch_declaration" "declaration_expression";
        Lambda: "lambda_expression" "anonymous_method_expression";
        Call: "invocation_expression" "constructor_initializer";
        New: "object_creation_expression";
        Member: "member_access_expression";
        Identifier: "identifier";
        Types: "type_argument_list";
        TypeParameter: "type_parameter";
        Annotation: "attribute";
        Assignment: "assignment_expression";
    },
    enter,
    finish: no_finish,
};

pub(super) static SWIFT: Rules = Rules {
    grammar: || tree_sitter_swift::LANGUAGE.into(),
    kinds: table! {
        Comment: "comment" "multiline_comment";
        Import: "import_declaration";
        Class: "class_declaration";
        Interface: "protocol_declaration";
        Variant: "enum_entry";
        Function: "function_declaration" "protocol_function_declaration" "deinit_declaration" "subscript_declaration";
        Constructor: "init_declaration";
        Alias: "typealias_declaration" "associatedtype_declaration";
        Variable: "property_declaration" "protocol_property_declaration";
        Parameter: "parameter" "lambda_parameter";
        Lambda: "lambda_literal";
        Call: "call_expression";
        Member: "navigation_expression";
        Identifier: "simple_identifier";
        TypeName: "type_identifier";
        TypeParameter: "type_parameter";
        Annotation: "attribute";
        ForEach: "for_statement";
        Assignment: "assignment";
    },
    enter,
    finish: no_finish,
};

pub(super) static SCALA: Rules = Rules {
    grammar: || tree_sitter_scala::LANGUAGE.into(),
    kinds: table! {
        Comment: "comment" "block_comment";
        Package: "package_clause";
        Import: "import_declaration" "export_declaration";
        Class: "class_definition";
        Trait: "trait_definition";
        Object: "object_definition" "package_object";
        Enum: "enum_definition";
        Variant: "simple_enum_case" "full_enum_case";
        Function: "function_definition" "function_declaration";
        Alias: "type_definition";
        Variable: "val_definition" "var_definition" "val_declaration" "var_declaration" "given_definition";
        Parameter: "parameter" "class_parameter" "binding";
        Lambda: "lambda_expression" "case_clause";
        Call: "call_expression";
        New: "instance_expression";
        Member: "field_expression";
        Identifier: "identifier";
        TypeName: "type_identifier";
        TypeParameter: "type_parameters";
        Annotation: "annotation";
        Infix: "infix_expression";
        Assignment: "assignment_expression";
    },
    enter,
    finish: no_finish,
};

pub(super) static PHP: Rules = Rules {
    grammar: || tree_sitter_php::LANGUAGE_PHP.into(),
    kinds: table! {
        Comment: "comment";
        Package: "namespace_definition";
        Import: "namespace_use_declaration";
        Class: "class_declaration" "anonymous_class";
        Interface: "interface_declaration";
        Trait: "trait_declaration";
        Enum: "enum_declaration";
        Variant: "enum_case";
        Function: "function_definition" "method_declaration";
        Variable: "property_element" "const_element";
        Parameter: "simple_parameter" "property_promotion_parameter" "variadic_parameter" "static_variable_declaration";
        Lambda: "anonymous_function" "arrow_function";
        Call: "function_call_expression" "member_call_expression" "nullsafe_member_call_expression" "scoped_call_expression";
        New: "object_creation_expression";
        Member: "member_access_expression" "nullsafe_member_access_expression" "class_constant_access_expression";
        TypePath: "named_type";
        Annotation: "attribute";
        Assignment: "assignment_expression";
        TraitUse: "use_declaration";
        ForEach: "foreach_statement";
    },
    enter,
    finish: no_finish,
};

/// The node that names a definition.
fn name_of<'t>(node: Node<'t>) -> Option<Node<'t>> {
    child(node, "name").or_else(|| {
        let mut cursor = node.walk();
        node.named_children(&mut cursor).find(|one| {
            matches!(one.kind(), "identifier" | "simple_identifier" | "type_identifier" | "name" | "variable_name")
        })
    })
}

fn body_of<'t>(node: Node<'t>) -> Option<Node<'t>> {
    child(node, "body").or_else(|| child(node, "accessors")).or_else(|| {
        let mut cursor = node.walk();
        node.named_children(&mut cursor).find(|one| {
            matches!(
                one.kind(),
                "class_body"
                    | "enum_class_body"
                    | "function_body"
                    | "block"
                    | "template_body"
                    | "compound_statement"
                    | "computed_property"
                    | "getter"
                    | "arrow_expression_clause"
                    | "protocol_body"
            )
        })
    })
}

/// The type that a declaration gives: Java's and C#'s before the name, the others' behind it.
fn type_of<'t>(node: Node<'t>) -> Option<Node<'t>> {
    for field in ["type", "returns", "return_type"] {
        if let Some(of) = child(node, field) {
            return Some(of);
        }
    }
    let mut cursor = node.walk();
    node.named_children(&mut cursor).find(|one| matches!(one.kind(), "type_annotation" | "user_type" | "nullable_type"))
}

/// What a declaration is set to.
fn value_of<'t>(node: Node<'t>) -> Option<Node<'t>> {
    child(node, "value").or_else(|| child(node, "default_value")).or_else(|| {
        // Kotlin and C# have the value as the last child, behind a `=`.
        let last = node.named_child(u32::try_from(node.named_child_count()).ok()?.checked_sub(1)?)?;
        let ends = last.end_byte() == node.end_byte();
        let declares = matches!(
            last.kind(),
            "identifier"
                | "simple_identifier"
                | "variable_declaration"
                | "user_type"
                | "nullable_type"
                | "type_annotation"
                | "getter"
                | "setter"
                | "bracketed_argument_list"
                | "function_type"
                | "modifiers"
                | "accessor_list"
                | "computed_property"
        );
        (ends && !declares).then_some(last)
    })
}

fn visible<'t>(walk: &Walk<'t>, node: Node<'t>) -> Option<bool> {
    let mut cursor = node.walk();
    let mut words = String::new();
    for one in node.children(&mut cursor).take(8) {
        if matches!(one.kind(), "modifiers" | "modifier" | "visibility_modifier" | "access_modifier") {
            words.push_str(walk.read(one));
            words.push(' ');
        }
    }
    let has = |word: &str| words.split(|c: char| !c.is_alphabetic()).any(|one| one == word);
    match walk.facts.language {
        Language::Java if has("public") || has("protected") => Some(true),
        Language::Java => Some(walk.in_class() && has("default")).filter(|_| !is_interface(walk)).or(Some(true)),
        _ if has("private") || has("fileprivate") => Some(false),
        Language::CSharp => Some(has("public") || has("protected") || has("internal") || is_interface(walk)),
        Language::Swift => Some(has("public") || has("open")),
        _ => Some(true),
    }
}

fn is_interface(walk: &Walk<'_>) -> bool {
    walk.class()
        .and_then(|class| walk.facts.symbols.get(class as usize))
        .is_some_and(|class| class.kind == SymbolKind::Interface)
}

/// Records a definition with its visibility, annotations and test mark.
fn define<'t>(walk: &mut Walk<'t>, node: Node<'t>, at: Node<'t>, name: &str, kind: SymbolKind) -> u32 {
    let exported = visible(walk, node);
    let symbol = walk.define(Definition { node, name, at, kind, body: body_of(node) });
    let mut test = false;
    for (path, arguments) in annotations(node) {
        if let Some((qualifier, name)) = split_path(walk.read(path).trim_start_matches('@')) {
            test |= matches!(
                name.as_str(),
                "Test"
                    | "ParameterizedTest"
                    | "RepeatedTest"
                    | "Fact"
                    | "Theory"
                    | "TestMethod"
                    | "TestCase"
                    | "TestFixture"
                    | "TestClass"
            );
            walk.refer_in(ReferenceKind::Decorate, &name, qualifier, path, arguments, Some(symbol));
            consume_names(walk, path);
        }
    }
    let swift_or_php = matches!(walk.facts.language, Language::Swift | Language::Php);
    test |= swift_or_php && walk.test_file && kind == SymbolKind::Method && name.starts_with("test");
    if let Some(fact) = walk.symbol(symbol) {
        fact.exported = exported;
        fact.test = test;
    }
    symbol
}

/// The paths of the annotations written at a declaration.
fn annotations<'t>(node: Node<'t>) -> Vec<(Node<'t>, Option<u16>)> {
    let mut found = Vec::new();
    let mut cursor = node.walk();
    let mut pending: Vec<Node<'t>> = node.named_children(&mut cursor).take(12).collect();
    pending.reverse();
    while let Some(one) = pending.pop() {
        match one.kind() {
            "modifiers" | "attribute_list" | "attribute_group" | "annotations" => {
                let mut inner = children(one);
                inner.reverse();
                pending.extend(inner);
            }
            "annotation" | "marker_annotation" | "attribute" => {
                let inner = child(one, "name").or_else(|| one.named_child(0)).unwrap_or(one);
                let inner = if inner.kind() == "use_site_target" { one.named_child(1).unwrap_or(inner) } else { inner };
                let arguments = child(one, "arguments").or_else(|| child_of(one, "attribute_argument_list")).map(count);
                let path = if inner.kind() == "constructor_invocation" {
                    inner.named_child(0).unwrap_or(inner)
                } else {
                    inner
                };
                if path.end_byte() - path.start_byte() < 200 {
                    found.push((path, arguments));
                }
            }
            _ => {}
        }
    }
    found
}

/// The names in a type or path are one reference.
fn consume_names<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.consume(node);
    let mut pending = vec![node];
    let mut steps = 0;
    while let Some(one) = pending.pop() {
        steps += 1;
        if steps > 64 {
            return;
        }
        match one.kind() {
            "identifier" | "simple_identifier" | "type_identifier" | "name" | "namespace_identifier" => {
                walk.consume(one)
            }
            // The arguments are types of their own.
            "type_arguments" | "type_argument_list" | "value_arguments" | "arguments" | "argument_list" => {}
            _ => pending.extend(children(one)),
        }
    }
}

fn bases<'t>(walk: &mut Walk<'t>, node: Node<'t>, symbol: u32) {
    let mut pending: Vec<(Node<'t>, Option<ReferenceKind>)> =
        children(node).into_iter().map(|one| (one, None)).collect();
    pending.reverse();
    let language = walk.facts.language;
    while let Some((one, kind)) = pending.pop() {
        let next = match one.kind() {
            "superclass"
            | "extends_interfaces"
            | "base_list"
            | "delegation_specifiers"
            | "base_clause"
            | "inheritance_specifier"
            | "extends_clause" => Some(ReferenceKind::Inherit),
            "super_interfaces" | "class_interface_clause" => Some(ReferenceKind::Implement),
            "type_list"
            | "delegation_specifier"
            | "constructor_invocation"
            | "explicit_delegation"
            | "primary_constructor_base_type"
            | "compound_type"
            | "applied_constructor_type" => kind,
            "value_arguments" | "argument_list" | "arguments" => continue,
            _ => None,
        };
        if let Some(next) = next {
            let mut inner = children(one);
            inner.reverse();
            pending.extend(inner.into_iter().map(|one| (one, Some(next))));
            continue;
        }
        let Some(kind) = kind else { continue };
        let text = walk.read(one);
        if let Some((_, name)) = split_path(text) {
            let interface = language == Language::CSharp
                && name.starts_with('I')
                && name.chars().nth(1).is_some_and(char::is_uppercase);
            // Kotlin calls the constructor of a class, and only of a class.
            let kind = if interface { ReferenceKind::Implement } else { kind };
            walk.refer_path(kind, one, Some(symbol), None);
            consume_names(walk, one);
        }
    }
}

fn enter<'t>(walk: &mut Walk<'t>, node: Node<'t>, number: u8) -> Step {
    let kind = ALL.get(number as usize).copied().unwrap_or(Kind::Other);
    match kind {
        Kind::Comment => walk.comment(node),
        Kind::Package => {
            if let Some(name) = child(node, "name").or_else(|| node.named_child(0)) {
                let name_text = squeeze(walk.read(name), 200);
                consume_names(walk, name);
                if walk.facts.module.is_none() {
                    walk.facts.module = Some(name_text);
                }
            }
        }
        Kind::Namespace => {
            if let Some(at) = child(node, "name") {
                walk.define(Definition {
                    node,
                    name: walk.read(at),
                    at,
                    kind: SymbolKind::Module,
                    body: child(node, "body"),
                });
                consume_names(walk, at);
                if walk.facts.module.is_none() {
                    walk.facts.module = Some(walk.read(at).to_owned());
                }
                // Names in it count as the file's own: other files reach them through the namespace.
                walk.open_transparent();
            }
        }
        Kind::Import => {
            import(walk, node);
            return Step::Over;
        }
        Kind::Class | Kind::Interface | Kind::Struct | Kind::Enum | Kind::Trait | Kind::Object => {
            class(walk, node, kind)
        }
        Kind::Variant => variant(walk, node),
        Kind::Function | Kind::Constructor => function(walk, node, kind == Kind::Constructor),
        Kind::Alias => {
            let name = if walk.facts.language == Language::Kotlin { child(node, "type") } else { name_of(node) };
            if let Some(at) = name {
                let symbol = define(walk, node, at, walk.read(at), SymbolKind::Type);
                walk.open_symbol(symbol);
            }
        }
        Kind::Variable => variable(walk, node),
        Kind::Variables => variables(walk, node),
        Kind::Parameter => parameter(walk, node),
        Kind::Lambda => {
            walk.open_block(true);
            if let Some(list) = child(node, "parameters") {
                let names = if matches!(list.kind(), "identifier" | "implicit_parameter") {
                    vec![list]
                } else {
                    children(list)
                };
                for name in names {
                    if matches!(name.kind(), "identifier" | "implicit_parameter" | "wildcard") {
                        walk.local(walk.read(name));
                        walk.consume(name);
                    }
                }
            }
            if let Some(pattern) = child(node, "pattern") {
                pattern_names(walk, pattern);
            }
        }
        Kind::Call => {
            let before = walk.facts.references.len();
            call(walk, node);
            // `require(a) { "b" }`: the function behind the brackets is an argument too, and the grammar has it around the call.
            let has_function = |node: Node<'_>| {
                children(node).iter().any(|part| matches!(part.kind(), "annotated_lambda" | "lambda_literal"))
            };
            let called = |around: &Node<'_>| around.named_child(0).is_some_and(|first| first.id() == node.id());
            let behind = walk.facts.language == Language::Kotlin
                && (has_function(node) || walk.parent().filter(called).is_some_and(has_function));
            if let Some(reference) = walk.facts.references[before..].last_mut().filter(|_| behind) {
                reference.arguments = Some(reference.arguments.map_or(1, |count| count.saturating_add(1)));
            }
        }
        Kind::New => {
            let of = child(node, "type").or_else(|| {
                children(node).into_iter().find(|one| {
                    matches!(
                        one.kind(),
                        "name" | "qualified_name" | "type_identifier" | "generic_type" | "stable_type_identifier"
                    )
                })
            });
            if let Some(of) = of {
                let inside = walk.inside();
                let arguments = child(node, "arguments").or_else(|| child_of(node, "arguments")).map(count);
                if walk.refer_path(ReferenceKind::Instantiate, of, inside, arguments) {
                    consume_names(walk, of);
                }
            }
        }
        Kind::Member => {
            if let Some((object, name)) = member(node) {
                if matches!(name.kind(), "identifier" | "simple_identifier" | "name" | "generic_name") {
                    walk.refer_member_value(object, name);
                }
                walk.consume(name);
            }
        }
        Kind::Identifier => walk.refer_value(node),
        Kind::TypeName => {
            if !walk.is_consumed(node) {
                walk.refer(ReferenceKind::TypeUse, walk.read(node), None, node, None);
            }
        }
        Kind::TypePath => {
            if !walk.is_consumed(node) {
                let inside = walk.inside();
                walk.refer_path(ReferenceKind::TypeUse, node, inside, None);
                consume_names(walk, node);
            }
        }
        Kind::Types => walk.types(node),
        Kind::TypeParameter => {
            if let Some(at) = name_of(node) {
                walk.consume(at);
            }
        }
        Kind::Annotation => {
            let path = child(node, "name").or_else(|| node.named_child(0));
            if let Some(path) = path.filter(|path| !walk.is_consumed(*path)) {
                let inside = walk.inside();
                walk.refer_path(ReferenceKind::Decorate, path, inside, None);
                consume_names(walk, path);
            }
        }
        Kind::Assignment => assignment(walk, node),
        Kind::TraitUse => {
            if let Some(class) = walk.class().filter(|_| walk.in_class()) {
                for one in children(node) {
                    walk.refer_path(ReferenceKind::Inherit, one, Some(class), None);
                    consume_names(walk, one);
                }
            }
        }
        Kind::MethodReference => {
            let text = walk.read(node);
            if let Some((object, name)) = text.rsplit_once("::") {
                let qualifier = (!object.trim().is_empty()).then(|| normal_path(object));
                walk.refer(ReferenceKind::Reference, name.trim(), qualifier, node, None);
                consume_names(walk, node);
            }
        }
        Kind::Infix => {
            let operator = child(node, "operator").or_else(|| node.named_child(1));
            if let Some(operator) = operator.filter(|one| one.kind() == "identifier")
                && let Some(left) = node.named_child(0)
            {
                walk.refer_member(ReferenceKind::Call, Some(left), operator, None);
            }
        }
        Kind::ForEach => {
            // PHP's `foreach ($list as $item)`, Swift's `for item in list`.
            match child(node, "item") {
                Some(item) => pattern_names(walk, item),
                None => {
                    for one in children(node).into_iter().skip(1).take(1) {
                        pattern_names(walk, one);
                    }
                }
            }
        }
        Kind::Other => {}
    }
    Step::Into
}

/// The names of a pattern, small as patterns are.
fn pattern_names<'t>(walk: &mut Walk<'t>, pattern: Node<'t>) {
    let mut pending = vec![pattern];
    let mut steps = 0;
    while let Some(one) = pending.pop() {
        steps += 1;
        if steps > 200 {
            return;
        }
        match one.kind() {
            "identifier" | "simple_identifier" | "variable_name" => {
                let name = walk.read(one);
                if !name.starts_with(char::is_uppercase) {
                    walk.local(name);
                    walk.consume(one);
                }
            }
            "type_identifier" | "stable_identifier" | "user_type" | "string" => {}
            "member_access_expression" | "subscript_expression" | "function_call_expression" => {}
            _ => pending.extend(children(one)),
        }
    }
}

fn class<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: Kind) {
    let language = walk.facts.language;
    let Some(at) = name_of(node) else {
        if node.kind() == "companion_object" {
            let symbol = define(walk, node, node, "Companion", SymbolKind::Class);
            walk.open_symbol(symbol);
        } else {
            walk.open_block(false);
        }
        return;
    };
    let mut symbol_kind = match kind {
        Kind::Interface => SymbolKind::Interface,
        Kind::Struct => SymbolKind::Struct,
        Kind::Enum => SymbolKind::Enum,
        Kind::Trait => SymbolKind::Trait,
        _ => SymbolKind::Class,
    };
    if language == Language::Kotlin {
        if has_token(node, "interface") {
            symbol_kind = SymbolKind::Interface;
        } else if child_of(node, "enum_class_body").is_some() {
            symbol_kind = SymbolKind::Enum;
        }
    }
    let name = walk.read(at);
    if language == Language::Swift && kind == Kind::Class {
        match child(node, "declaration_kind").map(|word| walk.read(word)) {
            Some("struct") => symbol_kind = SymbolKind::Struct,
            Some("enum") => symbol_kind = SymbolKind::Enum,
            Some("extension") => {
                // Its members are the type's; the type is defined elsewhere.
                let owner = split_path(name).map(|(_, name)| name).unwrap_or_default();
                let prefix = walk.qualify(&owner);
                let known = walk.type_named(&prefix);
                if let Some(symbol) = known {
                    bases(walk, node, symbol);
                }
                walk.consume(at);
                walk.open_type(&owner);
                return;
            }
            _ => {}
        }
    }
    let symbol = define(walk, node, at, name, symbol_kind);
    bases(walk, node, symbol);
    walk.open_symbol(symbol);
}

fn variant<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let mut cursor = node.walk();
    let names: Vec<Node<'t>> = node.children_by_field_name("name", &mut cursor).collect();
    let names = if names.is_empty() { name_of(node).into_iter().collect() } else { names };
    for at in names {
        if matches!(at.kind(), "identifier" | "simple_identifier" | "name") {
            define(walk, node, at, walk.read(at), SymbolKind::Variant);
        }
    }
}

fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>, constructor: bool) {
    let language = walk.facts.language;
    let at = name_of(node);
    let name = match (at, node.kind()) {
        (_, "init_declaration") => "init",
        (_, "deinit_declaration") => "deinit",
        (_, "subscript_declaration") => "subscript",
        (_, "secondary_constructor") => "constructor",
        (Some(at), _) => walk.read(at),
        (None, _) => {
            walk.open_block(true);
            return;
        }
    };
    let at = at.filter(|at| walk.read(*at) == name).unwrap_or(node);
    let constructor = constructor || name == "__construct" || (language == Language::Scala && name == "this");
    let kind = match (constructor, walk.in_class()) {
        (true, _) => SymbolKind::Constructor,
        (_, true) => SymbolKind::Method,
        _ => SymbolKind::Function,
    };
    // `fun Cart.total()`: the type stands before the name.
    let receiver = (language == Language::Kotlin)
        .then(|| children(node).into_iter().find(|one| matches!(one.kind(), "user_type" | "nullable_type")))
        .flatten()
        .filter(|receiver| receiver.end_byte() <= at.start_byte());
    let symbol = match receiver.and_then(|receiver| split_path(walk.read(receiver))) {
        Some((_, owner)) if !walk.in_function() && !walk.in_class() => {
            let definition = Definition { node, name, at, kind: SymbolKind::Method, body: body_of(node) };
            let symbol = walk.define_member(&owner, definition);
            let exported = visible(walk, node);
            if let Some(fact) = walk.symbol(symbol) {
                fact.exported = exported;
            }
            symbol
        }
        _ => define(walk, node, at, name, kind),
    };
    let returns = match language {
        Language::Kotlin => children(node).into_iter().rev().find(|one| {
            matches!(one.kind(), "user_type" | "nullable_type" | "function_type") && one.start_byte() > at.end_byte()
        }),
        _ => type_of(node),
    };
    if let Some(of) = returns {
        let text = walk.type_text(of);
        if let Some(fact) = walk.symbol(symbol) {
            fact.returns = text;
        }
        if language == Language::CSharp {
            walk.types(of);
        }
    }
    walk.open_symbol(symbol);
}

/// The name that a variable's declaration gives, through patterns of one name.
fn declared<'t>(node: Node<'t>) -> Option<Node<'t>> {
    let mut at = child(node, "pattern")
        .or_else(|| child(node, "name"))
        .or_else(|| child_of(node, "variable_declaration"))
        .or_else(|| name_of(node))?;
    for _ in 0..4 {
        match at.kind() {
            "identifier" | "simple_identifier" | "variable_name" | "name" | "operator_identifier" => return Some(at),
            _ => at = child(at, "bound_identifier").or_else(|| at.named_child(0))?,
        }
    }
    None
}

fn variable<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let language = walk.facts.language;
    let Some(at) = declared(node) else {
        if let Some(pattern) = child(node, "pattern") {
            pattern_names(walk, pattern);
        }
        return;
    };
    let name = walk.read(at);
    let holder = child_of(node, "variable_declaration").unwrap_or(node);
    let written = type_of(holder);
    if let Some(of) = written.filter(|_| language == Language::CSharp) {
        walk.types(of);
    }
    let of = written.and_then(|of| walk.type_text(of));
    let of = of.or_else(|| value_of(node).and_then(|value| walk.value_text(value)));
    walk.consume(at);
    if node.kind() == "class_parameter" {
        // Kotlin's `class Cart(val items: List)` has a field, without `val` a parameter.
        if !(has_token(node, "val") || has_token(node, "var")) {
            walk.bind_field(name, of, at);
            return;
        }
    }
    if walk.in_function() {
        walk.local(name);
        walk.bind(name, of, at);
        return;
    }
    let (kind, name) = match language {
        Language::Php if node.kind() == "const_element" => (SymbolKind::Constant, name),
        Language::Php => (SymbolKind::Field, name.trim_start_matches('$')),
        Language::CSharp => (SymbolKind::Property, name),
        Language::Swift | Language::Kotlin if body_of(node).is_some() => (SymbolKind::Property, name),
        _ if walk.in_class() => (SymbolKind::Field, name),
        Language::Scala if node.kind().starts_with("val") => (SymbolKind::Constant, name),
        _ => (SymbolKind::Variable, name),
    };
    if walk.in_class() {
        let of = match language {
            // `private Client $client;` has the type on the declaration.
            Language::Php => {
                walk.parent().and_then(|parent| child(parent, "type")).and_then(|of| walk.type_text(of)).or(of)
            }
            _ => of,
        };
        walk.bind_field(name, of, at);
    } else {
        walk.bind(name, of, at);
    }
    define(walk, node, at, name, kind);
}

/// `int a = 1, b;`
fn variables<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let written = type_of(node);
    let text = written.and_then(|of| walk.type_text(of)).filter(|of| of != "var");
    if let Some(of) = written.filter(|_| walk.facts.language == Language::CSharp) {
        walk.types(of);
    }
    for declarator in children(node) {
        if declarator.kind() != "variable_declarator" {
            continue;
        }
        let Some(at) = name_of(declarator) else { continue };
        let name = walk.read(at);
        let of = text.clone().or_else(|| value_of(declarator).and_then(|value| walk.value_text(value)));
        walk.consume(at);
        if walk.in_function() {
            walk.local(name);
            walk.bind(name, of, at);
        } else {
            walk.bind_field(name, of, at);
            let holder =
                walk.parent().filter(|parent| matches!(parent.kind(), "field_declaration" | "event_field_declaration"));
            define(walk, holder.unwrap_or(node), at, name, SymbolKind::Field);
        }
    }
}

fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let mut at = child(node, "name").or_else(|| child(node, "left"));
    if walk.facts.language == Language::Swift && node.kind() == "parameter" {
        // `func f(from path: String)`: the second name is the one inside.
        let mut cursor = node.walk();
        for one in node.children(&mut cursor).filter(|one| one.kind() == "simple_identifier") {
            walk.consume(one);
            at = Some(one);
        }
    }
    let Some(at) = at.or_else(|| name_of(node)) else { return };
    let at = if at.kind() == "by_ref" { at.named_child(0).unwrap_or(at) } else { at };
    let written = type_of(node).filter(|of| of.id() != at.id());
    if let Some(of) = written.filter(|_| walk.facts.language == Language::CSharp) {
        walk.types(of);
    }
    let text = written.and_then(|of| walk.type_text(of)).filter(|of| of != "var");
    let of = text.or_else(|| child(node, "value").and_then(|value| walk.value_text(value)));
    let name = walk.read(at);
    walk.local(name);
    walk.consume(at);
    let field = matches!(node.kind(), "class_parameter" | "property_promotion_parameter");
    if field {
        walk.bind_field(name.trim_start_matches('$'), of.clone(), at);
    }
    if walk.in_function() {
        // `Shout(this string text)` extends a type of others.
        if walk.facts.language == Language::CSharp && walk.read(node).starts_with("this ") {
            walk.bind("this", of.clone(), at);
        }
        walk.bind(name, of, at);
    }
}

/// The object and the name of a member's node.
fn member<'t>(node: Node<'t>) -> Option<(Node<'t>, Node<'t>)> {
    for (object, name) in [
        ("object", "field"),
        ("object", "name"),
        ("expression", "name"),
        ("value", "field"),
        ("scope", "name"),
        ("target", "suffix"),
    ] {
        if let (Some(object), Some(name)) = (child(node, object), child(node, name)) {
            let name = child(name, "suffix").unwrap_or(name);
            return Some((object, name));
        }
    }
    let inner = children(node);
    match inner.as_slice() {
        [object, .., name] => Some((*object, *name)),
        _ => None,
    }
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    // `: base(name)` of C#, which holds the word as a token.
    if node.kind() == "constructor_initializer" {
        if let Some(word) = node.child(1).filter(|word| word.kind() == "base") {
            walk.refer(ReferenceKind::Call, "base", None, word, child_of(node, "argument_list").map(count));
        }
        return;
    }
    // Swift's grammar has `lines[0]` as a call.
    if child_of(node, "call_suffix")
        .and_then(|suffix| suffix.named_child(0))
        .is_some_and(|list| walk.read(list).starts_with('['))
    {
        return;
    }
    let arguments = child(node, "arguments").or_else(|| {
        let suffix = child_of(node, "call_suffix").unwrap_or(node);
        child_of(suffix, "value_arguments")
    });
    // Java and PHP hold the parts of the call in the call itself.
    if let Some(name) = child(node, "name") {
        let receiver = child(node, "object").or_else(|| child(node, "scope"));
        if matches!(name.kind(), "identifier" | "name") {
            walk.refer_member(ReferenceKind::Call, receiver, name, arguments);
        }
        return;
    }
    if let Some(name) = child(node, "constructor") {
        walk.refer_member(ReferenceKind::Call, None, name, arguments);
        return;
    }
    let Some(mut function) = child(node, "function").or_else(|| node.named_child(0)) else { return };
    if function.kind() == "generic_function" {
        function = child(function, "function").unwrap_or(function);
    }
    match function.kind() {
        "identifier" | "simple_identifier" | "generic_name" => {
            let name =
                if function.kind() == "generic_name" { function.named_child(0).unwrap_or(function) } else { function };
            walk.refer_member(ReferenceKind::Call, None, name, arguments);
        }
        "name" | "qualified_name" | "relative_name" => {
            let inside = walk.inside();
            walk.refer_path(ReferenceKind::Call, function, inside, arguments.map(count));
            consume_names(walk, function);
        }
        "member_access_expression" | "navigation_expression" | "field_expression" => {
            if let Some((object, name)) = member(function) {
                let name = if name.kind() == "generic_name" { name.named_child(0).unwrap_or(name) } else { name };
                if matches!(name.kind(), "identifier" | "simple_identifier") {
                    walk.refer_member(ReferenceKind::Call, Some(object), name, arguments);
                }
            }
        }
        "member_binding_expression" => {
            if let Some(name) = child(function, "name") {
                walk.refer(ReferenceKind::Call, walk.read(name), Some("(expr)".to_owned()), name, arguments.map(count));
            }
        }
        "conditional_access_expression" => {
            if let (Some(object), Some(binding)) =
                (child(function, "condition"), child_of(function, "member_binding_expression"))
                && let Some(name) = child(binding, "name")
            {
                walk.refer_member(ReferenceKind::Call, Some(object), name, arguments);
            }
        }
        _ => {}
    }
}

/// `this.client = new Client()`, `$client = make()`.
fn assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let left = child(node, "left").or_else(|| child(node, "target"));
    let right = child(node, "right").or_else(|| child(node, "result"));
    let (Some(left), Some(right)) = (left, right) else { return };
    let text = walk.read(left);
    if text.len() > 80 {
        return;
    }
    let own = ["this.", "$this->", "self."].iter().find_map(|own| text.strip_prefix(own));
    if let Some(field) = own.filter(|field| field.chars().all(|c| c.is_alphanumeric() || c == '_')) {
        let of = walk.value_text(right);
        walk.bind_field(field, of, left);
    } else if left.kind() == "variable_name" && walk.in_function() {
        walk.local(text);
        let of = walk.value_text(right);
        walk.bind(text, of, left);
    }
}

fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let text = walk.read(node);
    if text.len() > 2000 {
        return;
    }
    let clean = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = clean(text.trim_end_matches(';'));
    match walk.facts.language {
        Language::Java => {
            let path = text.trim_start_matches("import ").trim_start_matches("static ").trim();
            if let Some((module, name)) = path.rsplit_once('.') {
                walk.import(module.trim(), Some(name.trim()), None, node, false);
            }
        }
        Language::Kotlin => {
            let path = text.trim_start_matches("import ").trim();
            let (path, alias) =
                path.split_once(" as ").map_or((path, None), |(path, alias)| (path, Some(alias.trim())));
            match path.rsplit_once('.') {
                Some((module, name)) => walk.import(module, Some(name), alias, node, false),
                None => walk.import(path, None, alias, node, false),
            }
        }
        Language::CSharp => {
            let global = text.starts_with("global ");
            let path =
                text.trim_start_matches("global ").trim_start_matches("using ").trim_start_matches("static ").trim();
            match path.split_once('=') {
                Some((alias, path)) => walk.import(path.trim(), None, Some(alias.trim()), node, false),
                // `global using` holds for all files of the project.
                None => walk.import(path, Some("*"), None, node, global),
            }
        }
        Language::Swift => {
            let path = text.rsplit(' ').next().unwrap_or("");
            walk.import(path, Some("*"), None, node, false);
        }
        Language::Scala => {
            let reexport = text.starts_with("export ");
            let path = text.trim_start_matches("import ").trim_start_matches("export ");
            for one in split_outside(path) {
                let Some((module, names)) = one.rsplit_once('.') else { continue };
                let names = names.trim();
                // `a.b.{c, d => e}` splits behind the brace's dot only.
                let (module, names) = match one.find(".{") {
                    Some(at) => (&one[..at], &one[at + 1..]),
                    None => (module, names),
                };
                for name in names.trim_matches(['{', '}', ' ']).split(',') {
                    let pair = name.split_once("=>").or_else(|| name.split_once(" as "));
                    let (name, alias) = pair.map_or((name, None), |(name, alias)| (name, Some(alias.trim())));
                    let name = name.trim();
                    let name = if matches!(name, "_" | "*" | "given") { "*" } else { name };
                    walk.import(module.trim(), Some(name), alias, node, reexport);
                }
            }
        }
        _ => {
            // PHP: `use A\B;`, `use A\{B, C as D};`, `use function A\f;`
            let path = text.trim_start_matches("use ").trim_start_matches("function ").trim_start_matches("const ");
            let (prefix, list) = match path.split_once('{') {
                Some((prefix, list)) => (prefix.trim().trim_end_matches('\\'), list.trim_end_matches('}')),
                None => ("", path),
            };
            for one in list.split(',') {
                let one = one.trim();
                let (one, alias) = one.split_once(" as ").map_or((one, None), |(one, alias)| (one, Some(alias.trim())));
                let full = if prefix.is_empty() { one.to_owned() } else { format!("{prefix}\\{one}") };
                match full.rsplit_once('\\') {
                    Some((module, name)) => walk.import(module, Some(name), alias, node, false),
                    None => walk.import(&full, None, alias, node, false),
                }
            }
        }
    }
}

/// Splits at commas outside braces.
fn split_outside(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0usize, 0);
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}
