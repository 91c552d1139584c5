//! One test alone in its process, since it counts the threads of it.

#![allow(clippy::unwrap_used, reason = "a failing step of a test is a failing test")]
#![cfg(target_os = "linux")]

use loci_collect::{Policy, open};

fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").unwrap().count()
}

/// The server looks at each project in a thread of its own: on a shared pool, one disk that hangs would hold up all others.
#[test]
fn outside_of_a_pool_a_listing_makes_none() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    for name in [".git/objects", ".git/refs", "a/b", "c"] {
        std::fs::create_dir_all(root.join(name)).unwrap();
    }
    std::fs::write(root.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
    for number in 0..2_000 {
        std::fs::write(root.join(format!("a/b/{number}.txt")), "text").unwrap();
    }
    let before = threads();
    let listing = open(root).unwrap().list(&Policy::default()).unwrap();
    assert_eq!(2_000, listing.files.len());
    assert_eq!(before, threads());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    assert_eq!(listing, pool.install(|| open(root).unwrap().list(&Policy::default()).unwrap()));
    assert_eq!(before + 2, threads());
}
