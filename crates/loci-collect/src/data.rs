//! The lists of `data/`, which are compiled in.

use serde::de::DeserializeOwned;

/// Reads a file of `data/`.
#[expect(clippy::panic, reason = "a file of this crate that every test reads")]
pub(crate) fn read<T: DeserializeOwned>(name: &str, text: &str) -> T {
    toml::from_str(text).unwrap_or_else(|error| panic!("data/{name}: {error}"))
}
