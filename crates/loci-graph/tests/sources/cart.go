package shop

import (
	"fmt"
	h "net/http"
	. "x/y"
)

const Max, min = 3, 4
var client = h.NewClient()

// Cart holds. More.
type Cart struct {
	sync.Mutex
	*Base
	Items, other []Item
	client *h.Client
}
type Store interface { Base; Get(k string) (*Item, error) }
type ID = string

// Total sums.
func (c *Cart) Total(x int, f func(int) error, opts ...Option) (n *Item, err error) {
	c.client.Do(x)
	it := &Item{Name: "x", fn: handler}
	s, err := open(it)
	s.Run()
	f(1)
	go c.sub(helper)
	for i, v := range c.Items { v.Do(i) }
	var q Cart
	q.Total()
	return h.Foo(Max)
}
func TestX(t *testing.T) { t.Run("a", func(t *testing.T) { New[int](3) }) }
