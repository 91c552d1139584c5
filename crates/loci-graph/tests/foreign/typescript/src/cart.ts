import { Cash, withTax } from "./money";
import type { Rounding } from "./money";

export class Cart {
  private items: number[] = [];

  constructor(private rounding: Rounding) {}

  add(cents: number): void {
    this.items.push(cents);
  }

  total(): number {
    return this.rounding.apply(this.items.map(withTax).reduce((a, b) => a + b, 0));
  }
}

export const checkout = (prices: number[]): number => {
  const cart = new Cart(new Cash());
  for (const cents of prices) cart.add(cents);
  return cart.total();
};
