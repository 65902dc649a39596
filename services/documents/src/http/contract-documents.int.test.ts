import { secureIds } from '@procurement/kit/runtime/ids';
import { describe, expect, it } from 'vitest';
import { awardFacts, IDS } from '../../test-support/document-facts.ts';
import {
  anonymous,
  fileForm,
  postDocument,
  readsFrom,
  sendForm,
  sendJson,
  tenderOwner,
} from '../../test-support/requests.ts';
import { setupDocuments } from '../../test-support/setup-documents.ts';

const running = setupDocuments();
const { get, bytesAt } = readsFrom(running);

/** A signed contract of a complete tender, with a pending change. */
async function signed() {
  const { id: tenderId } = await running().tender({ status: 'complete' });
  const id = secureIds.next();
  const change = { id: secureIds.next(), status: 'pending' };
  const facts = awardFacts({ tenderId, contract: 'active', implementation: { status: 'active', changes: [change] } });
  const contracts = facts.contracts.map((contract) => ({ ...contract, id }));
  await running().deliverAwards({ ...facts, contracts });
  return {
    tenderId,
    id,
    change,
    url: `/contracts/${id}/documents`,
    inTender: `/tenders/${tenderId}/contracts/${id}/documents`,
  };
}

describe('/contracts/{id}/documents', () => {
  it('takes a file, a version and a change after the tender is complete, and lists them at both addresses', async () => {
    const { tenderId, change, url, inTender } = await signed();
    const response = await sendForm(running().app, 'POST', url, tenderOwner, fileForm('1'));
    expect(response.statusCode, response.body).toBe(201);
    const { data } = response.json();
    expect(data).toMatchObject({ documentOf: 'contract' });
    expect(response.headers.location).toBe(`https://api.example.org/api/2.5${url}/${data.id}`);
    expect((await sendForm(running().app, 'PUT', `${url}/${data.id}`, tenderOwner, fileForm('2'))).statusCode).toBe(
      200,
    );
    const bound = { documentOf: 'change', relatedItem: change.id };
    expect((await sendJson(running().app, 'PATCH', `${url}/${data.id}`, tenderOwner, bound)).json().data).toMatchObject(
      bound,
    );
    const listed = (await get(url)).json().data;
    expect(listed).toMatchObject([{ id: data.id, ...bound }]);
    expect((await get(inTender)).json().data).toEqual(listed);
    const one = (await get(`${url}/${data.id}`)).json().data;
    expect([await bytesAt(one.url), one.previousVersions.length]).toEqual(['2', 1]);
    expect((await running().events(tenderId)).at(-1).data.documents).toMatchObject([
      { parent: { kind: 'contract' }, document: { title: 'notice.pdf' } },
      { parent: { kind: 'contract' }, document: bound },
    ]);
    // The address inside the tender keeps its rules.
    expect((await sendForm(running().app, 'POST', inTender, tenderOwner)).json().errors[0].description).toBe(
      "Can't add document in current (complete) tender status",
    );
  });

  it('asks for the tender of a contract once', async () => {
    const { url } = await signed();
    const before = running().placeRequests();
    await postDocument(running().app, url, tenderOwner);
    await get(url);
    expect(running().placeRequests() - before).toBe(1);
  });

  it('404: for a contract that does not exist, also before 405', async () => {
    for (const id of [IDS.bid, 'x']) {
      const answer = await running().app.inject({
        method: 'GET',
        url: `/contracts/${id}/documents`,
        headers: anonymous,
      });
      expect([answer.statusCode, answer.json().errors[0]]).toMatchObject([
        404,
        { location: 'url', name: 'contract_id' },
      ]);
    }
    const unknown = await running().app.inject({
      method: 'PATCH',
      url: `/contracts/${IDS.bid}/documents`,
      headers: tenderOwner,
    });
    expect(unknown.statusCode).toBe(404);
    const { url } = await signed();
    expect((await running().app.inject({ method: 'PATCH', url, headers: tenderOwner })).statusCode).toBe(405);
  });

  it('503: when the awards service cannot say where the contract is; later 201', async () => {
    const { url } = await signed();
    running().answersPlaces = false;
    const answer = await sendForm(running().app, 'POST', url, tenderOwner);
    running().answersPlaces = true;
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, expect.any(String)]);
    await postDocument(running().app, url, tenderOwner);
  });
});
