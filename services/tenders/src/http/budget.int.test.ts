import { TENDER_OBJECTS_MAX } from '@procurement/contracts/limits';
import { AUTHOR } from '@procurement/testing/bodies';
import { anonymousIdentity, signedIdentity } from '@procurement/testing/identity';
import { padId } from '@procurement/testing/ids';
import { raced } from '@procurement/testing/racing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestsTo } from '../../test-support/requests.ts';
import { runningTenders, type RunningTenders } from '../../test-support/running-tenders.ts';

let running: RunningTenders;
const { send, created } = requestsTo(() => running);
const seller = signedIdentity({ broker: 'seller' });
const other = signedIdentity({ broker: 'other' });

beforeAll(async () => {
  running = await runningTenders();
});

afterAll(async () => {
  await running.close();
});

/** 120,000 bytes: the longest description in the largest characters. */
const LARGE = { author: AUTHOR, title: 'x', description: '😀'.repeat(30_000) };
const MEDIUM = { author: AUTHOR, title: 'x', description: '😀'.repeat(3_500) };
const SMALL = { author: AUTHOR, title: 'x' };

describe('the byte budget of a tender (limits.md 4)', () => {
  it('gives the last room of a broker to one of two questions that race, and leaves room for others', async () => {
    const { id, owner } = await created();
    const url = `/tenders/${id}/questions`;
    for (const question of [LARGE, LARGE]) expect((await send('POST', url, seller, question)).statusCode).toBe(201);
    const racing = await Promise.all([MEDIUM, MEDIUM].map(async (question) => send('POST', url, seller, question)));
    expect(raced(racing)).toMatchObject({
      accepted: 1,
      refused: [
        [
          {
            location: 'body',
            name: 'questions',
            description: 'No more than 262144 bytes of all questions of one broker in one tender are allowed.',
          },
        ],
      ],
    });
    const list = (await send('GET', url, anonymousIdentity())).json().data;
    expect(list).toHaveLength(3);
    expect((await send('POST', url, other, LARGE)).statusCode).toBe(201);
    expect((await send('PATCH', `${url}/${list[0].id}`, owner, { answer: 'так' })).statusCode).toBe(200);
    expect((await send('PATCH', `/tenders/${id}`, owner, { description: 'new' })).statusCode).toBe(200);
  });

  it('gives the last place of a broker to one of two questions that race, and accepts one of another broker', async () => {
    const { id } = await created();
    const url = `/tenders/${id}/questions`;
    expect((await send('POST', url, seller, SMALL)).statusCode).toBe(201);
    await repeatQuestion(id, TENDER_OBJECTS_MAX.questions.ofBroker - 1);
    const racing = await Promise.all([SMALL, SMALL].map(async (question) => send('POST', url, seller, question)));
    expect(raced(racing)).toMatchObject({ accepted: 1, refused: [[{ location: 'body' }]] });
    expect((await send('POST', url, other, SMALL)).statusCode).toBe(201);
  });

  it('refuses a tender of more than its room, and changes that make it so, and draws no number', async () => {
    const { id, owner, data } = await created();
    const item = { description: '😀'.repeat(30_000), classification: { id: '44810000-1', description: 'x' } };
    const items = (count: number) => ({ items: Array.from({ length: count }, () => item) });
    expect((await send('PATCH', `/tenders/${id}`, owner, items(17))).statusCode).toBe(200);
    const refused = await send('PATCH', `/tenders/${id}`, owner, items(18));
    expect([refused.statusCode, refused.json().errors[0].name]).toEqual([422, 'data']);
    expect((await send('GET', `/tenders/${id}`, anonymousIdentity())).json().data.items).toHaveLength(17);
    const large = await created(items(18));
    expect([large.answer.statusCode, large.answer.json().errors[0].name]).toEqual([422, 'data']);
    expect(parseSerial((await created()).data)).toBe(parseSerial(data) + 1);
  });
});

/** Stores copies of the first question of a tender, so that it has `count`. */
async function repeatQuestion(id: string, count: number): Promise<void> {
  const { pool } = running.database;
  const { rows } = await pool.query('SELECT document, private_state FROM tender WHERE id = $1', [id]);
  const [document, privateState] = [JSON.parse(rows[0].document), JSON.parse(rows[0].private_state)];
  const [question] = document.questions;
  document.questions = Array.from({ length: count }, (_, n) => ({ ...question, id: padId(`${n}`) }));
  privateState.questionBrokers = Object.fromEntries(
    document.questions.map((one: { id: string }) => [one.id, privateState.questionBrokers[question.id]]),
  );
  const values = [id, JSON.stringify(document), JSON.stringify(privateState)];
  await pool.query('UPDATE tender SET document = $2, private_state = $3 WHERE id = $1', values);
}

function parseSerial({ tenderID }: { readonly tenderID: string }): number {
  return Number(tenderID.slice(-6));
}
