import { selectRoutes } from '@procurement/contracts/api/routes';
import { TENDER_STATUSES } from '@procurement/contracts/resources/tender';
import { editableMembers } from '../../services/tenders/src/domain/tender.permissions.ts';
import { describe, expect, it } from 'vitest';
import { operationRules } from './operation-rules.ts';

const routes = selectRoutes({ sandbox: true }).filter(({ segments }) => segments.includes('2.5'));
const rules = operationRules(routes);

describe('the rules of operations', () => {
  it.each(routes)('say of $name who may call it, and of a write when and what comes next', ({ name, method }) => {
    const { who, when, next } = rules[name] ?? { who: '' };
    expect(who).not.toBe('');
    if (method !== 'GET') expect([when, next]).toEqual([expect.stringMatching(/./), expect.stringMatching(/./)]);
    expect(JSON.stringify(rules[name])).not.toMatch(/undefined|tender_owner|``/);
  });

  it('follow the tables of the services', () => {
    const open = TENDER_STATUSES.filter((status) => editableMembers('tender_owner', status).length > 0);
    expect(open).toEqual(['draft', 'active.enquiries']);
    for (const status of open) {
      expect(rules['patchTender']?.when).toContain(`the owner of the tender while the tender is in \`${status}\``);
    }
    expect(rules['patchTender']?.changes).toContain('the owner of the tender: `status`;');
    expect(rules['createBid']).toMatchObject({
      who: expect.stringContaining('level 2'),
      when: 'while the tender is in `active.tendering`, within the tender period',
    });
    expect(rules['patchAward']?.changes).toContain('`pending` → `active`');
    expect(rules['createAwardDocument']?.who).toBe('the owner of the tender, the auction component and bots');
  });

  it('refuse an operation without rules', () => {
    const added = { name: 'addThing', method: 'POST', owner: 'tenders' } as const;
    expect(() => operationRules([added])).toThrow('addThing has no rules');
  });
});
