//! What a file of C# sees without saying so: the namespaces around its own, the usings of its whole project, the other parts of a
//! class that is `partial`, and methods that extend types of others.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use crate::extract::SymbolKind;
use crate::extract::packed::{File, NONE, key_of};
use crate::ids::{FileId, ModuleId, NameKey, PackageId, SymbolId};
use crate::resolve::modules::{Family, Target};
use crate::resolve::tables::about;
use crate::store::resolution;

use super::super::{Candidates, MOST_NAMESAKES, Project, Resolution, Trail, Value, is_type};
use super::{Attachment, Members, PLAIN, Semantics, ambiguous};

pub(super) const SEMANTICS: Semantics = Semantics {
    parent_words: &["base", "Base"],
    members: Members::Everywhere,
    attachment: Attachment::Anywhere,
    member_types: true,
    imports_everything: true,
    imports_classes: true,
    values_by_import: true,
    full_names: true,
    outer_namespaces: true,
    partial_classes: true,
    ..PLAIN
};

/// The name under which a method that extends a type says of which: `this string text`.
const EXTENDED: &str = "this";

/// What gives back what a task or a value that may be missing holds, which is how types of them are read.
const IDENTITIES: &[&str] = &["ConfigureAwait", "Result", "Value", "GetAwaiter", "GetResult", "AsTask"];

/// What a file of C# sees besides its own namespace and usings.
#[derive(Default)]
pub(in crate::resolve) struct Around {
    /// Files whose usings may hold for the whole project.
    files: Vec<FileId>,
    /// Those usings: file and import.
    usings: Vec<(FileId, u32)>,
    /// The namespaces around its own, the nearest first.
    namespaces: Vec<PackageId>,
    /// Namespaces that the manifest of the project names.
    project: Vec<PackageId>,
    /// All namespaces whose extensions it sees.
    seen: OnceLock<Vec<PackageId>>,
}

/// The types that a method extends and that a value has.
struct Extended<'t> {
    value: Value,
    /// Of a variable or field as it is declared, without arguments.
    written: Option<&'t str>,
}

impl<'a> Project<'a> {
    /// The other files of a file's project that may state usings for all of it: they stand in files of their own, by custom and by
    /// every template.
    fn files_of_usings(&self, file: FileId) -> Vec<FileId> {
        let all = self.globals.get_or_init(|| {
            let named = |path: &str| {
                let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
                ["using", "global", "assemblyinfo"].iter().any(|part| name.contains(part))
            };
            let files = (0..self.facts.len() as u32).map(FileId);
            files
                .filter(|&other| self.families[other.index()] == Family::CSharp && named(self.paths[other.index()]))
                .collect()
        });
        let project = self.modules.project_folder(self.paths[file.index()]);
        let of_project =
            |other: FileId| other != file && self.modules.project_folder(self.paths[other.index()]) == project;
        all.iter().copied().filter(|&other| of_project(other)).collect()
    }

    /// What is around a file, found once.
    fn around(&self, trail: &mut Trail, file: FileId) -> &Around {
        let around = self.around[file.index()].get_or_init(|| {
            let project = self.modules.project_usings(self.paths[file.index()]);
            let files = self.files_of_usings(file);
            let mut usings = Vec::new();
            for &other in &files {
                let imports = self.facts.file(other).imports.iter().zip(0..);
                let global = imports.filter(|(import, _)| import.reexport && import.alias == NONE);
                usings.extend(global.map(|(_, number)| (other, number)));
            }
            Around {
                files,
                usings,
                namespaces: self.namespaces_around(file),
                project: project.filter_map(|one| self.package_named(one)).collect(),
                seen: OnceLock::new(),
            }
        });
        // Any of them may begin to.
        for &other in &around.files {
            self.note(trail, other, about::WILDCARDS);
        }
        around
    }

    /// Usings that other files state for all files of their project: file and import.
    pub(in crate::resolve) fn global_usings(&self, trail: &mut Trail, file: FileId) -> &[(FileId, u32)] {
        &self.around(trail, file).usings
    }

    /// The namespaces around that of a file, the nearest first.
    pub(in crate::resolve) fn outer_namespaces(&self, trail: &mut Trail, file: FileId) -> &[PackageId] {
        &self.around(trail, file).namespaces
    }

    fn package_named(&self, namespace: &str) -> Option<PackageId> {
        match self.modules.namespace(Family::CSharp, namespace) {
            Some(Target::Module(module)) => self.modules.package_in(module),
            _ => None,
        }
    }

    /// Adds the namespaces around that of a file, and what the usings of its project name.
    pub(super) fn seen_around(&self, trail: &mut Trail, file: FileId, list: &mut Vec<ModuleId>) {
        list.extend(self.outer_namespaces(trail, file).iter().map(|&package| self.modules.module_of(package)));
        for &(other, import) in self.global_usings(trail, file) {
            match self.import_module(trail, other, &self.facts.file(other).imports[import as usize], 0).0 {
                Value::Module(module) => list.push(module),
                Value::Symbol(class) => list.push(self.file_of[class.index()].into()),
                _ => {}
            }
        }
    }

    /// What a file sees under a name besides its own namespace and its own usings.
    pub(in crate::resolve) fn around_file(
        &self,
        trail: &mut Trail,
        file: FileId,
        key: NameKey,
        name: &str,
        depth: u32,
    ) -> Option<(Value, Resolution)> {
        for &(other, import) in self.global_usings(trail, file) {
            let import = &self.facts.file(other).imports[import as usize];
            let (module, _) = self.import_module(trail, other, import, depth + 1);
            let (value, _) = self.used(trail, module, key, name, depth);
            if !matches!(value, Value::Unknown | Value::External) {
                return Some((value, resolution::IMPORT));
            }
        }
        for &package in &self.around(trail, file).project {
            if let Some(symbol) = self.preferred(&self.packages(trail, package, key, name)) {
                return Some((Value::Symbol(symbol), resolution::IMPORT));
            }
        }
        // What stands in no namespace is seen by all, as far as it is of the same project.
        let found = self.packages(trail, self.package_named("")?, key, name);
        match found.as_ref() {
            [one] => Some((Value::Symbol(*one), resolution::UNIQUE_NAME)),
            _ => None,
        }
    }

    /// What `using Shop;` or `using static Shop.Prices;` gives a name.
    pub(in crate::resolve) fn used(
        &self,
        trail: &mut Trail,
        module: Value,
        key: NameKey,
        name: &str,
        depth: u32,
    ) -> (Value, Resolution) {
        match module {
            Value::Symbol(class) if is_type(self.kind(class)) => match self.class_member(trail, module, key) {
                Some(member) => (Value::Symbol(member), resolution::IMPORT),
                None => (Value::Unknown, 0),
            },
            _ => self.member_once(trail, module, key, name, depth + 1),
        }
    }

    fn namespaces_around(&self, file: FileId) -> Vec<PackageId> {
        let module = self.heads[file.index()].module;
        module.rmatch_indices('.').filter_map(|(at, _)| self.package_named(&module[..at])).collect()
    }

    /// The other parts of a class that is `partial`.
    pub(in crate::resolve) fn parts_of_class(&self, trail: &mut Trail, class: SymbolId) -> Option<Arc<[SymbolId]>> {
        let known = self.parts.read().ok().and_then(|parts| parts.get(&class).cloned());
        let parts = known.unwrap_or_else(|| {
            let found = self.find_parts(trail, class).map(Arc::from);
            if let Ok(mut parts) = self.parts.write() {
                parts.insert(class, found.clone());
            }
            found
        });
        self.note(trail, self.file_of[class.index()], self.key(class).0);
        if parts.is_some() {
            trail.note(FileId::ALL, || about::FAMILY ^ Family::CSharp as u64, self.key(class).0);
        }
        parts
    }

    fn find_parts(&self, trail: &mut Trail, class: SymbolId) -> Option<Vec<SymbolId>> {
        let (facts, fact) = self.fact(class).filter(|(facts, fact)| is_partial(facts, fact))?;
        let (container, package) = (facts.string(fact.container), self.package(class));
        let all = self.names(trail, Family::CSharp, self.key(class), facts.string(fact.name));
        let parts = all.iter().copied().filter(|&other| {
            other != class
                && self.package(other) == package
                && self
                    .fact(other)
                    .is_some_and(|(facts, fact)| facts.string(fact.container) == container && is_partial(facts, fact))
        });
        Some(parts.take(MOST_NAMESAKES).collect())
    }

    fn package(&self, symbol: SymbolId) -> PackageId {
        self.modules.package_of[self.file_of[symbol.index()].index()]
    }

    /// Methods of this name that extend the type of a receiver, how many there are, and how surely. Overloads are one.
    pub(in crate::resolve) fn extensions(
        &self,
        trail: &mut Trail,
        file: FileId,
        inside: u32,
        receiver: (Value, &str),
        key: NameKey,
        name: &str,
    ) -> Option<Candidates> {
        let all = self.namesakes(trail, Family::CSharp, key, name)?;
        let receiver = Extended { value: receiver.0, written: self.written_type(trail, file, inside, receiver.1) };
        let (mut sure, mut found): (Vec<SymbolId>, Vec<SymbolId>) = (Vec::new(), Vec::new());
        for &symbol in all.iter().filter(|&&symbol| self.kind_of(symbol) == SymbolKind::Method) {
            let Some(&binding) = self.bindings(trail, symbol, key_of(EXTENDED)).first() else { continue };
            if !self.seen_packages(trail, file).contains(&self.package(symbol)) {
                continue;
            }
            let there = self.file_of[symbol.index()];
            let facts = self.facts.file(there);
            let of = facts.string(facts.bindings[binding as usize].of);
            match self.extends(trail, there, symbol, of, &receiver) {
                Some(true) => sure.push(symbol),
                Some(false) => found.push(symbol),
                None => {}
            }
        }
        let is_sure = !sure.is_empty();
        let found = if is_sure { sure } else { found };
        let first = found.first().and_then(|&symbol| self.class_name(symbol))?;
        if found.iter().all(|&symbol| self.class_name(symbol).as_ref() == Some(&first)) {
            let symbol = self.preferred(&found)?;
            let resolution = match (is_sure, self.keys.common.contains(&key)) {
                (true, _) if self.file_of[symbol.index()] == file => resolution::EXACT,
                (true, _) => resolution::IMPORT,
                (false, false) => resolution::UNIQUE_NAME,
                (false, true) => resolution::AMBIGUOUS,
            };
            return Some((vec![symbol], 1, resolution));
        }
        Some(ambiguous(found))
    }

    /// Whether a method that extends the type `of` is one of the receiver: surely, maybe, or not.
    fn extends(
        &self,
        trail: &mut Trail,
        there: FileId,
        symbol: SymbolId,
        of: &str,
        receiver: &Extended<'_>,
    ) -> Option<bool> {
        let plain = plain_type(of);
        if receiver.written.is_some_and(|written| same_type(written, plain)) {
            return Some(true);
        }
        let local = self.local(symbol);
        let extended = self.type_value(trail, there, local, of, 0);
        match (extended, receiver.value) {
            (Value::Instance(extended), Value::Instance(class)) => {
                self.is_below(trail, class, extended).then_some(true)
            }
            // A value of a type of others is none of the project's.
            (Value::Instance(_), Value::External) if receiver.written.is_some() => None,
            (Value::External, Value::Instance(class)) if self.supers(trail, class).is_empty() => None,
            _ => Some(false),
        }
    }

    /// The type with which a variable, parameter or field is declared.
    pub(in crate::resolve) fn written_type(
        &self,
        trail: &mut Trail,
        file: FileId,
        inside: u32,
        name: &str,
    ) -> Option<&'a str> {
        let name = name.strip_prefix("this.").unwrap_or(name);
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            return None;
        }
        let key = key_of(name);
        let mut at = self.global(file, inside);
        for _ in 0..16 {
            if let Some(&binding) = self.bindings(trail, at, key).first() {
                let facts: &File<'a> = self.facts.file(file);
                let of = facts.string(facts.bindings.get(binding as usize)?.of);
                return (!of.starts_with('=') && !of.ends_with("()")).then(|| plain_type(of));
            }
            at = self.parents[at.index()];
            if at == SymbolId::NONE {
                break;
            }
        }
        None
    }

    /// The class of a method by its full name, whichever part of it.
    fn class_name(&self, symbol: SymbolId) -> Option<(PackageId, Cow<'a, str>)> {
        self.fact(symbol).map(|(facts, fact)| (self.package(symbol), Cow::Borrowed(facts.string(fact.container))))
    }

    /// The packages whose methods a file may use as extensions.
    fn seen_packages(&self, trail: &mut Trail, file: FileId) -> &[PackageId] {
        let around = self.around(trail, file);
        // What each import means depends on the manifests and on what the file says.
        self.note(trail, file, about::WILDCARDS);
        around.seen.get_or_init(|| {
            let mut seen = [around.namespaces.as_slice(), &around.project].concat();
            seen.push(self.modules.package_of[file.index()]);
            seen.extend(self.package_named(""));
            let own = self.facts.file(file).imports.iter().map(|import| (file, import));
            let others = around.usings.iter();
            let others = others.map(|&(other, import)| (other, &self.facts.file(other).imports[import as usize]));
            for (other, import) in own.chain(others).filter(|(_, import)| import.alias == NONE) {
                // `using static Shop.Prices;` names a class of `Shop`.
                let module = self.facts.file(other).string(import.module);
                let outer = module.rsplit_once('.').map_or("", |(outer, _)| outer);
                seen.extend(self.package_named(module).or_else(|| self.package_named(outer)));
            }
            seen
        })
    }

    /// The value that a member gives of which nothing else is known: what a task holds, or the result of an extension.
    pub(in crate::resolve) fn otherwise(
        &self,
        trail: &mut Trail,
        file: FileId,
        inside: u32,
        receiver: (Value, &str),
        name: &str,
        called: bool,
    ) -> Option<Value> {
        if matches!(receiver.0, Value::Instance(_)) && IDENTITIES.contains(&name) {
            return Some(receiver.0);
        }
        if !called {
            return None;
        }
        match self.extensions(trail, file, inside, receiver, key_of(name), name) {
            Some((found, 1, resolution)) if resolution != resolution::AMBIGUOUS => Some(Value::Symbol(found[0])),
            _ => None,
        }
    }
}

/// Whether a class says that others of its name are parts of it.
pub(in crate::resolve) fn is_partial(facts: &File<'_>, fact: &crate::extract::packed::Symbol) -> bool {
    is_type(fact.kind) && facts.string(fact.signature).split(' ').any(|word| word == "partial")
}

/// A type without its arguments and marks.
fn plain_type(text: &str) -> &str {
    let text = text.trim().trim_end_matches(['?', ' ']);
    let end = text.find('<').unwrap_or(text.len());
    text[..end].rsplit('.').next().unwrap_or(text)
}

fn same_type(one: &str, other: &str) -> bool {
    one == other || one.eq_ignore_ascii_case(other) && matches!(other, "string" | "String" | "object" | "Object")
}
