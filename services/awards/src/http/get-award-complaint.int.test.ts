import { awardComplaintsApi } from '@procurement/contracts/api/award-complaints.api';
import { describe, expect, it } from 'vitest';
import { createComplaint, operationTitle } from '../../test-support/awarding-fixtures.ts';
import { anonymousHeaders, event, send } from '../../test-support/running-awards.ts';
import { setupAwards } from '../../test-support/setup-awards.ts';
import { onDocumentChanged } from '../events/on-document-changed.ts';

const running = setupAwards();

describe(`${operationTitle(awardComplaintsApi.getAwardComplaint)}`, () => {
  it('200: for any caller, with its documents, also inside its award', async () => {
    const { tender, award, collection, path, data } = await createComplaint(running());
    const document = { id: 'd'.repeat(32), title: 'скарга.pdf' };
    const documents = [{ parent: { kind: 'award complaint', id: data.id }, document }];
    const facts = { id: tender.id, version: 1, documents };
    await running().apply(onDocumentChanged(running().deps), [
      event('documents', 'document.changed', tender.id, facts),
    ]);
    const expected = { ...data, documents: [document] };
    expect((await send(running().app, 'GET', path, anonymousHeaders)).json().data).toEqual(expected);
    expect((await send(running().app, 'GET', collection, anonymousHeaders)).json().data).toEqual([expected]);
    const awardPath = `/tenders/${tender.id}/awards/${award.id}`;
    const view = (await send(running().app, 'GET', awardPath, anonymousHeaders)).json().data;
    expect(view.complaints).toEqual([expected]);
  });

  it('404 comes before 405', async () => {
    const { collection, path } = await createComplaint(running());
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      const response = await send(running().app, method, `${collection}/x`, anonymousHeaders, {});
      expect([response.statusCode, response.json().errors[0].name]).toEqual([404, 'complaint_id']);
    }
    expect((await send(running().app, 'DELETE', path, anonymousHeaders)).statusCode).toBe(405);
  });
});
