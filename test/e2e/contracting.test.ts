import { describe, expect, inject, it } from 'vitest';
import { patientBroker, type Json } from '../support/broker.ts';
import {
  playStory,
  playToSigning,
  type MakeClient,
  type FixtureRequest,
  type PlayedContract,
} from './stories/contracting.ts';
import { mismatches } from './stories/fixture-match.ts';

const url = inject('gatewayUrl');
const makeClient: MakeClient = (key, segment = '2.5') => patientBroker(url, key, segment);
const anyone = makeClient(undefined);

/** Sends requests of the contract's owner in order; each must succeed. Gives the data of the last answer. */
async function acts(played: PlayedContract, ...requests: readonly (readonly [string, string, Json])[]): Promise<Json> {
  let data: Json;
  for (const [method, path, body] of requests) {
    const answer = await played.send({ token: '$tenderToken', method, path, body: { data: body }, status: 200 });
    expect([200, 201], answer.text).toContain(answer.status);
    data = answer.body.data;
  }
  return data;
}

const CONTRACT = '/contracts/$contract';
const SIGNING = ['PATCH', CONTRACT, { status: 'active', value: { amount: 380 } }] as const;
const ADDING = ['POST', `${CONTRACT}/changes`, { rationale: 'x', rationaleTypes: ['itemPriceVariation'] }] as const;
const ENDING = ['PATCH', CONTRACT, { status: 'terminated', amountPaid: { amount: 380 } }] as const;

describe('a contract from its creation to its last payment (contracting.md)', () => {
  it('goes through story.json, and is seen as views.json has it', async () => {
    const played = await playToSigning(makeClient);
    await playStory(played, anyone);
    const { symbols } = played;
    const { contract, contractOf23, contractsOfTender } = played.fixture('views');
    const shown = (await anyone.get(played.contractPath)).body.data;
    expect(mismatches(contract.data, shown, { symbols, isExact: true })).toEqual([]);
    const older = (await makeClient(undefined, '2.3').get(played.contractPath)).body.data;
    expect(mismatches(contractOf23.data, older, { symbols })).toEqual([]);
    for (const segment of ['2.5', '2.3']) {
      const { contracts } = (await makeClient(undefined, segment).get(`/tenders/${played.tenderId}`)).body.data;
      expect(mismatches(contractsOfTender[segment], contracts, { symbols })).toEqual([]);
    }
  });

  it('does not exist in older segments, but for what they had (contracting.md 13, K2)', async () => {
    const { contractPath } = await playToSigning(makeClient);
    const older = makeClient('broker1', '2.3');
    const patch = await older.patch(contractPath, {});
    expect([patch.status, patch.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await older.get(`${contractPath}/changes`)).status).toBe(404);
    expect((await older.get('/contracts')).status).toBe(404);
  });
});

interface RefusalCase extends FixtureRequest {
  readonly at: string;
  readonly anyOrder?: boolean;
  readonly contains?: boolean;
  readonly errors: readonly Json[];
}

describe('the refusals of errors.json, through the gateway', () => {
  it('are word for word those of the fixture', async () => {
    const [pending, signed, withPending, withActive, terminated] = await Promise.all(
      Array.from({ length: 5 }, async () => playToSigning(makeClient)),
    );
    if (!pending || !signed || !withPending || !withActive || !terminated) throw new Error('no contract');
    const signedData = await acts(signed, SIGNING);
    await acts(terminated, SIGNING, ENDING);
    const change = await acts(withPending, SIGNING, ADDING);
    withPending.symbols.set('$change', change.id);
    const activated = await acts(withActive, SIGNING, ADDING);
    withActive.symbols.set('$change', activated.id);
    const active = await acts(withActive, [
      'PATCH',
      `${CONTRACT}/changes/$change`,
      { status: 'active', dateSigned: '$now' },
    ]);
    const states: Readonly<Record<string, PlayedContract>> = { pending, signed, withPending, withActive, terminated };
    // The dates of the fixture are those of its own clock.
    const dates = {
      '2026-03-31T10:12:30.550000+03:00': signedData.dateSigned,
      '2026-05-12T10:30:00+03:00': active.dateSigned,
      '2026-05-12T10:29:59+03:00': secondBefore(active.dateSigned),
    };
    const cases: readonly RefusalCase[] = signed.fixture('errors', dates).cases;
    expect(cases.length).toBe(37);
    for (const refusal of cases) {
      const played = states[refusal.at];
      if (played === undefined) throw new Error(`no contract is ${refusal.at}`);
      const token = refusal.as === undefined ? { token: '$tenderToken' } : {};
      const answer = await played.send({ ...token, ...refusal });
      const what = `${refusal.at}: ${refusal.method} ${refusal.path} ${JSON.stringify(refusal.body)}`;
      expect(answer.status, `${what} ${answer.text}`).toBe(refusal.status);
      const errors: readonly Json[] = answer.body.errors.map(({ location, name, description }: Json) => ({
        location,
        name,
        description,
      }));
      if (refusal.contains === true) expect(errors, what).toEqual(expect.arrayContaining([...refusal.errors]));
      else if (refusal.anyOrder === true) expect(new Set(errors), what).toEqual(new Set(refusal.errors));
      else expect(errors, what).toEqual(refusal.errors);
    }
  });
});

/** The date a second earlier, with the same offset. */
function secondBefore(date: string): string {
  const offset = date.slice(-6);
  const shift =
    (offset.startsWith('-') ? -1 : 1) * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4))) * 60_000;
  const fraction = /\.\d+/.exec(date)?.[0] ?? '';
  return `${new Date(Date.parse(date.replace(fraction, '')) - 1_000 + shift).toISOString().slice(0, 19)}${fraction}${offset}`;
}
