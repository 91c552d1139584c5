//! Evidence: how much a question's words speak for each scope, from arithmetic alone.
//!
//! The corpus holds one lexical segment per scope and the statistics they share. [`Corpus::score`] gives eleven scores per
//! scope: log-mean-exp of passage BM25F over all passages with adjacent pairs, over documents, source and commits alone,
//! two smoothed language models, the best passages, the pairs alone, and the files in which a project describes itself. What the numbers mean together, when they are
//! enough and what overrides them is policy, and stands in Python (`loci.router`).
//!
//! For: formulas over postings. Not for: names, groups, working directories, thresholds, words of any language.
//!
//! ```
//! use std::sync::Arc;
//! use loci_index::{SegmentWriter, Segment};
//! use loci_routing::{Corpus, Question};
//!
//! let scope = |text: &str| -> Result<Arc<Segment>, loci_index::SegmentError> {
//!     Ok(Arc::new(Segment::from_bytes(&SegmentWriter::from_texts([text], "rules").encode()?.bytes)?))
//! };
//! let corpus = Corpus::new(vec![
//!     ("billing".into(), scope("invoices are sent monthly")?),
//!     ("search".into(), scope("the index ranks documents")?),
//! ]);
//! let scores = corpus.score(&Question::parse("when is an invoice sent?"))?;
//! assert!(scores.scopes[0].raw > scores.scopes[1].raw);
//! # Ok::<(), loci_index::SegmentError>(())
//! ```

mod corpus;
mod omission;
mod question;

pub use corpus::{
    Corpus, FEATURE_NAMES, FEATURES, PAIR_WEIGHT, ScopeScores, Scores, TAU, TOP_PASSAGES, TermStatistics,
};
pub use omission::{Omission, Omit, Omitted};
pub use question::{Question, QuestionTerm};
