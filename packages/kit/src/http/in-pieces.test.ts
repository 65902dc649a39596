import { buffer } from 'node:stream/consumers';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { inPieces } from './in-pieces.ts';
import { sendJson } from './server.ts';

it('writes each piece of an answer in a turn of its own', async () => {
  const bytes = Buffer.alloc(1_000_000, 'їa');
  let turn = 0;
  let isOver = false;
  const countTurns = (): void => {
    turn += 1;
    if (!isOver) setImmediate(countTurns);
  };
  countTurns();
  const turns: number[] = [];
  const stream = inPieces(bytes).on('data', () => turns.push(turn));
  expect((await buffer(stream)).equals(bytes)).toBe(true);
  isOver = true;
  expect([turns.length, new Set(turns).size]).toEqual([4, 4]);
});

it.each([1, 100_000, 700_000])('sends JSON of %d letters whole, with its length', async (letters) => {
  const text = JSON.stringify('ї'.repeat(letters));
  const app = Fastify();
  app.get('/', async (_request, reply) => sendJson(reply, 200, text));
  const answer = await app.inject('/');
  expect([answer.body === text, answer.headers['content-length']]).toEqual([true, String(2 * letters + 2)]);
  await app.close();
});
