//! What loci would collect from some repositories, and how long each step takes. Nothing is stored.
//!
//! ```text
//! cargo run --release -p loci-collect --example collect_stats -- [--passages PATH | --skipped | --read-paths | --history] DIR…
//! ```
//!
//! One line a repository: entries listed, files read, skipped by reason, unreadable, lossy; passages; commits; seconds for the
//! fingerprint, the files and the history. `--skipped` adds examples of what was left out, `--read-paths` prints every path that was
//! read (to check that nothing wanted is missing), `--passages PATH` prints how one file is cut, `--history` prints every commit with
//! the files it touched, in the form of `git log --name-only --no-renames --format=%H`.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Instant;

use loci_collect::{FileOutcome, HistoryItem, Kind, Policy, Redactor, open};

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut take = |flag: &str, values: usize| {
        let at = arguments.iter().position(|argument| argument == flag)?;
        let mut taken: Vec<String> = arguments.drain(at..(at + 1 + values).min(arguments.len())).collect();
        taken.pop()
    };
    let shown = take("--passages", 1);
    let shows_skipped = take("--skipped", 0).is_some();
    let shows_paths = take("--read-paths", 0).is_some();
    let shows_history = take("--history", 0).is_some();
    if arguments.is_empty() {
        eprintln!("usage: collect_stats [--passages PATH | --skipped | --read-paths | --history] DIR…");
        return ExitCode::from(2);
    }
    let (policy, redactor) = (Policy::default(), Redactor::default());
    if shows_history {
        return history(&arguments);
    }
    let mut seconds = [0.0; 3];
    let mut totals = [0u64; 5];
    for directory in &arguments {
        match stats(directory, &policy, &redactor, shown.as_deref(), shows_skipped, shows_paths) {
            Ok((took, counts)) => {
                for (sum, part) in seconds.iter_mut().zip(took) {
                    *sum += part;
                }
                for (sum, part) in totals.iter_mut().zip(counts) {
                    *sum += part;
                }
            }
            Err(error) => eprintln!("{error}"),
        }
    }
    if !shows_paths && shown.is_none() {
        println!(
            "all: listed {} read {} passages {} bytes of text {} commits {} | fingerprint {:.2} s files {:.2} s history {:.2} s",
            totals[0], totals[1], totals[2], totals[3], totals[4], seconds[0], seconds[1], seconds[2]
        );
    }
    ExitCode::SUCCESS
}

fn history(directories: &[String]) -> ExitCode {
    let policy = Policy { max_commit_files: usize::MAX, ..Policy::default() };
    for directory in directories {
        let walked = open(directory).and_then(|repository| {
            repository.commits(&|_| false, &policy, &Redactor::default(), &mut |item| {
                if let HistoryItem::New(commit) = item {
                    println!("{}", commit.id.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
                    if !commit.files.is_empty() {
                        println!("\n{}", commit.files.join("\n"));
                    }
                }
            })
        });
        if let Err(error) = walked {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// Seconds for fingerprint, files and history; then listed, read, passages, bytes of passage text and commits.
fn stats(
    directory: &str,
    policy: &Policy,
    redactor: &Redactor,
    shown: Option<&str>,
    shows_skipped: bool,
    shows_paths: bool,
) -> Result<([f64; 3], [u64; 5]), loci_collect::CollectError> {
    let repository = open(directory)?;
    let start = Instant::now();
    repository.fingerprint(policy)?;
    let fingerprint = start.elapsed().as_secs_f64();

    let start = Instant::now();
    let listing = repository.list(policy)?;
    let outcomes = repository.read_all(&listing.files, policy, redactor);
    let files = start.elapsed().as_secs_f64();

    let mut skipped = listing.skipped.clone();
    let mut examples = listing.skipped_examples.clone();
    let (mut read, mut unreadable, mut lossy, mut bytes) = (0u64, 0u64, 0u64, 0u64);
    let mut passages = BTreeMap::<Kind, u64>::new();
    for (file, outcome) in listing.files.iter().zip(&outcomes) {
        match outcome {
            FileOutcome::Read(text) => {
                read += 1;
                lossy += u64::from(text.lossy);
                for passage in &text.passages {
                    *passages.entry(passage.kind).or_default() += 1;
                    bytes += passage.text.len() as u64;
                }
                if shows_paths {
                    println!("{directory}\t{}", file.path);
                }
                if shown == Some(file.path.as_str()) {
                    for passage in &text.passages {
                        println!(
                            "--- {:?} {:?} {:?} [{}] {}",
                            passage.lines, passage.kind, passage.role, passage.symbol, passage.head
                        );
                        println!("{}", passage.text);
                    }
                }
            }
            FileOutcome::Skipped { reason } => {
                *skipped.entry((*reason).to_owned()).or_default() += 1;
                examples.entry((*reason).to_owned()).or_default().push(file.path.clone());
            }
            FileOutcome::Unreadable { message } => {
                unreadable += 1;
                eprintln!("{directory}/{}: {message}", file.path);
            }
            FileOutcome::Unchanged => {}
        }
    }
    assert_eq!(listing.listed, read + unreadable + skipped.values().sum::<u64>(), "every listed file is explained");
    if shows_paths || shown.is_some() {
        return Ok(([0.0; 3], [0; 5]));
    }

    let start = Instant::now();
    let mut touched = 0u64;
    let report = repository.commits(&|_| false, policy, redactor, &mut |item| {
        if let HistoryItem::New(commit) = item {
            touched += u64::from(commit.file_count);
        }
    })?;
    let history = start.elapsed().as_secs_f64();
    println!(
        "{directory}: listed {} read {read} skipped {skipped:?} unreadable {unreadable} lossy {lossy} | passages {passages:?} | commits {} (files named {touched}, \
         unknown {}) | {fingerprint:.3} s {files:.2} s {history:.2} s",
        listing.listed, report.commits, report.unknown_files
    );
    if shows_skipped {
        for (reason, paths) in examples {
            println!("    {reason}: {}", paths.join("  "));
        }
    }
    Ok(([fingerprint, files, history], [listing.listed, read, passages.values().sum(), bytes, report.commits]))
}
