//! Which symbols a name means, as a person or a program writes it: `close`, `Session.close`, `shop/cart.py`, `shop.cart.total`,
//! `crate::cart::total`, `Cart#total`.

use std::cell::OnceCell;

use rustc_hash::FxHashSet;

use crate::extract::packed::{decompress, field, unpack};
use crate::store::Graph;

/// Names of the files that a directory is known by.
const DIRECTORY_FILES: &[&str] = &["__init__", "mod", "index", "lib", "main"];
/// Words of Rust that name a place from where one stands, not a module.
const RELATIVE: &[&str] = &["crate", "self", "super", "Self"];

/// How well the parts in front of a name agree with the place of a symbol; better ones are larger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Agreement {
    /// The whole path of the file from the root ends what was asked: `github.com/shop/app/cart` for `cart/`.
    Inside,
    /// The directory or the package that the file declares.
    Directory,
    /// The file itself.
    File,
}

/// A name as asked, its parts joined with `.`.
pub(crate) fn normal(name: &str) -> String {
    name.trim()
        .trim_end_matches("()")
        .replace("::", ".")
        .replace(['#', '\\'], ".")
        .replace("->", ".")
        .trim_matches('.')
        .to_owned()
}

/// The parts of a name or path, without what separates them.
fn parts_of(name: &str) -> Vec<&str> {
    let parts = name.trim().trim_end_matches("()").split(['/', '\\', '.', ':', '#', '>']);
    // `(*Cart).Total` of Go, `@/cart` of scripts, `cart->total` of C.
    parts
        .map(|part| part.trim_matches(['(', ')', '*', '&', '@', '~', '-', ' ']))
        .filter(|part| !part.is_empty())
        .collect()
}

/// Whether parts are the last ones of others, whatever their capitals. `-` and `_` are one: a crate of Rust has either.
fn ends_with<'a>(whole: impl DoubleEndedIterator<Item = &'a str>, parts: &[&str]) -> bool {
    let same = |one: &str, other: &str| {
        one.len() == other.len()
            && one.bytes().zip(other.bytes()).all(|(one, other)| {
                one.eq_ignore_ascii_case(&other) || matches!((one, other), (b'-', b'_') | (b'_', b'-'))
            })
    };
    let mut whole = whole.rev();
    parts.iter().rev().all(|part| whole.next().is_some_and(|one| same(one, part)))
}

impl Graph {
    /// Symbols of a name, sorted by path and line; the first of these ways that leads to any:
    ///
    /// 1. the name, or the end of the qualified name, in these capitals; `path#name` in one file
    /// 2. what the module, package or file in front of the name has under it; a file by its path or its module's name
    /// 3. the name in any file with the last part in front of it somewhere in its path
    /// 4. other capitals
    /// 5. a file by its name alone; the files of a directory by its path, of a package by its name
    pub fn find(&self, name: &str) -> Vec<u32> {
        // A private name of a script, `Cart.#total`, as it is shown.
        if let Some(at) = name.rfind('#').filter(|&at| at == 0 || name[..at].ends_with('.')) {
            let all = self.named(&name[at..]).iter().copied();
            let full = |symbol: &u32| {
                let qualified = self.qualified(*symbol);
                at == 0 || qualified == name || qualified.ends_with(&format!(".{name}"))
            };
            let found: Vec<u32> = all.filter(full).collect();
            if !found.is_empty() {
                return found;
            }
        }
        let in_file = name
            .rsplit_once('#')
            .filter(|(path, _)| path.contains('/') || path.contains('.') && !self.files_of(path).is_empty());
        let mut found = match in_file {
            Some((path, name)) => {
                let there = |symbol: &u32| self.file_path(self.file_of(*symbol)) == path;
                let mut found = self.by_qualified_name(&normal(name));
                found.retain(there);
                if found.is_empty() {
                    found = self.in_other_capitals(&normal(name), Some(path));
                }
                found
            }
            None => self.by_qualified_name(&normal(name)),
        };
        let parts = parts_of(name);
        if found.is_empty() {
            found = self.by_place(name, &parts);
        }
        let is_path = name.contains('/');
        if found.is_empty() && in_file.is_none() && !is_path {
            found = self.by_part_of_path(&normal(name));
            if found.is_empty() {
                found = self.in_other_capitals(&normal(name), None);
            }
        }
        if found.is_empty() && in_file.is_none() {
            found = match parts[..] {
                [one] if !is_path => self.files_that(|file, path| {
                    is_module(path, &[one]) || self.head(file).is_some_and(|head| head.module == one)
                }),
                _ if is_path => self.files_that(|_, path| ends_with(directory(path).split('/'), &parts)),
                _ => Vec::new(),
            };
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Symbols whose qualified name is or ends with the one given.
    fn by_qualified_name(&self, full: &str) -> Vec<u32> {
        let mut found = self.named(full).to_vec();
        if let Some((_, last)) = full.rsplit_once('.') {
            found.extend(self.named(last).iter().copied().filter(|&symbol| {
                let qualified = self.qualified(symbol);
                qualified.strip_suffix(full).is_some_and(|before| before.is_empty() || before.ends_with('.'))
            }));
        }
        found
    }

    /// Symbols by the module, package or file in front of their name, and files; only those that agree best.
    fn by_place(&self, name: &str, parts: &[&str]) -> Vec<u32> {
        let rust = match parts.first() {
            Some(&"crate") => true,
            Some(first) => name.contains("::") && RELATIVE.contains(first),
            None => false,
        };
        let own = parts.iter().take_while(|part| rust && RELATIVE.contains(part)).count();
        let parts = &parts[own..];
        let Some((&last, before)) = parts.split_last() else { return Vec::new() };
        if before.is_empty() && !rust {
            return Vec::new();
        }
        let crates = OnceCell::new();
        let mut found: Vec<((Agreement, bool, bool), u32)> = Vec::new();
        for &symbol in self.named(last) {
            let file = self.file_of(symbol);
            let path = self.file_path(file);
            if self.kind(symbol) == "file" || rust && !path.ends_with(".rs") {
                continue;
            }
            let container = self.container(symbol);
            let inner = container.split('.').filter(|part| !part.is_empty()).count();
            // What stands in front is the whole of the qualified name and a place, or the end of it and a file.
            let of_members = |members: usize| {
                let (place, asked) = before.split_at(before.len() - members);
                let complete = members == inner;
                if !ends_with(container.split('.'), asked) || !rust && place.is_empty() {
                    return None;
                }
                let agreement = if place.is_empty() {
                    // `crate::total` stands in the file of the crate itself, or is passed on by it.
                    if DIRECTORY_FILES.contains(&last_of(stem(path))) { Agreement::File } else { Agreement::Inside }
                } else {
                    self.agreement(file, place, &crates)?
                };
                let same_capitals = place.iter().all(|part| segments(path).any(|one| one == *part));
                (complete || !rust && agreement == Agreement::File)
                    .then_some(((agreement, complete, same_capitals), symbol))
            };
            found.extend((0..=inner.min(before.len())).rev().find_map(of_members));
        }
        let best = found.iter().map(|(agreement, _)| *agreement).max();
        let mut found: Vec<u32> =
            found.into_iter().filter(|(agreement, _)| Some(*agreement) == best).map(|(_, symbol)| symbol).collect();
        // `shop.cart` is the module before it is a `cart` that some file of `shop` has; what the module is named for is meant itself.
        let declares_only = rust && found.iter().all(|&symbol| self.kind(symbol) == "module");
        if declares_only || best.is_none_or(|best| best < (Agreement::File, true, false)) {
            let files = self.files_that(|_, path| {
                (!rust || path.ends_with(".rs")) && (ends_with(segments(path), parts) || is_module(path, parts))
            });
            let inside = |symbol: u32| files.iter().any(|&file| self.file_of(file) == self.file_of(symbol));
            if found.iter().any(|&symbol| inside(symbol)) {
                found.retain(|&symbol| inside(symbol));
            } else if !files.is_empty() {
                found = files;
            }
        }
        found
    }

    /// How a module path agrees with a file; `None` where it does not.
    fn agreement<'g>(
        &'g self,
        file: u32,
        parts: &[&str],
        crates: &OnceCell<Vec<(&'g str, String)>>,
    ) -> Option<Agreement> {
        let path = self.file_path(file);
        if ends_with(segments(path), parts) || is_module(path, parts) {
            return Some(Agreement::File);
        }
        if path.ends_with(".rs") {
            let crates = crates.get_or_init(|| self.crates());
            let own = crates.iter().filter_map(|(root, name)| Some((name, below(path, root)?)));
            if let Some((name, inside)) = own.min_by_key(|(_, inside)| inside.len()) {
                let inside = stem(inside.strip_prefix("src/").unwrap_or(inside));
                let file = DIRECTORY_FILES.contains(&last_of(inside));
                let inside = if file { directory(inside) } else { inside };
                let module = std::iter::once(name.as_str()).chain(inside.split('/').filter(|part| !part.is_empty()));
                if ends_with(module.collect::<Vec<_>>().into_iter(), parts) {
                    return Some(Agreement::File);
                }
            }
        }
        let declared = self.head(file).map_or("", |head| head.module);
        let declared: Vec<&str> = declared.split(['.', '/', '\\', ':']).filter(|part| !part.is_empty()).collect();
        if ends_with(directory(path).split('/'), parts)
            || !declared.is_empty()
                && (ends_with(declared.iter().copied(), parts) || ends_with(parts.iter().copied(), &declared))
        {
            return Some(Agreement::Directory);
        }
        let directories: Vec<&str> = directory(path).split('/').filter(|part| !part.is_empty()).collect();
        (directories.len() > 1 && ends_with(parts.iter().copied(), &directories)).then_some(Agreement::Inside)
    }

    /// The directory and the name of each crate of Rust.
    fn crates(&self) -> Vec<(&str, String)> {
        let manifests = (0..self.file_count()).filter_map(|file| {
            let root = directory_of_file(self.file_path(file), "Cargo.toml")?;
            Some((root, self.name_of_manifest(file)?))
        });
        manifests.collect()
    }

    fn name_of_manifest(&self, file: u32) -> Option<String> {
        let (packed, _) = decompress(self.file_facts(file))?;
        let facts = unpack(&packed).ok()?;
        let named = |(key, value): &&(u32, u32)| facts.string(*key) == "name" && !facts.string(*value).is_empty();
        facts.settings.iter().find(named).map(|(_, value)| facts.string(*value).to_owned())
    }

    /// Symbols of the last part of a name in files that have the part in front of it anywhere in their path.
    fn by_part_of_path(&self, full: &str) -> Vec<u32> {
        let Some((before, last)) = full.rsplit_once('.') else { return Vec::new() };
        let wanted = before.rsplit('.').next().unwrap_or(before);
        let fits = |symbol: &u32| {
            segments(self.file_path(self.file_of(*symbol))).any(|part| part.eq_ignore_ascii_case(wanted))
        };
        self.named(last).iter().copied().filter(fits).collect()
    }

    /// Symbols that are called so but for the capitals; a method of another class is no look-alike.
    fn in_other_capitals(&self, full: &str, path: Option<&str>) -> Vec<u32> {
        // The joined form of the name is a term.
        let last = full.rsplit('.').next().unwrap_or(full);
        let lower = full.to_lowercase();
        let belongs = |symbol: u32| {
            let qualified = self.qualified(symbol).to_lowercase();
            last == full || qualified == lower || qualified.ends_with(&format!(".{lower}"))
        };
        let in_path = |symbol: u32| path.is_none_or(|path| self.file_path(self.file_of(symbol)) == path);
        let mut found = FxHashSet::default();
        for term in loci_text::expand(last).terms {
            if let Some(number) = self.term(&term.text).filter(|&number| self.term_df(number) <= 5_000) {
                self.postings(number, |symbol, mask| {
                    let same = mask & field::NAME != 0 && self.name(symbol).eq_ignore_ascii_case(last);
                    if same && belongs(symbol) && in_path(symbol) {
                        found.insert(symbol);
                    }
                });
            }
        }
        found.into_iter().collect()
    }

    /// The symbols that stand for files.
    fn files_that(&self, fits: impl Fn(u32, &str) -> bool) -> Vec<u32> {
        let files = (0..self.file_count()).filter(|&file| fits(file, self.file_path(file)));
        let own = files.filter_map(|file| self.symbols_of_file(file).next());
        own.filter(|&symbol| self.kind(symbol) == "file").collect()
    }

    /// Files whose path is, or ends with, the one given.
    pub(crate) fn files_of(&self, path: &str) -> Vec<u32> {
        (0..self.file_count())
            .filter(|&file| {
                self.file_path(file).strip_suffix(path).is_some_and(|before| before.is_empty() || before.ends_with('/'))
            })
            .collect()
    }
}

/// The directories, the name and the extensions of a path.
fn segments(path: &str) -> impl DoubleEndedIterator<Item = &str> {
    path.split(['/', '.'])
}

/// A path without its extension.
fn stem(path: &str) -> &str {
    match path.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() && !extension.contains('/') => stem,
        _ => path,
    }
}

fn directory(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

/// The rest of a path that lies in a directory; the root is "".
fn below<'p>(path: &'p str, directory: &str) -> Option<&'p str> {
    if directory.is_empty() { Some(path) } else { path.strip_prefix(directory)?.strip_prefix('/') }
}

/// The directory of a path that ends in a file of that name.
fn directory_of_file<'p>(path: &'p str, name: &str) -> Option<&'p str> {
    (last_of(path) == name).then(|| directory(path))
}

fn last_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Whether a file is the module of these parts: by its name without the extension, or as what its directory is known by.
fn is_module(path: &str, parts: &[&str]) -> bool {
    let stem = stem(path);
    ends_with(segments(stem), parts)
        || DIRECTORY_FILES.contains(&last_of(stem)) && ends_with(directory(stem).split('/'), parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_stand_between_all_that_separates() {
        assert_eq!(vec!["src", "click", "types", "py"], parts_of("./src/click/types.py"));
        assert_eq!(vec!["crate", "cart", "Cart", "pay"], parts_of("crate::cart::Cart::pay()"));
        assert_eq!(vec!["Terminal", "Loop"], parts_of("(*Terminal).Loop"));
        assert_eq!(vec!["cart", "total"], parts_of("cart->total"));
        assert!(parts_of("::").is_empty());
    }

    #[test]
    fn a_directory_is_its_own_module() {
        assert!(is_module("src/click/__init__.py", &["click"]));
        assert!(is_module("src/click/types.py", &["click", "types"]));
        assert!(is_module("crates/loci-graph/lib.rs", &["loci_graph"]));
        assert!(!is_module("src/click/types.py", &["click"]));
        assert!(!is_module("src/click/types.py", &["lick", "types"]));
    }
}
