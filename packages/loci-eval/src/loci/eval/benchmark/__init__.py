"""Questions with known answers, asked of several systems over one corpus."""
