import { expect, it } from 'vitest';
import { selectTags } from './tags.ts';

const tender = { id: '1', status: 'active' };
const award = { id: 'a', status: 'pending' };
const contract = { id: 'c', status: 'pending' };
const before = { tender, awards: [award], contracts: [contract], parties: [{ id: 'p' }] };

it.each([
  ['the first release', undefined, { tender }, ['tender']],
  ['the first release, of a late tender', undefined, before, ['tender', 'award', 'contract']],
  ['an edited tender', before, { ...before, tender: { ...tender, title: 'x' } }, ['tenderUpdate']],
  ['opened bids', before, { ...before, bids: { details: [{ id: 'b' }] } }, ['tenderUpdate']],
  ['a cancelled tender', before, { ...before, tender: { id: '1', status: 'cancelled' } }, ['tenderCancellation']],
  [
    'an edit after the cancellation',
    { ...before, tender: { id: '1', status: 'cancelled' } },
    { ...before, tender: { id: '1', status: 'cancelled', title: 'x' } },
    ['tenderUpdate'],
  ],
  ['a new award', before, { ...before, awards: [award, { id: 'b' }] }, ['award']],
  ['a decided award', before, { ...before, awards: [{ id: 'a', status: 'active' }] }, ['awardUpdate']],
  ['a cancelled award', before, { ...before, awards: [{ id: 'a', status: 'cancelled' }] }, ['awardCancellation']],
  [
    'a cancelled award and the next one',
    before,
    { ...before, awards: [{ id: 'a', status: 'cancelled' }, { id: 'b' }] },
    ['award', 'awardCancellation'],
  ],
  ['an award that is gone', before, { tender, contracts: [contract], parties: before.parties }, ['awardUpdate']],
  ['a new contract', before, { ...before, contracts: [contract, { id: 'd' }] }, ['contract']],
  ['a cancelled contract', before, { ...before, contracts: [{ id: 'c', status: 'cancelled' }] }, ['contractUpdate']],
  [
    'a terminated contract',
    before,
    { ...before, contracts: [{ id: 'c', status: 'terminated' }] },
    ['contractTermination'],
  ],
  [
    'a change of a contract that came into force',
    before,
    { ...before, contracts: [{ ...contract, amendments: [{ id: 'g' }] }] },
    ['contractAmendment'],
  ],
  [
    'a second change, and a change of the first',
    { ...before, contracts: [{ ...contract, amendments: [{ id: 'g' }] }] },
    { ...before, contracts: [{ ...contract, amendments: [{ id: 'g', rationale: 'x' }, { id: 'h' }] }] },
    ['contractUpdate', 'contractAmendment'],
  ],
  [
    'a change that is gone',
    { ...before, contracts: [{ ...contract, amendments: [{ id: 'g' }] }] },
    before,
    ['contractUpdate'],
  ],
  [
    'the first payment',
    before,
    { ...before, contracts: [{ ...contract, implementation: { transactions: [{ id: '1' }] } }] },
    ['implementation'],
  ],
  [
    'a later payment',
    { ...before, contracts: [{ ...contract, implementation: { transactions: [{ id: '1' }] } }] },
    { ...before, contracts: [{ ...contract, implementation: { transactions: [{ id: '1' }, { id: '2' }] } }] },
    ['implementationUpdate'],
  ],
  [
    'payments that are gone',
    { ...before, contracts: [{ ...contract, implementation: { transactions: [{ id: '1' }] } }] },
    before,
    ['implementationUpdate'],
  ],
  [
    'the end of a contract of which nothing was known',
    before,
    { ...before, contracts: [{ ...contract, status: 'terminated', implementation: { finalValue: { amount: 1 } } }] },
    ['implementation', 'contractTermination'],
  ],
  [
    'the end with another value and the last change',
    { ...before, contracts: [{ ...contract, implementation: { transactions: [{ id: '1' }] } }] },
    {
      ...before,
      contracts: [
        { ...contract, status: 'terminated', value: { amount: 2 }, amendments: [{ id: 'g' }], implementation: {} },
      ],
    },
    ['contractUpdate', 'contractAmendment', 'implementationUpdate', 'contractTermination'],
  ],
  ['parties only', before, { ...before, parties: [{ id: 'q' }] }, ['tenderUpdate']],
  [
    'all sections at once',
    before,
    { tender: { ...tender, title: 'x' }, awards: [{ id: 'a' }], contracts: [{ id: 'c' }] },
    ['tenderUpdate', 'awardUpdate', 'contractUpdate'],
  ],
])('tags %s', (_what, earlier, later, tags) => {
  expect(selectTags(earlier, later)).toEqual(tags);
});
