//! Modules with dots in their names, and the fixtures of pytest.

use crate::extract::packed::NONE;
use crate::ids::{FileId, NameKey};
use crate::resolve::modules::{Family, Target};
use crate::store::resolution;

use super::super::{Project, Resolution, Trail, Value};
use super::{Members, PLAIN, Semantics};

pub(super) const SEMANTICS: Semantics = Semantics {
    own_words: &["self", "cls"],
    members: Members::InBody,
    last_definition: true,
    decorators_make_values: true,
    dotted_imports: true,
    values_by_import: true,
    ..PLAIN
};

impl Project<'_> {
    /// The module that the first parts of a path name: `a.b.c` of `a.b.c.total()`; `rest` becomes the number of them.
    pub(in crate::resolve) fn dotted_module(
        &self,
        file: FileId,
        inside: u32,
        parts: &[(&str, bool)],
        rest: &mut usize,
    ) -> (Value, Resolution) {
        let facts = self.facts.file(file);
        let mut best = None;
        for import in &facts.imports {
            if import.name != NONE || import.alias != NONE || !(import.inside == NONE || import.inside == inside) {
                continue;
            }
            let module = facts.string(import.module);
            let names: Vec<&str> = module.split('.').collect();
            if names.len() <= parts.len() && names.iter().zip(parts).all(|(name, part)| *name == part.0) {
                let longer = best.is_none_or(|(length, _)| names.len() > length);
                if longer && let Some(Target::Module(module)) = self.modules.python(self.paths[file.index()], module) {
                    best = Some((names.len(), module));
                }
            }
        }
        match best {
            Some((length, module)) => {
                *rest = length;
                (Value::Module(module), resolution::IMPORT)
            }
            None => (Value::Unknown, 0),
        }
    }

    /// What `import a.b.c` names: `a`.
    pub(super) fn top_module(&self, file: FileId, text: &str, module: Value) -> (Value, Resolution) {
        let top = text.split('.').next().unwrap_or(text);
        match self.modules.python(self.paths[file.index()], top) {
            Some(Target::Module(module)) => (Value::Module(module), resolution::IMPORT),
            _ if matches!(module, Value::Module(_)) => (Value::Unknown, 0),
            _ => (Value::External, 0),
        }
    }

    /// A module of a namespace package, which has no file of its own.
    pub(super) fn in_namespace_package(&self, file: FileId, package: &str, name: &str) -> (Value, Resolution) {
        let dot = if package.ends_with('.') { "" } else { "." };
        match self.modules.python(self.paths[file.index()], &format!("{package}{dot}{name}")) {
            Some(Target::Module(module)) => (Value::Module(module), resolution::IMPORT),
            _ => (Value::External, 0),
        }
    }

    /// The module of a name in the package whose `__init__.py` a file is.
    pub(super) fn submodule(&self, file: FileId, name: &str) -> Option<(Value, Resolution)> {
        let path = self.paths[file.index()];
        let is_package = path.ends_with("__init__.py") || path.ends_with("__init__.pyi");
        match is_package.then(|| self.modules.python(path, &format!(".{name}")))?? {
            Target::Module(module) => Some((Value::Module(module), resolution::IMPORT)),
            Target::External => None,
        }
    }

    /// `from . import utils` in the package itself: the module, for the package has the name from this very line.
    pub(in crate::resolve) fn below_itself(
        &self,
        file: FileId,
        module: Value,
        value: Value,
        name: &str,
    ) -> Option<Value> {
        let is_meant = self.families[file.index()] == Family::Python
            && matches!(value, Value::Unknown | Value::External)
            && module == Value::Module(file.into());
        match is_meant.then(|| self.modules.python(self.paths[file.index()], &format!(".{name}")))?? {
            Target::Module(below) => Some(Value::Module(below)),
            Target::External => None,
        }
    }

    /// A parameter of a test without a type: pytest passes what the fixture of that name returns.
    pub(in crate::resolve) fn fixture(
        &self,
        trail: &mut Trail,
        file: FileId,
        inside: u32,
        key: NameKey,
        depth: u32,
    ) -> (Value, Resolution) {
        if self.families[file.index()] != Family::Python || inside == NONE {
            return (Value::Unknown, 0);
        }
        let path = self.paths[file.index()];
        let file_name = path.rsplit('/').next().unwrap_or(path);
        if !(file_name.starts_with("test_") || file_name.ends_with("_test.py") || file_name == "conftest.py") {
            return (Value::Unknown, 0);
        }
        let mut provides = |module: FileId| {
            self.scope(trail, self.own_symbols[module.index()], key).iter().copied().find(|&symbol| {
                let facts = self.facts.file(module);
                self.decorators(symbol)
                    .iter()
                    .any(|&reference| facts.string(facts.references[reference as usize].name).ends_with("fixture"))
            })
        };
        let mut found = provides(file);
        let mut folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        while found.is_none() {
            let conftest = if folder.is_empty() { "conftest.py".to_owned() } else { format!("{folder}/conftest.py") };
            if let Ok(module) = self.paths.binary_search(&conftest.as_str()) {
                found = provides(FileId(module as u32));
            }
            if folder.is_empty() {
                break;
            }
            folder = folder.rsplit_once('/').map_or("", |(folder, _)| folder);
        }
        match found {
            Some(symbol) => (self.called(trail, Value::Symbol(symbol), depth + 1), resolution::IMPORT),
            None => (Value::Unknown, 0),
        }
    }
}
