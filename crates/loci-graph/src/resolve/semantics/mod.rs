//! What is peculiar to each family of languages: one table for the general rules to ask, and a file of what the family alone does.
//!
//! A new language starts with a table in a file of its own and an arm in [`Semantics::of`]. Only what no field of [`Semantics`] can
//! say becomes one of the functions below, which the general rules call where a family may have a custom of its own.

pub(super) mod c;
mod cpp;
pub(super) mod csharp;
mod elixir;
mod foreign;
mod go;
mod jvm;
mod lua;
mod others;
mod php;
mod python;
mod ruby;
mod rust;
mod script;
mod swift;

use crate::extract::packed::{Import, NONE, key_of};
use crate::extract::{Language, ReferenceKind};
use crate::ids::{FileId, ModuleId, NameKey, SymbolId};
use crate::resolve::modules::{Family, Target};
use crate::store::resolution;

use super::{Candidates, MOST_CANDIDATES, Project, Resolution, Trail, Value};

/// Where the members of a class are seen by their names alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Members {
    /// In all code of the class and of what stands in it.
    Everywhere,
    /// In the body of the class itself, not in that of its methods.
    InBody,
    /// Nowhere: a receiver stands before each.
    ByReceiver,
}

/// Where a method that stands away from its type finds that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Attachment {
    /// In its file or package.
    Package,
    /// In its crate.
    Crate,
    /// In any file.
    Anywhere,
}

/// What the general rules ask of a family of languages. [`PLAIN`] is a family without customs.
pub(super) struct Semantics {
    /// Words for the object in whose class they stand.
    pub(super) own_words: &'static [&'static str],
    /// Those of them that are the class itself.
    pub(super) class_words: &'static [&'static str],
    /// Words for the bases of the class in which they stand.
    pub(super) parent_words: &'static [&'static str],
    /// Words that a path of modules begins with.
    pub(super) path_words: &'static [&'static str],
    /// Where the members of a class are seen by their names alone.
    pub(super) members: Members,
    /// Where a method that stands away from its type finds that.
    pub(super) attachment: Attachment,

    /// A bare name can mean a function or type of any file, without an import.
    pub(super) bare_names: bool,
    /// A bare name is a type of any file where nothing else has that name.
    pub(super) types_without_imports: bool,
    /// The only type of a name is meant where a type is written.
    pub(super) types_by_name: bool,
    /// Types that stand in a class or its bases are seen by their names in it.
    pub(super) member_types: bool,
    /// A method, property or field is only reached through what it belongs to.
    pub(super) methods_need_receivers: bool,
    /// Functions that belong to no class are called with a receiver.
    pub(super) functions_as_methods: bool,
    /// Functions and fields of objects without a class are called with a receiver.
    pub(super) object_functions: bool,
    /// Interfaces and type aliases are nothing while a program runs, and may share the name of a value.
    pub(super) types_beside_values: bool,
    /// The last of several definitions of a name counts, not the first.
    pub(super) last_definition: bool,
    /// What stands in a nameless function is hidden from other files.
    pub(super) nameless_scopes: bool,
    /// A definition that its file keeps to itself is not meant in another file.
    pub(super) private_to_file: bool,
    /// Decorators say what becomes of a function.
    pub(super) decorators_make_values: bool,
    /// Functions give back object literals whose members are known.
    pub(super) returned_objects: bool,
    /// Results may have names before their types: `(total int, err error)`.
    pub(super) named_results: bool,

    /// An import without names brings everything that the module has.
    pub(super) imports_everything: bool,
    /// `import a.b.c` names `a`, and a path goes on through modules.
    pub(super) dotted_imports: bool,
    /// One name may be imported several times, for things of different kinds.
    pub(super) several_imports: bool,
    /// What a file exports comes before what it imports under the same name.
    pub(super) own_exports: bool,
    /// A module may export one thing without a name.
    pub(super) default_exports: bool,
    /// An import of everything may name a class.
    pub(super) imports_classes: bool,
    /// An import of a package is an edge to its first file.
    pub(super) package_imports: bool,
    /// A file has only values from files that it imports, directly or through others.
    pub(super) values_by_import: bool,
    /// Namespaces have full names that can be written anywhere.
    pub(super) full_names: bool,
    /// A file sees the namespaces around its own, and the usings of its project.
    pub(super) outer_namespaces: bool,
    /// Blocks of one namespace stand in any number of files, which see what they include.
    pub(super) open_namespaces: bool,
    /// A module may be declared in one file and stand in another.
    pub(super) module_files: bool,
    /// Modules have full names that can be written anywhere.
    pub(super) full_module_names: bool,

    /// Modules can be bases of classes.
    pub(super) modules_as_bases: bool,
    /// Members of a class's companion are called as those of the class.
    pub(super) companions: bool,
    /// A class may stand in several parts.
    pub(super) partial_classes: bool,
}

/// A family without customs.
pub(super) const PLAIN: Semantics = Semantics {
    own_words: &["self", "cls", "this", "$this", "Self", "static", "@", "__MODULE__"],
    class_words: &["cls", "Self", "static"],
    parent_words: &["super"],
    path_words: &[],
    members: Members::ByReceiver,
    attachment: Attachment::Package,
    bare_names: false,
    types_without_imports: false,
    types_by_name: false,
    member_types: false,
    methods_need_receivers: false,
    functions_as_methods: false,
    object_functions: false,
    types_beside_values: false,
    last_definition: false,
    nameless_scopes: false,
    private_to_file: false,
    decorators_make_values: false,
    returned_objects: false,
    named_results: false,
    imports_everything: false,
    dotted_imports: false,
    several_imports: false,
    own_exports: false,
    default_exports: false,
    imports_classes: false,
    package_imports: false,
    values_by_import: false,
    full_names: false,
    outer_namespaces: false,
    open_namespaces: false,
    module_files: false,
    full_module_names: false,
    modules_as_bases: false,
    companions: false,
    partial_classes: false,
};

impl Semantics {
    /// The table of a family.
    pub(super) fn of(family: Family) -> &'static Self {
        match family {
            Family::Python => &python::SEMANTICS,
            Family::Script => &script::SEMANTICS,
            Family::Go => &go::SEMANTICS,
            Family::Rust => &rust::SEMANTICS,
            Family::C => &c::SEMANTICS,
            Family::Jvm => &jvm::SEMANTICS,
            Family::CSharp => &csharp::SEMANTICS,
            Family::Php => &php::SEMANTICS,
            Family::Ruby => &ruby::SEMANTICS,
            Family::Swift => &swift::SEMANTICS,
            Family::Elixir => &elixir::SEMANTICS,
            Family::Lua => &lua::SEMANTICS,
            Family::Shell | Family::Julia => &others::SCRIPTED,
            Family::Sql | Family::Web => &others::DECLARED,
            Family::Zig | Family::None => &PLAIN,
        }
    }
}

/// An expression as written, and its parts.
pub(super) struct Written<'t> {
    pub(super) text: &'t str,
    /// Name of each part, and whether it is called.
    pub(super) parts: &'t [(&'t str, bool)],
    /// The name of the first part without its type arguments.
    pub(super) first: &'t str,
}

/// What stands before a name: its value, and how it is written.
#[derive(Clone, Copy)]
pub(super) struct Receiver<'t> {
    pub(super) value: Value,
    pub(super) text: &'t str,
}

/// A call whose target the general rules do not know.
pub(super) struct OpenCall<'t> {
    pub(super) file: FileId,
    pub(super) inside: u32,
    pub(super) receiver: Option<Receiver<'t>>,
    pub(super) key: NameKey,
    pub(super) name: &'t str,
    /// The name is one of what stands around it, and of nothing else.
    pub(super) local: bool,
}

/// What a name of which one definition was found may mean.
pub(super) enum Variants {
    /// That one, or one in its stead.
    One(SymbolId, Resolution),
    /// Each of these, of which the sources do not say which.
    Each(Vec<SymbolId>),
}

impl Project<'_> {
    /// The value of the first parts of an expression where it begins with a word of the family; `rest` becomes the number of them.
    pub(super) fn start_of_path(
        &self,
        trail: &mut Trail,
        file: FileId,
        inside: u32,
        written: &Written<'_>,
        rest: &mut usize,
        depth: u32,
    ) -> Option<(Value, Resolution)> {
        match self.families[file.index()] {
            Family::Ruby => self.instance_variable(trail, file, inside, written.first, depth),
            Family::Rust => self.start_of_rust_path(file, inside, written, rest),
            Family::Python => written.first.starts_with('.').then_some((Value::Unknown, 0)),
            _ => None,
        }
    }

    /// The value of a member that nothing defines and that the family knows by custom; with `called` that of its call.
    #[expect(clippy::too_many_arguments, reason = "the parts of one step of an expression")]
    pub(super) fn by_custom(
        &self,
        trail: &mut Trail,
        file: FileId,
        inside: u32,
        receiver: Receiver<'_>,
        name: &str,
        called: bool,
        depth: u32,
    ) -> Option<(Value, Resolution)> {
        match self.families[file.index()] {
            Family::Rust => self.rust_custom(trail, receiver.value, name, called).map(|value| (value, 0)),
            Family::CSharp => {
                let other = self.otherwise(trail, file, inside, (receiver.value, receiver.text), name, called)?;
                let is_result = called && !matches!(other, Value::Instance(_));
                let value = if is_result { self.called(trail, other, depth + 1) } else { other };
                Some((value, resolution::UNIQUE_NAME))
            }
            _ => None,
        }
    }

    /// The module that an import names where the family does not say it by a path or package alone.
    pub(super) fn module_by_custom(
        &self,
        trail: &mut Trail,
        file: FileId,
        import: &Import,
        depth: u32,
    ) -> Option<(Value, Resolution)> {
        let module = self.facts.file(file).string(import.module);
        let found = match self.families[file.index()] {
            Family::Rust => return Some(self.rust_path(trail, file, import.inside, module, depth)),
            Family::Elixir => self.module_by_full_name(trail, module),
            // `using namespace shop;`, `using shop::total;`: a namespace, where an `#include` has no name.
            Family::C if import.name != NONE => self.namespace_of(trail, file, &module.replace("::", ".")),
            _ => return None,
        };
        Some(found.map_or((Value::External, 0), |symbol| (Value::Symbol(symbol), resolution::IMPORT)))
    }

    /// What an import of a whole module stands for where that is not the module.
    pub(super) fn whole_module(
        &self,
        trail: &mut Trail,
        file: FileId,
        import: &Import,
        module: Value,
        depth: u32,
    ) -> Option<(Value, Resolution)> {
        let text = self.facts.file(file).string(import.module);
        match self.families[file.index()] {
            Family::Python if import.alias == NONE && text.contains('.') => Some(self.top_module(file, text, module)),
            family @ (Family::Jvm | Family::Php) if module == Value::External => {
                Some(self.by_namespace(trail, family, text, depth))
            }
            _ => None,
        }
    }

    /// What is imported by name from something that is no module of the project.
    pub(super) fn beyond_modules(
        &self,
        trail: &mut Trail,
        file: FileId,
        module: &str,
        name: &str,
        depth: u32,
    ) -> (Value, Resolution) {
        match self.families[file.index()] {
            Family::Python => self.in_namespace_package(file, module, name),
            family if self.semantics(file).full_names => {
                self.by_namespace(trail, family, &format!("{module}.{name}"), depth)
            }
            _ => (Value::External, 0),
        }
    }

    /// What a file has under a name by a custom of its family.
    pub(super) fn had_by_custom(
        &self,
        trail: &mut Trail,
        file: FileId,
        key: NameKey,
        name: &str,
        depth: u32,
    ) -> Option<(Value, Resolution)> {
        match self.families[file.index()] {
            Family::Python => self.submodule(file, name),
            Family::Rust => {
                self.modules.rust_child(file, name).map(|child| (Value::Module(child.into()), resolution::IMPORT))
            }
            Family::Lua => self.in_returned_table(trail, file, key, name, depth),
            _ => None,
        }
    }

    /// The name under which a file knows a module that it imports as a whole.
    pub(super) fn name_of_module(&self, file: FileId, module: &str, target: Target) -> NameKey {
        match self.families[file.index()] {
            Family::Python => key_of(module.split('.').next().unwrap_or(module)),
            Family::Go => self.name_of_go_package(module, target),
            _ => key_of(module.rsplit(['.', ':', '\\', '/']).next().unwrap_or(module)),
        }
    }

    /// The type of a method that stands away from it, where neither its file nor its package has one.
    pub(super) fn class_elsewhere(
        &self,
        trail: &mut Trail,
        file: FileId,
        (key, name): (NameKey, &str),
        container: &str,
    ) -> Option<SymbolId> {
        match self.semantics(file).attachment {
            Attachment::Package => None,
            Attachment::Crate => self.class_of_crate(trail, file, key, name),
            Attachment::Anywhere => self.class_of_any_file(trail, file, (key, name), container),
        }
    }

    /// Adds the files and packages that a file sees without importing them.
    pub(super) fn seen_besides(&self, trail: &mut Trail, file: FileId, list: &mut Vec<ModuleId>) {
        if self.semantics(file).outer_namespaces {
            self.seen_around(trail, file, list);
        }
    }

    /// Whether an attribute can mean a definition. A macro of another crate is used as one; `#[test]` is no function of that name.
    pub(super) fn can_mean(&self, file: FileId, kind: ReferenceKind, to: SymbolId) -> bool {
        kind != ReferenceKind::Decorate || self.families[file.index()] != Family::Rust || self.is_attribute(file, to)
    }

    /// What a name used in `from` may mean where `to` was found: other platforms may have other definitions.
    pub(super) fn variants(
        &self,
        trail: &mut Trail,
        file: FileId,
        from: SymbolId,
        to: SymbolId,
        resolution: Resolution,
    ) -> Variants {
        match self.families[file.index()] {
            Family::C => match self.of_platforms(trail, from, to) {
                c::Platforms::Any => Variants::One(to, resolution),
                c::Platforms::Some => Variants::One(to, resolution.max(resolution::UNIQUE_NAME)),
                c::Platforms::Each(twins) => Variants::Each(twins),
            },
            Family::Go => {
                let twins = self.twins(trail, file, to);
                match twins.iter().copied().find(|&twin| self.file_of[twin.index()] == file) {
                    Some(own) => Variants::One(own, resolution),
                    None if twins.is_empty() => Variants::One(to, resolution),
                    None => Variants::Each(twins),
                }
            }
            _ => Variants::One(to, resolution),
        }
    }

    /// The functions that a call may mean by a custom of the family: extensions, or a path of which the names alone are known.
    pub(super) fn call_by_custom(&self, trail: &mut Trail, call: &OpenCall<'_>) -> Option<Candidates> {
        let &OpenCall { file, inside, receiver, key, name, local } = call;
        match (self.families[file.index()], receiver) {
            // `shop::total()` of a function that more than one file defines, or that no included file declares.
            (Family::C, Some(Receiver { value: Value::Unknown | Value::Symbol(_), text })) if !local => {
                self.by_path(trail, text, key, name)
            }
            (Family::CSharp, Some(Receiver { value, text })) => {
                self.extensions(trail, file, inside, (value, text), key, name)
            }
            // `"order".shout()`, and `shout()` in another extension: of a type that is not the project's, or another file's.
            (Family::Jvm, receiver) => {
                let receiver = receiver.map(|Receiver { value, text }| (value, text));
                self.extensions_of_kotlin(trail, file, inside, receiver, key, name)
            }
            (Family::Swift, Some(Receiver { value: Value::External | Value::Unknown, .. })) => {
                self.extension(trail, file, key, name).map(|to| (vec![to], 1, resolution::UNIQUE_NAME))
            }
            _ => None,
        }
    }

    /// Whether functions of one name that take other arguments stand beside a function.
    pub(super) fn has_overloads(&self, file: FileId, function: SymbolId) -> bool {
        match self.facts.file(file).language {
            Some(Language::Java | Language::Kotlin | Language::CSharp) => true,
            Some(Language::Cpp) => self.owner(function) != SymbolId::NONE,
            _ => false,
        }
    }
}

/// The first of several candidates, with how many there are.
pub(super) fn ambiguous(mut found: Vec<SymbolId>) -> Candidates {
    let count = found.len() as u32;
    found.truncate(MOST_CANDIDATES);
    (found, count, resolution::AMBIGUOUS)
}
