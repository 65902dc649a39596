import { AUTHOR } from '@procurement/testing/bodies';
import { describe, expect, inject, it } from 'vitest';
import { patientBroker, type Broker, type Json } from '../../support/broker.ts';
import { TENDERER } from '../../support/published-tender.ts';
import { recorder } from '../../support/recorder.ts';
import { minimalTender } from '../../support/request-bodies.ts';
import { moveToNextCheck } from '../../support/sandbox.ts';
import { untilAuctionsPlanned } from '../stories/wait-for-tender.ts';

const url = inject('gatewayUrl');
const tokenQuery = (access: Json): string => `?acc_token=${access.token}`;

/** Makes a transfer and takes the object over with it. Returns the new tokens. */
async function takeOver(successor: Broker, path: string, transferToken: string): Promise<Json> {
  const { body } = await successor.post('/transfers', {});
  const answer = await successor.post(`${path}/ownership`, { id: body.data.id, transfer: transferToken });
  expect([answer.status, answer.body.data.owner]).toEqual([200, 'broker2']);
  return body.access;
}

describe('a change of owner (http.md 3.6)', () => {
  it('gives a tender, a complaint and a bid of a broker that has left to another', async () => {
    const story = recorder('2.5/change-of-owner');
    const departed = story.recordAs('departed', patientBroker(url, 'brokerx', '2.5'));
    const successor = story.recordAs('successor', patientBroker(url, 'broker2', '2.5'));
    const anyone = story.recordAs('anyone', patientBroker(url, undefined, '2.5'));
    const operator = patientBroker(url, 'broker1', '2.5');

    story.note(
      'The procuring entity gives the transfer token of its tender to its new broker, which makes a transfer.',
    );
    const published = await departed.post(
      '/tenders',
      minimalTender({ procurementMethodDetails: 'quick, accelerator=1440' }),
    );
    const { data: tender, access: first } = published.body;
    const path = `/tenders/${tender.id}`;
    const transfer = await successor.post('/transfers', {});
    expect(transfer.status).toBe(201);
    const request = { id: transfer.body.data.id, transfer: first.transfer };
    const wrong = await successor.post(`${path}/ownership`, { ...request, transfer: 'f'.repeat(32) });
    expect([wrong.status, wrong.body.errors[0].description]).toEqual([403, 'Invalid transfer']);
    const changed = await successor.post(`${path}/ownership`, request);
    expect([changed.status, changed.body]).toEqual([200, { data: { id: tender.id, owner: 'broker2' } }]);
    expect((await anyone.get(path)).body.data).toMatchObject({ owner: 'broker2' });
    expect((await successor.get(`/transfers/${request.id}`)).body.data.usedFor).toBe(path);

    story.note('Only the new tokens are valid, in every service.');
    const access = transfer.body.access;
    const patch = { description: 'Змінив новий майданчик' };
    expect((await departed.patch(`${path}${tokenQuery(first)}`, patch)).status).toBe(403);
    expect((await successor.patch(`${path}${tokenQuery(access)}`, patch)).status).toBe(200);
    const upload = async (client: Broker, query: string): Promise<number> =>
      (
        await client.request('POST', `${path}/documents${query}`, {
          raw: 'terms',
          headers: { 'content-type': 'text/plain', 'content-disposition': 'attachment; filename=terms.txt' },
        })
      ).status;
    expect(await upload(patientBroker(url, 'brokerx', '2.5'), tokenQuery(first))).toBe(403);
    expect(await upload(patientBroker(url, 'broker2', '2.5'), tokenQuery(access))).toBe(201);

    story.note('A transfer serves one object. A repeated request answers the same.');
    // Not recorded: whether its periods equal those of the first tender depends on the second.
    const other = (await patientBroker(url, 'brokerx', '2.5').post('/tenders', minimalTender())).body;
    const used = await successor.post(`/tenders/${other.data.id}/ownership`, {
      ...request,
      transfer: other.access.transfer,
    });
    expect([used.status, used.body.errors[0].description]).toEqual([403, 'Transfer already used']);
    expect((await successor.post(`${path}/ownership`, request)).text).toBe(changed.text);

    story.note('A complaint and a bid.');
    const complaint = (await departed.post(`${path}/complaints`, { author: AUTHOR, title: 'x' })).body;
    const complaintPath = `${path}/complaints/${complaint.data.id}`;
    const complaintAccess = await takeOver(successor, complaintPath, complaint.access.transfer);
    const retitled = await successor.patch(`${complaintPath}${tokenQuery(complaintAccess)}`, { title: 'y' });
    expect([retitled.status, retitled.body.data.title]).toEqual([200, 'y']);
    await moveToNextCheck(operator, tender.id);
    const bid = (await departed.post(`${path}/bids`, { tenderers: [TENDERER], value: { amount: 469 } })).body;
    const bidPath = `${path}/bids/${bid.data.id}`;
    const bidAccess = await takeOver(successor, bidPath, bid.access.transfer);
    expect((await departed.get(`${bidPath}${tokenQuery(bid.access)}`)).status).toBe(403);
    expect((await successor.get(`${bidPath}${tokenQuery(bidAccess)}`)).body.data).toEqual(bid.data);
    expect(bidAccess.token).not.toBe(bid.access.token);
    await story.expectGolden();
  });

  it('the new owner of a bid complains about the award at once; a complaint about an award has a new owner', async () => {
    const story = recorder('2.5/change-of-owner-after-award');
    const operator = patientBroker(url, 'broker1', '2.5');
    const buyer = story.recordAs('buyer', patientBroker(url, 'broker1', '2.5'));
    const departed = story.recordAs('departed', patientBroker(url, 'brokerx', '2.5'));
    const successor = story.recordAs('successor', patientBroker(url, 'broker2', '2.5'));
    const tender = minimalTender({ procurementMethodDetails: 'quick, accelerator=1440' });
    const { data } = (await buyer.post('/tenders', tender)).body;
    const path = `/tenders/${data.id}`;
    await moveToNextCheck(operator, data.id);
    const bid = (await departed.post(`${path}/bids`, { tenderers: [TENDERER], value: { amount: 469 } })).body;
    await untilAuctionsPlanned(operator, path);
    await moveToNextCheck(operator, data.id);
    const [award] = (await operator.get(path)).body.data.awards;
    const complaints = `${path}/awards/${award.id}/complaints`;
    const filed = (await departed.post(`${complaints}${tokenQuery(bid.access)}`, { author: AUTHOR, title: 'x' })).body;
    const complaintAccess = await takeOver(successor, `${complaints}/${filed.data.id}`, filed.access.transfer);
    const claim = await successor.patch(`${complaints}/${filed.data.id}${tokenQuery(complaintAccess)}`, {
      status: 'claim',
    });
    expect([claim.status, claim.body.data?.status]).toEqual([200, 'claim']);
    const bidAccess = await takeOver(successor, `${path}/bids/${bid.data.id}`, bid.access.transfer);
    const second = await successor.post(`${complaints}${tokenQuery(bidAccess)}`, { author: AUTHOR, title: 'y' });
    expect(second.status).toBe(201);
    const former = await departed.post(`${complaints}${tokenQuery(bid.access)}`, { author: AUTHOR, title: 'z' });
    expect(former.status).toBe(403);
    await story.expectGolden();
  });
});
