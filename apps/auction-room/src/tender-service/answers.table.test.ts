import { describe, expect, it } from 'vitest';
import type { ServiceAnswer } from './client.ts';
import { meaningOf, pauseSeconds } from './answers.table.ts';

const answer = (status: number, description = '') => ({ status, description, body: {} });

describe('answers of the tender service', () => {
  it.each<readonly [ServiceAnswer, string]>([
    [answer(200), 'done'],
    [answer(201), 'done'],
    [answer(403, "Can't report auction results in current (complete) tender status"), 'read-the-tender'],
    [answer(403, "Can't get auction info in current (cancelled) tender status"), 'read-the-tender'],
    [answer(403, 'Can report auction results only in active lot status'), 'lot-is-over'],
    [answer(403, 'Forbidden'), 'key-refused'],
    [answer(401), 'key-refused'],
    [answer(422), 'stop'],
    ...[0, 404, 409, 412, 429, 500, 503].map((status) => [answer(status), 'again'] as const),
  ])('%o means %s', (given, meaning) => {
    expect(meaningOf(given)).toBe(meaning);
  });

  it('are awaited longer after each failure, and as long as the service asks for', () => {
    const pause = (attempts: number, retryAfterSeconds?: number) =>
      pauseSeconds(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }, 'again', { attempts, random: 0.5 });
    expect([0, 1, 4, 99].map((attempts) => pause(attempts))).toEqual([1, 2, 15, 60]);
    expect(pause(0, 7)).toBe(7);
    expect(pauseSeconds({}, 'key-refused', { attempts: 0, random: 0 })).toBe(60);
  });
});
