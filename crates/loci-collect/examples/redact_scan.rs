//! Shows what redaction hides in given directories, to be read by a person: file, line, kind, and the value cut short.
//!
//! `cargo run --release --example redact_scan -- DIRECTORY|FILE ...` (of a directory, git's tracked text files below one megabyte; the summary
//! goes to standard error).

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use loci_collect::Redactor;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let redactor = Redactor::default();
    let (mut lines, mut bytes, mut files, mut spent) = (0usize, 0usize, 0usize, Duration::ZERO);
    let mut kinds: BTreeMap<String, u32> = BTreeMap::new();
    for directory in std::env::args().skip(1) {
        let listed = Command::new("git").args(["-C", &directory, "ls-files", "-z"]).output()?.stdout;
        // A file is read as it is, under its own name.
        let listed = if Path::new(&directory).is_file() { vec![b'.'] } else { listed };
        for path in String::from_utf8_lossy(&listed).split('\0').filter(|path| !path.is_empty()) {
            let full = if path == "." { directory.clone().into() } else { Path::new(&directory).join(path) };
            let Ok(raw) = std::fs::read(&full) else { continue };
            if (path != "." && raw.len() > 1 << 20) || raw.contains(&0) {
                continue;
            }
            let text = String::from_utf8_lossy(&raw);
            files += 1;
            bytes += text.len();
            lines += text.matches('\n').count();
            let begin = Instant::now();
            let redacted = redactor.redact(&text, path);
            spent += begin.elapsed();
            for (number, (before, after)) in text.split('\n').zip(redacted.text.split('\n')).enumerate() {
                if before != after {
                    let prefix = before.bytes().zip(after.bytes()).take_while(|(a, b)| a == b).count();
                    let from =
                        (0..=prefix.saturating_sub(40)).rev().find(|&at| after.is_char_boundary(at)).unwrap_or(0);
                    let shown: String = after[from..].chars().take(110).collect();
                    let hidden: String = before.bytes().skip(prefix).take(24).map(char::from).collect();
                    println!("{}:{}: {}    <- {hidden}", full.display(), number + 1, shown.trim());
                }
            }
            for (kind, count) in redacted.counts {
                *kinds.entry(kind).or_insert(0) += count;
            }
        }
    }
    let total: u32 = kinds.values().sum();
    eprintln!(
        "{files} files, {lines} lines, {:.1} MB in {:.2} s ({:.0} MB/s)",
        bytes as f64 / 1e6,
        spent.as_secs_f64(),
        bytes as f64 / 1e6 / spent.as_secs_f64()
    );
    eprintln!("{total} values hidden, {:.2} per 10,000 lines: {kinds:?}", f64::from(total) * 1e4 / lines.max(1) as f64);
    Ok(())
}
