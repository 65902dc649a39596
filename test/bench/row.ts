/** One line of the result: what was measured, the ratio, and the bar it has to reach (architecture.md, Quality bars). */
export interface BenchmarkRow {
  readonly what: string;
  readonly ratio: number;
  readonly atLeast?: number;
  readonly atMost?: number;
  readonly figures: string;
}

export function meetsBar({ ratio, atLeast = -Infinity, atMost = Infinity }: BenchmarkRow): boolean {
  return ratio >= atLeast && ratio <= atMost;
}

/** `holds   0.64 (at least 0.50)  what: figures`; a row without a bar is only told. */
export function formatRow(row: BenchmarkRow): string {
  const bar = row.atLeast === undefined ? `at most ${row.atMost?.toFixed(2)}` : `at least ${row.atLeast.toFixed(2)}`;
  const isInformational = row.atLeast === undefined && row.atMost === undefined;
  const verdict = isInformational ? 'told  ' : meetsBar(row) ? 'holds ' : 'MISSED';
  return `${verdict}  ${row.ratio.toFixed(2)} ${isInformational ? '' : `(${bar})`}  ${row.what}: ${row.figures}`;
}
