//! One pass over a syntax tree: the part that every language shares.
//!
//! A language is a table from node kinds to small numbers and one function that is called on entering a node of such a kind. The
//! function says what it found through [`Walk`] and whether to go into the node. The pass moves a cursor and keeps its own stack of
//! parents and scopes, so that a file nested 50,000 deep costs memory, not stack.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::{Node, TreeCursor};

use crate::extract::facts::{
    BindingFact, FileFacts, ImportFact, Language, Limits, ReferenceFact, ReferenceKind, SymbolFact, SymbolKind,
};

const SIGNATURE_CHARS: usize = 200;
pub(crate) const TYPE_CHARS: usize = 120;
/// Names around a name are kept up to this length.
const PREFIX_BYTES: usize = 1000;
/// Longer receivers and values are not normalised: `(expr)`. Bounds the work on endless chains.
const PATH_BYTES: usize = 2000;

/// With more symbols before it than this, what is assigned to a name is not given to it.
const MOST_OWNERS: usize = 5_000;

/// Whether to go into the node just entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Into,
    Over,
}

/// What a language brings: its node kinds of interest, numbered from 1, and what to do on entering one.
pub(crate) struct Rules {
    pub(crate) grammar: fn() -> tree_sitter::Language,
    pub(crate) kinds: &'static [(&'static str, u8)],
    pub(crate) enter: for<'t> fn(&mut Walk<'t>, Node<'t>, u8) -> Step,
    /// Called once after the last node.
    pub(crate) finish: for<'t> fn(&mut Walk<'t>),
}

pub(crate) fn no_finish(_: &mut Walk<'_>) {}

/// Names the node kinds of a language and numbers them: `kinds! { Call = "call" | "new_call", … }`.
macro_rules! kinds {
    ($($variant:ident = $($name:literal)|+),* $(,)?) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u8)]
        enum Kind { Other, $($variant),* }
        const KINDS: &[(&str, u8)] = &[$($(($name, Kind::$variant as u8)),+),*];
        impl Kind {
            fn of(number: u8) -> Kind {
                const ALL: &[Kind] = &[Kind::Other, $(Kind::$variant),*];
                ALL.get(number as usize).copied().unwrap_or(Kind::Other)
            }
        }
    };
}
pub(crate) use kinds;

/// A stretch of the tree with names of its own.
struct Scope {
    /// The depth of the node that opened it; it closes when that node is left.
    depth: usize,
    /// The enclosing symbol for everything inside.
    symbol: Option<u32>,
    /// In front of the names defined inside.
    prefix: Rc<str>,
    /// What stands in front of a method's name, for languages whose methods stand away from their type.
    class: Option<u32>,
    is_class: bool,
    is_function: bool,
    locals_before: usize,
    /// The last line of a block or nameless function; `None` where the scope is all of its symbol.
    until: Option<u32>,
}

/// A name that is a parameter or local variable here.
#[derive(Default)]
struct Local {
    /// Declarations that hold here; none where the name is local no more.
    count: u32,
    /// The place in the stack of scopes of the innermost one.
    scope: u32,
}

/// A run of comment and attribute lines, as candidate documentation for what follows.
#[derive(Default)]
struct Comment {
    start: usize,
    end: usize,
    last_row: usize,
    any: bool,
}

/// A decorator that waits for its definition.
pub(crate) struct Pending {
    pub(crate) name: String,
    pub(crate) qualifier: Option<String>,
    pub(crate) line: u32,
    pub(crate) arguments: Option<u16>,
}

/// How a definition is handed in.
pub(crate) struct Definition<'t, 'n> {
    /// The whole of it.
    pub(crate) node: Node<'t>,
    pub(crate) name: &'n str,
    /// Where the name stands.
    pub(crate) at: Node<'t>,
    pub(crate) kind: SymbolKind,
    /// Where the signature ends.
    pub(crate) body: Option<Node<'t>>,
}

pub(crate) struct Walk<'t> {
    pub(crate) text: &'t str,
    pub(crate) path: &'t str,
    pub(crate) test_file: bool,
    pub(crate) facts: FileFacts,
    pub(crate) parents: Vec<(Node<'t>, u8)>,
    cursor: TreeCursor<'t>,
    scopes: Vec<Scope>,
    locals: FxHashMap<&'t str, Local>,
    /// Local names in the order of their declarations, each with the scope of the declaration that it hides.
    declared: Vec<(&'t str, u32)>,
    consumed: FxHashSet<usize>,
    seen: FxHashSet<(ReferenceKind, u64)>,
    comment: Comment,
    /// Decorators and attributes waiting for their definition, and where the first begins.
    pub(crate) pending: Vec<Pending>,
    pub(crate) pending_row: Option<usize>,
    pending_end: usize,
    /// Names before this byte stand in the place of a type.
    pub(crate) type_end: usize,
    /// Names that the file lists as exported.
    pub(crate) listed: Option<FxHashSet<&'t str>>,
    /// References whose type was not yet seen: reference, name of the type.
    pub(crate) orphan_references: Vec<(usize, String)>,
    /// Methods whose type was not yet seen: symbol, name of the type.
    pub(crate) orphans: Vec<(u32, String)>,
    types: FxHashMap<String, u32>,
    /// Where functions begin that have a symbol already, by the name they are assigned to.
    pub(crate) taken: FxHashSet<usize>,
    /// Whatever a language needs to remember.
    pub(crate) flags: FxHashSet<&'t str>,
    limit: usize,
    errors: u32,
    has_errors: bool,
}

impl<'t> Walk<'t> {
    pub(crate) fn new(path: &'t str, text: &'t str, root: Node<'t>, facts: FileFacts, limits: &Limits) -> Walk<'t> {
        Walk {
            text,
            path,
            test_file: is_test_path(path),
            facts,
            parents: Vec::new(),
            cursor: root.walk(),
            scopes: vec![Scope {
                depth: usize::MAX,
                symbol: None,
                prefix: Rc::from(""),
                class: None,
                is_class: false,
                is_function: false,
                locals_before: 0,
                until: None,
            }],
            locals: FxHashMap::default(),
            declared: Vec::new(),
            consumed: FxHashSet::default(),
            seen: FxHashSet::default(),
            comment: Comment::default(),
            pending: Vec::new(),
            pending_row: None,
            pending_end: 0,
            type_end: 0,
            listed: None,
            orphans: Vec::new(),
            orphan_references: Vec::new(),
            types: FxHashMap::default(),
            taken: FxHashSet::default(),
            flags: FxHashSet::default(),
            limit: limits.facts,
            errors: 0,
            has_errors: root.has_error(),
        }
    }

    /// Visits every node; returns the facts and the number of places that did not parse.
    pub(crate) fn run(mut self, rules: &Rules, table: &[u8]) -> (FileFacts, u32) {
        let mut depth = 0;
        'pass: loop {
            let node = self.cursor.node();
            let kind = table.get(node.kind_id() as usize).copied().unwrap_or(0);
            if self.has_errors && (node.is_error() || node.is_missing()) {
                self.errors = (self.errors + 1).min(1000);
            }
            let step = if kind == 0 { Step::Into } else { (rules.enter)(&mut self, node, kind) };
            // A scope opened by `enter` belongs to this node, also where the node is not gone into.
            for scope in self.scopes.iter_mut().rev() {
                if scope.depth != OPENING {
                    break;
                }
                scope.depth = depth;
            }
            if step == Step::Into && self.cursor.goto_first_child() {
                self.parents.push((node, kind));
                depth += 1;
                continue;
            }
            loop {
                while self.scopes.last().is_some_and(|scope| scope.depth == depth) {
                    self.close();
                }
                if self.cursor.goto_next_sibling() {
                    break;
                }
                if !self.cursor.goto_parent() {
                    break 'pass;
                }
                self.parents.pop();
                depth -= 1;
            }
        }
        (rules.finish)(&mut self);
        self.adopt();
        (self.facts, if self.has_errors { self.errors.max(1) } else { 0 })
    }

    fn close(&mut self) {
        if let Some(scope) = self.scopes.pop() {
            for (name, before) in self.declared.drain(scope.locals_before..).rev() {
                if let Some(local) = self.locals.get_mut(name) {
                    local.count -= 1;
                    local.scope = before;
                }
            }
        }
    }

    /// Gives methods that were defined before their type its symbol as their parent.
    fn adopt(&mut self) {
        for (reference, name) in std::mem::take(&mut self.orphan_references) {
            if let (Some(fact), Some(symbol)) = (self.facts.references.get_mut(reference), self.types.get(&name)) {
                fact.inside = Some(*symbol);
            }
        }
        let found: Vec<(u32, u32)> = self
            .orphans
            .iter()
            .filter_map(|(symbol, name)| self.types.get(name.as_str()).map(|parent| (*symbol, *parent)))
            .collect();
        for (symbol, parent) in found {
            if symbol != parent {
                self.facts.symbols[symbol as usize].parent = Some(parent);
            }
        }
    }

    // ---- reading ----

    pub(crate) fn read(&self, node: Node<'t>) -> &'t str {
        self.slice(node.start_byte(), node.end_byte())
    }

    pub(crate) fn slice(&self, start: usize, end: usize) -> &'t str {
        self.text.get(start..end).unwrap_or("")
    }

    pub(crate) fn parent(&self) -> Option<Node<'t>> {
        self.parents.last().map(|(node, _)| *node)
    }

    /// The numbers of the enclosing nodes' kinds, nearest first, by the language's own numbering; 0 for kinds without one.
    pub(crate) fn parent_kind(&self, levels: usize) -> u8 {
        self.parents.len().checked_sub(levels + 1).map_or(0, |index| self.parents[index].1)
    }

    // ---- scopes ----

    /// The current node's inside belongs to `symbol`.
    pub(crate) fn open_symbol(&mut self, symbol: u32) {
        let fact = self.facts.symbols.get(symbol as usize);
        let (prefix, kind) =
            fact.map_or((Rc::from(""), SymbolKind::Variable), |fact| (Rc::from(fact.qualified.as_str()), fact.kind));
        let is_class = is_type(kind);
        let class = if is_class { Some(symbol) } else { self.scope().class };
        let symbol = fact.map(|_| symbol).or(self.inside());
        self.push(symbol, prefix, class, is_class, !is_class && kind != SymbolKind::Module);
    }

    /// The current node's inside belongs to the type `name`, whose symbol may stand anywhere in the file, or nowhere.
    pub(crate) fn open_type(&mut self, name: &str) {
        let prefix: Rc<str> = Rc::from(self.qualify(name));
        let symbol = self.type_named(&prefix);
        self.push(symbol.or(self.inside()), prefix, symbol, true, false);
        if symbol.is_none() {
            // Not the surrounding symbol's member either.
            if let Some(scope) = self.scopes.last_mut() {
                scope.class = None;
            }
        }
    }

    /// A nameless function, or a block whose names end with it.
    pub(crate) fn open_block(&mut self, is_function: bool) {
        let scope = self.scope();
        let (symbol, prefix, class) = (scope.symbol, scope.prefix.clone(), scope.class);
        let is_function = is_function || scope.is_function;
        self.push(symbol, prefix, class, false, is_function);
        let until = last_row(self.cursor.node()) as u32 + 1;
        if let Some(scope) = self.scopes.last_mut() {
            scope.until = Some(until);
        }
    }

    /// The current node's inside belongs to a module, whose functions are nobody's methods.
    pub(crate) fn open_module(&mut self, symbol: u32) {
        self.open_symbol(symbol);
        if let Some(scope) = self.scopes.last_mut() {
            scope.is_class = false;
        }
    }

    /// The current node's inside is the file's own, though it stands in a symbol: C#'s `namespace a.b { … }`.
    pub(crate) fn open_transparent(&mut self) {
        self.push(None, Rc::from(""), None, false, false);
    }

    /// The current node's inside belongs to a value with members; the functions in it are its methods.
    pub(crate) fn open_object(&mut self, symbol: u32) {
        let Some(fact) = self.facts.symbols.get(symbol as usize) else { return };
        let prefix = Rc::from(fact.qualified.as_str());
        self.push(Some(symbol), prefix, None, false, false);
    }

    /// The current node's inside belongs to what has this full name in the file so far; without such a symbol nothing changes.
    pub(crate) fn open_owner(&mut self, qualified: &str) {
        // Looking through all of them for each of a bundle's assignments would take minutes.
        if self.facts.symbols.len() > MOST_OWNERS {
            return;
        }
        let found = self.facts.symbols.iter().rposition(|one| one.qualified == qualified);
        let found = found.or_else(|| {
            let inner = self.qualify(qualified);
            self.facts.symbols.iter().rposition(|one| one.qualified == inner)
        });
        if let Some(symbol) = found {
            self.open_object(symbol as u32);
        }
    }

    fn push(&mut self, symbol: Option<u32>, prefix: Rc<str>, class: Option<u32>, is_class: bool, is_function: bool) {
        let locals_before = self.declared.len();
        let until = None;
        self.scopes.push(Scope { depth: OPENING, symbol, prefix, class, is_class, is_function, locals_before, until });
    }

    fn scope(&self) -> &Scope {
        // The bottom scope is never closed: its depth matches no node.
        &self.scopes[self.scopes.len() - 1]
    }

    pub(crate) fn inside(&self) -> Option<u32> {
        self.scope().symbol
    }

    /// The nearest enclosing type.
    pub(crate) fn class(&self) -> Option<u32> {
        self.scope().class
    }

    pub(crate) fn in_class(&self) -> bool {
        self.scope().is_class
    }

    pub(crate) fn in_function(&self) -> bool {
        self.scope().is_function
    }

    pub(crate) fn qualify(&self, name: &str) -> String {
        let prefix = &self.scope().prefix;
        // Nested ten thousand times over, the names around a name would take all memory there is.
        if prefix.is_empty() || prefix.len() > PREFIX_BYTES { name.to_owned() } else { format!("{prefix}.{name}") }
    }

    /// The first type of this full name so far.
    pub(crate) fn type_named(&self, qualified: &str) -> Option<u32> {
        self.types.get(qualified).copied()
    }

    /// Defines a member of the type `owner`, wherever the member stands: `func (c *Cart) Total()`, `Cart::total()`.
    pub(crate) fn define_member(&mut self, owner: &str, definition: Definition<'t, '_>) -> u32 {
        self.open_type(owner);
        let symbol = self.define(definition);
        self.close();
        symbol
    }

    /// A parameter or local variable, from here to the end of the innermost scope. Outside functions nothing is local.
    pub(crate) fn local(&mut self, name: &'t str) {
        if self.in_function() && !name.is_empty() && name != "_" {
            let scope = (self.scopes.len() - 1) as u32;
            let local = self.locals.entry(name).or_default();
            let hides = local.count > 0 && local.scope != scope;
            // Ruby's blocks share the names around them.
            if hides && self.facts.language == Language::Ruby {
                return;
            }
            let before = std::mem::replace(&mut local.scope, scope);
            local.count += 1;
            self.declared.push((name, before));
            // What is known of the name around this one is not known of it.
            if hides {
                let (at, inside) = (self.cursor.node(), self.inside());
                self.push_binding(name, String::new(), at, inside);
            }
        }
    }

    pub(crate) fn is_local(&self, name: &str) -> bool {
        self.locals.get(name).is_some_and(|local| local.count > 0)
    }

    /// Where a local name is declared in a block or nameless function, the last line of that.
    fn block_of(&self, name: &str) -> Option<u32> {
        let local = self.locals.get(name).filter(|local| local.count > 0)?;
        self.scopes.get(local.scope as usize)?.until
    }

    // ---- facts ----

    /// Records a definition and returns its number; the caller opens a scope for its inside.
    pub(crate) fn define(&mut self, definition: Definition<'t, '_>) -> u32 {
        let Definition { node, name, at, kind, body } = definition;
        if self.facts.symbols.len() >= self.limit {
            self.pending.clear();
            self.pending_row = None;
            return u32::MAX;
        }
        self.consume(at);
        // Attributes of something that is no symbol do not wait for the next one.
        if self.pending_end + 3 < node.start_position().row {
            self.pending.clear();
            self.pending_row = None;
        }
        let first_row = self.pending_row.unwrap_or(usize::MAX).min(node.start_position().row);
        let documentation = self.documentation(first_row);
        let scope = self.scope();
        let is_class_scope = scope.is_class;
        let parent = if is_class_scope { scope.class } else { scope.symbol };
        let orphan = (is_class_scope && scope.class.is_none()).then(|| scope.prefix.to_string());
        let index = self.facts.symbols.len() as u32;
        let qualified = self.qualify(name);
        if is_type(kind) {
            self.types.entry(qualified.clone()).or_insert(index);
        }
        self.facts.symbols.push(SymbolFact {
            name: name.to_owned(),
            qualified,
            kind,
            lines: (first_row as u32 + 1, last_row(node) as u32 + 1),
            name_line: line(at),
            signature: self.signature(node, body, kind),
            documentation,
            parent,
            exported: None,
            test: false,
            returns: None,
        });
        if let Some(owner) = orphan {
            self.orphans.push((index, owner));
        }
        self.pending_row = None;
        for Pending { name, qualifier, line, arguments } in std::mem::take(&mut self.pending) {
            let root = qualifier.as_deref().map_or(name.as_str(), root_of);
            let (local, block) = (self.is_local(root), self.block_of(root));
            self.push_reference(ReferenceFact {
                kind: ReferenceKind::Decorate,
                name,
                qualifier,
                line,
                inside: Some(index),
                arguments,
                local,
                block,
            });
        }
        index
    }

    pub(crate) fn symbol(&mut self, index: u32) -> Option<&mut SymbolFact> {
        self.facts.symbols.get_mut(index as usize)
    }

    /// The symbol defined last.
    pub(crate) fn last_symbol(&mut self) -> Option<&mut SymbolFact> {
        self.facts.symbols.last_mut()
    }

    /// The symbol defined last belongs to `owner`, wherever it stands: `Foo.prototype.bar = …`.
    pub(crate) fn rename_last(&mut self, qualified: String, owner: &str) {
        let Some(index) = self.facts.symbols.len().checked_sub(1) else { return };
        let parent = self.facts.symbols[..index].iter().position(|one| one.qualified == owner).map(|at| at as u32);
        let fact = &mut self.facts.symbols[index];
        fact.qualified.clone_from(&qualified);
        if parent.is_some() {
            fact.parent = parent;
        }
        if let Some(scope) = self.scopes.last_mut()
            && scope.symbol == Some(index as u32)
        {
            scope.prefix = Rc::from(qualified);
            scope.class = parent;
        }
    }

    fn signature(&self, node: Node<'t>, body: Option<Node<'t>>, kind: SymbolKind) -> String {
        let start = node.start_byte();
        let end = body.map_or(node.end_byte(), |body| body.start_byte()).max(start);
        let source = self.text.as_bytes();
        let end = end.min(start + 4 * SIGNATURE_CHARS).min(source.len());
        let mut end = (start..=end).rev().find(|at| self.text.is_char_boundary(*at)).unwrap_or(start);
        let callable = matches!(
            kind,
            SymbolKind::Function
                | SymbolKind::Method
                | SymbolKind::Constructor
                | SymbolKind::Property
                | SymbolKind::Macro
        );
        if body.is_none() && !callable {
            end = self.slice(start, end).find('\n').map_or(end, |offset| start + offset);
        }
        let text = squeeze(self.slice(start, end), SIGNATURE_CHARS);
        let trimmed = text.trim_end_matches(['{', ':', '=', ';', ' ', ',']);
        trimmed.strip_suffix("=>").map_or(trimmed, str::trim_end).to_owned()
    }

    /// A use of a name that stands at `at`.
    pub(crate) fn refer(
        &mut self,
        kind: ReferenceKind,
        name: &str,
        qualifier: Option<String>,
        at: Node<'t>,
        arguments: Option<u16>,
    ) {
        self.refer_in(kind, name, qualifier, at, arguments, self.inside());
    }

    pub(crate) fn refer_in(
        &mut self,
        kind: ReferenceKind,
        name: &str,
        qualifier: Option<String>,
        at: Node<'t>,
        arguments: Option<u16>,
        inside: Option<u32>,
    ) {
        self.consume(at);
        if name.is_empty() || name.len() > 200 {
            return;
        }
        let root = qualifier.as_deref().map_or(name, root_of);
        let (local, block) = (self.is_local(root), self.block_of(root));
        if matches!(kind, ReferenceKind::Reference | ReferenceKind::TypeUse) {
            use std::hash::{BuildHasher, BuildHasherDefault};
            let hasher = BuildHasherDefault::<rustc_hash::FxHasher>::default();
            if !self.seen.insert((kind, hasher.hash_one((name, &qualifier, inside)))) {
                return;
            }
        }
        let line = line(at);
        let name = name.to_owned();
        self.push_reference(ReferenceFact { kind, name, qualifier, line, inside, arguments, local, block });
    }

    fn push_reference(&mut self, fact: ReferenceFact) {
        if self.facts.references.len() < self.limit {
            self.facts.references.push(fact);
        }
    }

    /// A use of `name`, with what stands before it as a node.
    pub(crate) fn refer_member(
        &mut self,
        kind: ReferenceKind,
        receiver: Option<Node<'t>>,
        name: Node<'t>,
        arguments: Option<Node<'t>>,
    ) {
        let qualifier = receiver.map(|receiver| self.receiver(receiver));
        let count = arguments.map(count);
        self.refer(kind, self.read(name), qualifier, name, count);
    }

    /// A path in one text: `a.b.C`, `a::b<T>`, `\a\b`, as base class, attribute or type. Returns whether it was one.
    pub(crate) fn refer_path(
        &mut self,
        kind: ReferenceKind,
        node: Node<'t>,
        inside: Option<u32>,
        arguments: Option<u16>,
    ) -> bool {
        let Some((qualifier, name)) = split_path(self.read(node)) else { return false };
        self.refer_in(kind, &name, qualifier, node, arguments, inside);
        true
    }

    /// A name as a value, unless it was taken already or is local.
    pub(crate) fn refer_value(&mut self, node: Node<'t>) {
        if self.consumed.contains(&node.start_byte()) {
            return;
        }
        let name = self.read(node);
        let typed = node.start_byte() < self.type_end;
        if !typed && self.is_local(name) {
            return;
        }
        let kind = if typed { ReferenceKind::TypeUse } else { ReferenceKind::Reference };
        self.refer(kind, name, None, node, None);
    }

    /// `receiver.name` as a value, unless it was taken already.
    pub(crate) fn refer_member_value(&mut self, receiver: Node<'t>, name: Node<'t>) {
        if self.consumed.contains(&name.start_byte()) {
            return;
        }
        let kind = if name.start_byte() < self.type_end { ReferenceKind::TypeUse } else { ReferenceKind::Reference };
        self.refer_member(kind, Some(receiver), name, None);
    }

    pub(crate) fn import(
        &mut self,
        module: &str,
        name: Option<&str>,
        alias: Option<&str>,
        at: Node<'t>,
        reexport: bool,
    ) {
        self.consume(at);
        if self.facts.imports.len() < self.limit && !(module.is_empty() && name.is_none()) && module.len() <= 500 {
            self.facts.imports.push(ImportFact {
                module: module.to_owned(),
                name: name.map(str::to_owned),
                alias: alias.map(str::to_owned),
                line: line(at),
                inside: self.inside(),
                reexport,
                conditional: false,
            });
        }
    }

    /// What a variable or parameter is, in the enclosing symbol.
    pub(crate) fn bind(&mut self, name: &str, of: Option<String>, at: Node<'t>) {
        self.bind_in(name, of, at, self.inside());
    }

    /// What the field `name` of the nearest type is.
    pub(crate) fn bind_field(&mut self, name: &str, of: Option<String>, at: Node<'t>) {
        // `self.session = session`: what is known of the parameter is known of the field, and only here.
        let of = of.map(|of| match of.strip_prefix('=') {
            Some(source) if !source.contains('.') => {
                let inside = self.inside();
                let known = self
                    .facts
                    .bindings
                    .iter()
                    .rev()
                    .take_while(|one| one.inside == inside || one.name.starts_with("self."));
                known
                    .filter(|one| one.inside == inside)
                    .find(|one| one.name == source && !one.of.is_empty())
                    .map_or(of.clone(), |one| one.of.clone())
            }
            _ => of,
        });
        self.bind_in(&format!("self.{name}"), of, at, self.class().or(self.inside()));
    }

    pub(crate) fn bind_in(&mut self, name: &str, of: Option<String>, at: Node<'t>, inside: Option<u32>) {
        if let Some(of) = of.filter(|of| !of.is_empty()) {
            self.push_binding(name, of, at, inside);
        }
    }

    fn push_binding(&mut self, name: &str, of: String, at: Node<'t>, inside: Option<u32>) {
        if self.facts.bindings.len() < self.limit && !name.is_empty() && name.len() <= 200 {
            let until = if inside == self.inside() { self.block_of(name) } else { None };
            self.facts.bindings.push(BindingFact { name: name.to_owned(), of, inside, line: line(at), until });
        }
    }

    /// An annotation as written.
    pub(crate) fn type_text(&self, node: Node<'t>) -> Option<String> {
        let text = self.read(node).trim_start_matches([':', ' ', '\n']).trim();
        let text = text.strip_prefix("->").unwrap_or(text).trim();
        let quoted = text.len() > 2
            && (text.starts_with('"') && text.ends_with('"') || text.starts_with('\'') && text.ends_with('\''));
        let text = if quoted { &text[1..text.len() - 1] } else { text };
        (!text.is_empty()).then(|| squeeze(text, TYPE_CHARS))
    }

    /// What a value is, where it is a call or a path: `Session()`, `=self.session`.
    pub(crate) fn value_text(&self, node: Node<'t>) -> Option<String> {
        let text = self.read(node).trim();
        let text = text.strip_prefix("await ").unwrap_or(text).trim_start();
        let is_new = text.starts_with("new ");
        let mut path = normal_path(if is_new { before_initializer(text) } else { text });
        if path.starts_with('(') || path.len() > TYPE_CHARS {
            return None;
        }
        if path.ends_with("()") {
            return Some(path);
        }
        if is_new {
            path.push_str("()");
            return Some(path);
        }
        Some(format!("={path}"))
    }

    /// The receiver of a member, normalised.
    pub(crate) fn receiver(&mut self, node: Node<'t>) -> String {
        // Only a bare name: a path or a call begins at the same byte as its first name.
        if node.named_child_count() == 0 {
            self.consume(node);
        }
        normal_path(self.read(node))
    }

    /// Marks the name at a node as dealt with.
    pub(crate) fn consume(&mut self, node: Node<'t>) {
        self.consumed.insert(node.start_byte());
    }

    pub(crate) fn is_consumed(&self, node: Node<'t>) -> bool {
        self.consumed.contains(&node.start_byte())
    }

    /// The file lists the name at this node as exported.
    pub(crate) fn list_export(&mut self, node: Node<'t>) {
        let name = self.read(node);
        self.listed.get_or_insert_default().insert(name);
    }

    /// Everything in the node stands in the place of a type.
    pub(crate) fn types(&mut self, node: Node<'t>) {
        self.type_end = self.type_end.max(node.end_byte());
    }

    // ---- documentation ----

    /// A comment; those on adjacent lines are one.
    pub(crate) fn comment(&mut self, node: Node<'t>) {
        let row = node.start_position().row;
        let (start, end) = (node.start_byte(), node.end_byte());
        // Behind code it belongs to that code.
        let line_start = self.text.as_bytes()[..start].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        if !self.slice(line_start, start).trim().is_empty() {
            return;
        }
        // A `/** … */` stands for itself; only comments of single lines run on.
        let block = self.text.as_bytes()[start..].starts_with(b"/*");
        let runs_on = self.comment.any && row <= self.comment.last_row + 1 && !block;
        if !runs_on {
            self.comment.start = start;
            self.comment.any = true;
        }
        self.comment.end = end;
        self.comment.last_row = last_row(node);
    }

    /// Documentation that is code: Elixir's `@doc "…"`.
    pub(crate) fn text_comment(&mut self, node: Node<'t>) {
        let text = self.read(node);
        let quote = text.find('"').map_or(text.len(), |at| at);
        self.comment =
            Comment { start: node.start_byte() + quote, end: node.end_byte(), last_row: last_row(node), any: true };
    }

    /// A line of code between documentation and its definition: Elixir's `@spec`.
    pub(crate) fn attribute_line(&mut self, node: Node<'t>) {
        if self.comment.any && node.start_position().row <= self.comment.last_row + 1 {
            self.comment.last_row = last_row(node);
        }
    }

    /// An attribute between a comment and its definition.
    pub(crate) fn attribute(&mut self, node: Node<'t>) {
        let row = node.start_position().row;
        if self.comment.any && row <= self.comment.last_row + 1 {
            self.comment.last_row = last_row(node);
        }
        self.pending_row = Some(self.pending_row.unwrap_or(row).min(row));
        self.pending_end = last_row(node);
    }

    fn documentation(&mut self, row: usize) -> String {
        let comment = &self.comment;
        if !comment.any || row > comment.last_row + 1 {
            return String::new();
        }
        let text = self.slice(comment.start, comment.end);
        self.comment.any = false;
        first_sentence(text)
    }

    /// The first sentence of a text that stands inside the definition.
    pub(crate) fn set_documentation(&mut self, symbol: u32, text: &str) {
        let sentence = first_sentence(text);
        if let Some(fact) = self.symbol(symbol)
            && !sentence.is_empty()
        {
            fact.documentation = sentence;
        }
    }
}

/// Marks a scope that `enter` has just opened.
const OPENING: usize = usize::MAX - 1;

pub(crate) fn is_type(kind: SymbolKind) -> bool {
    matches!(
        kind,
        SymbolKind::Class
            | SymbolKind::Struct
            | SymbolKind::Interface
            | SymbolKind::Trait
            | SymbolKind::Enum
            | SymbolKind::Type
    )
}

pub(crate) fn line(node: Node<'_>) -> u32 {
    node.start_position().row as u32 + 1
}

/// The row of the last character: a node that ends with its line break ends on that line.
fn last_row(node: Node<'_>) -> usize {
    let (start, end) = (node.start_position(), node.end_position());
    if end.column == 0 && end.row > start.row { end.row - 1 } else { end.row }
}

/// The arguments written in a list.
pub(crate) fn count(arguments: Node<'_>) -> u16 {
    // A comment between arguments is none.
    let comments = children(arguments).iter().filter(|part| part.kind().contains("comment")).count();
    u16::try_from(arguments.named_child_count() - comments).unwrap_or(u16::MAX)
}

pub(crate) fn child<'t>(node: Node<'t>, field: &str) -> Option<Node<'t>> {
    node.child_by_field_name(field)
}

/// The named children; only for nodes with few of them.
pub(crate) fn children<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).collect()
}

/// The first named child of a kind.
pub(crate) fn child_of<'t>(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).find(|child| child.kind() == kind)
}

/// Whether the node has a child token of this text before its name: `static`, `async`, `default`.
pub(crate) fn has_token(node: Node<'_>, token: &str) -> bool {
    let mut cursor = node.walk();
    node.children(&mut cursor).take(12).any(|child| child.kind() == token)
}

/// The first part of a path: `session` of `session.get()`.
pub(crate) fn root_of(path: &str) -> &str {
    let end = path.find(['.', ':', '(', '-', '\\']).unwrap_or(path.len());
    &path[..end]
}

fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '#' | '@' | '\\')
}

/// `self.session`, `make_app()`, `a::b`; `(literal)` or `(expr)` for anything that is no chain of names and calls.
pub(crate) fn normal_path(text: &str) -> String {
    let expression = || "(expr)".to_owned();
    if text.len() > PATH_BYTES {
        return expression();
    }
    // Kotlin's grammar takes the `!` of `!store.save()` for a part of the receiver.
    let text = text.trim().trim_start_matches('!');
    let text = text.strip_prefix("new ").unwrap_or(text).trim_start();
    match text.chars().next() {
        None => return expression(),
        Some(c) if matches!(c, '"' | '\'' | '`' | '[' | '{') || c.is_ascii_digit() => return "(literal)".to_owned(),
        // The prefixed strings of Python: f"…", rb'…'.
        Some(c) if c.is_ascii_alphabetic() => {
            let rest = text.trim_start_matches(|c: char| c.is_ascii_alphabetic());
            if text.len() - rest.len() <= 2 && rest.starts_with(['"', '\'']) {
                return "(literal)".to_owned();
            }
        }
        Some(_) => {}
    }
    let mut out = String::with_capacity(text.len().min(64));
    let mut rest = text;
    let mut gap = false;
    while let Some(c) = rest.chars().next() {
        let mut taken = c.len_utf8();
        if is_name_char(c) {
            if gap && out.ends_with(is_name_char) {
                return expression();
            }
            out.push(c);
        } else if c.is_whitespace() {
            gap = true;
            rest = &rest[taken..];
            continue;
        } else if c == '.' || c == ':' {
            out.push(c);
        } else if rest.starts_with("->") {
            out.push_str("->");
            taken = 2;
        } else if (c == '?' || c == '!' || c == '&') && !out.is_empty() {
            // `a?.b`, `a!.b`, `a&.b`, `a?->b`.
            let next = &rest[1..];
            if !(next.is_empty() || next.trim_start().starts_with(['.', '-', ':'])) {
                return expression();
            }
        } else if c == '(' && !out.is_empty() && !out.ends_with('.') {
            match closing(rest) {
                Some(end) => {
                    out.push_str("()");
                    taken = end + 1;
                }
                None => return expression(),
            }
        } else if c == '<' && !out.is_empty() {
            match closing(rest) {
                Some(end) => {
                    if out.ends_with("::") {
                        out.truncate(out.len() - 2);
                    }
                    taken = end + 1;
                }
                None => return expression(),
            }
        } else {
            return expression();
        }
        gap = false;
        rest = &rest[taken..];
    }
    if out.is_empty() || out.len() > SIGNATURE_CHARS { expression() } else { out }
}

/// The byte of the bracket that closes the one at the start.
fn closing(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (open, close) = match bytes.first()? {
        b'(' => (b'(', b')'),
        b'<' => (b'<', b'>'),
        _ => (b'[', b']'),
    };
    let mut depth = 0usize;
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        if open == b'<' {
            // Type arguments hold no operators.
            if matches!(byte, b';' | b'{' | b'"') {
                return None;
            }
            if byte == b'>' && at > 0 && matches!(bytes[at - 1], b'-' | b'=') {
                at += 1;
                continue;
            }
        }
        match byte {
            b'"' | b'`' if open == b'(' => {
                let mut end = at + 1;
                while end < bytes.len() && bytes[end] != byte {
                    end += if bytes[end] == b'\\' { 2 } else { 1 };
                }
                at = end;
            }
            // An apostrophe is a text only where another closes it on the line; lifetimes and prime marks are not.
            b'\'' if open == b'(' => {
                let mut end = at + 1;
                while end < bytes.len() && bytes[end] != b'\'' && bytes[end] != b'\n' {
                    end += if bytes[end] == b'\\' { 2 } else { 1 };
                }
                if end < bytes.len() && bytes[end] == b'\'' {
                    at = end;
                }
            }
            _ if byte == open => depth += 1,
            _ if byte == close => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// A path of names, split before its last: `a.b.C` is (`a.b`, `C`). Type arguments and calls are left out.
pub(crate) fn split_path(text: &str) -> Option<(Option<String>, String)> {
    // `Shop[T]`, `Cart[int].Item`: the arguments of a type are not part of its path.
    let text = text.find('[').filter(|_| text.ends_with(']')).map_or(text, |at| &text[..at]);
    let path = normal_path(text.trim_start_matches(['&', '*', '~', '?']));
    if path.starts_with('(') {
        return None;
    }
    let path = path.trim_end_matches("()");
    let cut = path.rfind(['.', ':', '>', '\\']);
    let (before, name) = cut.map_or(("", path), |at| (&path[..at], &path[at + 1..]));
    let before = before.trim_end_matches(['.', ':', '-', '\\']);
    if name.is_empty() {
        return None;
    }
    Some(((!before.is_empty()).then(|| before.to_owned()), name.to_owned()))
}

/// White space squeezed, at most `limit` characters.
pub(crate) fn squeeze(text: &str, limit: usize) -> String {
    let mut out = String::with_capacity(text.len().min(limit));
    let mut chars = 0;
    for word in text.split_whitespace() {
        if !out.is_empty() {
            // A line break after an opening or before a closing bracket is layout, not a space.
            let glued = out.ends_with(['(', '[']) || word.starts_with([')', ']', ',']);
            if !glued {
                out.push(' ');
                chars += 1;
            }
        }
        for c in word.chars() {
            if chars >= limit {
                return out;
            }
            out.push(c);
            chars += 1;
        }
    }
    out
}

/// The first sentence of a comment or docstring, without its marks.
pub(crate) fn first_sentence(text: &str) -> String {
    let mut out = String::new();
    for raw in text.lines().take(40) {
        let mut line = raw.trim();
        for mark in [
            "/**", "/*!", "/*", "///", "//!", "//", "--[[", "---", "--", "#'", "##", "#!", "#=", "\"\"\"", "'''", ";;",
            "<!--",
        ] {
            if let Some(stripped) = line.strip_prefix(mark) {
                line = stripped;
                break;
            }
        }
        line = line.trim_start_matches(['*', '#', '/', '"']).trim();
        for mark in ["*/", "\"\"\"", "'''", "-->", "]]", "=#"] {
            line = line.strip_suffix(mark).map_or(line, str::trim_end);
        }
        // `<summary>` of C#, `<p>` of Java.
        let line = line.trim_start_matches("<summary>").trim_end_matches("</summary>").trim();
        if line.is_empty() || line.chars().all(|c| !c.is_alphanumeric()) {
            if out.is_empty() {
                continue;
            }
            break;
        }
        if (line.starts_with('@') || line.starts_with(':')) && !out.is_empty() {
            break;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(line);
        if sentence_end(&out).is_some() || out.len() > SIGNATURE_CHARS {
            break;
        }
    }
    if let Some(end) = sentence_end(&out) {
        out.truncate(end);
    }
    squeeze(&out, SIGNATURE_CHARS)
}

/// `new Line { Price = 1 }` without what stands in the braces.
fn before_initializer(text: &str) -> &str {
    let mut depth = 0;
    for (at, byte) in text.bytes().take(PATH_BYTES).enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            b'{' if depth == 0 => return text[..at].trim_end(),
            _ => {}
        }
    }
    text
}

fn sentence_end(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    (1..bytes.len()).find_map(|at| {
        let stop = matches!(bytes[at], b'.' | b'!' | b'?');
        let ended = at + 1 == bytes.len() || bytes[at + 1] == b' ';
        // "e.g. this" is no end; a sentence goes on with a capital letter.
        let next = bytes.get(at + 2).copied();
        let capital = next.is_none_or(|byte| !byte.is_ascii_lowercase());
        (stop && ended && capital).then_some(at + 1)
    })
}

/// Whether a file holds tests, by its path.
pub(crate) fn is_test_path(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let (directories, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    let stem = name.split('.').next().unwrap_or(name);
    directories.split('/').any(|part| {
        matches!(
            part,
            "test" | "tests" | "testing" | "spec" | "specs" | "__tests__" | "testsuite" | "unittest" | "unittests"
        ) || part.ends_with("-tests")
            || part.ends_with(".tests")
            || part.ends_with("_tests")
    }) || stem.starts_with("test_")
        || stem.ends_with("_test")
        || stem.ends_with("_spec")
        || stem == "conftest"
        || name.contains(".test.")
        || name.contains(".spec.")
        || stem.ends_with("test") && name.ends_with(".java")
        || stem.ends_with("tests") && !name.ends_with(".py")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_chains_of_names_and_calls() {
        for (written, path) in [
            ("self.session", "self.session"),
            ("make_app(1, \")\")", "make_app()"),
            ("client\n    .get( x )\n    .send", "client.get().send"),
            ("new Foo(1)", "Foo()"),
            ("a?.b!.c", "a.b.c"),
            ("Foo::<u8>::bar", "Foo::bar"),
            ("Cart<int, List<T>>::total", "Cart::total"),
            ("it->next", "it->next"),
            ("$this?->x", "$this->x"),
            ("@client&.get", "@client.get"),
            ("!store", "store"),
            ("\", \"", "(literal)"),
            ("rb'x'", "(literal)"),
            ("[1, 2]", "(literal)"),
            ("3", "(literal)"),
            ("(a + b)", "(expr)"),
            ("a[0].b", "(expr)"),
            ("a b", "(expr)"),
            ("a < b", "(expr)"),
            ("f(", "(expr)"),
            ("", "(expr)"),
        ] {
            assert_eq!(path, normal_path(written), "{written}");
        }
        assert_eq!("(expr)", normal_path(&"a.".repeat(2000)), "an endless chain costs nothing");
    }

    #[test]
    fn a_path_splits_before_its_last_name() {
        let split = |text| split_path(text).map(|(before, name)| (before.unwrap_or_default(), name));
        let pair = |before: &str, name: &str| Some((before.to_owned(), name.to_owned()));
        assert_eq!(pair("a.b", "C"), split("a.b.C"));
        assert_eq!(pair("std", "vector"), split("std::vector<Item>"));
        assert_eq!(pair("", "Item"), split("*Item"));
        assert_eq!(pair("http", "Client"), split("*http.Client"));
        assert_eq!(pair("", "Shop"), split("Shop[T]"));
        assert_eq!(pair("\\Q", "Other"), split("\\Q\\Other"));
        assert_eq!(None, split("(a, b)"));
    }

    #[test]
    fn documentation_is_the_first_sentence_without_marks() {
        for (written, sentence) in [
            ("/** The box. More. */", "The box."),
            ("/**\n * Sums e.g. carts.\n * @return x\n */", "Sums e.g. carts."),
            ("/// A cart\n/// of things.\n///\n/// More.", "A cart of things."),
            ("# Doc", "Doc"),
            ("-- Carts! All.", "Carts!"),
            ("/// <summary>Doc</summary>", "Doc"),
            ("\n\n  Does it.\n\n  More.", "Does it."),
            ("// ----", ""),
        ] {
            assert_eq!(sentence, first_sentence(written), "{written}");
        }
    }

    #[test]
    fn test_files_by_their_path() {
        for path in
            ["tests/a.py", "src/test_a.py", "a_test.go", "x/a.spec.ts", "src/test/java/CartTest.java", "__tests__/a.js"]
        {
            assert!(is_test_path(path), "{path}");
        }
        for path in ["src/contest.py", "latest.py", "src/attest/a.py", "src/Cart.java"] {
            assert!(!is_test_path(path), "{path}");
        }
    }
}
