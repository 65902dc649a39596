import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { palettePng } from './palette-png.ts';

type Colour = readonly [r: number, g: number, b: number];

/** A PNG of 8 bits and RGB; each row has the filter of its number, as encoders mix them. */
function rgbPng(width: number, rows: readonly (readonly Colour[])[]): Buffer {
  const header = Buffer.from([0, 0, 0, width, 0, 0, 0, rows.length, 8, 2, 0, 0, 0]);
  const bytes = rows.map((row) => row.flat());
  const filtered = bytes.flatMap((row, y) => [
    y % 5,
    ...row.map((byte, x) => {
      const left = row[x - 3] ?? 0;
      const above = bytes[y - 1]?.[x] ?? 0;
      const corner = bytes[y - 1]?.[x - 3] ?? 0;
      const guess = left + above - corner;
      const paeth = [left, above, corner].toSorted((a, b) => Math.abs(guess - a) - Math.abs(guess - b))[0] ?? 0;
      return (byte - ([0, left, above, (left + above) >> 1, paeth][y % 5] ?? 0)) & 255;
    }),
  ]);
  const chunks = [
    ['IHDR', header],
    ['IDAT', deflateSync(Buffer.from(filtered))],
    ['IEND', Buffer.alloc(0)],
  ] as const;
  const parts = chunks.map(([type, data]) => {
    const out = Buffer.alloc(data.length + 12);
    out.writeUInt32BE(data.length, 0);
    out.write(type, 4, 'latin1');
    data.copy(out, 8);
    out.writeUInt32BE(crc32(out.subarray(4, -4)), data.length + 8);
    return out;
  });
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]);
}

/** The colours of a picture with a palette, row after row. */
function coloursOf(image: Buffer, width: number): Colour[] {
  const data = (type: string): Buffer => {
    const at = image.indexOf(type, 0, 'latin1');
    return image.subarray(at + 4, at + 4 + image.readUInt32BE(at - 4));
  };
  const palette = data('PLTE');
  const indexes = [...inflateSync(data('IDAT'))].filter((_byte, at) => at % (width + 1) !== 0);
  return indexes.map((n) => [...palette.subarray(n * 3, n * 3 + 3)] as unknown as Colour);
}

describe('palettePng', () => {
  it('keeps every pixel of a picture of few colours, whatever filters its rows have', () => {
    const colourAt = (x: number, y: number): Colour => [(x * 40) % 256, (y * 90) % 256, x === y ? 255 : 7];
    const rows = Array.from({ length: 10 }, (_, y) => Array.from({ length: 12 }, (_each, x) => colourAt(x, y)));
    const image = palettePng(rgbPng(12, rows));
    expect(coloursOf(image, 12)).toEqual(rows.flat());
    expect(palettePng(rgbPng(12, rows))).toEqual(image);
  });

  it('keeps a rare colour that is unlike all others, and changes no other one much', () => {
    const greys = Array.from({ length: 20 }, (_, y) =>
      Array.from({ length: 200 }, (_each, x): Colour => [x, (x + y) % 256, (x + 2 * y) % 256]),
    );
    const signal: Colour = [255, 0, 0];
    const rows = [[...(greys[0] ?? []).slice(1), signal], ...greys.slice(1)];
    const shown = coloursOf(palettePng(rgbPng(200, rows)), 200);
    expect(shown[199]).toEqual(signal);
    const errors = rows.flat().map((colour, n) => Math.hypot(...colour.map((part, c) => part - (shown[n]?.[c] ?? 0))));
    expect(Math.max(...errors)).toBeGreaterThan(0);
    expect(Math.max(...errors)).toBeLessThan(16);
  });
});
