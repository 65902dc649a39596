/** A state that no restore has made void. */
export interface Row {
  readonly tender: number;
  readonly rev: bigint;
  readonly position: bigint;
  /** Number of the publication; -1 for a baseline. */
  readonly number: bigint;
  /** Row of the state of the same tender before it; -1 where there is none. */
  readonly previous: number;
}

const FIRST_LENGTH = 1_024;
/** Numbers of 64 bits in a row. They hold every `int`, which has at most 18 digits. */
const COLUMNS = 5;

/** A table with rows of 40 bytes: a log has millions of them, and objects would take four times as much. */
export class Rows {
  #cells = new BigInt64Array(FIRST_LENGTH * COLUMNS);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Returns a row; undefined when there is none. */
  at(index: number): Row | undefined {
    if (index < 0 || index >= this.#length) return undefined;
    const [tender = 0n, rev = 0n, position = 0n, number = 0n, previous = 0n] = this.#cells.subarray(index * COLUMNS);
    return { tender: Number(tender), rev, position, number, previous: Number(previous) };
  }

  push({ tender, rev, position, number, previous }: Row): void {
    const start = this.#length * COLUMNS;
    if (start === this.#cells.length) {
      const longer = new BigInt64Array(start * 2);
      longer.set(this.#cells);
      this.#cells = longer;
    }
    this.#cells.set([BigInt(tender), rev, position, number, BigInt(previous)], start);
    this.#length += 1;
  }

  /** Drops the last row. */
  pop(): void {
    this.#length -= 1;
  }
}
