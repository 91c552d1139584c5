export const TAX = 19;

/** Adds the tax to an amount. */
export function withTax(cents: number): number {
  return cents + Math.round((cents * TAX) / 100);
}

export interface Rounding {
  apply(cents: number): number;
}

/** Rounds to five cents. */
export class Cash implements Rounding {
  apply(cents: number): number {
    return 5 * Math.round(cents / 5);
  }
}
