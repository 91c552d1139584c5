//! What a person would search a symbol by, in words: the text that a model of meaning reads of it.

use crate::GraphError;
use crate::store::Graph;

impl Graph {
    /// The labels of the symbols of some kinds (words of [`Graph::kind`]) that stand in some roles and in no tests, by number.
    ///
    /// A label is the words of the qualified name, the kind, and the first sentence of the documentation if there is one, each on a
    /// line of its own: `session close` / `method` / `Ends it and frees the socket.`. Several symbols may have the same. Signatures
    /// are left out: on the public benchmark vectors with them find no more and take twice as long.
    ///
    /// # Errors
    /// [`GraphError::File`] when a documentation does not decode.
    pub fn labels(&self, kinds: &[String], roles: &[u8]) -> Result<Vec<(u32, String)>, GraphError> {
        let wanted: Vec<bool> = self.header().kinds.iter().map(|word| kinds.iter().any(|kind| kind == word)).collect();
        let chosen = |symbol: u32| {
            let of_kind = wanted.get(self.kind_number(symbol) as usize).copied().unwrap_or(false);
            of_kind && roles.contains(&self.file_role(self.file_of(symbol))) && !self.in_tests(symbol)
        };
        let mut found = Vec::new();
        self.each_text(|symbol, _, documentation| {
            if chosen(symbol) {
                let mut label = loci_text::pieces(&self.qualified(symbol)).join(" ");
                label.push('\n');
                label.push_str(self.kind(symbol));
                if !documentation.is_empty() {
                    label.push('\n');
                    label.push_str(documentation);
                }
                found.push((symbol, label));
            }
        })?;
        Ok(found)
    }
}
