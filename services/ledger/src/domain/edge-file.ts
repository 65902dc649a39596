import { packEntries, unpackEntries } from '@procurement/proof/tiles';

/** Entries of the bundle that is not full, beside the checkpoint of a size: without the database they are nowhere else. */
export interface EdgeFile {
  readonly size: number;
  readonly entries: readonly Buffer[];
}

const LF = 0x0a;

/** The size as text, a line feed, and the entries as in a bundle. */
export function writeEdge({ size, entries }: { readonly size: number; readonly entries: readonly string[] }): Buffer {
  return Buffer.concat([Buffer.from(`${size}\n`), packEntries(entries)]);
}

/** Undefined for bytes that `writeEdge` does not write. */
export function readEdge(bytes: Buffer): EdgeFile | undefined {
  const end = bytes.indexOf(LF);
  const digits = end < 0 ? '' : bytes.toString('latin1', 0, end);
  const entries = /^[1-9]\d{0,14}$/.test(digits) ? unpackEntries(bytes.subarray(end + 1)) : undefined;
  return entries === undefined ? undefined : { size: Number(digits), entries };
}
