import { raced } from '@procurement/testing/racing';
import { describe, expect, it } from 'vitest';
import { CLAIM, createComplaint, createQualification } from '../../test-support/awarding-fixtures.ts';
import { bidderHeaders, ownerHeaders, send } from '../../test-support/running-awards.ts';
import { setupAwards } from '../../test-support/setup-awards.ts';

const running = setupAwards();

describe('the byte budget of awards (limits.md 6)', () => {
  it('gives the last room of a broker to one of two complaints that race; those that exist can be changed', async () => {
    const { collection, path, complainant } = await createComplaint(running());
    const post = async (characters: number) =>
      send(running().app, 'POST', collection, bidderHeaders, { ...CLAIM, description: '😀'.repeat(characters) });
    expect((await post(30_000)).statusCode).toBe(201);
    const racing = await Promise.all([post(8_000), post(8_000)]);
    expect(raced(racing)).toMatchObject({
      accepted: 1,
      refused: [
        [
          {
            location: 'body',
            name: 'complaints',
            description: 'No more than 174762 bytes of all complaints of one broker in one tender are allowed.',
          },
        ],
      ],
    });
    const withdrawn = { status: 'cancelled', cancellationReason: 'x' };
    expect((await send(running().app, 'PATCH', path, complainant, withdrawn)).statusCode).toBe(200);
  });

  it('refuses texts above the size of an award, and keeps the award as it was', async () => {
    const { award } = await createQualification(running());
    const large = '😀'.repeat(30_000);
    const patch = async (data: Readonly<Record<string, unknown>>) =>
      send(running().app, 'PATCH', award, ownerHeaders, data);
    expect((await patch({ description: large, description_en: large })).statusCode).toBe(200);
    const refused = await patch({ description_ru: large });
    expect([refused.statusCode, refused.json().errors[0].description]).toEqual([
      422,
      'No more than 262144 bytes of one award are allowed.',
    ]);
    expect((await patch({ status: 'active' })).statusCode).toBe(200);
  });
});
