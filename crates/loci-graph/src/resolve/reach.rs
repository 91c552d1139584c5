//! Which files a file can have values from: what it imports, and what those import.

use std::sync::OnceLock;

use crate::extract::packed::NONE;
use crate::ids::{FileId, ModuleId, PackageId};
use crate::resolve::modules::Target;

use super::{Here, Project, Trail, Value};

/// Which files a file can have values from.
pub(super) enum Reach {
    /// A row of bits for each file.
    Sets { rows: Vec<u64>, words: usize },
    /// Rows found when they are asked for.
    Rows(Vec<OnceLock<Vec<u64>>>),
}

impl Project<'_> {
    /// The files, and from the number of files on packages, that a file imports from.
    pub(super) fn next_file(&self, trail: &mut Trail, file: FileId) -> Vec<ModuleId> {
        let mut list = Vec::new();
        let facts = self.facts.file(file);
        for (import, target) in facts.imports.iter().zip(&self.table(file).targets) {
            if let Target::Module(module) = target {
                list.push(*module);
            }
            trail.start(Here::new(file, import.line, import.inside == NONE));
            match self.import_value(trail, file, import, 0).0 {
                Value::Symbol(symbol) | Value::Instance(symbol) => list.push(self.file_of[symbol.index()].into()),
                Value::Module(module) => list.push(module),
                _ => {}
            }
        }
        let package = self.modules.package_of[file.index()];
        if package != PackageId::NONE {
            list.push(self.modules.module_of(package));
        }
        self.seen_besides(trail, file, &mut list);
        list.sort_unstable();
        list.dedup();
        list
    }

    pub(super) fn reaches(&self, from: FileId, to: FileId) -> bool {
        if !self.semantics(from).values_by_import {
            return true;
        }
        match &self.reach {
            Reach::Sets { rows, words } => {
                let word = rows[from.index() * words + to.index() / 64];
                word >> (to.index() % 64) & 1 == 1
            }
            Reach::Rows(rows) => {
                let row = rows[from.index()].get_or_init(|| self.row_of(from));
                row[to.index() / 64] >> (to.index() % 64) & 1 == 1
            }
        }
    }

    /// The files that one file reaches, itself among them.
    pub(super) fn row_of(&self, from: FileId) -> Vec<u64> {
        let files = self.facts.len();
        let mut seen = vec![0u64; (files + self.modules.packages.len()).div_ceil(64)];
        seen[from.index() / 64] |= 1 << (from.index() % 64);
        let mut queue = vec![ModuleId::from(from)];
        while let Some(node) = queue.pop() {
            let mut visit = |to: ModuleId| {
                let word = &mut seen[to.index() / 64];
                if *word >> (to.index() % 64) & 1 == 0 {
                    *word |= 1 << (to.index() % 64);
                    queue.push(to);
                }
            };
            match self.modules.package_in(node) {
                None => self.next[node.index()].iter().copied().for_each(&mut visit),
                Some(package) => {
                    self.modules.packages[package.index()].iter().for_each(|&file| visit(file.into()));
                }
            }
        }
        seen.truncate(files.div_ceil(64));
        seen
    }
}

/// For each file the files that it reaches, a row of bits each: what it imports, and what those import.
pub(super) fn rows_of(next: &[Vec<ModuleId>], packages: &[Vec<FileId>]) -> Vec<u64> {
    let files = next.len();
    let of_files = next.iter().map(|list| list.iter().map(|module| module.0).collect());
    let of_packages = packages.iter().map(|list| list.iter().map(|file| file.0).collect());
    let lists: Vec<Vec<u32>> = of_files.chain(of_packages).collect();
    let next: Vec<&[u32]> = lists.iter().map(Vec::as_slice).collect();
    // Strongly connected components share one set; Tarjan's order gives each after those it reaches.
    let component = components(&next);
    let count = component.iter().copied().max().map_or(0, |last| last as usize + 1);
    let words = files.div_ceil(64);
    let mut sets = vec![0u64; count * words];
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); count];
    for (node, &number) in component.iter().enumerate() {
        members[number as usize].push(node as u32);
    }
    for number in 0..count {
        for &node in &members[number] {
            if (node as usize) < files {
                sets[number * words + node as usize / 64] |= 1 << (node % 64);
            }
            for &to in next[node as usize] {
                let other = component[to as usize] as usize;
                if other != number {
                    let (low, high) = sets.split_at_mut(number * words);
                    for (own, its) in high[..words].iter_mut().zip(&low[other * words..(other + 1) * words]) {
                        *own |= its;
                    }
                }
            }
        }
    }
    let mut rows = vec![0; files * words];
    for (file, &number) in component.iter().enumerate().take(files) {
        let number = number as usize;
        rows[file * words..(file + 1) * words].copy_from_slice(&sets[number * words..(number + 1) * words]);
    }
    rows
}

/// Strongly connected components (Tarjan, without recursion), numbered so that each comes after those it leads to.
fn components(next: &[&[u32]]) -> Vec<u32> {
    const UNSEEN: u32 = u32::MAX;
    let count = next.len();
    let mut index = vec![UNSEEN; count];
    let mut low = vec![0u32; count];
    let mut on_stack = vec![false; count];
    let mut component = vec![UNSEEN; count];
    let (mut stack, mut clock, mut number) = (Vec::new(), 0u32, 0u32);
    for start in 0..count {
        if index[start] != UNSEEN {
            continue;
        }
        let mut work = vec![(start, 0usize)];
        while let Some(&mut (node, ref mut edge)) = work.last_mut() {
            if *edge == 0 && index[node] == UNSEEN {
                index[node] = clock;
                low[node] = clock;
                clock += 1;
                stack.push(node);
                on_stack[node] = true;
            }
            if let Some(&to) = next[node].get(*edge) {
                *edge += 1;
                let to = to as usize;
                if index[to] == UNSEEN {
                    work.push((to, 0));
                } else if on_stack[to] {
                    low[node] = low[node].min(index[to]);
                }
                continue;
            }
            work.pop();
            if let Some(&(parent, _)) = work.last() {
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == index[node] {
                while let Some(member) = stack.pop() {
                    on_stack[member] = false;
                    component[member] = number;
                    if member == node {
                        break;
                    }
                }
                number += 1;
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn components_come_after_what_they_lead_to() {
        // 0 <-> 1 -> 2 -> 3 <-> 4
        let component = components(&[&[1], &[0, 2], &[3], &[4], &[3]]);
        assert_eq!(component[0], component[1]);
        assert_eq!(component[3], component[4]);
        assert!(component[0] > component[2] && component[2] > component[3]);
    }
}
