import { describe, expect, it } from 'vitest';
import type { Actor } from '@procurement/contracts/api/actor';
import { complaintRoleOf, tenderRoleOf } from './roles.ts';

const TENDER_HASH = 'a'.repeat(64);
const COMPLAINT_HASH = 'c'.repeat(64);
const tender = { owner: 'buyer', ownerTokenHash: TENDER_HASH };
const complaint = { owner: 'seller', tokenHash: COMPLAINT_HASH };

function actor(group: string, more: Partial<Actor> = {}): Actor {
  return { broker: 'someone', group, levels: '1234', segment: '2.5', ...more };
}

const owner = actor('brokers', { broker: 'buyer', tokenHash: TENDER_HASH });
const complainant = actor('brokers', { broker: 'seller', tokenHash: COMPLAINT_HASH });
const anonymous: Actor = { group: 'anonymous', credentials: 'missing', levels: '', segment: '2.5' };

describe('tenderRoleOf (tenders.md 1.5, 1.6)', () => {
  it.each([
    ['the broker with the token', owner, 'tender_owner'],
    ['another broker with the token', { ...owner, broker: 'seller' }, 'stranger'],
    ['the broker without the token', actor('brokers', { broker: 'buyer' }), 'stranger'],
    ['admins', actor('admins'), 'tender_owner'],
    ['Administrator', actor('Administrator'), 'Administrator'],
    ['chronograph', actor('chronograph'), 'chronograph'],
    ['a chronograph that owns the tender', { ...owner, group: 'chronograph' }, 'tender_owner'],
    ['reviewers', actor('reviewers'), 'stranger'],
    ['a group named like a member of every object', actor('constructor'), 'stranger'],
    ['anonymous', anonymous, 'stranger'],
  ])('%s', (_who, caller, role) => {
    expect(tenderRoleOf(tender, caller)).toBe(role);
  });
});

describe('complaintRoleOf (tenders.md 1.5)', () => {
  it.each([
    ['the owner of the complaint', complainant, 'complaint_owner'],
    ['another broker with its token', { ...complainant, broker: 'other' }, 'stranger'],
    ['a reviewer who owns the complaint', { ...complainant, group: 'reviewers' }, 'complaint_owner'],
    ['a reviewer', actor('reviewers'), 'reviewers'],
    ['a reviewer who owns the tender', { ...owner, group: 'reviewers' }, 'reviewers'],
    ['the owner of the tender', owner, 'tender_owner'],
    ['admins', actor('admins'), 'tender_owner'],
    ['Administrator', actor('Administrator'), 'Administrator'],
    ['chronograph', actor('chronograph'), 'stranger'],
    ['anonymous', anonymous, 'stranger'],
  ])('%s', (_who, caller, role) => {
    expect(complaintRoleOf(tender, complaint, caller)).toBe(role);
  });

  it('has no owner of a complaint whose owner is unknown', () => {
    expect(complaintRoleOf(tender, undefined, complainant)).toBe('stranger');
  });
});
