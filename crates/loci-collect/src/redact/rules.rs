//! The data file: what is read from it, and what makes a file of rules unusable.

use regex::{Regex, RegexBuilder};
use serde::Deserialize;

/// Why a file of redaction rules cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RulesError {
    /// The text is no TOML, or a key is missing, misspelt or of the wrong type.
    #[error("the redaction rules cannot be read: {0}")]
    Syntax(#[from] toml::de::Error),
    /// A rule is readable but cannot work; `problem` says what to change.
    #[error("redaction rule `{rule}`: {problem}")]
    Rule {
        /// Kind of the rule, or the section that holds the fault.
        rule: String,
        /// What is wrong, in a few words.
        problem: String,
    },
}

impl RulesError {
    pub(super) fn new(rule: &str, problem: impl Into<String>) -> Self {
        Self::Rule { rule: rule.to_owned(), problem: problem.into() }
    }
}

/// How unlike a word or a placeholder a value must be before it is hidden.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum Floor {
    /// Anything but a placeholder.
    #[default]
    None,
    /// Letters together with digits, or opaque.
    Password,
    /// Long, and not made of words.
    Opaque,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum Shape {
    #[default]
    Value,
    Block,
    Url,
    Basic,
    Manifest,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RulesFile {
    pub(super) version: u32,
    pub(super) values: ValuesData,
    pub(super) names: NamesData,
    pub(super) files: FilesData,
    #[serde(default)]
    pub(super) name: Vec<NameData>,
    #[serde(default)]
    pub(super) rule: Vec<RuleData>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ValuesData {
    pub(super) surprise: f32,
    pub(super) total: f32,
    pub(super) placeholders: Vec<String>,
    pub(super) words: Vec<String>,
    pub(super) pairs: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NamesData {
    pub(super) longest: usize,
    pub(super) trailing: Vec<String>,
    pub(super) public: Vec<String>,
    pub(super) fields: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FilesData {
    pub(super) code: Vec<String>,
    pub(super) literal: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NameData {
    pub(super) family: String,
    pub(super) kind: String,
    pub(super) endings: Vec<String>,
    #[serde(default)]
    pub(super) within: Vec<String>,
    #[serde(default)]
    pub(super) apart: bool,
    pub(super) floor: Floor,
    pub(super) hit: Vec<String>,
    pub(super) miss: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleData {
    pub(super) family: String,
    pub(super) kind: String,
    pub(super) keywords: Vec<String>,
    pub(super) pattern: String,
    #[serde(default)]
    pub(super) reach: usize,
    #[serde(default)]
    pub(super) whole: bool,
    #[serde(default)]
    pub(super) entropy: f32,
    #[serde(default)]
    pub(super) floor: Floor,
    #[serde(default)]
    pub(super) shape: Shape,
    #[serde(default)]
    pub(super) joined: bool,
    #[serde(default)]
    pub(super) allow: Vec<String>,
    pub(super) needs: Option<char>,
    #[serde(default)]
    pub(super) run: usize,
    pub(super) hit: Vec<String>,
    pub(super) miss: Vec<String>,
}

/// Every rule carries its own proof, and a kind that can stand in a marker without being taken for a secret itself.
pub(super) fn check(family: &str, kind: &str, hit: &[String], miss: &[String]) -> Result<(), RulesError> {
    if kind.is_empty() || !kind.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-') {
        return Err(RulesError::new(kind, "`kind` may hold lower-case letters, digits and `-` only"));
    }
    if family.is_empty() {
        return Err(RulesError::new(kind, "`family` is empty"));
    }
    if hit.is_empty() || miss.is_empty() {
        return Err(RulesError::new(kind, "give at least one `hit` and one `miss` test vector"));
    }
    Ok(())
}

/// Compiles a pattern over bytes of ASCII meaning; `anchored` ties it to the start of the text it is given.
pub(super) fn compile(rule: &RuleData, anchored: bool) -> Result<Regex, RulesError> {
    let pattern = if anchored { format!("^(?:{})", rule.pattern) } else { rule.pattern.clone() };
    RegexBuilder::new(&pattern)
        .unicode(false)
        .size_limit(8 << 20)
        .build()
        .map_err(|error| RulesError::new(&rule.kind, format!("`pattern` cannot be used: {error}")))
}
