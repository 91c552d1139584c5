<?php

namespace Shop\Store;

use Shop\Model\Order;

interface Store
{
    public function save(Order $item): bool;
}

trait Logging
{
    protected function log(string $text): void
    {
        echo $text;
    }
}

abstract class BaseStore implements Store
{
    use Logging;

    public function __construct(protected string $name)
    {
    }

    public function close(): void
    {
        $this->log('closed');
    }
}

final class OrderStore extends BaseStore
{
    public function save(Order $item): bool
    {
        $this->log($item->label());
        parent::close();
        return true;
    }

    public static function open(string $name): self
    {
        return new self($name);
    }
}
