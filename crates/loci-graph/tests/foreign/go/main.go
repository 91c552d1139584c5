package main

import (
	"fmt"

	"example.com/shop/store"
)

func checkout(prices []int, rounding store.Rounding) int {
	total := 0
	for _, cents := range prices {
		total += store.WithTax(cents)
	}
	return rounding.Apply(total)
}

func main() {
	fmt.Println(checkout([]int{100}, store.Cash{}))
}
