/** Picks among what there is at the moment; a step carries its numbers with it, so that it can be repeated. */
export class Dice {
  private at = 0;
  private readonly numbers: readonly number[];

  constructor(numbers: readonly number[]) {
    this.numbers = numbers;
  }

  below(limit: number): number {
    return (this.numbers[this.at++ % this.numbers.length] as number) % limit;
  }

  oneOf<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }
}
