import { describe, expect, inject, it } from 'vitest';
import {
  EARLIEST,
  hexId,
  MIDDLE,
  SEGMENT_0,
  SEGMENT_2_3,
  LEGACY_GENERATIONS,
  serverDate,
  amountWithVat,
} from '../../support/generations.ts';
import { PARTY } from '../../support/request-bodies.ts';
import { publishTender } from '../../support/generation-client.ts';

const gatewayUrl = inject('gatewayUrl');

/** The body of interface.md; the service adds whether taxes are included. */
const AWARD_BODY = { awardStatus: 'active', suppliers: [PARTY], awardValue: { amount: 489, currency: 'UAH' } };
const EXPECTED_AWARD = { ...AWARD_BODY, awardID: hexId, awardDate: serverDate, awardValue: amountWithVat(489) };

describe.each(LEGACY_GENERATIONS)('POST of an award in interface.md, generation $name', (generation) => {
  it('answers 201 with Location and the assigned members; the tender contains it', async () => {
    const { path, tokenQuery, owner, anyone } = await publishTender(gatewayUrl, generation);
    const answer = await owner.post(`${path}/awards${tokenQuery}`, AWARD_BODY);
    expect(answer.status, answer.text).toBe(201);
    const { data } = answer.body;
    expect(data).toMatchObject(EXPECTED_AWARD);
    expect(data.suppliers).toEqual([PARTY]);
    const location = `${gatewayUrl}/api/${generation.segment}${path}/awards/${data.awardID}`;
    expect(answer.headers.get('location')).toBe(location);
    expect((await anyone.get(path)).body.data).toMatchObject({ status: 'active.enquiries', awards: [data] });
  });

  it('accepts the owner token in the body', async () => {
    const { path, token, owner } = await publishTender(gatewayUrl, generation);
    const raw = JSON.stringify({ access: { token }, data: AWARD_BODY });
    const answer = await owner.request('POST', `${path}/awards`, { raw });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.text).not.toContain(token);
  });

  it('is refused to other callers, with the names of the generation in errors', async () => {
    const { path, tokenQuery, owner, anyone } = await publishTender(gatewayUrl, generation);
    expect((await anyone.post(`${path}/awards`, AWARD_BODY)).status).toBe(401);
    expect((await owner.post(`${path}/awards`, AWARD_BODY)).status).toBe(403);
    const wrong = await owner.post(`${path}/awards${tokenQuery}`, { ...AWARD_BODY, awardStatus: 'won' });
    expect(wrong.status).toBe(422);
    expect(wrong.body.errors).toMatchObject([{ location: 'body', name: 'awardStatus' }]);
  });
});

describe.each([SEGMENT_2_3, SEGMENT_0, MIDDLE])('awards of interface.md, generation $name', (generation) => {
  it('GET lists them to anyone', async () => {
    const { path, tokenQuery, owner, anyone } = await publishTender(gatewayUrl, generation);
    expect((await anyone.get(`${path}/awards`)).body).toEqual({ data: [] });
    const { data } = (await owner.post(`${path}/awards${tokenQuery}`, AWARD_BODY)).body;
    const list = await anyone.get(`${path}/awards`);
    expect([list.status, list.body]).toEqual([200, { data: [data] }]);
  });
});

describe.each(LEGACY_GENERATIONS)('an award of generation $name', (generation) => {
  it('GET shows it to anyone (rulings R39)', async () => {
    const { path, tokenQuery, owner, anyone } = await publishTender(gatewayUrl, generation);
    const { data } = (await owner.post(`${path}/awards${tokenQuery}`, AWARD_BODY)).body;
    expect((await anyone.get(`${path}/awards/${data.awardID}`)).body).toEqual({ data });
  });
});

describe.each([MIDDLE, EARLIEST])('an award of generation $name', (generation) => {
  it('has only the members of interface.md', async () => {
    const { path, tokenQuery, owner } = await publishTender(gatewayUrl, generation);
    expect((await owner.post(`${path}/awards${tokenQuery}`, AWARD_BODY)).body).toEqual({ data: EXPECTED_AWARD });
  });
});
