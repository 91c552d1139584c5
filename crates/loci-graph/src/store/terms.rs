//! The terms that the symbols of a graph are found by, with their postings.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use loci_text::varint::put;

use crate::error::GraphError;
use crate::extract::packed::{NONE, Terms, field};

use super::reuse::Remains;
use super::write::{number, pack_lists};
use super::{GraphWriter, Taken};

pub(super) struct TermTables {
    pub(super) offsets: Vec<u32>,
    pub(super) bytes: Vec<u8>,
    pub(super) df: Vec<u32>,
    pub(super) posting_offsets: Vec<u32>,
    pub(super) postings: Vec<u8>,
    /// How many terms each symbol has.
    pub(super) sizes: Vec<u32>,
}

impl GraphWriter<'_> {
    /// The terms of symbols that are not taken over, each with the mask of the fields it stands in: terms sorted, symbols ascending.
    fn own_terms<'s>(
        &'s self,
        file_first: &[u32],
        taken: Option<&Taken<'_>>,
        own_strings: &'s mut Vec<String>,
    ) -> (Vec<&'s str>, Vec<u32>, Vec<(u32, u8)>) {
        // Terms of the paths stand with the symbol of the file, and so do all where a draft brings none.
        let mut expander = Terms::default();
        let mut own: Vec<(u32, u32, u8)> = Vec::new();
        {
            let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
            let mut add = |symbol: u32, text: &str, bit: u8| {
                expander.each(text, |term| {
                    let place = match numbers.get(term) {
                        Some(place) => *place,
                        None => {
                            let place = own_strings.len() as u32;
                            own_strings.push(term.to_owned());
                            numbers.insert(term.to_owned(), place);
                            place
                        }
                    };
                    own.push((symbol, place, bit));
                });
            };
            for (place, file) in self.files.iter().enumerate() {
                if taken.is_some_and(|taken| taken.files[place]) {
                    continue;
                }
                let (folders, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
                if file_first[place] < file_first[place + 1] {
                    add(file_first[place], name.split('.').next().unwrap_or(name), field::NAME);
                    add(file_first[place], folders, field::CONTAINER);
                }
            }
            if self.forwards.is_empty() {
                for (place, symbol) in self.symbols.iter().enumerate() {
                    let place = place as u32;
                    add(place, &symbol.name, field::NAME);
                    add(place, &symbol.container, field::CONTAINER);
                    add(place, &symbol.signature, field::SIGNATURE);
                    add(place, &symbol.documentation, field::DOCUMENTATION);
                }
            }
        }
        let mut vocabulary: FxHashMap<&str, u32> = FxHashMap::default();
        let mut list: Vec<&str> = Vec::new();
        let mut locate = |text| {
            let next = list.len() as u32;
            *vocabulary.entry(text).or_insert_with(|| {
                list.push(text);
                next
            })
        };
        let own_numbers: Vec<u32> = own_strings.iter().map(|text| locate(text.as_str())).collect();
        let mut locals: Vec<Vec<u32>> = Vec::with_capacity(self.forwards.len());
        for forward in &self.forwards {
            let Some(forward) = forward else {
                locals.push(Vec::new());
                continue;
            };
            let mut local = vec![NONE; forward.strings.len()];
            for &(term, _) in forward.terms {
                let slot = &mut local[term as usize];
                if *slot == NONE {
                    *slot = locate(forward.strings[term as usize]);
                }
            }
            locals.push(local);
        }
        let mut order: Vec<u32> = (0..list.len() as u32).collect();
        order.par_sort_unstable_by_key(|&place| list[place as usize]);
        let mut rank = vec![0u32; list.len()];
        for (place, &term) in order.iter().enumerate() {
            rank[term as usize] = place as u32;
        }
        let mut postings: Vec<(u32, u32, u8)> = Vec::new();
        postings
            .extend(own.iter().map(|&(symbol, term, mask)| (rank[own_numbers[term as usize] as usize], symbol, mask)));
        for (file, forward) in self.forwards.iter().enumerate() {
            let Some(forward) = forward else { continue };
            let mut start = 0;
            for (place, &end) in forward.ends.iter().enumerate() {
                let symbol = file_first[file] + place as u32;
                for &(term, mask) in &forward.terms[start as usize..end as usize] {
                    postings.push((rank[locals[file][term as usize] as usize], symbol, mask));
                }
                start = end;
            }
        }
        // Counting sort by term; entries of one term keep the order of their symbols but for the few of the paths.
        let mut starts = vec![0u32; list.len() + 1];
        for posting in &postings {
            starts[posting.0 as usize + 1] += 1;
        }
        for place in 1..starts.len() {
            starts[place] += starts[place - 1];
        }
        let mut cursors = starts.clone();
        let mut sorted = vec![(0u32, 0u8); postings.len()];
        for (term, symbol, mask) in postings {
            sorted[cursors[term as usize] as usize] = (symbol, mask);
            cursors[term as usize] += 1;
        }
        (order.into_iter().map(|place| list[place as usize]).collect(), starts, sorted)
    }

    pub(super) fn encode_terms(&self, file_first: &[u32], taken: Option<&Taken<'_>>) -> Result<TermTables, GraphError> {
        let mut own_strings = Vec::new();
        let (fresh, starts, postings) = self.own_terms(file_first, taken, &mut own_strings);
        number(postings.len(), "terms of symbols")?;
        // Terms of the older graph that still stand in a symbol there, and those of all others, in one order.
        let older = taken.map_or(0, |taken| taken.graph.words(&taken.graph.layout.term_df).len());
        let older_postings = |term: u32, take: &mut dyn FnMut(u32, u8)| {
            if let Some(taken) = taken {
                taken.graph.postings(term, |symbol, mask| {
                    let symbol = taken.now[symbol as usize];
                    if symbol != NONE {
                        take(symbol, mask);
                    }
                });
            }
        };
        let remains: Vec<Remains> = (0..older as u32)
            .into_par_iter()
            .with_min_len(512)
            .map(|term| taken.map_or(Remains::Nothing, |taken| taken.remains(term)))
            .collect();
        let mut all: Vec<(&str, Option<u32>, Option<u32>)> = Vec::with_capacity(older + fresh.len());
        let mut fresh = fresh.into_iter().enumerate().peekable();
        for term in (0..older as u32).filter(|&term| !matches!(remains[term as usize], Remains::Nothing)) {
            let Some(taken) = taken else { break };
            let text = taken.graph.term_text(term);
            while let Some((place, one)) = fresh.next_if(|(_, one)| *one < text) {
                all.push((one, None, Some(place as u32)));
            }
            let same = fresh.next_if(|(_, one)| *one == text).map(|(place, _)| place as u32);
            all.push((text, Some(term), same));
        }
        all.extend(fresh.map(|(place, one)| (one, None, Some(place as u32))));
        let df: Vec<AtomicU32> = all.iter().map(|_| AtomicU32::new(0)).collect();
        let sizes: Vec<AtomicU32> = (0..self.symbols.len())
            .map(|symbol| {
                let then = taken.map_or(NONE, |taken| taken.then[symbol]);
                AtomicU32::new(taken.filter(|_| then != NONE).map_or(0, |taken| taken.graph.sizes()[then as usize]))
            })
            .collect();
        let (posting_offsets, bytes) = pack_lists(&all, |place, &(_, older, own), out| {
            if let (Some(taken), Some(term), None) = (taken, older, own)
                && let Remains::All { first, rest } = &remains[term as usize]
            {
                put(out, *first);
                out.extend_from_slice(&taken.graph.at(&taken.graph.layout.posting_bytes)[rest.clone()]);
                df[place].store(taken.graph.term_df(term), Ordering::Relaxed);
                return;
            }
            let mut entries: Vec<(u32, u8)> = match own {
                Some(own) => postings[starts[own as usize] as usize..starts[own as usize + 1] as usize].to_vec(),
                None => Vec::new(),
            };
            entries.sort_unstable();
            entries.dedup_by(|next, kept| {
                let same = next.0 == kept.0;
                if same {
                    kept.1 |= next.1;
                }
                same
            });
            for (symbol, _) in &entries {
                sizes[*symbol as usize].fetch_add(1, Ordering::Relaxed);
            }
            let (mut count, mut before) = (0, 0);
            let mut write = |symbol: u32, mask: u8| {
                put(out, symbol - before);
                out.push(mask);
                before = symbol;
                count += 1;
            };
            let mut entries = entries.into_iter().peekable();
            if let Some(older) = older {
                older_postings(older, &mut |symbol, mask| {
                    while let Some((own, own_mask)) = entries.next_if(|(own, _)| *own < symbol) {
                        write(own, own_mask);
                    }
                    write(symbol, mask);
                });
            }
            entries.for_each(|(symbol, mask)| write(symbol, mask));
            df[place].store(count, Ordering::Relaxed);
        });
        let (offsets, term_bytes) = pack_lists(&all, |_, (text, _, _), out| out.extend_from_slice(text.as_bytes()));
        let plain = |values: Vec<AtomicU32>| values.into_iter().map(AtomicU32::into_inner).collect();
        Ok(TermTables {
            offsets,
            bytes: term_bytes,
            df: plain(df),
            posting_offsets,
            postings: bytes,
            sizes: plain(sizes),
        })
    }
}
