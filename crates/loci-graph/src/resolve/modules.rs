//! Which file or package an import means, by each language's own rules.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::extract::Language;
use crate::extract::packed::key_of;
use crate::heads::Head;
use crate::ids::{FileId, ModuleId, NameKey, PackageId};

/// Languages whose files can refer to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Family {
    Python,
    Script,
    Go,
    Rust,
    C,
    Jvm,
    CSharp,
    Php,
    Ruby,
    Swift,
    Elixir,
    Lua,
    Shell,
    Zig,
    Sql,
    Web,
    Julia,
    None,
}

pub(crate) fn family(language: Option<Language>) -> Family {
    match language {
        None => Family::None,
        Some(language) => match language {
            Language::Python => Family::Python,
            Language::JavaScript | Language::TypeScript | Language::Tsx | Language::Vue | Language::Svelte => {
                Family::Script
            }
            Language::Go => Family::Go,
            Language::Rust => Family::Rust,
            Language::C | Language::Cpp => Family::C,
            Language::Java | Language::Kotlin | Language::Scala => Family::Jvm,
            Language::CSharp => Family::CSharp,
            Language::Php => Family::Php,
            Language::Ruby => Family::Ruby,
            Language::Swift => Family::Swift,
            Language::Elixir => Family::Elixir,
            Language::Lua => Family::Lua,
            Language::Bash => Family::Shell,
            Language::Zig => Family::Zig,
            Language::Sql => Family::Sql,
            Language::Html | Language::Css => Family::Web,
            Language::Julia => Family::Julia,
        },
    }
}

/// What an import means: a module of the project, or something outside of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A file by its number, or from the number of files on a package.
    Module(ModuleId),
    /// Nothing in this project.
    External,
}

struct TsConfig<'a> {
    folder: &'a str,
    base: String,
    paths: Vec<(&'a str, &'a str)>,
}

/// Folder of a package of scripts, and what its manifest says it exports: name and file.
type ScriptPackage<'a> = (&'a str, Vec<(&'a str, &'a str)>);

/// The modules of a project.
pub(crate) struct Modules<'a> {
    paths: &'a [&'a str],
    families: &'a [Family],
    by_path: FxHashMap<&'a str, FileId>,
    /// Dotted name of a Python module: file, and how many leading parts of its path the name leaves out.
    python: FxHashMap<NameKey, Vec<(FileId, u32)>>,
    python_packages: FxHashSet<&'a str>,
    /// Files of each package; package `n` is module `files + n`.
    pub(crate) packages: Vec<Vec<FileId>>,
    /// The package of each file, [`NONE`] for files that are modules of their own.
    pub(crate) package_of: Vec<PackageId>,
    /// Go: package by its folder.
    go_folders: FxHashMap<&'a str, PackageId>,
    /// Go: module path and folder, longest path first.
    go_modules: Vec<(&'a str, &'a str)>,
    /// Namespaces of the JVM, C# and PHP by family and dotted name.
    namespaces: FxHashMap<(Family, NameKey), PackageId>,
    /// Script packages: name, folder, entries.
    script_packages: FxHashMap<&'a str, ScriptPackage<'a>>,
    tsconfigs: Vec<TsConfig<'a>>,
    /// Rust crates by name (with `_`), the folder of their manifest.
    crates: FxHashMap<String, &'a str>,
    /// Names that manifests of Rust give to crates, and the crates' own.
    renamed: FxHashMap<String, String>,
    by_name: FxHashMap<&'a str, Vec<FileId>>,
    /// Folders of projects of C# with the namespaces that all their files use; those of `Directory.Build.props` are no projects.
    dotnet: Vec<Dotnet<'a>>,
}

struct Dotnet<'a> {
    folder: &'a str,
    is_project: bool,
    usings: Vec<&'a str>,
}

fn is_inside(path: &str, folder: &str) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn name_of(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

fn stem_of(path: &str) -> &str {
    let name = name_of(path);
    name.split_once('.').map_or(name, |(stem, _)| stem)
}

/// `folder` and `relative` as one path without `.` and `..`; `None` when it leaves the root.
fn join(folder: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = if relative.starts_with('/') { Vec::new() } else { folder.split('/').collect() };
    parts.retain(|part| !part.is_empty());
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

fn common_prefix(a: &str, b: &str) -> usize {
    a.split('/').zip(b.split('/')).take_while(|(a, b)| a == b).count()
}

fn dotted(text: &str) -> String {
    text.replace("::", ".").replace(['\\', '/'], ".").trim_matches('.').to_owned()
}

const SCRIPT_EXTENSIONS: &[&str] =
    &["ts", "tsx", "d.ts", "js", "jsx", "mjs", "cjs", "mts", "cts", "vue", "svelte", "d.mts", "d.cts"];

impl<'a> Modules<'a> {
    pub(crate) fn new(paths: &'a [&'a str], heads: &'a [Head<'a>], families: &'a [Family]) -> Self {
        let mut modules = Modules {
            paths,
            families,
            by_path: FxHashMap::default(),
            python: FxHashMap::default(),
            python_packages: FxHashSet::default(),
            packages: Vec::new(),
            package_of: vec![PackageId::NONE; paths.len()],
            go_folders: FxHashMap::default(),
            go_modules: Vec::new(),
            namespaces: FxHashMap::default(),
            script_packages: FxHashMap::default(),
            tsconfigs: Vec::new(),
            crates: FxHashMap::default(),
            renamed: FxHashMap::default(),
            by_name: FxHashMap::default(),
            dotnet: Vec::new(),
        };
        for (place, &path) in paths.iter().enumerate() {
            let place = FileId(place as u32);
            modules.by_path.insert(path, place);
            modules.by_name.entry(name_of(path)).or_default().push(place);
            if name_of(path).starts_with("__init__.py") {
                modules.python_packages.insert(folder_of(path));
            }
        }
        let mut package_numbers: FxHashMap<(Family, &str, NameKey), PackageId> = FxHashMap::default();
        for (place, head) in heads.iter().enumerate() {
            let path = paths[place];
            match families[place] {
                Family::Python => modules.add_python(FileId(place as u32)),
                Family::Go => {
                    let name = head.module;
                    let folder = folder_of(path);
                    let next = PackageId(modules.packages.len() as u32);
                    let number = *package_numbers.entry((Family::Go, folder, key_of(name))).or_insert_with(|| {
                        modules.packages.push(Vec::new());
                        next
                    });
                    modules.packages[number.index()].push(FileId(place as u32));
                    modules.package_of[place] = number;
                    // What others import is the package without its external tests.
                    if !path.ends_with("_test.go") {
                        modules.go_folders.entry(folder).or_insert(number);
                    }
                }
                which @ (Family::Jvm | Family::CSharp | Family::Php) => {
                    let name = dotted(head.module);
                    let next = PackageId(modules.packages.len() as u32);
                    let number = *package_numbers.entry((which, "", key_of(&name))).or_insert_with(|| {
                        modules.packages.push(Vec::new());
                        next
                    });
                    modules.packages[number.index()].push(FileId(place as u32));
                    modules.package_of[place] = number;
                    modules.namespaces.insert((which, key_of(&name)), number);
                }
                Family::None => modules.add_settings(path, head),
                _ => {}
            }
        }
        modules.go_modules.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then(a.cmp(b)));
        modules.tsconfigs.sort_by(|a, b| b.folder.len().cmp(&a.folder.len()).then(a.folder.cmp(b.folder)));
        modules
    }

    fn add_python(&mut self, place: FileId) {
        let path = self.paths[place.index()];
        let without = path.strip_suffix(".pyi").or_else(|| path.strip_suffix(".py")).unwrap_or(path);
        let mut parts: Vec<&str> = without.split('/').collect();
        let mut root = parts.len() - 1;
        let mut folder = folder_of(path);
        while root > 0 && self.python_packages.contains(folder) {
            root -= 1;
            folder = folder_of(folder);
        }
        if parts.last() == Some(&"__init__") {
            parts.pop();
        }
        for start in 0..=root.min(parts.len().saturating_sub(1)) {
            if parts.is_empty() {
                break;
            }
            let name = parts[start..].join(".");
            self.python.entry(key_of(&name)).or_default().push((place, start as u32));
        }
    }

    fn add_settings(&mut self, path: &'a str, head: &Head<'a>) {
        let folder = folder_of(path);
        let settings = &head.settings;
        let value = |wanted: &str| settings.iter().find(|(key, _)| *key == wanted).map(|(_, value)| *value);
        match name_of(path) {
            "go.mod" => {
                if let Some(module) = value("module") {
                    self.go_modules.push((module, folder));
                }
            }
            "package.json" => {
                if let Some(name) = value("name").filter(|name| !name.is_empty()) {
                    let entries = settings.iter().filter(|(key, _)| key.starts_with("entry:"));
                    let entries = entries.map(|(key, value)| (&key["entry:".len()..], *value)).collect();
                    self.script_packages.entry(name).or_insert((folder, entries));
                }
            }
            "Cargo.toml" => {
                for key in ["name", "lib"] {
                    if let Some(name) = value(key) {
                        self.crates.entry(name.replace('-', "_")).or_insert(folder);
                    }
                }
                let renamed = settings.iter().filter_map(|(key, value)| Some((key.strip_prefix("crate:")?, *value)));
                self.renamed.extend(renamed.map(|(alias, name)| (alias.replace('-', "_"), name.replace('-', "_"))));
            }
            name if is_dotnet(name) => {
                let usings = settings.iter().filter(|(key, _)| *key == "using").map(|(_, value)| *value).collect();
                self.dotnet.push(Dotnet { folder, is_project: name.ends_with("proj"), usings });
            }
            _ => {
                let paths = settings.iter().filter(|(key, _)| key.starts_with("path:"));
                let paths: Vec<(&str, &str)> = paths.map(|(key, value)| (&key["path:".len()..], *value)).collect();
                let base = value("base");
                if base.is_some() || !paths.is_empty() {
                    let base = join(folder, base.unwrap_or(".")).unwrap_or_default();
                    self.tsconfigs.push(TsConfig { folder, base, paths });
                }
            }
        }
    }

    /// The file that a module is; `None` for a package.
    pub(crate) fn file_in(&self, module: ModuleId) -> Option<FileId> {
        (module.index() < self.paths.len()).then_some(FileId(module.0))
    }

    /// The package that a module is; `None` for a file.
    pub(crate) fn package_in(&self, module: ModuleId) -> Option<PackageId> {
        module.index().checked_sub(self.paths.len()).map(|package| PackageId(package as u32))
    }

    /// A package as a module.
    pub(crate) fn module_of(&self, package: PackageId) -> ModuleId {
        ModuleId(self.paths.len() as u32 + package.0)
    }

    fn package(&self, package: PackageId) -> Target {
        Target::Module(self.module_of(package))
    }

    fn file(&self, path: &str) -> Option<Target> {
        self.by_path.get(path).map(|&file| Target::Module(file.into()))
    }

    /// What `module`, as written in `file`, means.
    pub(crate) fn resolve(&self, file: FileId, module: &str) -> Target {
        let path = self.paths[file.index()];
        let found = match self.families[file.index()] {
            Family::Python => self.python(path, module),
            Family::Script => self.script(path, module),
            Family::Go => self.go(module),
            which @ (Family::Jvm | Family::CSharp | Family::Php) => self.namespace(which, module),
            Family::C => self.include(path, module),
            Family::Ruby | Family::Lua | Family::Shell | Family::Zig | Family::Web | Family::Julia => {
                self.by_suffix(file, module)
            }
            // Paths of Rust are walked part by part.
            _ => None,
        };
        found.unwrap_or(Target::External)
    }

    pub(crate) fn python(&self, importer: &str, module: &str) -> Option<Target> {
        let relative = module.trim_start_matches('.');
        let dots = module.len() - relative.len();
        if dots > 0 {
            let mut folder = folder_of(importer);
            for _ in 1..dots {
                if folder.is_empty() {
                    return None;
                }
                folder = folder_of(folder);
            }
            let base = join(folder, &relative.replace('.', "/"))?;
            let base_slash = if base.is_empty() { String::new() } else { format!("{base}/") };
            for candidate in [
                format!("{base}.py"),
                format!("{base_slash}__init__.py"),
                format!("{base}.pyi"),
                format!("{base_slash}__init__.pyi"),
            ] {
                if let Some(target) = self.file(&candidate) {
                    return Some(target);
                }
            }
            return None;
        }
        let candidates = self.python.get(&key_of(module))?;
        let here = folder_of(importer);
        let top = module.split('.').next().unwrap_or(module);
        candidates
            .iter()
            .filter(|(place, start)| {
                let path = self.paths[place.index()];
                let root = path.split('/').take(*start as usize).collect::<Vec<_>>().join("/");
                let around = root.is_empty() || here == root || here.starts_with(&format!("{root}/"));
                let package = if root.is_empty() { top.to_owned() } else { format!("{root}/{top}") };
                around
                    || matches!(name_of(&root), "src" | "lib" | "python")
                    || self.python_packages.contains(package.as_str())
            })
            .min_by_key(|(place, start)| {
                let path = self.paths[place.index()];
                (std::cmp::Reverse(common_prefix(path, importer)), path.ends_with(".pyi"), *start, path.len(), *place)
            })
            .map(|&(place, _)| Target::Module(place.into()))
    }

    fn script_file(&self, base: &str) -> Option<Target> {
        if let Some(&file) = self.by_path.get(base).filter(|file| self.families[file.index()] == Family::Script) {
            return Some(Target::Module(file.into()));
        }
        for extension in SCRIPT_EXTENSIONS {
            if let Some(target) = self.file(&format!("{base}.{extension}")) {
                return Some(target);
            }
        }
        // TypeScript is written with the name of the file that it becomes.
        if let Some((stem, extension)) = base.rsplit_once('.')
            && matches!(extension, "js" | "jsx" | "mjs" | "cjs")
        {
            for extension in ["ts", "tsx", "mts", "cts", "d.ts"] {
                if let Some(target) = self.file(&format!("{stem}.{extension}")) {
                    return Some(target);
                }
            }
        }
        let folder = if base.is_empty() { String::new() } else { format!("{base}/") };
        SCRIPT_EXTENSIONS.iter().find_map(|extension| self.file(&format!("{folder}index.{extension}")))
    }

    fn script(&self, importer: &str, module: &str) -> Option<Target> {
        let module = module.split(['?', '!']).next().unwrap_or(module);
        let here = folder_of(importer);
        if module.starts_with('.') {
            return self.script_file(&join(here, module)?);
        }
        if let Some(path) = module.strip_prefix('/') {
            return self.script_file(path);
        }
        for config in &self.tsconfigs {
            if !(config.folder.is_empty() || here == config.folder || here.starts_with(&format!("{}/", config.folder)))
            {
                continue;
            }
            for (pattern, target) in &config.paths {
                let fitting = match pattern.split_once('*') {
                    Some((before, after)) => module
                        .strip_prefix(before)
                        .and_then(|rest| rest.strip_suffix(after))
                        .map(|middle| target.replacen('*', middle, 1)),
                    None => (*pattern == module).then(|| (*target).to_owned()),
                };
                if let Some(found) =
                    fitting.and_then(|path| join(&config.base, &path)).and_then(|path| self.script_file(&path))
                {
                    return Some(found);
                }
            }
            if let Some(found) = join(&config.base, module).and_then(|path| self.script_file(&path)) {
                return Some(found);
            }
        }
        if let Some(rest) = module.strip_prefix("@/").or_else(|| module.strip_prefix("~/")) {
            let mut folder = here;
            loop {
                let below = if folder.is_empty() { "src".to_owned() } else { format!("{folder}/src") };
                let base = if name_of(folder) == "src" { folder } else { &below };
                if let Some(found) = self.script_file(&format!("{base}/{rest}")) {
                    return Some(found);
                }
                if folder.is_empty() {
                    break;
                }
                folder = folder_of(folder);
            }
        }
        let parts = if module.starts_with('@') { 2 } else { 1 };
        let split = module.match_indices('/').nth(parts - 1).map_or(module.len(), |(at, _)| at);
        let (name, below) = module.split_at(split);
        let (folder, entries) = self.script_packages.get(name)?;
        let below = below.trim_start_matches('/');
        let wanted = if below.is_empty() { ".".to_owned() } else { format!("./{below}") };
        for (_, value) in entries.iter().filter(|(key, _)| *key == wanted) {
            // What is published was built from sources that stand beside it.
            let value = value.trim_start_matches("./");
            let stem = value.split_once('.').map_or(value, |(stem, _)| stem);
            let inner = stem.split_once('/').map_or(stem, |(_, inner)| inner);
            for base in [value.to_owned(), format!("src/{inner}"), inner.to_owned(), stem.to_owned()] {
                if let Some(found) = join(folder, &base).and_then(|path| self.script_file(&path)) {
                    return Some(found);
                }
            }
        }
        let bases: [String; 4] = if below.is_empty() {
            ["src/index".into(), "index".into(), "lib/index".into(), "src/main".into()]
        } else {
            [below.to_owned(), format!("src/{below}"), format!("lib/{below}"), format!("src/{below}/index")]
        };
        bases.iter().find_map(|base| join(folder, base).and_then(|path| self.script_file(&path)))
    }

    fn go(&self, module: &str) -> Option<Target> {
        self.go_modules.iter().find_map(|(prefix, folder)| {
            let rest = module.strip_prefix(prefix)?;
            if !rest.is_empty() && !rest.starts_with('/') {
                return None;
            }
            let path = join(folder, rest.trim_start_matches('/'))?;
            self.go_folders.get(path.as_str()).map(|&number| self.package(number))
        })
    }

    pub(crate) fn namespace(&self, which: Family, module: &str) -> Option<Target> {
        self.namespaces.get(&(which, key_of(&dotted(module)))).map(|&number| self.package(number))
    }

    fn include(&self, importer: &str, module: &str) -> Option<Target> {
        if let Some(found) = join(folder_of(importer), module).and_then(|path| self.file(&path)) {
            return Some(found);
        }
        self.closest(self.by_name.get(name_of(module))?, importer, &[module.trim_start_matches("./").to_owned()])
    }

    /// The file among `places` whose path ends with one of `endings`, nearest to `importer`.
    fn closest(&self, places: &[FileId], importer: &str, endings: &[String]) -> Option<Target> {
        places
            .iter()
            .filter(|&&place| {
                let path = self.paths[place.index()];
                endings.iter().any(|ending| {
                    path.strip_suffix(ending.as_str()).is_some_and(|before| before.is_empty() || before.ends_with('/'))
                })
            })
            .min_by_key(|&&place| {
                let path = self.paths[place.index()];
                (std::cmp::Reverse(common_prefix(path, importer)), path.len(), place)
            })
            .map(|&place| Target::Module(place.into()))
    }

    fn by_suffix(&self, file: FileId, module: &str) -> Option<Target> {
        let importer = self.paths[file.index()];
        let plain = module.trim_start_matches("./").trim_start_matches("$");
        let mut endings: Vec<String> = Vec::new();
        let slashed = plain.replace('.', "/");
        match self.families[file.index()] {
            Family::Ruby => endings.extend([format!("{plain}.rb"), plain.to_owned()]),
            Family::Lua => endings.extend([format!("{slashed}.lua"), format!("{slashed}/init.lua"), plain.to_owned()]),
            Family::Julia => endings.extend([plain.to_owned(), format!("{slashed}.jl")]),
            _ => endings.push(plain.to_owned()),
        }
        for ending in &endings {
            if let Some(found) = join(folder_of(importer), ending).and_then(|path| self.file(&path)) {
                return Some(found);
            }
            let clean = ending.trim_start_matches("../").to_owned();
            if let Some(found) = self
                .by_name
                .get(name_of(&clean))
                .and_then(|places| self.closest(places, importer, std::slice::from_ref(&clean)))
            {
                return Some(found);
            }
        }
        None
    }

    /// The folder of the project of C# that a file belongs to: of the nearest one around it; without one the root.
    pub(crate) fn project_folder(&self, path: &str) -> &'a str {
        let around = self.dotnet.iter().filter(|one| one.is_project && is_inside(path, one.folder));
        around.map(|one| one.folder).max_by_key(|folder| folder.len()).unwrap_or("")
    }

    /// The namespaces that the project of a file uses in all its files, by its manifest and those around it.
    pub(crate) fn project_usings(&self, path: &str) -> impl Iterator<Item = &'a str> {
        let project = self.project_folder(path);
        let fits = |one: &&Dotnet<'a>| one.folder == project || !one.is_project && is_inside(path, one.folder);
        self.dotnet.iter().filter(fits).flat_map(|one| one.usings.iter().copied()).collect::<Vec<_>>().into_iter()
    }

    /// The file of the Rust module `name` declared in `file`.
    pub(crate) fn rust_child(&self, file: FileId, name: &str) -> Option<FileId> {
        let path = self.paths[file.index()];
        let folder = folder_of(path);
        let own = match name_of(path) {
            "lib.rs" | "main.rs" | "mod.rs" => folder.to_owned(),
            _ if self.is_rust_root(path) => folder.to_owned(),
            _ => join(folder, stem_of(path))?,
        };
        let base = if own.is_empty() { name.to_owned() } else { format!("{own}/{name}") };
        [format!("{base}.rs"), format!("{base}/mod.rs")]
            .iter()
            .find_map(|path| self.by_path.get(path.as_str()).copied())
    }

    fn is_rust_root(&self, path: &str) -> bool {
        matches!(name_of(path), "lib.rs" | "main.rs" | "build.rs")
            || matches!(name_of(folder_of(path)), "bin" | "tests" | "examples" | "benches")
                && name_of(path) != "mod.rs"
                && !self.by_path.contains_key(format!("{}/mod.rs", folder_of(path)).as_str())
    }

    /// The file of the module around `file`'s.
    pub(crate) fn rust_parent(&self, file: FileId) -> Option<FileId> {
        let path = self.paths[file.index()];
        if self.is_rust_root(path) {
            return None;
        }
        let folder = if name_of(path) == "mod.rs" { folder_of(folder_of(path)) } else { folder_of(path) };
        let within = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let mut candidates = vec![format!("{within}lib.rs"), format!("{within}main.rs"), format!("{within}mod.rs")];
        if !folder.is_empty() {
            candidates.push(format!("{folder}.rs"));
        }
        candidates.iter().find_map(|path| self.by_path.get(path.as_str()).copied()).filter(|&parent| parent != file)
    }

    /// The root of the crate that `file` belongs to.
    pub(crate) fn rust_root(&self, file: FileId) -> FileId {
        let mut at = file;
        for _ in 0..64 {
            match self.rust_parent(at) {
                Some(parent) => at = parent,
                None => break,
            }
        }
        at
    }

    /// The root file of a crate of this workspace.
    pub(crate) fn rust_crate(&self, name: &str) -> Option<FileId> {
        let folder = self.crates.get(name).or_else(|| self.crates.get(self.renamed.get(name)?))?;
        let within = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        [format!("{within}src/lib.rs"), format!("{within}lib.rs"), format!("{within}src/main.rs")]
            .iter()
            .find_map(|path| self.by_path.get(path.as_str()).copied())
    }
}

/// Whether a file says how projects of C# are built.
pub(crate) fn is_dotnet(name: &str) -> bool {
    name.ends_with(".csproj") || matches!(name, "Directory.Build.props" | "Directory.Build.targets")
}

/// What a manifest says, for [`Modules`]; `None` for a file that is none.
pub(crate) fn settings_of(path: &str, text: &str) -> Option<Vec<(String, String)>> {
    let name = name_of(path);
    let mut settings = Vec::new();
    let mut add = |key: &str, value: &str| settings.push((key.to_owned(), value.to_owned()));
    match name {
        "go.mod" => {
            let module = text.lines().find_map(|line| line.trim().strip_prefix("module "))?;
            add("module", module.split("//").next().unwrap_or(module).trim().trim_matches('"'));
        }
        "Cargo.toml" => {
            let mut section = "";
            for line in text.lines() {
                let line = line.trim();
                if line.starts_with('[') {
                    section = line;
                } else if let Some((key, value)) = line.split_once('=') {
                    let quoted = |value: &'_ str| {
                        value.split(['#', ',', '}']).next().unwrap_or("").trim().trim_matches(['"', '\'']).to_owned()
                    };
                    let of = section.trim_matches(['[', ']']).rsplit_once('.').map_or("", |(_, last)| last);
                    match (section, key.trim()) {
                        ("[package]", "name") => add("name", &quoted(value)),
                        ("[lib]", "name") => add("lib", &quoted(value)),
                        // [dependencies.tui], package = "helix-tui"
                        (_, "package") if section.contains("dependencies.") => {
                            add(&format!("crate:{of}"), &quoted(value));
                        }
                        // tui = { package = "helix-tui" }
                        (_, alias) if section.contains("dependencies") => {
                            let package = value.split(['{', ',']).find_map(|part| {
                                let (key, value) = part.split_once('=')?;
                                (key.trim() == "package").then(|| quoted(value))
                            });
                            if let Some(package) = package {
                                add(&format!("crate:{alias}"), &package);
                            }
                        }
                        _ => {}
                    }
                }
            }
        }
        "package.json" => {
            let json: serde_json::Value = serde_json::from_str(text).ok()?;
            if let Some(name) = json.get("name").and_then(|name| name.as_str()) {
                add("name", name);
            }
            let mut found: Vec<(String, String)> = Vec::new();
            if let Some(exports) = json.get("exports") {
                exported(exports, ".", &mut found, 0);
            }
            for key in ["source", "module", "main", "types", "typings"] {
                if let Some(value) = json.get(key).and_then(|value| value.as_str()) {
                    found.push((".".to_owned(), value.to_owned()));
                }
            }
            for (key, value) in found.iter().take(200) {
                add(&format!("entry:{key}"), value);
            }
        }
        _ if name.starts_with("tsconfig") && name.ends_with(".json") || name == "jsconfig.json" => {
            let json: serde_json::Value = serde_json::from_str(&without_comments(text)).ok()?;
            let options = json.get("compilerOptions")?;
            if let Some(base) = options.get("baseUrl").and_then(|base| base.as_str()) {
                add("base", base);
            }
            if let Some(paths) = options.get("paths").and_then(|paths| paths.as_object()) {
                for (pattern, targets) in paths {
                    for target in targets.as_array().into_iter().flatten().filter_map(|target| target.as_str()) {
                        add(&format!("path:{pattern}"), target);
                    }
                }
            }
        }
        _ if is_dotnet(name) => {
            // `<Using Include="Shop" />`, without those that give a class or another name.
            for element in text.split("<Using ").skip(1) {
                let element = element.split('>').next().unwrap_or("");
                let include = element.split_once("Include=\"").and_then(|(_, rest)| rest.split_once('"'));
                if let Some((namespace, _)) = include.filter(|_| !element.contains("Alias=")) {
                    add("using", namespace.trim());
                }
            }
        }
        _ => return None,
    }
    Some(settings)
}

/// Conditions of `exports` under which a package gives some readers another file than what it is for; the last choice.
const ELSEWHERE: &[&str] = &[
    "browser",
    "deno",
    "bun",
    "edge-light",
    "react-native",
    "require",
    "workerd",
    "worker",
    "development",
    "production",
];

fn exported(value: &serde_json::Value, key: &str, found: &mut Vec<(String, String)>, depth: u32) {
    match value {
        serde_json::Value::String(text) => found.push((key.to_owned(), text.clone())),
        serde_json::Value::Array(items) => items.iter().for_each(|item| exported(item, key, found, depth)),
        serde_json::Value::Object(entries) if depth < 6 => {
            let mut entries: Vec<_> = entries.iter().collect();
            entries.sort_by_key(|(name, _)| (ELSEWHERE.contains(&name.as_str()), *name));
            for (name, inner) in entries {
                exported(inner, if name.starts_with('.') { name } else { key }, found, depth + 1);
            }
        }
        _ => {}
    }
}

/// JSON as TypeScript's configuration is written: with comments and commas before a closing bracket.
fn without_comments(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    let mut in_string = false;
    while let Some(character) = characters.next() {
        if in_string {
            plain.push(character);
            if character == '\\' {
                plain.extend(characters.next());
            } else if character == '"' {
                in_string = false;
            }
            continue;
        }
        match (character, characters.peek()) {
            ('"', _) => {
                in_string = true;
                plain.push(character);
            }
            ('/', Some('/')) => {
                for skipped in characters.by_ref() {
                    if skipped == '\n' {
                        break;
                    }
                }
            }
            ('/', Some('*')) => {
                characters.next();
                let mut before = ' ';
                for skipped in characters.by_ref() {
                    if before == '*' && skipped == '/' {
                        break;
                    }
                    before = skipped;
                }
            }
            (']' | '}', _) => {
                while plain.ends_with(char::is_whitespace) {
                    plain.pop();
                }
                if plain.ends_with(',') {
                    plain.pop();
                }
                plain.push(character);
            }
            _ => plain.push(character),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_joined_inside_the_root_only() {
        assert_eq!(Some("a/c".to_owned()), join("a/b", "../c"));
        assert_eq!(Some("c".to_owned()), join("a/b", "/c"));
        assert_eq!(None, join("a", "../../c"));
    }

    #[test]
    fn manifests_say_what_they_are_called() {
        let go = settings_of("x/go.mod", "// a\nmodule example.org/shop // main\n\ngo 1.22\n");
        assert_eq!(Some(vec![("module".to_owned(), "example.org/shop".to_owned())]), go);
        let cargo = settings_of("Cargo.toml", "[package]\nname = \"my-crate\" # x\n[[bin]]\nname = \"other\"\n");
        assert_eq!(Some(vec![("name".to_owned(), "my-crate".to_owned())]), cargo);
        let renamed = "[dependencies]\nserde = \"1\"\ntui = { path = \"../t\", package = \"my-tui\" }\n[dev-dependencies.kit]\npackage = \"my-kit\"\n";
        let expected = [("crate:tui", "my-tui"), ("crate:kit", "my-kit")];
        let expected = expected.map(|(key, value)| (key.to_owned(), value.to_owned())).to_vec();
        assert_eq!(Some(expected), settings_of("Cargo.toml", renamed));
        let script = settings_of(
            "package.json",
            r#"{"name":"@a/b","exports":{".":{"import":"./dist/x.mjs"},"./y":"./dist/y.js"}}"#,
        );
        let expected = [("name", "@a/b"), ("entry:.", "./dist/x.mjs"), ("entry:./y", "./dist/y.js")];
        assert_eq!(Some(expected.map(|(key, value)| (key.to_owned(), value.to_owned())).to_vec()), script);
        // What a browser gets stands in for the package only where there is nothing else.
        let script = settings_of(
            "package.json",
            r#"{"exports":{".":{"browser":"./dist/browser.mjs","import":{"deno":"./deno.ts","default":"./dist/index.mjs"}}}}"#,
        );
        let expected = ["./dist/index.mjs", "./deno.ts", "./dist/browser.mjs"];
        let expected = expected.map(|value| ("entry:.".to_owned(), value.to_owned())).to_vec();
        assert_eq!(Some(expected), script);
        let config =
            "{ // why\n\"compilerOptions\": {\"baseUrl\": \"./src\", /* x */ \"paths\": {\"@/*\": [\"./*\",],},},}";
        let expected = [("base", "./src"), ("path:@/*", "./*")];
        let expected = expected.map(|(key, value)| (key.to_owned(), value.to_owned())).to_vec();
        assert_eq!(Some(expected), settings_of("web/tsconfig.app.json", config));
        let project = "<ItemGroup><Using Include=\"Shop.Model\" />\n<Using Include=\"A.B\" Alias=\"C\"/></ItemGroup>";
        let expected = Some(vec![("using".to_owned(), "Shop.Model".to_owned())]);
        assert_eq!(expected, settings_of("src/Shop/Shop.csproj", project));
        assert_eq!(None, settings_of("README.md", ""));
        assert_eq!(None, settings_of("package.json", "{"));
    }
}
