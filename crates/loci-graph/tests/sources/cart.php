<?php
namespace A\B;
use X\Y;
use X\{Z, W as V};
/** Doc. More. */
class Cart extends Base implements Shop, \Q\Other {
  use Tr;
  const MAX = 3;
  private Client $client;
  public function __construct(private Http $http, Client $c) { $this->client = new Client($c); parent::__construct(); }
  public function total(int $x, callable $h): Item { $it = find($x); $it->go(); $h(1); $this->client->get()->send(self::MAX); foreach ($a as $k => $i) { $i->z(); } return (new Foo($x))->build(Bar::make()); }
}
interface Shop { function k(); }
function top(Foo $a) { return \strlen($a); }
