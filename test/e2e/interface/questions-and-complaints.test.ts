import { AUTHOR } from '@procurement/testing/bodies';
import { describe, expect, inject, it } from 'vitest';
import { SEGMENT_0, SEGMENT_2_3 } from '../../support/generations.ts';
import { publishTender, generationClient } from '../../support/generation-client.ts';

const url = inject('gatewayUrl');

// The generations of 0.1 have neither: see endpoints.test.ts.
describe.each([SEGMENT_2_3, SEGMENT_0])(
  'questions and complaints of interface.md, on a fresh tender (rulings R3), generation $name',
  (generation) => {
    const seller = generationClient(url, generation, 'broker2');

    it('POST a question, GET it, PATCH posts its answer', async () => {
      const { path, tokenQuery, owner, anyone } = await publishTender(url, generation);
      const posted = await seller.post(`${path}/questions`, {
        author: AUTHOR,
        title: 'Калорійність',
        description: 'Яка?',
      });
      expect(posted.status).toBe(201);
      const question = `${path}/questions/${posted.body.data.id}`;
      expect(posted.headers.get('location')).toBe(`${url}/api/${generation.segment}${question}`);
      expect((await anyone.get(`${path}/questions`)).body.data).toMatchObject([{ title: 'Калорійність' }]);
      const answered = await owner.patch(question + tokenQuery, { answer: '100 ккал' });
      expect([answered.status, answered.body.data.answer]).toEqual([200, '100 ккал']);
      expect((await anyone.get(question)).body.data.answer).toBe('100 ккал');
      expect((await anyone.get(path)).body.data.questions).toMatchObject([{ answer: '100 ккал' }]);
    });

    it('POST a complaint, GET it, PATCH posts its resolution', async () => {
      const { path, tokenQuery, owner, anyone } = await publishTender(url, generation);
      const posted = await seller.post(`${path}/complaints`, { author: AUTHOR, title: 'Скарга', description: 'Умови' });
      expect([posted.status, posted.body.data.status, typeof posted.body.access.token]).toEqual([
        201,
        'claim',
        'string',
      ]);
      const complaint = `${path}/complaints/${posted.body.data.id}`;
      expect(posted.headers.get('location')).toBe(`${url}/api/${generation.segment}${complaint}`);
      expect((await anyone.get(`${path}/complaints`)).body.data).toMatchObject([{ title: 'Скарга' }]);
      const resolved = await owner.patch(complaint + tokenQuery, { status: 'resolved', resolution: 'Виправлено' });
      expect([resolved.status, resolved.body.data.resolution]).toEqual([200, 'Виправлено']);
      expect((await anyone.get(complaint)).body.data.status).toBe('resolved');
      expect((await anyone.get(path)).body.data.complaints).toMatchObject([{ resolution: 'Виправлено' }]);
    });
  },
);
