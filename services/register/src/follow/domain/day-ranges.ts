/** A range of positions in microseconds: `from` is exclusive. */
export interface PositionRange {
  readonly from: number;
  readonly to: number;
}

const DAY = 86_400_000_000;

/**
 * The days (UTC) between two positions as ranges, the first of which begins at `from` and the last of which ends at `to`. `first` is
 * the first position of interest: what is before its day is in one range.
 */
export function dayRanges({ from, to, first }: PositionRange & { readonly first: number }): readonly PositionRange[] {
  const ranges: PositionRange[] = [];
  let begin = from;
  for (let end = Math.max(startOfDay(first), startOfDay(from) + DAY); begin < to; end += DAY) {
    if (end <= begin) continue;
    ranges.push({ from: begin, to: Math.min(end, to) });
    begin = end;
  }
  return ranges;
}

function startOfDay(position: number): number {
  return position - (position % DAY);
}
