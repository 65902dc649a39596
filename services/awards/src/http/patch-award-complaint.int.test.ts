import { awardComplaintsApi } from '@procurement/contracts/api/award-complaints.api';
import { LONG_RESOLUTION } from '@procurement/testing/bodies';
import { describe, expect, it } from 'vitest';
import { createComplaint, operationTitle } from '../../test-support/awarding-fixtures.ts';
import { anonymousHeaders, bidderHeaders, NOW, ownerHeaders, send } from '../../test-support/running-awards.ts';
import { setupAwards } from '../../test-support/setup-awards.ts';

const running = setupAwards();

describe(`${operationTitle(awardComplaintsApi.patchAwardComplaint)}`, () => {
  it('200: the tender owner answers, the complainant resolves', async () => {
    const { path, complainant } = await createComplaint(running());
    const data = { status: 'answered', resolutionType: 'resolved', resolution: LONG_RESOLUTION };
    expect((await send(running().app, 'PATCH', path, bidderHeaders, data)).statusCode).toBe(403);
    const answered = await send(running().app, 'PATCH', path, ownerHeaders, data);
    expect([answered.statusCode, answered.json().data.dateAnswered]).toEqual([200, NOW]);
    const resolved = await send(running().app, 'PATCH', path, complainant, { status: 'resolved', satisfied: true });
    expect(resolved.json().data).toMatchObject({ status: 'resolved', satisfied: true });
  });

  it('names in Ignored-Members what the role may not set now', async () => {
    const { path } = await createComplaint(running());
    const answer = await send(running().app, 'PATCH', path, ownerHeaders, { tendererAction: 'x', decision: 'y' });
    expect([answer.statusCode, answer.headers['ignored-members']]).toEqual([200, '/decision']);
    const strict = { ...ownerHeaders, prefer: 'handling=strict' };
    const refused = await send(running().app, 'PATCH', path, strict, { tendererAction: 'z', decision: 'y' });
    expect([refused.statusCode, refused.json().errors]).toMatchObject([403, [{ pointer: '/data/decision' }]]);
  });

  it.each([
    [401, anonymousHeaders, {}],
    [403, bidderHeaders, {}],
    [422, ownerHeaders, { status: 'answered' }],
    [415, ownerHeaders, undefined],
  ] as const)('%d: stores nothing', async (status, headers, data) => {
    const { path, tender } = await createComplaint(running());
    expect((await send(running().app, 'PATCH', path, headers, data)).statusCode).toBe(status);
    expect(await running().publishedEvents(tender.id)).toHaveLength(2);
  });
});
