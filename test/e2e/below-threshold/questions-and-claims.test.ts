import { AUTHOR, LONG_RESOLUTION } from '@procurement/testing/bodies';
import { describe, expect, inject, it } from 'vitest';
import { patientBroker, type Json } from '../../support/broker.ts';
import { recorder } from '../../support/recorder.ts';
import { moveClock, moveToNextCheck } from '../../support/sandbox.ts';
import { publish } from '../../support/published-tender.ts';
import { minimalTender } from '../../support/request-bodies.ts';

const url = inject('gatewayUrl');
describe('questions, claims and complaints (tenders.md 12, 13, 15)', () => {
  it('answers a question; answers, escalates and decides a claim', async () => {
    const story = recorder('2.5/questions-and-claims');
    const buyer = story.recordAs('buyer', patientBroker(url, 'broker1', '2.5'));
    const seller = story.recordAs('seller', patientBroker(url, 'broker2', '2.5'));
    const reviewer = story.recordAs('reviewer', patientBroker(url, 'reviewer', '2.5'));
    const anyone = story.recordAs('anyone', patientBroker(url, undefined, '2.5'));
    const { path, tokenQuery } = await publish(buyer, minimalTender());

    const question = await seller.post(`${path}/questions`, {
      author: AUTHOR,
      title: 'Тара',
      description: "Який об'єм відра?",
      questionOf: 'item',
      relatedItem: 'cases',
    });
    expect(question.status).toBe(201);
    const questionPath = `${path}/questions/${question.body.data.id}`;
    expect((await seller.patch(questionPath, { answer: 'сам' })).status).toBe(403);
    expect((await buyer.patch(`${questionPath}${tokenQuery}`, { answer: 'Відра по 10 кг.' })).status).toBe(200);

    const claim = await seller.post(`${path}/complaints`, {
      author: AUTHOR,
      title: 'Дискримінаційна вимога',
      description: 'Пункт 3',
      status: 'claim',
    });
    expect(claim.status).toBe(201);
    const complaintPath = `${path}/complaints/${claim.body.data.id}`;
    const claimTokenQuery = `?acc_token=${claim.body.access.token}`;
    const short = await buyer.patch(`${complaintPath}${tokenQuery}`, {
      status: 'answered',
      resolutionType: 'declined',
      resolution: 'ні',
    });
    expect(short.body.errors[0].description).toBe("Can't update complaint: resolution too short");
    const answer = {
      status: 'answered',
      resolutionType: 'declined',
      resolution: LONG_RESOLUTION,
      tendererAction: 'Змін не внесено',
    };
    expect((await buyer.patch(`${complaintPath}${tokenQuery}`, answer)).body.data.status).toBe('answered');
    const escalated = await seller.patch(`${complaintPath}${claimTokenQuery}`, { status: 'pending', satisfied: false });
    expect(escalated.body.data).toMatchObject({ status: 'pending', type: 'complaint' });
    expect((await reviewer.patch(complaintPath, { status: 'resolved', decision: 'Скаргу задоволено' })).status).toBe(
      200,
    );
    expect((await anyone.get(path)).body.data.complaints[0]).toMatchObject({ status: 'resolved' });
    await story.expectGolden();
  });

  it('the clock escalates a claim without an answer, and accepts an answer without a dispute', async () => {
    const buyer = patientBroker(url, 'broker1', '2.5');
    const seller = patientBroker(url, 'broker2', '2.5');
    const tender = await publish(buyer, minimalTender({ procurementMethodDetails: 'quick, accelerator=1440' }));
    const claim = { author: AUTHOR, title: 'x', status: 'claim' };
    const [ignored, answered] = [
      (await seller.post(`${tender.path}/complaints`, claim)).body.data,
      (await seller.post(`${tender.path}/complaints`, claim)).body.data,
    ];
    const answer = { status: 'answered', resolutionType: 'resolved', resolution: LONG_RESOLUTION };
    await buyer.patch(`${tender.path}/complaints/${answered.id}${tender.tokenQuery}`, answer);
    const { body } = await moveClock(buyer, tender.id, { advance: 'PT3M' });
    const statuses = body.data.complaints.map((one: Json) => [one.id, one.status]);
    expect(statuses).toEqual([
      [ignored.id, 'pending'],
      [answered.id, 'resolved'],
    ]);
    const { status } = await moveToNextCheck(buyer, tender.id);
    expect(status).toBe('active.tendering');
  });
});
