//! Immutable files of typed tables, memory-mapped: what a segment and a graph are on disk.
//!
//! A file is a [safetensors](https://github.com/huggingface/safetensors) container of one-dimensional tensors, with a JSON
//! header under the key `loci` of its metadata. It is written once under a temporary name, renamed to the name that its
//! content gives it, and never changed. The same tables give the same bytes.
//!
//! For: laying tables out, naming and writing files, mapping them, and handing out slices whose type, alignment and place
//! were checked when the file was opened. Not for: what the tables mean, or which files there are.
//!
//! The pieces, in reading order: [`encode`] lays [`Part`]s out; [`name_of`] and [`write()`] name and write the bytes;
//! [`Container`] opens them; [`layout!`] declares the tables that a format has; [`Lists`] and [`Strings`] are tables of
//! slices and of texts.
//!
//! ```
//! use loci_container::{Container, Lists, Part, Strings, encode, layout};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize)]
//! struct Header {
//!     format: u32,
//!     signature: String,
//! }
//!
//! layout! {
//!     struct Layout {
//!         name_offsets: u32 = "name.offsets",
//!         name_bytes: u8 = "name.bytes",
//!         counts: u64 = "counts",
//!     }
//! }
//!
//! let header = Header { format: 1, signature: "rules".into() };
//! let parts = vec![
//!     Part::of("name.offsets", &[0u32, 5, 9]),
//!     Part::of("name.bytes", b"applepear"),
//!     Part::of("counts", &[3u64, 4]),
//! ];
//! let file = Container::from_bytes("catalogue", &encode("catalogue", parts, &header)?);
//! let read: Header = file.header(1, Some("rules"))?;
//! assert_eq!("rules", read.signature);
//! let layout = Layout::read(&file)?;
//! let names = Strings::new(layout.name_offsets, layout.name_bytes);
//! names.check(&file, "names")?;
//! assert_eq!(Some(1), names.find(&file, "pear"));
//! assert_eq!(&[3, 4], file.get(&layout.counts));
//! # Ok::<(), loci_container::ContainerError>(())
//! ```

#![deny(missing_docs)]

mod error;
mod lists;
mod read;
mod write;

pub use error::ContainerError;
pub use lists::{Lists, Strings};
pub use read::{Container, Element, Table};
pub use write::{Part, content_name, encode, name_of, write};
