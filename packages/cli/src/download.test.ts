import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { downloadTo } from './download.ts';

const CONTENT = Buffer.from('0123456789');
const FILE = { name: 'a.jsonl.gz', bytes: 10, sha256: createHash('sha256').update(CONTENT).digest('hex') };

describe('downloadTo', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'download-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('completes a file that broke, from the first byte that is missing', async () => {
    const from: number[] = [];
    const source = {
      progress: () => undefined,
      async open(fromByte: number) {
        from.push(fromByte);
        const isFirst = from.length === 1;
        return new ReadableStream<Uint8Array>({
          start(controller) {
            controller.enqueue(CONTENT.subarray(fromByte, isFirst ? 4 : 10));
          },
          pull(controller) {
            if (isFirst) controller.error(new TypeError('reset'));
            else controller.close();
          },
        });
      },
    };
    await expect(downloadTo(folder, FILE, source)).rejects.toThrow('reset');
    const path = await downloadTo(folder, FILE, source);
    expect([from[0], readFileSync(path, 'utf8')]).toEqual([0, '0123456789']);
    expect(await downloadTo(folder, FILE, source)).toBe(path);
    expect(from).toHaveLength(2);
  });

  it('refuses other bytes than those of the manifest, and a name that leaves the folder', async () => {
    const source = { progress: () => undefined, open: async () => new Blob(['9876543210']).stream() };
    await expect(downloadTo(folder, FILE, source)).rejects.toThrow('SHA-256');
    expect(existsSync(join(folder, 'a.jsonl.gz.part'))).toBe(false);
    const outside = { ...FILE, name: '../a', sha256: createHash('sha256').update('9876543210').digest('hex') };
    expect(await downloadTo(folder, outside, source)).toBe(join(folder, 'a'));
  });
});
