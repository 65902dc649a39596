import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { getReached, until, type ApiResponse, type Broker, type Json } from '../../support/broker.ts';
import { fileUpload } from '../../support/file-upload.ts';
import { playToContract } from '../../support/played-contract.ts';
import { moveClock } from '../../support/sandbox.ts';
import { mismatches, withSymbols, type Symbols } from './fixture-match.ts';

const FIXTURES = join(import.meta.dirname, '../../../docs/spec/contracting');

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
  /** The data of a body with the values of its symbols; $now is the time of the tender. */
  filled(data: Json): Promise<Json>;
  send(request: FixtureRequest): Promise<ApiResponse>;
}

/** Keys of the actors of the fixtures; the others have none. */
export const KEYS: Readonly<Record<string, string | undefined>> = {
  buyer: 'broker1',
  bot: 'bot',
  'another broker': 'broker2',
};

export type MakeClient = (key: string | undefined, segment?: string) => Broker;

/** Plays a tender to an award of 400.0 UAH and past its stand-still. */
export async function playToSigning(makeClient: MakeClient): Promise<PlayedContract> {
  const buyer = makeClient('broker1');
  const { id, token, contract } = await playToContract(buyer, makeClient('broker2'), { mode: 'test' });
  await moveClock(buyer, id, { advance: 'PT4M' });
  const symbols: Symbols = new Map([
    ['$contract', contract.id],
    ['$tender', id],
    ['$tenderToken', token],
  ]);
  const filled = async (data: Json): Promise<Json> => {
    if (JSON.stringify(data).includes('$now')) {
      const clock = await buyer.get(`/sandbox/tenders/${id}/clock`);
      symbols.set('$now', clock.body.data.now);
    }
    return withSymbols(data, symbols);
  };
  return {
    symbols,
    filled,
    tenderId: id,
    contractPath: `/contracts/${contract.id}`,
    fixture(name, literals = {}) {
      let text = readFileSync(join(FIXTURES, `${name}.json`), 'utf8');
      for (const [literal, own] of Object.entries({ 'UA-2026-03-02-000001-1': contract.contractID, ...literals })) {
        text = text.replaceAll(literal, own);
      }
      return JSON.parse(text);
    },
    async send({ as = 'buyer', token: sent, method, path: template, body: given }) {
      const body = given?.data?.['$upload'] === true ? { data: await withUpload(buyer, given.data) } : given;
      const headers = sent === undefined ? {} : { 'x-access-token': withSymbols(sent, symbols) };
      const options = body === undefined ? { headers } : { headers, raw: JSON.stringify(await filled(body)) };
      return makeClient(KEYS[as]).request(method, encodeURI(withSymbols(template, symbols)), options);
    },
  };
}

/** The data of a document with the members of a file that was uploaded before, in place of `$upload`. */
async function withUpload(buyer: Broker, { $upload: _marker, ...data }: Json): Promise<Json> {
  const file = fileUpload('a.pdf', 'application/pdf', 'an amendment');
  // The document service is outside of segments.
  const { status, text } = await buyer.request('POST', '/../../upload', file);
  expect(status, text).toBe(200);
  const { url, hash, format } = JSON.parse(text).data;
  return { ...data, url, hash, format };
}

/** A page of the feed with the row of this contract only: other stories have contracts in it. */
function ownRows({ path }: FixtureRequest, body: Json, symbols: Symbols): Json {
  const isFeed = path.startsWith('/contracts?');
  return isFeed ? { ...body, data: body.data.filter(({ id }: Json) => id === symbols.get('$contract')) } : body;
}

export interface Step extends FixtureRequest {
  readonly n: number;
  readonly expect?: Json;
  readonly location?: string;
}

/** Plays story.json, and expects the causes of the tender's publications that views.json has. */
export async function playStory(played: PlayedContract, anyone: Broker): Promise<void> {
  const { symbols } = played;
  const { causesOfTheTender } = played.fixture('views');
  const path = `/tenders/${played.tenderId}`;
  /** All up to the state that the tender has now, the oldest first. */
  const revisions = async (): Promise<readonly Json[]> => {
    const { dateModified } = (await anyone.get(path)).body.data;
    return (await getReached(anyone, `${path}/history?at_least=${encodeURIComponent(dateModified)}`)).body.data;
  };
  for (const step of played.fixture('story').steps as readonly Step[]) {
    const before = await revisions();
    const answer = await played.send(step);
    expect(answer.status, `${step.n}: ${answer.text}`).toBe(step.status);
    expect(mismatches(step.expect, ownRows(step, answer.body, symbols), { symbols }), `step ${step.n}`).toEqual([]);
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
