import type { Instant } from '@procurement/contracts/reading/instant';
import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { respondTo, sendRequest } from '@procurement/kit/messaging/request/request';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import { AUTHOR } from '@procurement/testing/bodies';
import { anonymousIdentity, signedIdentity } from '@procurement/testing/identity';
import { playBrokerLevels, type PlayedGateway } from '@procurement/testing/ownership';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { respondClaimTransfer, respondTransfer } from '../events/respond-transfer.ts';
import { requestsTo } from '../../test-support/requests.ts';
import { runningTenders, type RunningTenders } from '../../test-support/running-tenders.ts';

let running: RunningTenders;
let gateway: PlayedGateway;
const { send, created } = requestsTo(() => running);
const newOwner = signedIdentity({ broker: 'broker3' });

beforeAll(async () => {
  running = await runningTenders();
  gateway = playBrokerLevels(running.bus, running.log);
});

afterAll(async () => {
  await running.close();
});

async function createTransfer(headers = newOwner) {
  const answer = await send('POST', '/transfers', headers, {});
  const { data, access } = answer.json();
  return {
    answer,
    id: data?.id,
    access,
    owner: { ...signedIdentity({ broker: 'broker3', tokenHash: sha256Hex(access?.token ?? '') }) },
  };
}

async function tenderWithToken() {
  const tender = await created();
  return { ...tender, path: `/tenders/${tender.id}`, transfer: tender.answer.json().access.transfer };
}

async function readRow(id: string): Promise<Record<string, string>> {
  const text = 'SELECT owner, owner_token_hash, transfer_hash, document, facts FROM tender WHERE id = $1';
  return (await running.database.pool.query(text, [id])).rows[0];
}

describe('POST /transfers', () => {
  it('201: the tokens once; stores their hashes only', async () => {
    const { answer, id, access } = await createTransfer();
    expect([answer.statusCode, answer.headers.location]).toEqual([
      201,
      `https://api.example.org/api/2.5/transfers/${id}`,
    ]);
    const shown = (await send('GET', `/transfers/${id}`, anonymousIdentity())).json();
    expect(shown).toEqual({ data: answer.json().data });
    const { rows } = await running.database.pool.query('SELECT transfer::text AS row FROM transfer WHERE id = $1', [
      id,
    ]);
    for (const token of Object.values<string>(access)) {
      expect(rows[0].row).toContain(sha256Hex(token));
      expect(rows[0].row).not.toContain(token);
    }
  });

  it('201: a repeat with the same seed answers the first result', async () => {
    const headers = signedIdentity({ broker: 'broker3', seed: 'a seed of transfers' });
    const [first, again] = [await createTransfer(headers), await createTransfer(headers)];
    expect(again.answer.json()).toEqual(first.answer.json());
  });

  it.each([
    [401, anonymousIdentity(), {}],
    [403, signedIdentity({ group: 'auction' }), {}],
    [415, newOwner, undefined],
    [422, newOwner, { owner: 'broker1' }],
  ] as const)('%d', async (status, headers, data) => {
    expect((await send('POST', '/transfers', headers, data)).statusCode).toBe(status);
  });

  it('forgets a transfer that was made before the instant of a purge, and keeps a later one', async () => {
    const [old, kept] = [await createTransfer(), await createTransfer()];
    const { transfers, clock } = running.deps;
    await running.database.pool.query('UPDATE transfer SET at = at - 1000000 WHERE id = $1', [old.id]);
    const { at } = (await transfers.find(old.id)) ?? { at: clock.now() };
    await transfers.purge((at + 1) as Instant);
    expect(await transfers.find(old.id)).toBeUndefined();
    expect(await transfers.find(kept.id)).toBeDefined();
  });

  it('404 for an unknown transfer, before 405', async () => {
    const answer = await send('PATCH', '/transfers/none', newOwner, {});
    expect([answer.statusCode, answer.json().errors[0].name]).toEqual([404, 'transfer_id']);
    const { id } = await createTransfer();
    expect((await send('PATCH', `/transfers/${id}`, newOwner, {})).statusCode).toBe(405);
  });
});

describe('POST /tenders/{id}/ownership', () => {
  it('200: the tender has the broker and the tokens of the transfer; the change is published', async () => {
    const [tender, transfer] = [await tenderWithToken(), await createTransfer()];
    const body = { id: transfer.id, transfer: tender.transfer };
    const answer = await send('POST', `${tender.path}/ownership`, newOwner, body);
    expect([answer.statusCode, answer.json()]).toEqual([200, { data: { id: tender.id, owner: 'broker3' } }]);
    const row = await readRow(tender.id);
    expect(row).toMatchObject({
      owner: 'broker3',
      owner_token_hash: sha256Hex(transfer.access.token),
      transfer_hash: sha256Hex(transfer.access.transfer),
    });
    expect(JSON.parse(row['facts'] ?? '')).toMatchObject({
      version: 2,
      owner: 'broker3',
      ownerTokenHash: row['owner_token_hash'],
    });
    const shown = (await send('GET', tender.path, anonymousIdentity())).json().data;
    expect(shown.owner).toBe('broker3');
    expect(shown.dateModified > tender.data.dateModified).toBe(true);
    expect((await send('PATCH', tender.path, tender.owner, { title: 'x' })).statusCode).toBe(403);
    expect((await send('PATCH', tender.path, transfer.owner, { title: 'x' })).statusCode).toBe(200);
    const used = (await send('GET', `/transfers/${transfer.id}`, newOwner)).json().data;
    expect(used.usedFor).toBe(tender.path);
    const seenByOthers = (await send('GET', `/transfers/${transfer.id}`, anonymousIdentity())).json().data;
    expect(seenByOthers).not.toHaveProperty('usedFor');
  });

  it('200: a repeat answers the same and changes nothing', async () => {
    const [tender, transfer] = [await tenderWithToken(), await createTransfer()];
    const take = async () =>
      send('POST', `${tender.path}/ownership`, newOwner, { id: transfer.id, transfer: tender.transfer });
    const answers = [await take(), await take()];
    expect(answers.map((answer) => [answer.statusCode, answer.body])).toEqual([
      [200, answers[0]?.body],
      [200, answers[0]?.body],
    ]);
    expect(JSON.parse((await readRow(tender.id))['facts'] ?? '').version).toBe(2);
  });

  it('200: completes a change whose transfer was reserved before the process ended', async () => {
    const [tender, transfer] = [await tenderWithToken(), await createTransfer()];
    expect(await running.deps.transfers.claim(transfer.id, tender.path)).toBe(true);
    const answer = await send('POST', `${tender.path}/ownership`, newOwner, {
      id: transfer.id,
      transfer: tender.transfer,
    });
    expect(answer.statusCode).toBe(200);
    expect((await readRow(tender.id))['owner']).toBe('broker3');
  });

  it('one transfer serves one of two tenders that ask at once', async () => {
    const [one, two, transfer] = [await tenderWithToken(), await tenderWithToken(), await createTransfer()];
    const answers = await Promise.all(
      [one, two].map(async ({ path, transfer: token }) =>
        send('POST', `${path}/ownership`, newOwner, { id: transfer.id, transfer: token }),
      ),
    );
    expect(answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b)).toEqual([200, 403]);
    const refused = answers.find((answer) => answer.statusCode === 403);
    expect(refused?.json().errors).toMatchObject([
      { location: 'body', name: 'transfer', description: 'Transfer already used' },
    ]);
    const owners = [(await readRow(one.id))['owner'], (await readRow(two.id))['owner']];
    expect(owners.toSorted()).toEqual(['broker1', 'broker3']);
  });

  it('one of two brokers with the transfer token of a tender gets it', async () => {
    const tender = await tenderWithToken();
    const others = ['broker2', 'broker3'].map((broker) => signedIdentity({ broker }));
    const answers = await Promise.all(
      others.map(async (headers) => {
        const { id } = await createTransfer(headers);
        return send('POST', `${tender.path}/ownership`, headers, { id, transfer: tender.transfer });
      }),
    );
    expect(answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b)).toEqual([200, 403]);
    const won = answers.find((answer) => answer.statusCode === 200)?.json().data.owner;
    expect((await readRow(tender.id))['owner']).toBe(won);
  });

  it.each([
    [401, 'Authorization', anonymousIdentity(), {}],
    [403, 'permission', signedIdentity({ broker: 'administrator', group: 'Administrator' }), {}],
    [403, 'accreditation', signedIdentity({ broker: 'broker3', levels: '2' }), {}],
    [422, 'transfer', newOwner, { transfer: undefined }],
    [403, 'transfer', newOwner, { transfer: 'wrong' }],
    [403, 'transfer', newOwner, { id: 'unknown' }],
  ] as const)('%d %s: changes nothing', async (status, name, headers, overrides) => {
    const [tender, transfer] = [await tenderWithToken(), await createTransfer()];
    const before = await readRow(tender.id);
    const body = { id: transfer.id, transfer: tender.transfer, ...overrides };
    const answer = await send('POST', `${tender.path}/ownership`, headers, body);
    expect([answer.statusCode, answer.json().errors[0].name]).toEqual([status, name]);
    expect(await readRow(tender.id)).toEqual(before);
    expect((await running.deps.transfers.find(transfer.id))?.usedFor).toBeUndefined();
  });

  it('403: the owner has not left', async () => {
    const [tender, transfer] = [await tenderWithToken(), await createTransfer()];
    gateway.levels.set('broker1', '1234');
    const answer = await send('POST', `${tender.path}/ownership`, newOwner, {
      id: transfer.id,
      transfer: tender.transfer,
    });
    gateway.levels.set('broker1', '1234x');
    expect(answer.json().errors[0].description).toBe('Owner Accreditation level does not permit ownership change');
  });

  it('403: a cancelled tender keeps its owner', async () => {
    const [tender, transfer] = [await tenderWithToken(), await createTransfer()];
    await send('POST', `${tender.path}/cancellations`, tender.owner, { reason: 'x', status: 'active' });
    const answer = await send('POST', `${tender.path}/ownership`, newOwner, {
      id: transfer.id,
      transfer: tender.transfer,
    });
    expect(answer.json().errors[0].description).toBe("Can't update credentials in current (cancelled) tender status");
  });

  it('503: the gateway does not answer; the transfer stays free', async () => {
    const [tender, transfer] = [await tenderWithToken(), await createTransfer()];
    gateway.isSilent = true;
    const answer = await send('POST', `${tender.path}/ownership`, newOwner, {
      id: transfer.id,
      transfer: tender.transfer,
    });
    gateway.isSilent = false;
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, expect.any(String)]);
    expect((await running.deps.transfers.find(transfer.id))?.usedFor).toBeUndefined();
  });

  it('404: an unknown tender comes before the body', async () => {
    const answer = await send('POST', '/tenders/none/ownership', newOwner, {});
    expect([answer.statusCode, answer.json().errors[0].name]).toEqual([404, 'tender_id']);
  });
});

describe('POST /tenders/{id}/complaints/{id}/ownership', () => {
  it('200: the complaint has a new owner; the public view does not move', async () => {
    const [tender, transfer] = [await tenderWithToken(), await createTransfer()];
    const claim = await send('POST', `${tender.path}/complaints`, signedIdentity({ broker: 'seller' }), {
      author: AUTHOR,
      title: 'x',
    });
    const { data, access } = claim.json();
    const before = (await send('GET', tender.path, anonymousIdentity())).json();
    const path = `${tender.path}/complaints/${data.id}`;
    const answer = await send('POST', `${path}/ownership`, newOwner, { id: transfer.id, transfer: access.transfer });
    expect([answer.statusCode, answer.json()]).toEqual([200, { data: { id: data.id, owner: 'broker3' } }]);
    expect((await send('GET', tender.path, anonymousIdentity())).json()).toEqual(before);
    expect((await running.deps.transfers.find(transfer.id))?.usedFor).toBe(path);
    const formerOwner = signedIdentity({ broker: 'seller', tokenHash: sha256Hex(access.token) });
    expect((await send('PATCH', path, formerOwner, { title: 'y' })).statusCode).toBe(403);
    expect((await send('PATCH', path, transfer.owner, { title: 'y' })).statusCode).toBe(200);
    const [facts] = JSON.parse((await readRow(tender.id))['facts'] ?? '').complaints;
    expect(facts).toMatchObject({ owner: 'broker3', ownerTokenHash: sha256Hex(transfer.access.token) });
  });

  it('404: an unknown complaint', async () => {
    const { path } = await tenderWithToken();
    const answer = await send('POST', `${path}/complaints/none/ownership`, newOwner, {});
    expect([answer.statusCode, answer.json().errors[0].name]).toEqual([404, 'complaint_id']);
  });
});

describe('transfers for other services', () => {
  it('are shown and reserved by request; a reserved one belongs to one object', async () => {
    const { id } = await createTransfer();
    respondTo(running.bus, rpcSubjects.transfer, running.log, respondTransfer(running.deps));
    respondTo(running.bus, rpcSubjects.claimTransfer, running.log, respondClaimTransfer(running.deps));
    const ask = async (subject: string, payload: object) => sendRequest(running.bus, subject, payload);
    expect(await ask(rpcSubjects.transfer, { id })).toMatchObject({ value: { id, broker: 'broker3' } });
    const claims = ['/a', '/b', '/a'].map((usedFor) => ({ id, usedFor }));
    const answers = [];
    for (const claim of claims) answers.push(await ask(rpcSubjects.claimTransfer, claim));
    expect(answers).toMatchObject([{ value: true }, { value: false }, { value: true }]);
  });
});
