import { constants, crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const HEADER_BYTES = 8;
const COLOURS_MAX = 256;
const DISTANCE_STEP = 2;
const RGB = 2;
const PALETTE = 3;

/**
 * Reduces a picture to 256 colours, which makes it a third of the size: pages have few colours besides the edges of letters. Frequent colours
 * stay, and each other one becomes its nearest neighbour among them. Takes what Chromium writes: 8 bits, RGB, not interlaced.
 */
export function palettePng(image: Buffer): Buffer {
  const { width, height, pixels } = decodePng(image);
  const counts = new Map<number, number>();
  for (let at = 0; at < pixels.length; at += 3) {
    const colour = pixels.readUIntBE(at, 3);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  // Equal counts in the order of colours, so that equal pictures give equal files.
  const byCount = [...counts].toSorted(([a, n], [b, m]) => m - n || a - b).map(([colour]) => colour);
  const kept = paletteOf(byCount);
  const indexes = new Map(byCount.map((colour) => [colour, nearest(colour, kept).index]));
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      rows[y * (width + 1) + x + 1] = indexes.get(pixels.readUIntBE((y * width + x) * 3, 3)) ?? 0;
  const palette = Buffer.alloc(kept.length * 3);
  for (const [n, colour] of kept.entries()) palette.writeUIntBE(colour, n * 3, 3);
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, PALETTE, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(rows, { level: constants.Z_BEST_COMPRESSION, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const partsOf = (colour: number): readonly [number, number, number] => [
  colour >> 16,
  (colour >> 8) & 255,
  colour & 255,
];

/**
 * Keeps the first colours that differ from those before by more than a distance: the smallest one that leaves 256. So no colour changes by more,
 * and one that few pixels have, such as that of a signal, stays when it is unlike all others.
 */
function paletteOf(byCount: readonly number[]): readonly number[] {
  for (let distance = 0; ; distance += DISTANCE_STEP) {
    const kept: number[] = [];
    for (const colour of byCount) {
      if (nearest(colour, kept).distance > distance) kept.push(colour);
      if (kept.length > COLOURS_MAX) break;
    }
    if (kept.length <= COLOURS_MAX) return kept;
  }
}

function nearest(colour: number, kept: readonly number[]): { readonly index: number; readonly distance: number } {
  const [r, g, b] = partsOf(colour);
  let index = 0;
  let least = Infinity;
  for (const [n, one] of kept.entries()) {
    const [r1, g1, b1] = partsOf(one);
    const square = (r - r1) ** 2 + (g - g1) ** 2 + (b - b1) ** 2;
    if (square >= least) continue;
    least = square;
    index = n;
  }
  return { index, distance: Math.sqrt(least) };
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Three bytes a pixel, row after row. */
  readonly pixels: Buffer;
}

function decodePng(image: Buffer): Pixels {
  const parts: Buffer[] = [];
  let header: Buffer = Buffer.alloc(0);
  for (let at = SIGNATURE.length; at < image.length;) {
    const length = image.readUInt32BE(at);
    const type = image.toString('latin1', at + 4, at + HEADER_BYTES);
    const data = image.subarray(at + HEADER_BYTES, at + HEADER_BYTES + length);
    if (type === 'IHDR') header = data;
    if (type === 'IDAT') parts.push(data);
    at += HEADER_BYTES + length + 4;
  }
  const [width, height, bits, colours, , , interlaced] = [
    header.readUInt32BE(0),
    header.readUInt32BE(4),
    ...header.subarray(HEADER_BYTES),
  ];
  if (bits !== 8 || colours !== RGB || interlaced !== 0)
    throw new Error(`not 8 bits, RGB, without interlace: ${header.toString('hex')}`);
  return { width, height, pixels: unfiltered(inflateSync(Buffer.concat(parts)), width * 3, height) };
}

/** Undoes the filters of rows (PNG, section 9): each byte was stored as its difference to bytes at the left and above. */
function unfiltered(rows: Buffer, rowBytes: number, height: number): Buffer {
  const out = Buffer.alloc(rowBytes * height);
  for (let y = 0; y < height; y += 1) {
    const filter = rows[y * (rowBytes + 1)];
    for (let x = 0; x < rowBytes; x += 1) {
      const at = y * rowBytes + x;
      const left = x < 3 ? 0 : (out[at - 3] ?? 0);
      const above = y === 0 ? 0 : (out[at - rowBytes] ?? 0);
      const corner = x < 3 || y === 0 ? 0 : (out[at - rowBytes - 3] ?? 0);
      const guess = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter ?? 0] ?? 0;
      out[at] = (rows[y * (rowBytes + 1) + x + 1] ?? 0) + guess;
    }
  }
  return out;
}

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [byLeft, byAbove, byCorner] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  return byLeft <= byAbove && byLeft <= byCorner ? left : byAbove <= byCorner ? above : corner;
}
