//! What a type as written stands for.

use crate::extract::SymbolKind;
use crate::extract::packed::{NONE, key_of};
use crate::ids::{FileId, SymbolId};

use super::text::{parts_of, top_level, without_marks};
use super::{DEPTH, Project, Trail, Value};

impl Project<'_> {
    /// An instance of the type that a text names.
    pub(super) fn type_value(&self, trail: &mut Trail, file: FileId, inside: u32, text: &str, depth: u32) -> Value {
        if depth > DEPTH || !trail.step() {
            return Value::Unknown;
        }
        let text = without_marks(text);
        let semantics = self.semantics(file);
        if text.is_empty() || text.starts_with("fn") && text[2..].starts_with(['(', ' ']) || text.starts_with("func(") {
            return Value::Unknown;
        }
        if text.starts_with('[') || text.starts_with("map[") || text.ends_with("[]") || text.starts_with('{') {
            return Value::External;
        }
        if let Some(inner) = text.strip_prefix('(') {
            // Several results: the first is the one that carries methods.
            let inner = top_level(inner.trim_end_matches(')'), ',').next().unwrap_or("");
            let inner = inner.trim();
            let inner = match inner.split_once(' ') {
                Some((_, after)) if semantics.named_results => after,
                _ => inner,
            };
            return self.type_value(trail, file, inside, inner, depth + 1);
        }
        let mut alternatives = top_level(text, '|')
            .map(str::trim)
            .filter(|part| !matches!(*part, "None" | "null" | "undefined" | "" | "void"));
        let one = alternatives.next().unwrap_or("");
        let second = alternatives.next();
        if second.is_some() {
            for part in top_level(text, '|') {
                let value = self.type_value(trail, file, inside, part, depth + 1);
                if matches!(value, Value::Instance(_)) {
                    return value;
                }
            }
            return Value::External;
        }
        let text = one;
        let (name, arguments) = match text.find(['<', '[']) {
            Some(at) if at > 0 => (&text[..at], text[at + 1..].trim_end_matches(['>', ']'])),
            _ => (text, ""),
        };
        let name = name.trim_end_matches("::");
        let last = name.rsplit(['.', ':']).next().unwrap_or(name);
        if !arguments.is_empty() {
            let inner = match last {
                "Coroutine" => top_level(arguments, ',').last(),
                "type" | "Type" => {
                    return match self.type_value(trail, file, inside, arguments, depth + 1) {
                        Value::Instance(class) => Value::Symbol(class),
                        value => value,
                    };
                }
                // Unless the project has a type of that name itself.
                _ if self.keys.wrappers.contains(last)
                    && !matches!(self.type_name(trail, file, inside, name, depth).0, Value::Symbol(_)) =>
                {
                    top_level(arguments, ',').find(|part| !part.trim().starts_with('\''))
                }
                _ => None,
            };
            if let Some(inner) = inner {
                return self.type_value(trail, file, inside, inner, depth + 1);
            }
        }
        if matches!(
            last,
            "Any" | "any" | "object" | "unknown" | "interface{}" | "auto" | "var" | "let" | "id" | "mixed" | "dynamic"
        ) || last.len() == 1 && last.starts_with(|c: char| c.is_ascii_uppercase())
        {
            return Value::Unknown;
        }
        if matches!(last, "Self" | "self" | "static" | "this")
            && let Some(class) = self.class_around(self.global(file, inside))
        {
            return Value::Instance(class);
        }
        let mut parts = parts_of(name).into_iter();
        let Some((first, _)) = parts.next() else { return Value::Unknown };
        let (mut value, _) = if semantics.path_words.contains(&first) {
            let (value, resolution) = self.evaluate(trail, file, inside, name, false, depth + 1);
            parts = Vec::new().into_iter();
            (value, resolution)
        } else {
            self.type_name(trail, file, inside, first, depth)
        };
        for (part, _) in parts {
            value = self.member(trail, value, key_of(part), part, depth + 1).0;
        }
        // `Shop.Orders.Order`, where nothing stands in `Shop` itself.
        if value == Value::Unknown && semantics.outer_namespaces && name.contains('.') {
            value = self.by_namespace(trail, self.families[file.index()], name, depth + 1).0;
        }
        match value {
            Value::Symbol(symbol) => {
                self.as_type(trail, symbol).map_or(Value::Unknown, |class| self.alias(trail, class, depth))
            }
            Value::Instance(class) => Value::Instance(class),
            _ => Value::External,
        }
    }

    /// A type as an instance; one that is another name for a type stands for that.
    pub(super) fn alias(&self, trail: &mut Trail, symbol: SymbolId, depth: u32) -> Value {
        if self.kind_of(symbol) == SymbolKind::Type
            && let Some((facts, fact)) = self.fact(symbol)
            && fact.returns != NONE
        {
            let file = self.file_of[symbol.index()];
            let value = self.type_value(trail, file, fact.parent, facts.string(fact.returns), depth + 1);
            if matches!(value, Value::Instance(_)) {
                return value;
            }
        }
        Value::Instance(symbol)
    }
}
