//! Builds the graphs of repositories and prints how long each part took: `cargo run --release --example graph_stats -- DIR...`.
#![allow(clippy::print_stdout)]

use std::path::Path;
use std::time::Instant;

use loci_collect::{Policy, Redactor};

fn main() {
    let (policy, redactor) = (Policy::default(), Redactor::default());
    let mut all = 0.0;
    for root in std::env::args().skip(1) {
        let started = Instant::now();
        let last = std::sync::Mutex::new((Instant::now(), String::new()));
        let tell = |stage: &'static str, done: u64, total: u64| {
            if done == total
                && let Ok(mut last) = last.lock()
            {
                let line = format!(" {stage} {:.0}ms", last.0.elapsed().as_secs_f64() * 1e3);
                last.1.push_str(&line);
                last.0 = Instant::now();
            }
        };
        match loci_graph::build(Path::new(&root), &policy, &redactor, None, &tell) {
            Ok((encoded, report)) => {
                let seconds = started.elapsed().as_secs_f64();
                all += seconds;
                let stages = last.lock().map(|last| last.1.clone()).unwrap_or_default();
                println!("{root}: {seconds:.2}s{stages}; {}, {} bytes; {report:?}", encoded.name, encoded.bytes.len());
                let graph = loci_graph::Graph::from_bytes(&encoded.bytes).ok();
                let started = Instant::now();
                let again = loci_graph::build(Path::new(&root), &policy, &redactor, graph.as_ref(), &|_, _, _| {});
                let same = again.is_ok_and(|(again, _)| again.name == encoded.name);
                println!("    again: {:.0}ms, same bytes: {same}", started.elapsed().as_secs_f64() * 1e3);
            }
            Err(error) => println!("{root}: {error}"),
        }
    }
    println!("all: {all:.2}s");
}
