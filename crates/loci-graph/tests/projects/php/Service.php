<?php

namespace Shop;

use Shop\Model\{Line, Order};
use Shop\Store\OrderStore;
use Shop\Store\Store as Box;
use function Shop\Model\rounded;

#[Service('orders')]
class OrderService
{
    public function __construct(private OrderStore $store, private ?Box $other = null)
    {
    }

    public function place(Order $order): int
    {
        if (!$this->store->save($order)) {
            $this->other?->save($order);
        }
        OrderStore::open('x')->close();
        $line = new Line(2);
        return rounded($order->total()) + $line->cost();
    }
}
