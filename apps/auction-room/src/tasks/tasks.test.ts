import { addMicros, SECOND } from '@procurement/contracts/reading/instant';
import { describe, expect, it } from 'vitest';
import { fixtureNamed, buildPlan, plannedAt } from '../../test-support/fixtures.ts';
import type { Auction } from '../domain/auction.ts';
import { decide, foldOnto } from '../domain/auction.decide.ts';
import { evolve } from '../domain/auction.evolve.ts';
import { outboundTasks } from '../domain/outbound.ts';
import type { ServiceAnswer } from '../tender-service/client.ts';
import type { ServiceRequest } from '../tender-service/requests.ts';
import type { Outcome, TaskContext } from './outcome.ts';
import { publishLinks } from './publish-links.ts';
import { publishIdentities, publishProtocol } from './publish-protocol.ts';
import { reportResults } from './report-results.ts';
import { revealNames } from './reveal-names.ts';

const fixture = fixtureNamed('01-two-bidders');
const plan = buildPlan(fixture);
const planned = evolve(undefined, { type: 'AuctionPlanned', at: plannedAt(fixture), plan });

/** The auction so long after its start, in which nobody offered. */
function after(seconds: number): Auction {
  const decision = decide(planned, { type: 'Tick' }, addMicros(plan.startAt, seconds * SECOND));
  return foldOnto(planned, 'accepted' in decision ? decision.accepted : []);
}
const HOUR_SECONDS = 3_600;
const finished = after(HOUR_SECONDS);

const accepted = (data: unknown): ServiceAnswer => ({ status: 200, body: { data }, description: '' });
const refused = (status: number, description = ''): ServiceAnswer => ({ status, body: {}, description });
const LATE = refused(403, "Can't report auction results in current (active.qualification) tender status");
const tender = (more: Readonly<Record<string, unknown>> = {}) =>
  accepted({ id: plan.tenderId, tenderID: 'UA-1', status: 'active.qualification', ...more });
const buildBids = (amount: (bid: string) => number) =>
  finished.results.map(({ bid }) => ({
    id: bid,
    value: { amount: amount(bid) },
    tenderers: [{ name: `Name ${bid}` }],
  }));
const ownAmount = (bid: string): number => finished.results.find((line) => line.bid === bid)?.amount ?? 0;

/** A context whose service gives these answers by method and path. */
function makeContext(auction: Auction, answers: Readonly<Record<string, ServiceAnswer>>) {
  const sent: ServiceRequest[] = [];
  const uploadKeys: string[] = [];
  const context: TaskContext = {
    auction,
    now: addMicros(plan.startAt, HOUR_SECONDS * SECOND),
    attempts: 0,
    publicUrl: 'https://room.example.org',
    keys: [{ number: 1, key: Buffer.alloc(32, 1) }],
    random: () => 0.5,
    run: async () => true,
    service: {
      async send(request) {
        sent.push(request);
        return answers[`${request.method} ${request.path.replace(`/tenders/${plan.tenderId}`, '')}`] ?? refused(0);
      },
      async upload(_name, _content, idempotencyKey) {
        uploadKeys.push(idempotencyKey);
        return answers['upload'] ?? refused(0);
      },
    },
  };
  return { context, sent, uploadKeys };
}

describe('what an auction still needs', () => {
  it('follows from its state', () => {
    expect(outboundTasks(planned).map(({ kind }) => kind)).toEqual(['links', 'check']);
    expect(outboundTasks(after(400)).map(({ kind }) => kind)).toEqual(['links']);
    expect(outboundTasks(finished).map(({ kind }) => kind)).toEqual(['protocol', 'results']);
    expect(outboundTasks({ ...finished, conflict: true })).toEqual([]);
    expect(outboundTasks({ ...finished, phase: 'cancelled' })).toEqual([]);
  });
});

describe('the report of the results', () => {
  it.each<[string, Readonly<Record<string, ServiceAnswer>>, Outcome]>([
    ['is accepted', { 'POST /auction': accepted({}) }, { commands: [{ type: 'NoteResults', outcome: 'accepted' }] }],
    [
      'ends with the lot',
      { 'POST /auction': refused(403, 'Can report auction results only in active lot status') },
      { commands: [{ type: 'Cancel', reason: 'Can report auction results only in active lot status' }] },
    ],
    [
      'is there already',
      { 'POST /auction': LATE, 'GET ': tender({ bids: buildBids(ownAmount) }) },
      { commands: [{ type: 'NoteResults', outcome: 'accepted' }] },
    ],
    [
      'never overwrites other results',
      { 'POST /auction': LATE, 'GET ': tender({ bids: buildBids(() => 1) }) },
      { commands: [{ type: 'NoteConflict', reason: LATE.description }] },
    ],
    [
      'ends with the tender',
      { 'POST /auction': LATE, 'GET ': tender({ status: 'cancelled' }) },
      { commands: [{ type: 'Cancel', reason: 'cancelled' }] },
    ],
    ['is repeated', { 'POST /auction': refused(503, 'later') }, { againSeconds: 1, error: '503 later' }],
    [
      'is repeated when the tender is not known there',
      { 'POST /auction': refused(404) },
      { againSeconds: 1, error: '404' },
    ],
    [
      'is repeated as late as it is asked to',
      { 'POST /auction': { ...refused(429), retryAfterSeconds: 7 } },
      { againSeconds: 7, error: '429' },
    ],
    [
      'waits for a person when it is not understood',
      { 'POST /auction': refused(422) },
      { againSeconds: 3_600, error: '422' },
    ],
    ['is repeated when no answer came', {}, { againSeconds: 1, error: '0' }],
    [
      'waits for a person when the key is refused',
      { 'POST /auction': refused(401) },
      { againSeconds: 60, error: '401' },
    ],
  ])('%s', async (_title, answers, outcome) => {
    expect(await reportResults(makeContext(finished, answers).context)).toEqual(outcome);
  });

  it('waits 10 s for the protocol, and begins before it is sent', async () => {
    const { context, sent } = makeContext(finished, { 'POST /auction': accepted({}) });
    const announcement = finished.starts.at(-1) ?? plan.startAt;
    expect(await reportResults({ ...context, now: addMicros(announcement, 9 * SECOND) })).toEqual({
      againSeconds: 0.2,
    });
    expect(await reportResults({ ...context, run: async () => false })).toEqual({ againSeconds: 0.2 });
    expect(sent).toEqual([]);
  });
});

describe('other requests', () => {
  it('publish one link for each bidder, the same at each repeat', async () => {
    const { context, sent } = makeContext(planned, { 'PATCH /auction': accepted({}) });
    expect(await publishLinks(context)).toEqual({ commands: [{ type: 'NoteLinks' }] });
    await publishLinks(context);
    expect(sent[0]).toEqual(sent[1]);
    expect(JSON.stringify(sent[0]?.data).match(/login\?bidder_id=/g)).toHaveLength(plan.bids.length);
  });

  it('replace a protocol that is there', async () => {
    const documents = [{ id: 'd1', title: `audit_${plan.id}.yaml` }];
    const answers = {
      'GET ': tender({ documents }),
      upload: accepted({ url: 'u' }),
      'PUT /documents/d1': accepted({ id: 'd1' }),
    };
    const outcome = await publishProtocol(makeContext(finished, answers).context);
    expect(outcome).toEqual({ commands: [{ type: 'NoteProtocol', documentId: 'd1', version: 1 }] });
  });

  it('have equal keys when a leader that was replaced sends a protocol too', async () => {
    const answers = { 'GET ': tender({ documents: [] }), upload: accepted({ url: 'u' }) };
    const [one, other] = [makeContext(finished, answers), makeContext(finished, answers)];
    await Promise.all([publishProtocol(one.context), publishProtocol(other.context)]);
    const keysOf = ({ uploadKeys, sent }: typeof one) => [
      ...uploadKeys,
      ...sent.map((request) => request.idempotencyKey),
    ];
    expect(keysOf(one)).toEqual(keysOf(other));
    const [upload, , registration] = keysOf(one);
    for (const key of [upload, registration])
      expect(key).toMatch(new RegExp(`^room-${plan.id}-protocol-[0-9a-f]{64}$`));
    expect(upload).not.toBe(registration);
    // Of the second version, and of what another upload registers.
    const second = makeContext(finished, { ...answers, upload: accepted({ url: 'v' }) });
    await publishIdentities(second.context);
    const keys = [...keysOf(one), ...keysOf(second)].filter((key) => key !== undefined);
    expect(new Set(keys).size).toBe(4);
  });

  it('reveal the names once bids are open', async () => {
    expect(await revealNames(makeContext(finished, { 'GET ': tender() }).context)).toEqual({ againSeconds: 2 });
    const open = await revealNames(makeContext(finished, { 'GET ': tender({ bids: buildBids(ownAmount) }) }).context);
    const [first = ''] = plan.bids.map(({ id }) => id);
    expect(open).toMatchObject({ commands: [{ type: 'RevealNames', labels: { [first]: { uk: `Name ${first}` } } }] });
  });
});
