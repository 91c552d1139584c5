// Package store sells things.
package store

// Tax is in percent.
const Tax = 19

// Rounding says how an amount is rounded.
type Rounding interface {
	Apply(cents int) int
}

// Cash rounds to five cents.
type Cash struct{}

// Apply rounds.
func (c Cash) Apply(cents int) int {
	return 5 * ((cents + 2) / 5)
}

// WithTax adds the tax to an amount.
func WithTax(cents int) int {
	return cents + cents*Tax/100
}
