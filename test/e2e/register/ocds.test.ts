import { describe, expect, inject, it } from 'vitest';
import { countFindings, referenceFindings } from '../../../packages/ocds/test-support/coherence.ts';
import { furtherFindings } from '../../../packages/ocds/test-support/further-checks.ts';
import { schemaErrors } from '../../../packages/ocds/test-support/validator.ts';
import { patientBroker, clientFrom, until, type Broker, type Json } from '../../support/broker.ts';
import { publish, TENDERER } from '../../support/published-tender.ts';
import { minimalTender } from '../../support/request-bodies.ts';
import { moveToNextCheck } from '../../support/sandbox.ts';
import { noRecorder } from '../../support/story-context.ts';
import { playAuctionCancelled } from '../stories/auction-cancelled.ts';
import { playFeatures } from '../stories/features.ts';
import { playNoBids } from '../stories/no-bids.ts';
import { playOneBid } from '../stories/one-bid.ts';
import { playTwoBids } from '../stories/two-bids.ts';
import { playTwoLots } from '../stories/two-lots.ts';

const url = inject('gatewayUrl');
const SEGMENTS = ['2.5', '2.3', '0', '0.1'] as const;
const PREFIX = 'ocds-213czf';

interface Played {
  readonly id: string;
  readonly tenderID: string;
}

/** Tenders that were created through a client. */
function watched(client: Broker, played: Map<string, Played>): Broker {
  return clientFrom(async (method, path, options) => {
    const answer = await client.request(method, path, options);
    const { id, tenderID } = answer.body?.data ?? {};
    if (method === 'POST' && path === '/tenders' && answer.status === 201) played.set(id, { id, tenderID });
    return answer;
  });
}

/** The answer, once the register has projected what it must contain: 503 until then. */
async function fetchJson(address: string): Promise<Json> {
  const response = await until(address, async () => {
    const answer = await fetch(address);
    return answer.status !== 503 && answer;
  });
  if (response.status !== 200) throw new Error(`${address}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** What the schemas and the further checks say against a package of releases (ocds.md 7). */
function findFaults(content: Json): readonly string[] {
  return [
    ...schemaErrors('releases', content),
    ...content.releases.flatMap((release: Json) => furtherFindings(release)),
  ];
}

async function expectConforming({ id, tenderID }: Played): Promise<void> {
  const ocid = `${PREFIX}-${tenderID}`;
  const newest = await Promise.all(
    SEGMENTS.map(async (segment) => fetchJson(`${url}/api/${segment}/tenders/${id}?opt_schema=ocds`)),
  );
  const process = await fetchJson(`${url}/api/ocds/releases/${ocid}`);
  const record = await fetchJson(`${url}/api/ocds/records/${ocid}`);
  const embedded = await fetchJson(`${url}/api/ocds/records/${ocid}?embed=1`);
  for (const [n, segment] of SEGMENTS.entries()) {
    expect(newest[n].uri).toBe(`${url}/api/${segment}/tenders/${id}?opt_schema=OCDS-1.1`);
    expect(newest[n].releases).toEqual(process.releases.slice(-1));
  }
  const tender = await fetchJson(`${url}/api/2.5/tenders/${id}`);
  expect(process.releases.at(-1).tender.currentStage).toBe(tender.data.status);
  expect([process, ...newest].flatMap(findFaults)).toEqual([]);
  expect([record, embedded].flatMap((content) => schemaErrors('records', content))).toEqual([]);
  expect(furtherFindings(record.records[0].compiledRelease)).toEqual([]);
  expect(embedded.records[0].releases).toEqual(process.releases);
  // The first release has no removal markers.
  expect([...referenceFindings(process.releases[0]), ...countFindings(process.releases[0])]).toEqual([]);
}

describe('OCDS', () => {
  it('has a valid release of each public state of the procedures, and valid records, in every segment (T4)', async () => {
    const played = new Map<string, Played>();
    const context = {
      broker: (key: string | undefined) => watched(patientBroker(url, key, '2.5'), played),
      recorder: noRecorder,
    };
    const stories = [playNoBids, playOneBid, playTwoBids, playTwoLots, playFeatures, playAuctionCancelled];
    await Promise.all(stories.map(async (play) => play(context)));
    expect(played.size).toBeGreaterThanOrEqual(stories.length);
    for (const tender of played.values()) await expectConforming(tender);
  });

  it('has every tender on its pages and in its download', async () => {
    const { id } = await publish(patientBroker(url, 'broker1', '2.5'), minimalTender());
    await fetchJson(`${url}/api/2.5/tenders/${id}?opt_schema=ocds`);
    let page = await fetchJson(`${url}/api/ocds/releases.json?limit=20`);
    const ids: string[] = [];
    for (;;) {
      expect(schemaErrors('releases', page)).toEqual([]);
      ids.push(...page.releases.map((release: Json) => release.tender.id));
      if (page.links?.next === undefined) break;
      page = await fetchJson(page.links.next);
    }
    expect(ids).toContain(id);
    const records = await fetchJson(`${url}/api/ocds/records.json?limit=50`);
    expect(schemaErrors('records', records)).toEqual([]);
    const lines = (await (await fetch(`${url}/api/ocds/records.jsonl`)).text()).trimEnd().split('\n');
    const compiled = lines.map((line) => JSON.parse(line).compiledRelease);
    expect(compiled.map(({ tender }) => tender.id)).toContain(id);
    expect(JSON.stringify(compiled)).not.toContain('gateway.invalid');
    const index = await fetchJson(`${url}/api/ocds`);
    expect(index.links.releases).toBe(`${url}/api/ocds/releases.json`);
  });

  it.each(['2.5', '2.3'] as const)('has nothing of bids of segment %s before they are opened (T5)', async (segment) => {
    const [buyer, seller] = [patientBroker(url, 'broker1', '2.5'), patientBroker(url, 'broker2', segment)];
    const { id, path, data } = await publish(
      buyer,
      minimalTender({ procurementMethodDetails: 'quick, accelerator=1440' }),
    );
    const secrets = ['ТОВ Таємниця', '432.19', '00998877'];
    const tenderer = { ...TENDERER, name: secrets[0], identifier: { ...TENDERER.identifier, id: secrets[2] } };
    await moveToNextCheck(buyer, id);
    for (let n = 0; n < 2; n += 1) {
      const bid = await seller.post(`${path}/bids`, { tenderers: [tenderer], value: { amount: 432.19 } });
      expect([bid.status, bid.text]).toEqual([201, expect.anything()]);
      secrets.push(bid.body.data.id);
    }
    await expectSealed(id, data.tenderID, secrets);
    expect((await moveToNextCheck(buyer, id)).status).toBe('active.auction');
    await expectSealed(id, data.tenderID, secrets);
    const auction = patientBroker(url, 'auction', '2.5');
    expect((await auction.post(`${path}/auction`, { bids: [{}, {}] })).status).toBe(200);
    const opened = await until('the opened bids', async () => {
      const text = JSON.stringify(await fetchJson(`${url}/api/ocds/records/${PREFIX}-${data.tenderID}?embed=1`));
      return secrets.every((secret) => text.includes(secret)) && text;
    });
    expect(opened).toContain('"bids"');
  });

  it('does not have drafts', async () => {
    const draft = (await patientBroker(url, 'broker1', '2.5').post('/tenders', { ...minimalTender(), status: 'draft' }))
      .body;
    const answer = await patientBroker(url, undefined, '2.5').get(`/tenders/${draft.data.id}?opt_schema=ocds`);
    expect([answer.status, answer.body.errors[0].name]).toEqual([404, 'tender_id']);
  });
});

async function expectSealed(id: string, tenderID: string, secrets: readonly string[]): Promise<void> {
  const addresses = [
    // First: it waits until the newest state is projected.
    ...SEGMENTS.map((segment) => `/api/${segment}/tenders/${id}?opt_schema=ocds`),
    `/api/ocds/releases/${PREFIX}-${tenderID}`,
    `/api/ocds/records/${PREFIX}-${tenderID}?embed=1`,
  ];
  for (const address of addresses) {
    const text = JSON.stringify(await fetchJson(url + address));
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  }
}
