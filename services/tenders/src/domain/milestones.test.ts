import { ACTORS } from '@procurement/testing/actors';
import { LOT_1 } from '@procurement/testing/ids';
import { describe, expect, it } from 'vitest';
import { change, newTender, patch, tenderWithLots } from '../../test-support/run-command.ts';

const MILESTONE = {
  title: 'signingTheContract',
  type: 'financing',
  code: 'prepayment',
  percentage: 100,
  duration: { days: 2, type: 'banking' },
  sequenceNumber: 0,
};
const MEMBERS = { mainProcurementCategory: 'services', milestones: [MILESTONE] };

describe('category and milestones of a tender (rulings R25)', () => {
  it('are stored with an identifier of each milestone', () => {
    const { document } = newTender(MEMBERS);
    expect(document).toMatchObject(MEMBERS);
    expect(document.milestones?.[0]?.id).toMatch(/^[0-9a-f]{32}$/);
  });

  it('are changed by the owner, and a milestone keeps its identifier', () => {
    const state = newTender(MEMBERS);
    const { document } = patch(state, { mainProcurementCategory: 'works', milestones: [{ sequenceNumber: 3 }] }).state;
    expect(document).toMatchObject({
      mainProcurementCategory: 'works',
      milestones: [{ ...MILESTONE, sequenceNumber: 3 }],
    });
    expect(document.milestones?.[0]?.id).toBe(state.document.milestones?.[0]?.id);
  });

  it.each(['2.5', '2.3', '0', '0.1'])('stay when a PATCH on %s has other members only', (segment) => {
    const changed = patch(newTender(MEMBERS), { title: 'Нова' }, { actor: { ...ACTORS.owner, segment } });
    expect(changed.state.document).toMatchObject({ ...MEMBERS, title: 'Нова' });
  });

  it('are validated with the whole tender', () => {
    const patchErrors = (data: object) => patch(newTender(), { ...data }).refused?.errors;
    expect(patchErrors({ mainProcurementCategory: 'x' })).toMatchObject([{ name: 'mainProcurementCategory' }]);
    expect(patchErrors({ milestones: [{ ...MILESTONE, relatedLot: LOT_1 }] })).toMatchObject([
      {
        location: 'body',
        name: 'milestones',
        description: [{ relatedLot: ['relatedLot should be one of the lots.'] }],
      },
    ]);
    const twice = { ...MILESTONE, id: LOT_1, percentage: 50 };
    expect(patchErrors({ milestones: [twice, twice] })).toEqual([
      { location: 'body', name: 'milestones', description: ['Milestone id should be uniq for all milestones'] },
    ]);
  });

  it('hold the lot that a milestone names', () => {
    const { state } = patch(tenderWithLots(), { milestones: [{ ...MILESTONE, relatedLot: LOT_1 }] });
    expect(state.document.milestones).toHaveLength(1);
    const { refused } = change(state, 'DeleteLot', LOT_1, {});
    expect(refused?.errors).toContainEqual({
      location: 'body',
      name: 'milestones',
      description: [{ relatedLot: ['relatedLot should be one of the lots.'] }],
      pointer: '/data/milestones/0/relatedLot',
    });
  });
});
