import {
  BidDocumentsRequest,
  AttachDocumentsRequest,
  type AttachDocumentsResponse,
} from '@procurement/contracts/events/bid-documents';
import { TENDER_OBJECTS_MAX } from '@procurement/contracts/limits';
import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { problem } from '@procurement/contracts/problems/problems';
import { respondTo } from '@procurement/kit/messaging/request/request';
import { makeLog } from '@procurement/kit/runtime/log';
import { signedIdentity } from '@procurement/testing/identity';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bidderHeaders, send } from '../../test-support/bid-requests.ts';
import { bidBody } from '../../test-support/bidding-facts.ts';
import { NOW, startBids, tenderEvent, type RunningBids } from '../../test-support/running-bids.ts';
import { onQualificationDue } from '../events/on-qualification-due.ts';
import { onTenderingEnded } from '../events/on-tendering-ended.ts';

let running: RunningBids;
/** The test in the place of the documents service: the commands that it received, and its reply to them. */
const attachCommands: AttachDocumentsRequest[] = [];
let respondToAttach: (command: AttachDocumentsRequest) => AttachDocumentsResponse | Promise<AttachDocumentsResponse>;

const attachAll = ({ documents }: AttachDocumentsRequest): AttachDocumentsResponse => ({ attached: documents.length });
const DOCUMENT = {
  title: 'пропозиція.pdf',
  format: 'application/pdf',
  url: 'https://docs.example.org/get/6?KeyID=1&Signature=1',
  hash: 'md5:9a0364b9e99bb480dd25e1f0284c8555',
};

beforeAll(async () => {
  running = await startBids();
  const log = makeLog('documents', 'fatal');
  respondTo(running.bus, rpcSubjects.attachDocuments, log, async (payload) => {
    const command = AttachDocumentsRequest.parse(payload);
    attachCommands.push(command);
    return respondToAttach(command);
  });
  respondTo(running.bus, rpcSubjects.bidDocuments, log, async (payload) => {
    const { bids, opened } = BidDocumentsRequest.parse(payload);
    const stored = attachCommands.filter(({ id }) => bids.includes(id));
    return Object.fromEntries(
      stored.map(({ id, documents }) => [id, documents.map((one) => ({ ...one.sent, id: one.id, opened }))]),
    );
  });
});

beforeEach(() => {
  running.clock.set(NOW);
  attachCommands.length = 0;
  respondToAttach = attachAll;
});

afterAll(async () => {
  await running.close();
});

async function post(tender: string, documents: unknown, headers = bidderHeaders) {
  return send(running.app, 'POST', `/tenders/${tender}/bids`, headers, bidBody({ documents }));
}

describe('POST /tenders/{id}/bids with documents (bids-awards-auction.md 1.6)', () => {
  it('201: stores them before the bid, with its date, and shows them with it', async () => {
    const { id: tender } = await running.tender();
    let before = -1;
    respondToAttach = async (command) => {
      before = (await running.deps.bids.list(tender)).length;
      return attachAll(command);
    };
    const response = await post(tender, [DOCUMENT, { ...DOCUMENT, title: 'ще.pdf' }]);
    const { data } = response.json();
    expect([response.statusCode, before]).toEqual([201, 0]);
    expect(attachCommands).toMatchObject([
      { id: data.id, tenderId: tender, at: NOW, documents: [{ sent: DOCUMENT }, { sent: { title: 'ще.pdf' } }] },
    ]);
    const ids = attachCommands[0]?.documents.map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    expect(data.documents.map(({ id }: { id: string }) => id)).toEqual(ids);
    // They belong to the documents service: the bid itself holds none.
    expect((await running.deps.bids.find(data.id))?.document).not.toHaveProperty('documents');
  });

  it('201: a repeat with the same seed makes neither a second bid nor other documents', async () => {
    const { id: tender } = await running.tender();
    const headers = signedIdentity({ broker: 'broker2', seed: 'a seed' });
    respondToAttach = () => ({ refused: problem('service.unavailable') });
    expect((await post(tender, [DOCUMENT], headers)).statusCode).toBe(503);
    respondToAttach = attachAll;
    const [first, again] = [await post(tender, [DOCUMENT], headers), await post(tender, [DOCUMENT], headers)];
    expect([first.statusCode, again.json()]).toEqual([201, first.json()]);
    const [failed, stored, ...more] = attachCommands;
    expect([stored, more]).toEqual([failed, []]);
  });

  it.each([[[]], [null]])('201: %j is no document, and sends no request', async (documents) => {
    const { id: tender } = await running.tender();
    const response = await post(tender, documents);
    expect([response.statusCode, attachCommands]).toEqual([201, []]);
    expect(response.json().data).not.toHaveProperty('documents');
  });

  it('422: a refusal of the documents service refuses the bid', async () => {
    const { id: tender } = await running.tender();
    const errors = [{ location: 'documents', name: 'url', description: 'Document url invalid.' }];
    respondToAttach = () => ({ refused: { code: 'document.url-invalid', status: 422, errors } });
    const response = await post(tender, [DOCUMENT]);
    expect([response.statusCode, response.json().errors]).toEqual([
      422,
      [
        {
          ...errors[0],
          code: 'document.url-invalid',
          pointer: '/data/documents',
          link: '/docs/errors#document.url-invalid',
        },
      ],
    ]);
    expect(await running.deps.bids.list(tender)).toEqual([]);
  });

  it('503: when the documents service cannot store them, and stores no bid', async () => {
    const { id: tender } = await running.tender();
    respondToAttach = () => {
      throw new Error('no database');
    };
    const response = await post(tender, [DOCUMENT]);
    expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '5']);
    expect(await running.deps.bids.list(tender)).toEqual([]);
  });

  it.each([
    [422, [{ ...DOCUMENT, title: undefined }], { location: 'documents', name: 'title' }],
    [422, [DOCUMENT, { ...DOCUMENT, hash: 'md5:0' }], { location: 'documents', name: 'hash' }],
    [
      422,
      [{ ...DOCUMENT, documentOf: 'lot', relatedItem: 'f'.repeat(32) }],
      { location: 'documents', name: 'relatedItem' },
    ],
    [422, 'x', { location: 'body', name: 'documents' }],
  ])('%d: %j', async (status, documents, error) => {
    const { id: tender } = await running.tender();
    const response = await post(tender, documents);
    expect([response.statusCode, response.json().errors]).toMatchObject([status, [error]]);
    expect([attachCommands, await running.deps.bids.list(tender)]).toEqual([[], []]);
  });

  it('publishes them with the bids when these are opened, as public documents', async () => {
    const { id: tender } = await running.tender();
    const [{ data }, other] = [(await post(tender, [DOCUMENT])).json(), (await post(tender, [])).json()];
    const event = (type: string) => tenderEvent(type, tender, { endDate: '2026-05-12T10:15:00+03:00', at: NOW });
    await running.apply(onTenderingEnded(running.deps), [event('tender.tendering-ended')]);
    await running.apply(onQualificationDue(running.deps), [event('tender.qualification-due')]);
    const { rows } = await running.database.pool.query(
      `SELECT envelope FROM kit.outbox WHERE subject = 'bids.bid-opened.' || $1`,
      [tender],
    );
    const [first, second] = JSON.parse(rows[0].envelope).data.bids;
    expect(first).toMatchObject({ id: data.id, documents: [{ title: DOCUMENT.title, opened: true }] });
    expect(second.id).toBe(other.data.id);
    expect(second).not.toHaveProperty('documents');
  });

  it('422: stores no documents of a bid that exceeds the number of its broker', async () => {
    const { id: tender } = await running.tender();
    await running.database.pool.query(
      `INSERT INTO bid (id, tender_id, version, status, document, lots, owner, owner_token_hash, transfer_hash)
       SELECT lpad(n::text, 32, 'd'), $1, 1, 'deleted', '{}', '{}', 'broker2', '', '' FROM generate_series(1, $2) AS n`,
      [tender, TENDER_OBJECTS_MAX.bids.ofBroker],
    );
    expect([(await post(tender, [DOCUMENT])).statusCode, attachCommands]).toEqual([422, []]);
  });

  it('403: stores no documents of a late bid', async () => {
    const { id: tender } = await running.tender();
    running.clock.set('2026-05-20T18:00:00.000001+03:00');
    expect([(await post(tender, [DOCUMENT])).statusCode, attachCommands]).toEqual([403, []]);
  });
});
