import { tableContents } from '@procurement/testing/table-contents';
import { describe, expect, it } from 'vitest';
import { createAwarded, createQualification } from '../../test-support/awarding-fixtures.ts';
import { AFTER_STAND_STILL, ownerHeaders, send } from '../../test-support/running-awards.ts';
import { setupAwards } from '../../test-support/setup-awards.ts';

const running = setupAwards();
const contents = async () => tableContents(running().database.pool);

describe('a write of an award or a contract with opt_dry_run', () => {
  it('is answered as if done, and changes nothing', async () => {
    const { award } = await createQualification(running());
    const before = await contents();
    const data = { status: 'unsuccessful' };
    const dry = await send(running().app, 'PATCH', `${award}?opt_dry_run=1`, ownerHeaders, data);
    expect(await contents()).toEqual(before);
    const real = await send(running().app, 'PATCH', award, ownerHeaders, data);
    expect([dry.statusCode, dry.json()]).toEqual([real.statusCode, real.json()]);
    expect(Object.keys(dry.headers)).toEqual(Object.keys(real.headers));
  });

  it('signs no contract and holds no complaints', async () => {
    const { contractPath } = await createAwarded(running());
    running().clock.set(AFTER_STAND_STILL);
    const before = await contents();
    const signed = await send(running().app, 'PATCH', `${contractPath}?opt_dry_run=1`, ownerHeaders, {
      status: 'active',
    });
    expect([signed.statusCode, signed.json().data.status, await contents()]).toEqual([200, 'active', before]);
  });
});
