/** Consecutive lines of an export. */
export interface ExportPage {
  readonly bytes: Buffer;
  readonly lines: number;
  readonly first: bigint;
  readonly last: bigint;
  /** Everything up to it was read; of releases and records their `seq`. */
  readonly walkedTo: bigint;
}

/** Reads the lines of an export in their order. What was published meanwhile does not change them. */
export interface ExportPages {
  /** Undefined at the end. */
  next(): Promise<ExportPage | undefined>;
}

/** What each row of a statement begins with. */
export interface WalkHead {
  /** The last place that the statement looked at; null at the end. */
  readonly walkedTo: string | null;
  /** How many of the places have a line. Those whose texts are too large for one page have no row. */
  readonly chosen: string;
}

export interface Walk<Row extends WalkHead, Line extends Row & { readonly position: string }> {
  /** Exclusive. */
  readonly after: bigint;
  read(after: bigint): Promise<readonly Row[]>;
  /** False for the only row of a page without lines. */
  isLine(row: Row): row is Line;
  placeOf(row: Line): string;
  textsOf(rows: readonly Line[]): Promise<readonly string[]>;
}

/** Pages of a walk over places. A page ends where the statement did, or before the line that is too large for it. */
export function walkPages<Row extends WalkHead, Line extends Row & { readonly position: string }>(
  walk: Walk<Row, Line>,
): ExportPages {
  let { after } = walk;
  return {
    async next() {
      for (;;) {
        const rows = await walk.read(after);
        const [head] = rows;
        if (head === undefined || head.walkedTo === null) return undefined;
        const found = rows.filter((row) => walk.isLine(row));
        const last = found.at(-1);
        const isCut = found.length < Number(head.chosen);
        after = BigInt(isCut && last !== undefined ? walk.placeOf(last) : head.walkedTo);
        if (last === undefined) continue;
        const lines = await walk.textsOf(found);
        return {
          bytes: Buffer.from(`${lines.join('\n')}\n`),
          lines: lines.length,
          first: BigInt(found[0]?.position ?? last.position),
          last: BigInt(last.position),
          walkedTo: after,
        };
      }
    },
  };
}
