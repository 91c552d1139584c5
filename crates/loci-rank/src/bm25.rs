//! BM25: what a rare term is worth, and how its worth grows with its frequency. The one place of the formula; each user has
//! constants and a normalisation of length of its own.
//!
//! Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009.

/// Numbers that the formula is computed in.
pub trait Real:
    Copy + std::ops::Add<Output = Self> + std::ops::Sub<Output = Self> + std::ops::Div<Output = Self>
{
    /// A half.
    const HALF: Self;
    /// One.
    const ONE: Self;
    /// The natural logarithm.
    fn ln(self) -> Self;
}

impl Real for f32 {
    const HALF: Self = 0.5;
    const ONE: Self = 1.0;
    #[inline(always)]
    fn ln(self) -> Self {
        self.ln()
    }
}

impl Real for f64 {
    const HALF: Self = 0.5;
    const ONE: Self = 1.0;
    #[inline(always)]
    fn ln(self) -> Self {
        self.ln()
    }
}

/// Inverse document frequency: `ln(1 + (total - df + 1/2) / (df + 1/2))`, where `df` of `total` documents have the term.
#[inline(always)]
pub fn idf<T: Real>(total: T, df: T) -> T {
    (T::ONE + (total - df + T::HALF) / (df + T::HALF)).ln()
}

/// The score of a term in a document: `idf * (k1 + 1) * frequency / (frequency + norm)`, with `k1` for `norm`, times the
/// normalised length where the frequency is not normalised already.
///
/// `scaled` is the product above the line. The caller multiplies, since the bits depend on the order.
///
/// ```
/// use loci_rank::bm25::saturate;
/// let (k1, idf) = (1.2f32, 2.0);
/// let score = |frequency: f32| saturate(idf * (k1 + 1.0) * frequency, frequency, k1);
/// assert_eq!(2.0, score(1.0));
/// assert!(score(2.0) > score(1.0) && score(1e6) < idf * (k1 + 1.0));
/// ```
#[inline(always)]
pub fn saturate<T: Real>(scaled: T, frequency: T, norm: T) -> T {
    scaled / (frequency + norm)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_worked_out_by_hand() {
        // ln(1 + 8.5 / 2.5) = ln 4.4
        assert!((idf(10.0f64, 2.0) - 1.481_604_540_924_215).abs() < 1e-12);
        assert!((idf(10.0f32, 2.0) - 1.481_604_5).abs() < 1e-6);
        // A term in every document keeps a little: ln(1 + 0.5 / 4.5).
        assert!((idf(4.0f64, 4.0) - 0.105_360_515_657_826).abs() < 1e-12);
        // Twice in a document of average length, k1 = 0.9: 1.9 * 2 / 2.9.
        assert!((saturate(1.9f64 * 2.0, 2.0, 0.9) - 1.310_344_827_586_207).abs() < 1e-12);
        assert_eq!(0.0, saturate(0.0f32, 0.0, 1.2));
    }
}
