import { createHash } from 'node:crypto';
import { openClient } from '@procurement/testing/stream-client';
import { waitFor } from '@procurement/testing/wait-for';
import { webhookReceiver } from '@procurement/testing/webhook-receiver';
import { describe, expect, inject, it } from 'vitest';
import { clientFrom, patientBroker, until, type Broker } from '../support/broker.ts';
import { playToContract, signContract } from '../support/played-contract.ts';

const url = inject('gatewayUrl');
const SEGMENTS = ['2.5', '2.3', '0', '0.1'] as const;
const IBAN = 'UA213223130000026007233566001';
const side = { name: 'ТОВ Папір', bankAccount: { scheme: 'IBAN', id: IBAN } };
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A broker whose answers are kept, without the members that give its owner a token. */
function listening(client: Broker, texts: string[]): Broker {
  return clientFrom(async (method, path, options) => {
    const answer = await client.request(method, path, options);
    texts.push(JSON.stringify({ ...answer.body, access: undefined }));
    return answer;
  });
}

describe('secrets of contracts (contracting.md 13, K8)', () => {
  it('are in no answer, stream, webhook or release: tokens, their hashes, owners; no bank account is in Open Contracting', async () => {
    const texts: string[] = [];
    const makeClient = (key: string | undefined, segment = '2.5'): Broker =>
      listening(patientBroker(url, key, segment), texts);
    const [departed, successor, anyone] = [makeClient('brokerx'), makeClient('broker2'), makeClient(undefined)];
    // Open Contracting has no tests.
    const played = await playToContract(departed, successor, { mode: undefined });
    await signContract(departed, played);
    const { id, path, token, tokenQuery, contract } = played;
    const own = `/contracts/${contract.id}`;
    const { access } = (await departed.patch(`${own}/credentials${tokenQuery}`, {})).body;
    const receiver = await webhookReceiver();
    const hook = { url: receiver.url, filter: { mode: '_all_', ids: [id] }, from: '0' };
    expect((await successor.post('/webhooks', hook)).status).toBe(201);
    const transfer = await successor.post('/transfers', {});
    const request = { id: transfer.body.data.id, transfer: access.transfer };
    expect((await successor.post(`${own}/ownership`, request)).status).toBe(200);
    const owner = `?acc_token=${transfer.body.access.token}`;
    const change = await successor.post(`${own}/changes${owner}`, { rationale: 'x', rationaleTypes: ['taxRate'] });
    expect(change.status).toBe(201);
    const payment = { date: contract.date, value: { amount: 1 }, payer: side, payee: side, status: '0' };
    const paid = await successor.request('PUT', `${own}/transactions/1${owner}`, { data: payment });
    expect(paid.status).toBe(200);
    // The former tokens open nothing any more; refusals name nobody's secrets either.
    for (const former of [tokenQuery, `?acc_token=${access.token}`])
      expect((await departed.patch(own + former, { title: 'x' })).status).toBe(403);
    const ended = { status: 'terminated', amountPaid: { amount: 1 } };
    expect((await successor.patch(own + owner, ended)).status).toBe(200);

    const { dateModified, tenderID } = (await anyone.get(path)).body.data;
    const atLeast = `at_least=${encodeURIComponent(dateModified)}`;
    for (const read of [
      `${path}/history?limit=100&${atLeast}`,
      `/search?mode=_all_&contract=${contract.id}&${atLeast}`,
    ])
      // Not reached yet is 503, and a search that a busy machine does not end in its time is 422.
      await until(read, async () => (await anyone.get(read)).status === 200);
    const revisions = (await anyone.get(`${path}/history?limit=100`)).body.data;
    for (const { rev } of revisions) {
      await anyone.get(`${path}/history/${rev}`);
      await anyone.get(`${path}/history/${rev}/changes`);
    }
    for (const segment of SEGMENTS) {
      for (const reader of [makeClient(undefined, segment), makeClient('broker3', segment)])
        for (const read of [path, own, `${path}/contracts`, `${path}/awards`, `/lookup?ids=${contract.contractID}`])
          await reader.get(read);
    }
    await anyone.get(`/contracts?mode=_all_&limit=100&descending=1&opt_fields=owner,changes,implementation,suppliers`);
    const stream = await openClient(`${url}/api/2.5/stream?mode=_all_&ids=${id}&offset=0`);
    await waitFor(() => stream.frames.some((frame) => frame.includes('contract.terminated')), { what: 'the end' });
    stream.close();
    await waitFor(() => receiver.messages.some(({ text }) => text.includes('contract.terminated')), {
      what: 'the end at the webhook',
    });
    await receiver.stop();
    const releases = await Promise.all(
      ['releases', 'records'].map(async (kind) =>
        until(`${kind} of the tender`, async () => {
          const answer = await fetch(`${url}/api/ocds/${kind}/ocds-213czf-${tenderID}`);
          const text = await answer.text();
          return answer.status === 200 && text.includes('contractTermination') && text;
        }),
      ),
    );
    texts.push(...stream.frames, ...receiver.messages.map(({ text }) => text), ...releases);
    expect(texts.filter((text) => text.includes(IBAN)).length).toBeGreaterThan(10);
    for (const text of releases) expect(text).not.toMatch(/bankAccount|UA\d{27}/);

    const tokens = [token, access.token, access.transfer, transfer.body.access.token, transfer.body.access.transfer];
    const hidden = [...tokens, ...tokens.map(sha256), 'contractOwners', 'TokenHash', 'transferHash'];
    expect(new Set(tokens).size).toBe(5);
    expect(hidden.filter((secret) => texts.some((text) => text.includes(secret)))).toEqual([]);
  });
});
