//! What an expression as written stands for, and what calls, variables and members give.

use std::borrow::Cow;

use rustc_hash::FxHashSet;

use crate::extract::packed::{Binding, File, NONE, key_of};
use crate::extract::{RETURNED, SymbolKind};
use crate::ids::{FileId, NameKey, SymbolId};
use crate::store::resolution;

use super::semantics::{Receiver, Written};
use super::text::parts_of;
use super::trail::Followed;
use super::{DEPTH, Here, MOST_COMPARED, Project, Resolution, Trail, Value, is_callable, is_type};

/// Bindings of one name that are looked at.
const MOST_BINDINGS: usize = 6;

impl<'a> Project<'a> {
    /// The value of a path in a file: `qualifier` and then `name`.
    #[expect(clippy::too_many_arguments, reason = "the parts of one reference")]
    pub(super) fn path(
        &self,
        trail: &mut Trail,
        file: FileId,
        inside: u32,
        facts: &File<'a>,
        qualifier: u32,
        name: u32,
        local: bool,
        depth: u32,
    ) -> (Value, Resolution) {
        let text = facts.string(name);
        let (clean, key) = match text.split_once(['<', '[']) {
            Some((clean, _)) => (clean, key_of(clean)),
            None => (text, facts.keys[name as usize]),
        };
        if qualifier == NONE {
            return self.lookup(trail, file, inside, key, clean, local, depth);
        }
        let (receiver, resolution) = self.evaluate(trail, file, inside, facts.string(qualifier), local, depth + 1);
        let (value, more) = self.member(trail, receiver, key, clean, depth + 1);
        (value, resolution.max(more))
    }

    /// The value of an expression as written.
    pub(super) fn evaluate(
        &self,
        trail: &mut Trail,
        file: FileId,
        inside: u32,
        text: &str,
        local: bool,
        depth: u32,
    ) -> (Value, Resolution) {
        if depth > DEPTH || !trail.step() {
            return (Value::Unknown, 0);
        }
        if text.starts_with("(literal)") {
            return (Value::External, 0);
        }
        if text.starts_with("(expr)") {
            return (Value::Unknown, 0);
        }
        let text = text.trim_start_matches("await ").trim_start_matches(['*', '&']);
        let parts = parts_of(text);
        let Some(&(first, called)) = parts.first() else { return (Value::Unknown, 0) };
        let semantics = self.semantics(file);
        let first_name = first.split(['<', '[']).next().unwrap_or(first);
        let key = key_of(first_name);
        let absolute = text.starts_with("::") || text.starts_with('\\');
        let mut rest = 1;
        let written = Written { text, parts: &parts, first: first_name };
        let start = self.start_of_path(trail, file, inside, &written, &mut rest, depth);
        let (mut value, mut resolution) = start.unwrap_or_else(|| {
            self.lookup(trail, file, if absolute { NONE } else { inside }, key, first_name, local, depth)
        });
        // A dotted module path may be longer than the modules it goes through: `import a.b.c`.
        if semantics.dotted_imports && value == Value::Unknown && !local && parts.len() > 1 {
            (value, resolution) = self.dotted_module(file, inside, &parts, &mut rest);
        }
        if semantics.full_module_names
            && value == Value::Unknown
            && let Some(module) = self.module_by_full_name(trail, text)
        {
            return (Value::Symbol(module), resolution::IMPORT);
        }
        if called {
            value = self.called(trail, value, depth + 1);
        } else if rest <= parts.len() && parts.len() > 1 {
            value = self.held(trail, value, depth + 1);
        }
        for (index, &(part, called)) in parts.iter().enumerate().skip(rest) {
            let name = part.split(['<', '[']).next().unwrap_or(part);
            let key = key_of(name);
            let receiver = value;
            let (next, more) = self.member(trail, value, key, name, depth + 1);
            value = next;
            resolution = resolution.max(more);
            if value == Value::Unknown || value == Value::External {
                let so_far = if index == rest { first_name } else { "" };
                let receiver = Receiver { value: receiver, text: so_far };
                if let Some((found, more)) = self.by_custom(trail, file, inside, receiver, name, called, depth) {
                    value = found;
                    resolution = resolution.max(more);
                    continue;
                }
                return (value, resolution);
            }
            if called {
                value = self.called(trail, value, depth + 1);
            } else if index + 1 < parts.len() {
                value = self.held(trail, value, depth + 1);
            }
        }
        // What is asked for is what stands before a member.
        (self.held(trail, value, depth + 1), resolution)
    }

    /// The member `key` of a value.
    pub(super) fn member(
        &self,
        trail: &mut Trail,
        value: Value,
        key: NameKey,
        name: &str,
        depth: u32,
    ) -> (Value, Resolution) {
        if depth > DEPTH || !trail.step() {
            return (Value::Unknown, 0);
        }
        match value {
            Value::Unknown | Value::External => (value, 0),
            Value::Made(function) => {
                match self.bound(trail, function, key_of(&format!("{RETURNED}.{name}")), depth + 1) {
                    Some(value) => (value, 0),
                    None => match self.scope(trail, function, key).last() {
                        Some(&member) if is_callable(self.kind(member)) => (Value::Symbol(member), 0),
                        _ => (Value::Unknown, 0),
                    },
                }
            }
            Value::Module(_) => self.member_once(trail, value, key, name, depth),
            Value::Symbol(symbol) if self.kind_of(symbol) == SymbolKind::Module && !self.is_file(symbol) => {
                self.member_once(trail, value, key, name, depth)
            }
            Value::Symbol(symbol) if is_type(self.kind(symbol)) => match self.class_member(trail, value, key) {
                Some(member) => (Value::Symbol(member), 0),
                None => (self.field(trail, symbol, key, depth).unwrap_or(Value::External), 0),
            },
            Value::Symbol(_) => match self.held(trail, value, depth + 1) {
                Value::Symbol(symbol) if Value::Symbol(symbol) == value => {
                    // A property of a function or an object literal.
                    match self.scope(trail, symbol, key).last() {
                        Some(&member) => (Value::Symbol(member), 0),
                        None => match self.decorated(trail, symbol, depth + 1) {
                            Value::Symbol(_) | Value::Unknown => (Value::Unknown, 0),
                            made => self.member(trail, made, key, name, depth + 1),
                        },
                    }
                }
                held => self.member(trail, held, key, name, depth + 1),
            },
            Value::Instance(class) | Value::Super(class) => match self.class_member(trail, value, key) {
                Some(member) => (Value::Symbol(member), 0),
                None => (self.field(trail, class, key, depth).unwrap_or(Value::External), 0),
            },
        }
    }

    /// What the decorators of a function made of it, as far as they say.
    pub(super) fn decorated(&self, trail: &mut Trail, symbol: SymbolId, depth: u32) -> Value {
        let file = self.file_of[symbol.index()];
        let facts = self.facts.file(file);
        for &number in self.decorators(symbol) {
            let reference = &facts.references[number as usize];
            let around = self.fact(symbol).map_or(NONE, |(_, fact)| fact.parent);
            let (value, _) =
                self.path(trail, file, around, facts, reference.qualifier, reference.name, false, depth + 1);
            let made = self.called(trail, value, depth + 1);
            if matches!(made, Value::Instance(_)) {
                return made;
            }
        }
        Value::Unknown
    }

    /// What a variable, parameter or field holds, by what is said where it is bound.
    pub(super) fn bound(&self, trail: &mut Trail, scope: SymbolId, key: NameKey, depth: u32) -> Option<Value> {
        let bindings = self.bindings(trail, scope, key);
        if bindings.is_empty() {
            return None;
        }
        let file = self.file_of[scope.index()];
        let facts = self.facts.file(file);
        let bindings = self.meant(trail, scope, file, facts, bindings);
        if bindings.is_empty() {
            return None;
        }
        let mut unknown = false;
        let mut outside = false;
        for &number in bindings.iter().take(MOST_BINDINGS) {
            let Some(binding) = facts.bindings.get(number as usize) else { continue };
            // Another variable of the name, of which nothing is known.
            if facts.string(binding.of).is_empty() {
                if bindings.len() == 1 || trail.here.file == file {
                    unknown = !outside;
                    break;
                }
                continue;
            }
            match self.binding_value(trail, file, number, binding, depth) {
                Value::Unknown => unknown = true,
                Value::External => outside = true,
                value => return Some(value),
            }
        }
        Some(if unknown || !outside { Value::Unknown } else { Value::External })
    }

    /// What is said of a name in a scope, first what counts where it is read: in the innermost block, the last before that line.
    pub(super) fn meant<'b>(
        &self,
        trail: &mut Trail,
        scope: SymbolId,
        file: FileId,
        facts: &File<'a>,
        bindings: &'b [u32],
    ) -> Cow<'b, [u32]> {
        let here = trail.here;
        if here.file != file || here.line == 0 || is_type(self.kind(scope)) {
            return Cow::Borrowed(bindings);
        }
        let of = |number: u32| facts.bindings.get(number as usize);
        let in_blocks = bindings.iter().any(|&number| of(number).is_some_and(|one| one.until != 0));
        if bindings.len() == 1 && !in_blocks {
            return Cow::Borrowed(bindings);
        }
        let ordered = match self.fact(scope) {
            Some((_, fact)) => (fact.lines.0..=fact.lines.1).contains(&here.line),
            None => here.top,
        };
        if !ordered && !in_blocks {
            return Cow::Borrowed(bindings);
        }
        let visible = |one: &Binding| match one.until {
            0 => here.outer,
            until if here.outer && here.block != 0 => until >= here.block && (one.line..=until).contains(&here.line),
            until => until == here.block && (one.line..=until).contains(&here.line),
        };
        let mut seen: Vec<u32> = bindings
            .iter()
            .copied()
            .filter(|&number| of(number).is_some_and(visible))
            .take(4 * MOST_COMPARED)
            .collect();
        if ordered {
            seen.sort_by_key(|&number| {
                let (until, line) = of(number).map_or((0, 0), |one| (one.until, one.line));
                let block = if until == 0 { u32::MAX } else { until };
                let later = line > here.line;
                (block, later, if later { i64::from(line) } else { -i64::from(line) }, std::cmp::Reverse(number))
            });
        }
        Cow::Owned(seen)
    }

    pub(super) fn binding_value(
        &self,
        trail: &mut Trail,
        file: FileId,
        number: u32,
        binding: &Binding,
        depth: u32,
    ) -> Value {
        if depth > DEPTH {
            return Value::Unknown;
        }
        let facts = self.facts.file(file);
        let text = facts.string(binding.of);
        trail.follow(Followed::Binding(file, number), Value::Unknown, |trail| {
            let here = Here::new(file, binding.line, binding.inside == NONE);
            let around = std::mem::replace(&mut trail.here, Here { block: binding.until, ..here });
            let value = if let Some(path) = text.strip_prefix('=') {
                self.evaluate(trail, file, binding.inside, path, false, depth + 1).0
            } else if text.ends_with("()") {
                self.evaluate(trail, file, binding.inside, text, false, depth + 1).0
            } else {
                self.type_value(trail, file, binding.inside, text, depth + 1)
            };
            trail.here = around;
            value
        })
    }

    /// What a call of a value gives.
    pub(super) fn called(&self, trail: &mut Trail, value: Value, depth: u32) -> Value {
        if depth > DEPTH {
            return Value::Unknown;
        }
        match value {
            Value::Symbol(symbol) if is_type(self.kind(symbol)) => Value::Instance(symbol),
            Value::Symbol(symbol) => {
                let Some((facts, fact)) = self.fact(symbol) else { return Value::Unknown };
                let file = self.file_of[symbol.index()];
                let local = self.local(symbol);
                if self.kind_of(symbol) == SymbolKind::Constructor
                    && let Some(class) = self.class_around(symbol)
                {
                    return Value::Instance(class);
                }
                let makes = is_callable(fact.kind)
                    && self.semantics(file).returned_objects
                    && !self.bindings(trail, symbol, key_of(RETURNED)).is_empty();
                if fact.returns != NONE {
                    let text = facts.string(fact.returns);
                    return match self.type_value(trail, file, local, text, depth + 1) {
                        Value::Unknown | Value::External if makes => Value::Made(symbol),
                        value => value,
                    };
                }
                if is_callable(fact.kind) {
                    return if makes { Value::Made(symbol) } else { Value::Unknown };
                }
                match self.held(trail, value, depth + 1) {
                    held if held == value => Value::Unknown,
                    Value::Symbol(other) => self.called(trail, Value::Symbol(other), depth + 1),
                    Value::External => Value::External,
                    _ => Value::Unknown,
                }
            }
            // `super()` is written as a call.
            Value::Super(class) => Value::Super(class),
            Value::External => Value::External,
            Value::Module(module) => match self.default_export(trail, Value::Module(module), "") {
                Value::Symbol(symbol) => self.called(trail, Value::Symbol(symbol), depth + 1),
                _ => Value::Unknown,
            },
            Value::Instance(class) => match self.class_member(trail, Value::Instance(class), key_of("__call__")) {
                Some(member) => self.called(trail, Value::Symbol(member), depth + 1),
                None => Value::Unknown,
            },
            Value::Made(_) | Value::Unknown => Value::Unknown,
        }
    }

    /// What a variable, field or property holds; anything else is itself.
    pub(super) fn held(&self, trail: &mut Trail, value: Value, depth: u32) -> Value {
        let Value::Symbol(symbol) = value else { return value };
        if depth > DEPTH {
            return Value::Unknown;
        }
        match self.kind_of(symbol) {
            SymbolKind::Property => match (self.called(trail, value, depth + 1), self.owner(symbol)) {
                // With a type in the place of a field's.
                (Value::Unknown, class) if class != SymbolId::NONE => {
                    self.field(trail, class, self.key(symbol), depth + 1).unwrap_or(Value::Unknown)
                }
                (value, _) => value,
            },
            SymbolKind::Variable | SymbolKind::Constant | SymbolKind::Field => {
                let key = self.key(symbol);
                let scope = match self.owner(symbol) {
                    SymbolId::NONE => self.parents[symbol.index()],
                    class => class,
                };
                let bound = if self.owner(symbol) == SymbolId::NONE {
                    self.bound(trail, scope, key, depth + 1)
                } else {
                    self.field(trail, scope, key, depth + 1)
                };
                match bound {
                    Some(Value::Unknown) | None => match self.fact(symbol) {
                        Some((facts, fact)) if fact.returns != NONE => self.type_value(
                            trail,
                            self.file_of[symbol.index()],
                            fact.parent,
                            facts.string(fact.returns),
                            depth + 1,
                        ),
                        _ if bound.is_some() => Value::Unknown,
                        _ => value,
                    },
                    Some(bound) => bound,
                }
            }
            SymbolKind::Variant => match self.owner(symbol) {
                SymbolId::NONE => value,
                class => Value::Instance(class),
            },
            _ => value,
        }
    }
}

/// Keys of the names of which a file says more than one thing in one place, or something that holds for some lines alone.
pub(super) fn varied(facts: &File<'_>) -> FxHashSet<NameKey> {
    let mut seen: FxHashSet<(u32, u32)> = FxHashSet::default();
    let bindings = facts.bindings.iter();
    let varied = bindings.filter(|binding| !seen.insert((binding.inside, binding.name)) || binding.until != 0);
    varied.map(|binding| facts.keys[binding.name as usize]).collect()
}
