//! From what each file says to edges between symbols.
//!
//! Every name is looked up as its language does: local scopes, the class and its bases, the file, its imports, its package. What a
//! variable, field or call holds is followed as far as annotations, constructors and declared return types say. A name that leads
//! out of the project stays without a target, and so does one that leads nowhere; only a method on a receiver of which nothing is
//! known, and a bare name in a language without imports, are looked for by name alone, and the edge says so.
//!
//! Where to look: `project` holds what is known of all files, `scope_lookup` says what a name means where it stands, `imports` what
//! an import names, `classes` what a class has and inherits, `values` and `types` what an expression or a type as written stands for,
//! `edges` puts it together for one file, `incremental` resolves again what a change may have touched. What one family of languages
//! alone does stands in `semantics`.

mod classes;
mod edges;
mod imports;
mod incremental;
mod meaning;
pub(crate) mod modules;
mod project;
mod reach;
mod scope_lookup;
mod semantics;
pub(crate) mod tables;
mod text;
mod trail;
mod types;
mod values;

use crate::heads::Head;
use crate::ids::{FileId, ModuleId, SymbolId};
use crate::resolve::modules::{Family, Modules};
use crate::resolve::tables::Facts;
use crate::store::{EdgeRecord, Record};

pub(crate) use incremental::{Rebuilt, resolve_changed};
use meaning::{Resolution, Value};
use project::{Project, Stage, is_callable, is_type};
use reach::{Reach, rows_of};
use trail::{Here, Trail};

/// Version of the rules below; part of the signature of every graph.
pub(crate) const RULES: u32 = 11;

/// Candidates that an ambiguous reference lists.
const MOST_CANDIDATES: usize = 6;
/// A name with more definitions than this says nothing about which one is meant.
const MOST_NAMESAKES: usize = 40;
/// How far a chain of aliases, imports and types is followed.
const DEPTH: u32 = 12;
/// Definitions of one name in one scope that are compared, from each end.
const MOST_COMPARED: usize = 64;

/// What resolving one file gives.
#[derive(Clone, Debug, Default)]
pub(crate) struct Resolved {
    pub(crate) edges: Vec<EdgeRecord>,
    pub(crate) record: Record,
}

/// Resolves all files; symbols are numbered file by file, each file's own symbol first. With the results comes the parent of each symbol.
pub(crate) fn resolve<'a>(
    facts: &'a Facts<'a>,
    heads: &'a [Head<'a>],
    paths: &'a [&'a str],
    families: &'a [Family],
    modules: &'a Modules<'a>,
) -> (Vec<Resolved>, Vec<u32>) {
    let mut project = Project::new(facts, heads, paths, families, modules, None);
    let all: Vec<FileId> = (0..facts.len() as u32).map(FileId).collect();
    let attached = project.of_files(&all, Project::attach_file);
    project.set_attached(attached.iter().flat_map(|(pairs, _)| pairs).copied());
    project.stage = Stage::Bases;
    let bases = project.of_files(&all, Project::bases_file);
    project.set_bases(bases.iter().flat_map(|(pairs, _)| pairs).copied());
    project.stage = Stage::Edges;
    let next = project.of_files(&all, Project::next_file);
    project.next = next.iter().map(|(list, _)| list.clone()).collect();
    let words = all.len().div_ceil(64);
    project.reach = Reach::Sets { rows: rows_of(&project.next, &modules.packages), words };
    let edges = project.of_files(&all, Project::edges_file);
    let resolved = attached
        .into_iter()
        .zip(bases)
        .zip(next)
        .zip(edges)
        .map(|(((attached, bases), next), edges)| Resolved::new(attached, bases, next, edges))
        .collect();
    (resolved, project.parents.iter().map(|parent| parent.0).collect())
}

/// Symbols that a reference may mean, how many there are in all, and how sure each is.
type Candidates = (Vec<SymbolId>, u32, Resolution);
/// A result and what it asked of other files.
type Recorded<T> = (T, Vec<u32>);
/// The edges of a file, and how often each name was left without a target.
type FileEdges = (Vec<EdgeRecord>, Vec<(u32, u32)>);

impl Resolved {
    fn new(
        attached: Recorded<Vec<(SymbolId, SymbolId)>>,
        bases: Recorded<Vec<(SymbolId, SymbolId)>>,
        next: Recorded<Vec<ModuleId>>,
        edges: Recorded<FileEdges>,
    ) -> Self {
        let mut asked = [attached.1, bases.1, next.1, edges.1].concat();
        asked.sort_unstable();
        asked.dedup();
        let (edges, unresolved) = edges.0;
        Self {
            edges,
            record: Record {
                attached: stored(&attached.0),
                bases: stored(&bases.0),
                next: next.0.iter().map(|module| module.0).collect(),
                asked,
                unresolved,
            },
        }
    }
}

/// Pairs of symbols as they are stored.
fn stored(pairs: &[(SymbolId, SymbolId)]) -> Vec<(u32, u32)> {
    pairs.iter().map(|(one, other)| (one.0, other.0)).collect()
}
