/** The segments whose reads have a bar against those of 2.5. */
export const OLDER_SEGMENTS = ['2.3', '0', '0.1'] as const;

/** One measurement: a ratio and its bar (architecture.md, Quality bars). Without a bar it is for information. */
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

/** `holds   0.64 (at least 0.50)  what: figures`; `info` for a row without a bar. */
export function formatRow(row: BenchmarkRow): string {
  const bar = row.atLeast === undefined ? `at most ${row.atMost?.toFixed(2)}` : `at least ${row.atLeast.toFixed(2)}`;
  const isInformational = row.atLeast === undefined && row.atMost === undefined;
  const verdict = isInformational ? 'info  ' : meetsBar(row) ? 'holds ' : 'MISSED';
  return `${verdict}  ${row.ratio.toFixed(2)} ${isInformational ? '' : `(${bar})`}  ${row.what}: ${row.figures}`;
}
