import { awardsApi } from '@procurement/contracts/api/awards.api';
import { describe, expect, it } from 'vitest';
import { createQualification, operationTitle } from '../../test-support/awarding-fixtures.ts';
import { anonymousHeaders, event, ownerHeaders, send } from '../../test-support/running-awards.ts';
import { setupAwards } from '../../test-support/setup-awards.ts';
import { onDocumentChanged } from '../events/on-document-changed.ts';

const running = setupAwards();

describe(`${operationTitle(awardsApi.listAwards)}`, () => {
  it.each(['active.enquiries', 'active.auction', 'cancelled'])('200: an empty list in %s', async (status) => {
    const { id } = await running().addTender({ status });
    for (const collection of ['awards', 'contracts']) {
      const response = await send(running().app, 'GET', `/tenders/${id}/${collection}`, anonymousHeaders);
      expect([response.statusCode, response.body]).toEqual([200, '{"data":[]}']);
    }
  });

  it('404: an unknown tender before an unknown award, for any caller and method', async () => {
    const { path } = await createQualification(running());
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      const unknownTender = `/tenders/${'0'.repeat(32)}/awards/x`;
      const unknown = await send(running().app, method, unknownTender, anonymousHeaders, {});
      expect([unknown.statusCode, unknown.json().errors[0].name]).toEqual([404, 'tender_id']);
      const award = await send(running().app, method, `${path}/awards/x`, anonymousHeaders, {});
      expect([award.statusCode, award.json().errors[0].name]).toEqual([404, 'award_id']);
    }
  });

  it('503: with a pause, for a tender without a copy while the tenders service does not answer', async () => {
    running().answersFacts = false;
    for (const method of ['GET', 'POST'] as const) {
      const response = await send(running().app, method, `/tenders/${'1'.repeat(32)}/awards`, ownerHeaders, {});
      expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '5']);
    }
    running().answersFacts = true;
  });

  it('405: no DELETE', async () => {
    const { award } = await createQualification(running());
    const response = await send(running().app, 'DELETE', award, ownerHeaders);
    expect([response.statusCode, response.headers['allow']]).toEqual([405, 'GET, HEAD, PATCH']);
  });

  it('shows documents of awards, but does not publish them', async () => {
    const { tender, award, awards } = await createQualification(running());
    const document = { id: 'd'.repeat(32), title: 'протокол.pdf' };
    const documents = [
      { parent: { kind: 'award', id: awards[0].id }, document },
      { parent: { kind: 'tender', id: tender.id }, document: { ...document, id: 'e'.repeat(32) } },
    ];
    const facts = { id: tender.id, version: 1, documents };
    await running().apply(onDocumentChanged(running().deps), [
      event('documents', 'document.changed', tender.id, facts),
    ]);
    expect((await send(running().app, 'GET', award, anonymousHeaders)).json().data.documents).toEqual([document]);
    const [published] = await running().publishedEvents(tender.id);
    expect(published.data.awards[0].documents).toBeUndefined();
  });
});
