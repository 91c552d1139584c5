//! Modules with dots in their names, and the fixtures of pytest.

use crate::cache::NONE;
use crate::modules::{Family, Target};
use crate::store::resolution;

use super::super::{Project, Trail, Value, Way};

impl Project<'_> {
    pub(in crate::resolve) fn dotted_module(
        &self,
        place: u32,
        inside: u32,
        parts: &[(&str, bool)],
        rest: &mut usize,
    ) -> (Value, Way) {
        let file = self.facts.file(place);
        let mut best = None;
        for import in &file.imports {
            if import.name != NONE || import.alias != NONE || !(import.inside == NONE || import.inside == inside) {
                continue;
            }
            let module = file.string(import.module);
            let names: Vec<&str> = module.split('.').collect();
            if names.len() <= parts.len() && names.iter().zip(parts).all(|(name, part)| *name == part.0) {
                let longer = best.is_none_or(|(length, _)| names.len() > length);
                if longer && let Some(Target::Module(module)) = self.modules.python(self.paths[place as usize], module)
                {
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

    /// A parameter of a test without a type: pytest passes what the fixture of that name returns.
    pub(in crate::resolve) fn fixture(
        &self,
        trail: &mut Trail,
        place: u32,
        inside: u32,
        key: u64,
        depth: u32,
    ) -> (Value, Way) {
        if self.families[place as usize] != Family::Python || inside == NONE {
            return (Value::Unknown, 0);
        }
        let path = self.paths[place as usize];
        let file_name = path.rsplit('/').next().unwrap_or(path);
        if !(file_name.starts_with("test_") || file_name.ends_with("_test.py") || file_name == "conftest.py") {
            return (Value::Unknown, 0);
        }
        let mut provides = |module: u32| {
            self.scope(trail, self.bases_of_files[module as usize], key).iter().copied().find(|&symbol| {
                let file = self.facts.file(module);
                self.decorators(symbol)
                    .iter()
                    .any(|&reference| file.string(file.references[reference as usize].name).ends_with("fixture"))
            })
        };
        let mut found = provides(place);
        let mut folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        while found.is_none() {
            let conftest = if folder.is_empty() { "conftest.py".to_owned() } else { format!("{folder}/conftest.py") };
            if let Ok(module) = self.paths.binary_search(&conftest.as_str()) {
                found = provides(module as u32);
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
