//! What a later build takes over from an older graph: files whose symbols and texts are the same.

use std::ops::Range;

use loci_text::varint::get;

use crate::extract::packed::{NONE, key_of};
use crate::heads::Head;

use super::Graph;

/// About so many files share their blocks, and only the blocks of those that stand with a changed file are packed again.
const TEXT_GROUP_FILES: u64 = 16;

/// Files of a graph that is written that stand in an older graph of the same paths with the same symbols and texts.
pub(crate) struct Taken<'a> {
    pub(super) graph: &'a Graph,
    /// By file.
    pub(super) files: Vec<bool>,
    /// Place in the graph of each symbol of the graph; [`NONE`] in other files.
    pub(super) now: Vec<u32>,
    /// Symbol of the graph for each place in the graph; [`NONE`] in other files.
    pub(super) then: Vec<u32>,
}

/// What becomes of the postings of a term of an older graph.
pub(super) enum Remains {
    /// None stands in a file that is taken over.
    Nothing,
    /// They have to be written anew.
    Some,
    /// All stand in such files and keep their distances: the first symbol now, and the bytes of the others.
    All { first: u32, rest: Range<usize> },
}

impl<'a> Taken<'a> {
    /// `files` says which are taken over, `heads` how many symbols each file of the graph that is written has.
    pub(crate) fn new(graph: &'a Graph, files: Vec<bool>, heads: &[Head<'_>]) -> Self {
        let mut now = vec![NONE; graph.symbol_count() as usize];
        let mut then = Vec::with_capacity(now.len());
        for (place, head) in heads.iter().enumerate() {
            if !files[place] {
                then.resize(then.len() + 1 + head.symbols as usize, NONE);
                continue;
            }
            for symbol in graph.symbols_of_file(place as u32) {
                now[symbol as usize] = then.len() as u32;
                then.push(symbol);
            }
        }
        Self { graph, files, now, then }
    }

    /// What becomes of the postings of a term of the graph.
    pub(super) fn remains(&self, term: u32) -> Remains {
        let (mut any, mut all, mut shift, mut count) = (false, true, None, 0);
        self.graph.postings(term, |symbol, _| {
            count += 1;
            let now = self.now[symbol as usize];
            any |= now != NONE;
            all &= now != NONE && *shift.get_or_insert(now.wrapping_sub(symbol)) == now.wrapping_sub(symbol);
        });
        let range = self.graph.postings.range(&self.graph.file, term);
        let bytes = self.graph.postings.get(&self.graph.file, term);
        let mut at = 0;
        match (any, get(bytes, &mut at), shift) {
            (false, ..) => Remains::Nothing,
            // A list that is damaged has fewer entries than it should, and is not copied.
            (true, Some(first), Some(shift)) if all && count == self.graph.term_df(term) => {
                Remains::All { first: first.wrapping_add(shift), rest: range.start + at..range.end }
            }
            _ => Remains::Some,
        }
    }

    /// The files whose texts have to be packed: those that share a block with one that is not taken over.
    pub(crate) fn files_with_texts(&self, paths: &[&str]) -> Vec<bool> {
        let mut with = vec![false; paths.len()];
        for group in text_groups(paths) {
            let packed = self.files[group.clone()].iter().any(|taken| !taken);
            with[group].fill(packed);
        }
        with
    }
}

/// Files whose texts share blocks. Where a group begins depends on the path alone, so that a change elsewhere moves no border.
pub(super) fn text_groups(paths: &[&str]) -> Vec<Range<usize>> {
    let begins =
        |path: &str| (key_of(path).0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32).is_multiple_of(TEXT_GROUP_FILES);
    let mut groups = Vec::new();
    let mut start = 0;
    for (place, path) in paths.iter().enumerate() {
        if place > start && begins(path) {
            groups.push(start..place);
            start = place;
        }
    }
    if start < paths.len() {
        groups.push(start..paths.len());
    }
    groups
}
