//! What loci-graph reads in some files or repositories, and how long it takes. Nothing is stored.
//!
//! ```text
//! cargo run --release -p loci-graph --example facts -- [--json | --symbols | --paths | --partial] PATH…
//! ```
//!
//! A file's facts are printed one a line; `--json` prints the file's facts as one JSON object, `--symbols` one JSON object a symbol with its path,
//! `--paths` the files of a known language, `--partial` those that did not parse whole. For a directory, which must be a repository, the files that loci reads are taken, and without one of these a summary by
//! language is printed: files, bytes, seconds of one core, symbols, references, and how many did not parse whole. Two threads.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use loci_collect::{Decoded, Policy, decode};
use loci_graph::extract::{FileFacts, Limits, Outcome, extract, language_of};
use rayon::prelude::*;

#[derive(Default, Clone)]
struct Sum {
    files: u64,
    bytes: usize,
    seconds: f64,
    symbols: usize,
    references: usize,
    imports: usize,
    bindings: usize,
    partial: u64,
    timed_out: u64,
    unparsed: u64,
    slowest: (f64, String),
}

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mode = arguments.first().filter(|first| first.starts_with("--")).cloned().unwrap_or_default();
    if !mode.is_empty() {
        arguments.remove(0);
    }
    if arguments.is_empty() {
        eprintln!("usage: facts [--json | --symbols | --paths | --partial] PATH…");
        return ExitCode::from(2);
    }
    let threads = rayon::ThreadPoolBuilder::new().num_threads(2).build();
    let Ok(threads) = threads else { return ExitCode::FAILURE };
    let mut sums: BTreeMap<String, Sum> = BTreeMap::new();
    let started = Instant::now();
    for argument in &arguments {
        let root = Path::new(argument);
        let paths: Vec<String> = if root.is_dir() {
            let listing = loci_collect::open(root).and_then(|repository| repository.list(&Policy::default()));
            match listing {
                Ok(listing) => listing.files.into_iter().map(|file| file.path).collect(),
                Err(error) => {
                    eprintln!("{error}");
                    return ExitCode::FAILURE;
                }
            }
        } else {
            vec![String::new()]
        };
        let read: Vec<(String, usize, f64, FileFacts)> = threads.install(|| {
            paths
                .par_iter()
                .filter_map(|path| {
                    let full = if path.is_empty() { root.to_path_buf() } else { root.join(path) };
                    let name = if path.is_empty() { argument.as_str() } else { path.as_str() };
                    let bytes = std::fs::read(full).ok()?;
                    let text = match decode(&bytes) {
                        Decoded::Text { text, .. } => text,
                        _ => return None,
                    };
                    language_of(name, text.lines().next().unwrap_or(""))?;
                    let began = Instant::now();
                    let facts = extract(name, &text, &Limits::default());
                    Some((name.to_owned(), text.len(), began.elapsed().as_secs_f64(), facts))
                })
                .collect()
        });
        let mut out = std::io::BufWriter::new(std::io::stdout().lock());
        for (path, bytes, seconds, facts) in read {
            let written = match mode.as_str() {
                "--json" => writeln!(out, "{}", serde_json::json!({"path": path, "facts": facts})),
                "--paths" => writeln!(out, "{path}"),
                "--symbols" => facts.symbols.iter().try_for_each(|symbol| {
                    writeln!(out, "{}", serde_json::json!({"root": argument, "path": path, "symbol": symbol}))
                }),
                "--partial" if facts.outcome != Outcome::Whole => {
                    writeln!(out, "{argument}/{path} {:?} {bytes} bytes {seconds:.3} s", facts.outcome)
                }
                _ if !root.is_dir() => show(&mut out, &facts),
                _ => Ok(()),
            };
            if written.is_err() {
                return ExitCode::SUCCESS;
            }
            let sum = sums.entry(format!("{:?}", facts.language)).or_default();
            sum.files += 1;
            sum.bytes += bytes;
            sum.seconds += seconds;
            sum.symbols += facts.symbols.len();
            sum.references += facts.references.len();
            sum.imports += facts.imports.len();
            sum.bindings += facts.bindings.len();
            match facts.outcome {
                Outcome::Whole => {}
                Outcome::Partial { .. } => sum.partial += 1,
                Outcome::TimedOut => sum.timed_out += 1,
                Outcome::Unparsed => sum.unparsed += 1,
            }
            if seconds > sum.slowest.0 {
                sum.slowest = (seconds, format!("{argument}/{path}"));
            }
        }
    }
    if mode.is_empty() && arguments.iter().any(|argument| Path::new(argument).is_dir()) {
        println!(
            "language files bytes seconds MB/s symbols references imports bindings partial timed-out unparsed slowest"
        );
        let mut all = Sum::default();
        for (language, sum) in &sums {
            print(language, sum);
            all.files += sum.files;
            all.bytes += sum.bytes;
            all.seconds += sum.seconds;
            all.symbols += sum.symbols;
            all.references += sum.references;
            all.imports += sum.imports;
            all.bindings += sum.bindings;
            all.partial += sum.partial;
            all.timed_out += sum.timed_out;
            all.unparsed += sum.unparsed;
        }
        print("all", &all);
        println!("wall {:.2} s, listing and reading included", started.elapsed().as_secs_f64());
    }
    ExitCode::SUCCESS
}

fn print(language: &str, sum: &Sum) {
    println!(
        "{language} {} {} {:.2} {:.1} {} {} {} {} {} {} {} {:.2} {}",
        sum.files,
        sum.bytes,
        sum.seconds,
        sum.bytes as f64 / 1e6 / sum.seconds,
        sum.symbols,
        sum.references,
        sum.imports,
        sum.bindings,
        sum.partial,
        sum.timed_out,
        sum.unparsed,
        sum.slowest.0,
        sum.slowest.1
    );
}

/// One fact a line, for the eye.
fn show(out: &mut impl Write, facts: &FileFacts) -> std::io::Result<()> {
    let name = |index: Option<u32>| {
        index.and_then(|index| facts.symbols.get(index as usize)).map_or("", |symbol| symbol.qualified.as_str())
    };
    writeln!(out, "{:?} {:?} module {:?}", facts.language, facts.outcome, facts.module)?;
    for one in &facts.symbols {
        writeln!(
            out,
            "{:>5} {:?} {} {}-{} of [{}]{}{} | {} | {} | {}",
            one.name_line,
            one.kind,
            one.qualified,
            one.lines.0,
            one.lines.1,
            name(one.parent),
            if one.test { " test" } else { "" },
            match one.exported {
                Some(true) => " exported",
                Some(false) => " private",
                None => "",
            },
            one.signature,
            one.returns.as_deref().unwrap_or("-"),
            one.documentation
        )?;
    }
    for one in &facts.references {
        let qualifier = one.qualifier.as_deref().unwrap_or("-");
        let arguments = one.arguments.map_or(String::new(), |count| format!("({count})"));
        let local = if one.local { " local" } else { "" };
        writeln!(
            out,
            "{:>5} {:?} {qualifier} {}{arguments} in [{}]{local}",
            one.line,
            one.kind,
            one.name,
            name(one.inside)
        )?;
    }
    for one in &facts.imports {
        let names = (one.name.as_deref().unwrap_or("-"), one.alias.as_deref().unwrap_or("-"));
        let reexport = if one.reexport { " reexport" } else { "" };
        writeln!(
            out,
            "{:>5} import {} {} as {} in [{}]{reexport}",
            one.line,
            one.module,
            names.0,
            names.1,
            name(one.inside)
        )?;
    }
    for one in &facts.bindings {
        writeln!(out, "{:>5} bind {} : {} in [{}]", one.line, one.name, one.of, name(one.inside))?;
    }
    Ok(())
}
