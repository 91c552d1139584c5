<?php

namespace Shop\Model;

function rounded(int $value): int
{
    return $value;
}

class Line
{
    public function __construct(private int $price)
    {
    }

    public function cost(): int
    {
        return rounded($this->price);
    }
}

class Order
{
    private Line $first;

    public function label(): string
    {
        return 'order';
    }

    public function total(): int
    {
        return $this->first->cost();
    }
}
