//! Threads for the loops over passages, which survive a fork.
//!
//! A forked process has none of its parent's threads, and work handed to them would wait forever. The pool therefore belongs
//! to the process that made it; a child makes its own at the first use.

use std::sync::{Arc, Mutex, PoisonError};

use rayon::ThreadPool;

static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// Runs `work` where its parallel loops find threads of this process; inside a pool already, it simply runs.
pub fn on_threads<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    if rayon::current_thread_index().is_some() {
        return work();
    }
    match pool() {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

fn pool() -> Option<Arc<ThreadPool>> {
    let process = std::process::id();
    let mut current = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((owner, pool)) = &*current
        && *owner == process
    {
        return Some(Arc::clone(pool));
    }
    let made = Arc::new(rayon::ThreadPoolBuilder::new().build().ok()?);
    if let Some((_, parents)) = current.replace((process, Arc::clone(&made))) {
        // Its threads are not here to be told to stop.
        std::mem::forget(parents);
    }
    Some(made)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;

    #[test]
    fn work_runs_once_and_nests() {
        let total: u64 = on_threads(|| (0..1_000u64).into_par_iter().map(|n| on_threads(|| n)).sum());
        assert_eq!(499_500, total);
        assert!(Arc::ptr_eq(&pool().expect("a pool"), &pool().expect("a pool")), "one pool serves the whole process");
    }
}
