/** A public text and its position. Texts are JSON without line feeds. */
export interface PackedText {
  readonly position: bigint;
  readonly text: string;
}

/** A pack is closed by whichever comes first (register.md 7.3). */
export const PACK_TEXTS_MAX = 64;
export const PACK_BYTES_MAX = 4 * 1024 * 1024;

/** What is compressed: one line per text, with its position (decision 0104). */
export function packLines(texts: readonly PackedText[]): string {
  return texts.map(({ position, text }) => `${position} ${text}`).join('\n');
}

/** The inverse of `packLines`. Throws for a line without a position. */
export function unpackLines(lines: string): readonly PackedText[] {
  return lines.split('\n').map((line) => {
    const at = line.indexOf(' ');
    const position = line.slice(0, at);
    if (!/^\d+$/.test(position)) throw new Error('a line of a pack has no position');
    return { position: BigInt(position), text: line.slice(at + 1) };
  });
}

/** Divides texts into packs, in their order. A pack has at least one text. */
export function dividePacks<T extends PackedText>(texts: readonly T[]): readonly (readonly T[])[] {
  const packs: T[][] = [];
  let bytes = 0;
  for (const text of texts) {
    const size = Buffer.byteLength(text.text);
    const open = packs.at(-1);
    const isFull = open === undefined || open.length === PACK_TEXTS_MAX || bytes + size > PACK_BYTES_MAX;
    if (isFull) packs.push([text]);
    else open.push(text);
    bytes = isFull ? size : bytes + size;
  }
  return packs;
}
