//! Ranking by words: how much a question speaks for each scope, and which passages of one scope answer it.
//!
//! Among scopes: [`Corpus`] holds one segment per scope and the statistics they share. [`Corpus::score`] gives eleven scores
//! per scope: log-mean-exp of passage BM25F over all passages with adjacent pairs, over documents, source and commits alone,
//! two smoothed language models, the best passages, the pairs alone, and the files in which a project describes itself.
//!
//! Inside one scope: [`Ranker`] ranks files and commits, in a lane each, with near-duplicates shown once; [`holding`] and
//! [`commits_of`] find what a question cites; [`question_lines`] says which of its words stand in which lines. Every statistic
//! there is over that one scope.
//!
//! For: formulas over postings. Not for: names, groups, working directories, thresholds, words of any language, what is
//! enough for an answer (`loci.router`, `loci.episodes`), the bytes (`loci-index`).
//!
//! ```
//! use std::sync::Arc;
//! use loci_index::{Segment, SegmentWriter};
//! use loci_rank::{Corpus, Question, Ranker};
//!
//! let scope = |texts: [&'static str; 2]| -> Result<Arc<Segment>, loci_index::SegmentError> {
//!     Ok(Arc::new(Segment::from_bytes(&SegmentWriter::from_texts(texts, "rules").encode()?.bytes)?))
//! };
//! let corpus = Corpus::new(vec![
//!     ("billing".into(), scope(["how to install", "invoices are sent monthly"])?),
//!     ("search".into(), scope(["how to install", "the index ranks documents"])?),
//! ]);
//! let scores = corpus.score(&Question::parse("when is an invoice sent?"))?;
//! assert!(scores.scopes[0].raw > scores.scopes[1].raw);
//!
//! let billing = corpus.segment(0);
//! let lanes = Ranker::new(billing).search(billing, "when is an invoice sent?", 10, None)?;
//! assert_eq!(1, lanes.files[0].passage);
//! assert!(lanes.commits.is_empty());
//! # Ok::<(), loci_index::SegmentError>(())
//! ```

pub mod bm25;
mod citations;
mod corpus;
mod lanes;
mod lines;
mod near_duplicates;
mod omission;
mod question;
mod spelling;

pub use citations::{Held, commits_of, holding, stands_in};
pub use corpus::{
    Corpus, FEATURE_NAMES, FEATURES, PAIR_WEIGHT, ScopeScores, Scores, TAU, TOP_PASSAGES, TermStatistics,
};
pub use lanes::{DenseScores, Lanes, Ranker, Source};
pub use lines::{QuestionLines, question_lines};
pub use omission::{Omission, Omit, Omitted};
pub use question::{Question, QuestionTerm};
