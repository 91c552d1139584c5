//! Times the tokenizer over files: `cargo run --release -p loci-text --example words_throughput -- FILE...`
#![allow(clippy::print_stdout)]

use std::collections::HashSet;
use std::time::Instant;

fn main() -> std::io::Result<()> {
    let mut text = String::new();
    for path in std::env::args().skip(1) {
        text.push_str(&String::from_utf8_lossy(&std::fs::read(path)?));
        text.push('\n');
    }
    let megabytes = text.len() as f64 / 1e6;

    let start = Instant::now();
    let count = loci_text::words(&text).count();
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "words():    {count} words of {megabytes:.1} MB in {:.1} ms, {:.0} MB/s",
        seconds * 1e3,
        megabytes / seconds
    );

    let distinct: HashSet<&str> = loci_text::words(&text).collect();
    let start = Instant::now();
    let terms: usize = distinct.iter().map(|word| loci_text::expand(word).terms.len()).sum();
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "expand():   {} distinct words to {terms} terms, {:.0} ns each",
        distinct.len(),
        seconds * 1e9 / distinct.len() as f64
    );

    let start = Instant::now();
    let tokens = loci_text::tokenize(&text).len();
    let seconds = start.elapsed().as_secs_f64();
    println!("tokenize(): {tokens} terms, {:.0} MB/s without a cache", megabytes / seconds);
    Ok(())
}
