import { randomInt } from 'node:crypto';
import { decided } from '@procurement/testing/decided';
import { freezeTender } from '@procurement/testing/frozen-tender';
import { describe, expect, it } from 'vitest';
import { respondFreeze } from '../events/respond-freeze.ts';
import { ownerHeaders, send } from '../../test-support/running-awards.ts';
import { setupAwards } from '../../test-support/setup-awards.ts';
import { PAYMENT, RATIONALE } from '../../test-support/signed-contract.ts';
import { createSigned } from '../../test-support/signed-over-http.ts';

const running = setupAwards();
const TERMINATION = { status: 'terminated', amountPaid: { amount: 380 } };
/** Pairs of acts of each race (contracting.md 13, K5). */
const RACES = 200;

type Act = () => Promise<{ readonly statusCode: number }>;

/** Sends both at once, in either order. */
async function race(one: Act, other: Act): Promise<readonly [number, number]> {
  const isReversed = randomInt(2) === 1;
  const [first, second] = isReversed ? [other(), one()] : [one(), other()];
  const [a, b] = [(await first).statusCode, (await second).statusCode];
  return isReversed ? [b, a] : [a, b];
}

/** A signed contract, its acts, and what brings it back to the moment of its signature. */
async function racedContract() {
  const { app, database, deps } = running();
  const { tender, path } = await createSigned(running());
  const { rows } = await database.pool.query('SELECT document FROM awarding WHERE tender_id = $1', [tender.id]);
  return {
    tender,
    add: async () => send(app, 'POST', `${path}/changes`, ownerHeaders, RATIONALE),
    terminate: async () => send(app, 'PATCH', path, ownerHeaders, TERMINATION),
    pay: async () => send(app, 'PUT', `${path}/transactions/1`, ownerHeaders, PAYMENT),
    stored: async () => (await deps.awardings.find(tender.id)).contracts[0]?.implementation,
    reset: async () =>
      database.pool.query('UPDATE awarding SET document = $2 WHERE tender_id = $1', [tender.id, rows[0].document]),
  };
}

describe('acts on one signed contract at the same time (contracting.md 13, K5)', () => {
  it('of two changes one is added', async () => {
    const { add, stored, reset } = await racedContract();
    for (let n = 0; n < RACES; n += 1) {
      // Not after the acts: the last of them is what the public sees at the end.
      await reset();
      expect((await race(add, add)).toSorted((one, other) => one - other)).toEqual([201, 403]);
      expect((await stored())?.changes?.length).toBe(1);
    }
  });

  it('a change comes before a termination, or is refused', async () => {
    const { add, terminate, stored, reset } = await racedContract();
    for (let n = 0; n < RACES; n += 1) {
      // Not after the acts: the last of them is what the public sees at the end.
      await reset();
      const [ended, added] = await race(terminate, add);
      expect(ended).toBe(200);
      expect([201, 403]).toContain(added);
      expect(await stored()).toMatchObject({ status: 'terminated' });
      expect((await stored())?.changes?.length ?? 0).toBe(added === 201 ? 1 : 0);
    }
  });

  it('a payment and a termination are both stored, whichever comes first', async () => {
    const { pay, terminate, stored, reset } = await racedContract();
    for (let n = 0; n < RACES; n += 1) {
      // Not after the acts: the last of them is what the public sees at the end.
      await reset();
      expect(await race(pay, terminate)).toEqual([200, 200]);
      expect(await stored()).toMatchObject({ status: 'terminated', transactions: [{ id: '1', status: 'successful' }] });
    }
  });

  it('a PATCH waits while the tender is cancelled, and is then done', async () => {
    const { app, deps } = running();
    const { tender, path } = await createSigned(running());
    let known = tender;
    for (let n = 0; n < RACES; n += 1) {
      const title = `title ${n}`;
      const answer = decided(async () => send(app, 'PATCH', path, ownerHeaders, { title }));
      const frozen = await freezeTender(respondFreeze(deps), tender.id);
      known = running().changeAtOwner(known, { status: n % 2 === 0 ? 'cancelled' : 'complete' });
      await frozen.lift(known.version);
      expect((await answer).statusCode).toBe(200);
      expect((await deps.awardings.find(tender.id)).contracts).toMatchObject([
        { status: 'active', implementation: { status: 'active', title } },
      ]);
    }
  });
});
