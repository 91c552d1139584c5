"""The commands of loci: progress and rendering, no decisions."""
