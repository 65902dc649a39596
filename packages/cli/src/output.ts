/** Where a command prints. */
export interface Output {
  print(text: string): void;
  /** Prints something for people that is not part of the result. */
  note(text: string): void;
  /** Undefined unless a person watches. */
  readonly progress: ((text: string) => void) | undefined;
}

export type Cell = string | number | undefined;
type Row = readonly Cell[];

/** Makes each column as wide as its widest cell, and leaves the last one as it is. */
export function formatTable(head: readonly string[], rows: readonly Row[]): string {
  const lines = [head, ...rows].map((row) => row.map((cell) => printable(String(cell ?? ''))));
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)))
    .map((cells) => cells.join('  ').trimEnd())
    .join('\n');
}

/** Texts of other users must not control the terminal. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ');
}

/** `terms.pdf  45 %`, rewritten in place. */
export function progressText(name: string, sentBytes: number, totalBytes: number): string {
  const percent = Math.floor((sentBytes * 100) / Math.max(1, totalBytes));
  const filled = Math.floor(percent / 5);
  return `\r${printable(name)}  ${'#'.repeat(filled)}${'.'.repeat(20 - filled)}  ${percent} %${sentBytes >= totalBytes ? '\n' : ''}`;
}
