// Texts of lines `name SP value LF`: entries of the log, seals and receipts. Each of them has one spelling only, so a reader writes what it
// has read and compares (docs/spec/proof.md 3.1).

/** Form of the id of a tender or a bid. */
export const ID = /^[0-9a-f]{32}$/;
/** Form of a SHA-256, a salt or a blind. */
export const HASH = /^[0-9a-f]{64}$/;
const INT = /^(?:0|[1-9][0-9]{0,17})$/;

/** Reads an `int`: at most 18 digits, without a sign or a leading zero. */
export function parseInteger(text: string | undefined): bigint | undefined {
  return text !== undefined && INT.test(text) ? BigInt(text) : undefined;
}

/** Returns the values of lines with exactly these names, in this order; undefined for any other text. */
export function valuesOfLines(lines: readonly string[], names: readonly string[]): string[] | undefined {
  if (lines.length !== names.length) return undefined;
  const values: string[] = [];
  for (const [index, name] of names.entries()) {
    const line = lines[index] ?? '';
    if (!line.startsWith(`${name} `)) return undefined;
    values.push(line.slice(name.length + 1));
  }
  return values;
}
