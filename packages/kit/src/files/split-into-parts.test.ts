import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitIntoParts } from './split-into-parts.ts';

async function* given(chunks: readonly Uint8Array[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

describe('splitIntoParts', () => {
  it('property: yields the same bytes in parts of one size but for the last, from two buffers', async () => {
    const chunks = fc.array(fc.uint8Array({ maxLength: 40 }));
    await fc.assert(
      fc.asyncProperty(chunks, fc.integer({ min: 1, max: 16 }), async (sent, size) => {
        const seen: Buffer[] = [];
        const buffers = new Set<ArrayBufferLike>();
        const iterator = splitIntoParts(given(sent), size);
        for (let step = await iterator.next(); step.done !== true; step = await iterator.next()) {
          buffers.add(step.value.buffer);
          seen.push(Buffer.from(step.value));
        }
        expect(Buffer.concat(seen).equals(Buffer.concat(sent))).toBe(true);
        for (const part of seen.slice(0, -1)) expect(part.length).toBe(size);
        expect(buffers.size).toBeLessThanOrEqual(2);
      }),
    );
  });
});
