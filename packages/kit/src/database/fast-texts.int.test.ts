import { freshDatabase } from '@procurement/testing/database';
import { BufferReader } from 'pg-protocol/dist/buffer-reader.js';
import { expect, it, vi } from 'vitest';
import { makePool } from './pool.ts';
import { makeLog } from '../runtime/log.ts';

it('reads texts of every length by the reader that pg has, as they are stored', async () => {
  const database = await freshDatabase('tenders');
  const pool = makePool({ url: database.url, name: 'test', connectionsMax: 1, log: makeLog('test', 'fatal') });
  const reading = vi.spyOn(BufferReader.prototype, 'string');
  const texts = ['', 'a', 'їa', 'a'.repeat(3_000), 'їa'.repeat(900), '水'.repeat(400), '😀ї'.repeat(100_000)];
  const { rows } = await pool.query('SELECT unnest($1::text[]) AS text', [texts]);
  expect(rows.map(({ text }) => text)).toEqual(texts);
  expect(reading.mock.calls.map(([length]) => length)).toEqual(
    expect.arrayContaining(texts.map((text) => Buffer.byteLength(text))),
  );
  reading.mockRestore();
  await pool.end();
  await database.drop();
});
