import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { getReached, until, type ApiResponse, type Broker, type Json } from '../../support/broker.ts';
import { publish, TENDERER } from '../../support/published-tender.ts';
import { minimalTender } from '../../support/request-bodies.ts';
import { moveClock, moveToNextCheck } from '../../support/sandbox.ts';
import { mismatches, withSymbols, type Symbols } from './fixture-match.ts';
import { untilTender } from './wait-for-tender.ts';

const FIXTURES = join(import.meta.dirname, '../../../docs/spec/contracting');

/**
 * What the system does not have yet. Each entry fails as soon as it is there, so that nothing stays unread: a request of such a path
 * must be 404 `not_found`, and such a member absent.
 */
export const NOT_BUILT = {
  /** The path of a request, after that of its contract. */
  paths: [/^\/documents/, /^\?/],
  members: ['dateModified', 'mode', 'procuringEntity', 'buyer', 'documents'],
} as const;

/** A request of a fixture. */
export interface FixtureRequest {
  readonly as?: string;
  readonly token?: string;
  readonly method: string;
  readonly path: string;
  readonly body?: Json;
  readonly status: number;
}

/** A contract whose stand-still is over, in the terms of the fixtures. */
export interface PlayedContract {
  readonly symbols: Symbols;
  readonly tenderId: string;
  readonly contractPath: string;
  /** Reads a fixture; dates and numbers of it are those of this contract. */
  fixture(name: string, literals?: Readonly<Record<string, string>>): Json;
  send(request: FixtureRequest): Promise<ApiResponse>;
}

export type ClientOf = (key: string | undefined, segment?: string) => Broker;

/** Plays a tender to an award of 400.0 UAH and past its stand-still. */
export async function playToContract(clientOf: ClientOf): Promise<PlayedContract> {
  const [buyer, seller] = [clientOf('broker1'), clientOf('broker2')];
  const { id, path, token, tokenQuery } = await publish(
    buyer,
    minimalTender({ procurementMethodDetails: 'quick, accelerator=1440' }),
  );
  await moveToNextCheck(buyer, id);
  const bid = await seller.post(`${path}/bids`, { tenderers: [TENDERER], value: { amount: 400 } });
  expect(bid.status).toBe(201);
  const [award] = (await moveToNextCheck(buyer, id)).awards;
  expect((await buyer.patch(`${path}/awards/${award.id}${tokenQuery}`, { status: 'active' })).status).toBe(200);
  const awarded = await untilTender(buyer, path, 'the contract', ({ contracts }) => contracts !== undefined);
  const [contract] = awarded.contracts;
  await moveClock(buyer, id, { advance: 'PT4M' });
  const symbols: Symbols = new Map([
    ['$contract', contract.id],
    ['$tender', id],
    ['$tenderToken', token],
  ]);
  const keys: Readonly<Record<string, string | undefined>> = {
    buyer: 'broker1',
    bot: 'bot',
    'another broker': 'broker2',
  };
  return {
    symbols,
    tenderId: id,
    contractPath: `/contracts/${contract.id}`,
    fixture(name, literals = {}) {
      let text = readFileSync(join(FIXTURES, `${name}.json`), 'utf8');
      for (const [literal, own] of Object.entries({ 'UA-2026-03-02-000001': awarded.tenderID, ...literals })) {
        text = text.replaceAll(literal, own);
      }
      return JSON.parse(text);
    },
    async send({ as = 'buyer', token: sent, method, path: template, body }) {
      if (JSON.stringify(body ?? '').includes('$now')) {
        const clock = await buyer.get(`/sandbox/tenders/${id}/clock`);
        symbols.set('$now', clock.body.data.now);
      }
      const headers = sent === undefined ? {} : { 'x-access-token': withSymbols(sent, symbols) };
      const options = body === undefined ? { headers } : { headers, raw: JSON.stringify(withSymbols(body, symbols)) };
      return clientOf(keys[as]).request(method, encodeURI(withSymbols(template, symbols)), options);
    },
  };
}

/** Whether the path of a request is one that the system does not have yet. Its answer must say so. */
export function expectNotBuilt(request: FixtureRequest, answer: ApiResponse): boolean {
  const rest = request.path.replace(/^\/contracts(?:\/\$contract)?/, '');
  if (!NOT_BUILT.paths.some((path) => path.test(rest))) return false;
  expect([answer.status, answer.body.errors[0].name], `${request.path} is built: read it`).toEqual([404, 'not_found']);
  return true;
}

/** What a fixture expects of the contract, where some members are not built yet. */
export function builtMembers(expected: Json): Json {
  const missing = NOT_BUILT.members.filter((name) => Object.hasOwn(expected, name));
  return { ...expected, ...Object.fromEntries(missing.map((name) => [name, '$absent'])) };
}

interface Step extends FixtureRequest {
  readonly n: number;
  readonly expect?: Json;
  readonly location?: string;
}

/** Plays story.json, and expects the causes of the tender's publications that views.json has. */
export async function playStory(played: PlayedContract, anyone: Broker): Promise<void> {
  const { symbols } = played;
  const { causesOfTheTender } = played.fixture('views');
  const history = `/tenders/${played.tenderId}/history`;
  /** The oldest first. */
  const revisions = async (): Promise<readonly Json[]> => (await getReached(anyone, history)).body.data;
  for (const step of played.fixture('story').steps as readonly Step[]) {
    const before = await revisions();
    const answer = await played.send(step);
    if (expectNotBuilt(step, answer)) continue;
    const expected =
      step.expect?.data?.tender_id === undefined ? step.expect : { data: builtMembers(step.expect.data) };
    expect(answer.status, `${step.n}: ${answer.text}`).toBe(step.status);
    expect(mismatches(expected, answer.body, { symbols }), `step ${step.n}`).toEqual([]);
    if (step.location !== undefined) {
      expect(answer.headers.get('location')).toContain(withSymbols(step.location, symbols));
    }
    const causes = causesOfTheTender[step.n];
    if (causes === undefined) continue;
    const added = await until(`the publication of step ${step.n}`, async () => {
      const after = await revisions();
      return after.length > before.length && after.slice(before.length);
    });
    expect(
      added.map((revision) => revision.causes),
      `causes of step ${step.n}`,
    ).toEqual([causes]);
  }
}
