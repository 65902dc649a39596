import { TENDER_STATUSES } from '@procurement/contracts/resources/tender';
import { describe, expect, it } from 'vitest';
import { COMPLAINT_STATUSES } from '@procurement/contracts/resources/complaint';
import {
  awardFacts,
  bidFacts,
  CALLERS,
  tenderFacts,
  IDS,
  documentMeta,
  storedVersion,
  type AwardOptions,
  type Caller,
} from '../../test-support/document-facts.ts';
import { permissionRefusal, stateRefusal } from './document.guards.ts';
import type { WriteKind } from './document.permissions.ts';
import type { ParentKind, ParentState } from './document.ts';
import { resolveParent } from './parent.ts';

const PATHS: Readonly<Record<ParentKind, object>> = {
  tender: {},
  bid: { bid_id: IDS.bid },
  award: { award_id: IDS.award },
  complaint: { complaint_id: IDS.complaint },
  'award complaint': { award_id: IDS.award, complaint_id: IDS.awardComplaint },
  cancellation: { cancellation_id: IDS.cancellation },
  contract: { tender_id: IDS.tender, contract_id: IDS.contract },
};
const KINDS = Object.keys(PATHS) as ParentKind[];

function parentState(kind: ParentKind, status: string, awards: AwardOptions = {}, own = 'claim'): ParentState {
  const complaints = tenderFacts().complaints?.map((complaint) => ({ ...complaint, status: own }));
  const tender = { ...tenderFacts({ status }), complaints };
  const found = resolveParent(kind, PATHS[kind], {
    tender,
    bid: bidFacts(),
    awards: awardFacts({ complaint: own, ...awards }),
    bidsOpened: true,
  });
  if ('missing' in found) throw new Error(`no ${found.missing}`);
  return found;
}

// Callers with permission at all, by http.md 2.2 and 3.4; all others get Forbidden.
const PERMITTED: Readonly<Record<ParentKind, Readonly<Record<WriteKind, readonly Caller[]>>>> = {
  tender: {
    add: ['the tender owner', 'auction', 'bots', 'admins'],
    update: ['the tender owner', 'auction', 'bots', 'admins'],
  },
  bid: {
    add: ['the bid owner', 'Administrator', 'admins'],
    update: ['the bid owner', 'Administrator', 'admins'],
  },
  award: {
    add: ['the tender owner', 'auction', 'bots', 'admins'],
    update: ['the tender owner', 'Administrator', 'admins'],
  },
  complaint: {
    add: ['the tender owner', 'the complaint owner', 'reviewers', 'admins'],
    update: ['the tender owner', 'the complaint owner', 'reviewers', 'admins'],
  },
  'award complaint': {
    add: ['the tender owner', 'the complaint owner', 'reviewers', 'admins'],
    update: ['the tender owner', 'the complaint owner', 'reviewers', 'admins'],
  },
  cancellation: {
    add: ['the tender owner', 'Administrator', 'admins'],
    update: ['the tender owner', 'Administrator', 'admins'],
  },
  contract: {
    add: ['the tender owner', 'Administrator', 'admins'],
    update: ['the tender owner', 'Administrator', 'admins'],
  },
};
const WRITES = ['add', 'update'] as const;

describe('permissionRefusal', () => {
  const everything = KINDS.flatMap((kind) =>
    WRITES.flatMap((write) => (Object.keys(CALLERS) as Caller[]).map((caller) => [write, kind, caller] as const)),
  );

  it.each(everything)('to %s a document of a %s, for %s', (write, kind, caller) => {
    const refusal = permissionRefusal(write, parentState(kind, 'active.tendering'), { actor: CALLERS[caller] });
    const expected = caller === 'anonymous' ? 401 : PERMITTED[kind][write].includes(caller) ? undefined : 403;
    expect(refusal?.status).toBe(expected);
  });
});

// Statuses of the tender in which a caller may write (http.md 2.2).
const open = (...statuses: readonly string[]): ReadonlySet<string> => new Set(statuses);
const ENQUIRIES = open('active.enquiries');
const QUALIFICATION = open('active.qualification');
const DECIDING = open('active.qualification', 'active.awarded');
const ACTIVE = open(...TENDER_STATUSES.filter((status) => status.startsWith('active.')));
const RUNNING = open('draft', ...ACTIVE);

describe('stateRefusal by status of the tender', () => {
  const rows: readonly (readonly [ParentKind, Caller, ReadonlySet<string>, string])[] = [
    ['tender', 'the tender owner', ENQUIRIES, ''],
    ['tender', 'bots', ENQUIRIES, ''],
    ['tender', 'admins', ENQUIRIES, ''],
    ['tender', 'auction', open('active.auction', 'active.qualification'), ''],
    ['bid', 'the bid owner', open('active.tendering', 'active.qualification'), ''],
    ['bid', 'Administrator', open('active.tendering', 'active.qualification'), ''],
    ['award', 'the tender owner', QUALIFICATION, ''],
    ['award', 'auction', QUALIFICATION, ''],
    ['award', 'bots', QUALIFICATION, ''],
    ['complaint', 'the complaint owner', ACTIVE, 'answered'],
    ['complaint', 'the tender owner', ACTIVE, 'claim'],
    ['complaint', 'reviewers', ACTIVE, 'pending'],
    ['award complaint', 'the complaint owner', DECIDING, 'draft'],
    ['award complaint', 'the tender owner', DECIDING, 'claim'],
    ['award complaint', 'reviewers', DECIDING, 'pending'],
    ['cancellation', 'the tender owner', RUNNING, ''],
    ['contract', 'the tender owner', DECIDING, ''],
  ];
  const everything = rows.flatMap(([kind, caller, allowed, own]) =>
    TENDER_STATUSES.map((status) => [kind, caller, status, allowed.has(status), own] as const),
  );

  it.each(everything)('%s, %s, in %s: %s', (kind, caller, status, isAllowed, own) => {
    for (const write of PERMITTED[kind].update.includes(caller) ? WRITES : (['add'] as const)) {
      const refusal = stateRefusal(write, parentState(kind, status, {}, own || 'claim'), documentMeta(CALLERS[caller]));
      const text = `Can't ${write} document in current (${status}) tender status`;
      expect(refusal?.errors[0]?.description).toBe(isAllowed ? undefined : text);
    }
  });

  it.each(['Administrator', 'admins'] as const)('%s may not change a document of a sealed bid', (caller) => {
    const sealed = { ...parentState('bid', 'active.tendering'), bidsOpened: false };
    const meta = documentMeta(CALLERS[caller]);
    expect(stateRefusal('add', sealed, meta)).toBeUndefined();
    expect(stateRefusal('update', sealed, meta)?.code).toBe('document.sealed');
    expect(stateRefusal('update', sealed, documentMeta(CALLERS['the bid owner']))).toBeUndefined();
  });
});

describe('stateRefusal by status of the parent', () => {
  const complaintRows = COMPLAINT_STATUSES.flatMap((own) =>
    (
      [
        ['the complaint owner', ['draft', 'answered'].includes(own)],
        ['the tender owner', own === 'claim'],
        ['reviewers', own === 'pending'],
        ['admins', own === 'claim'],
      ] as const
    ).map(([caller, isAllowed]) => [own, caller, isAllowed] as const),
  );

  it.each(complaintRows)('complaint %s, %s: %s', (own, caller, isAllowed) => {
    for (const kind of ['complaint', 'award complaint'] as const) {
      const refusal = stateRefusal(
        'add',
        parentState(kind, 'active.qualification', {}, own),
        documentMeta(CALLERS[caller]),
      );
      const text = `Can't add document in current (${own}) complaint status`;
      expect(refusal?.errors[0]?.description).toBe(isAllowed ? undefined : text);
    }
  });

  it.each([
    ['pending', true],
    ['active', true],
    ['cancelled', false],
    ['terminated', false],
  ] as const)('contract %s: %s', (contract, isAllowed) => {
    const at = parentState('contract', 'active.awarded', { contract });
    const refusal = stateRefusal('update', at, documentMeta(CALLERS['the tender owner']));
    expect(refusal?.errors[0]?.description).toBe(
      isAllowed ? undefined : "Can't update document in current contract status",
    );
  });

  it.each(['award', 'award complaint', 'contract'] as const)(
    'refuses documents of a parent of an inactive lot: %s',
    (kind) => {
      const at = parentState(kind, 'active.qualification');
      const lots = [{ id: IDS.lot, status: 'cancelled' }];
      const refusal = stateRefusal(
        'add',
        { ...at, tender: { ...at.tender, lots } },
        documentMeta(CALLERS['the tender owner']),
      );
      expect(refusal?.errors[0]?.description).toBe('Can add document only in active lot status');
    },
  );
});

describe('stateRefusal of documents of a bid', () => {
  const owner = CALLERS['the bid owner'];

  it.each([
    ['2026-05-09T23:58:59.999999+03:00', false],
    ['2026-05-09T23:59:00+03:00', true],
    ['2026-05-10T00:00:00+03:00', true],
    ['2026-05-20T18:00:00+03:00', true],
    ['2026-05-20T18:00:00.000001+03:00', false],
  ])('in tendering at %s: %s', (now, isAllowed) => {
    const refusal = stateRefusal('add', parentState('bid', 'active.tendering'), documentMeta(owner, { now }));
    expect(refusal?.errors[0]?.description).toBe(
      isAllowed
        ? undefined
        : 'Document can be added only during the tendering period: from (2026-05-10T00:00:00+03:00) to (2026-05-20T18:00:00+03:00).',
    );
  });

  it.each([
    ['pending', true],
    ['active', false],
    ['unsuccessful', false],
    ['cancelled', false],
  ] as const)('in qualification with an award that is %s: %s', (award, isAllowed) => {
    const refusal = stateRefusal('update', parentState('bid', 'active.qualification', { award }), documentMeta(owner));
    expect(refusal?.errors[0]?.description).toBe(
      isAllowed ? undefined : "Can't update document because award of bid is not in pending state",
    );
  });
});

describe('stateRefusal by author', () => {
  it.each([
    ['tender', 'the tender owner', undefined, undefined],
    ['tender', 'the tender owner', 'auction', 'document.author'],
    ['tender', 'bots', 'bots', undefined],
    ['tender', 'bots', undefined, 'document.author'],
    ['award', 'the tender owner', 'bots', 'document.author'],
    ['complaint', 'the tender owner', 'complaint_owner', 'document.author'],
    ['bid', 'Administrator', undefined, undefined],
    ['cancellation', 'Administrator', undefined, undefined],
  ] as const)('of a %s document: %s after %s', (kind, caller, author, code) => {
    const status = kind === 'tender' ? 'active.enquiries' : 'active.qualification';
    const at = parentState(kind, status);
    const stored = storedVersion(at, author === undefined ? {} : { author });
    expect(stateRefusal('update', at, documentMeta(CALLERS[caller]), stored)?.code).toBe(code);
    expect(stateRefusal('add', at, documentMeta(CALLERS[caller]), stored)).toBeUndefined();
  });
});

describe('stateRefusal by author and status', () => {
  it.each(['tender', 'award', 'complaint', 'award complaint'] as const)(
    'of a %s document names the author first (rulings R35 a)',
    (kind) => {
      const at = parentState(kind, 'complete');
      const meta = documentMeta(CALLERS['the tender owner']);
      expect(stateRefusal('update', at, meta, storedVersion(at, { author: 'bots' }))?.code).toBe('document.author');
      expect(stateRefusal('update', at, meta, storedVersion(at))?.code).toBe('document.update-status');
    },
  );
});

describe('stateRefusal with open guards', () => {
  const early = { ...CALLERS['the tender owner'], segment: '2.3' };
  const bidder = { ...CALLERS['the bid owner'], segment: '2.3' };
  const final = ['draft', 'complete', 'unsuccessful', 'cancelled'];

  it.each(KINDS.flatMap((kind) => TENDER_STATUSES.map((status) => [kind, status] as const)))(
    '%s in %s',
    (kind, status) => {
      const actor = kind === 'bid' ? bidder : early;
      const at = parentState(kind, status, { award: 'cancelled', contract: 'cancelled' }, 'invalid');
      const isOpen = !final.includes(status) || (kind === 'cancellation' && status === 'draft');
      expect(stateRefusal('add', at, documentMeta(actor, { open: true })) === undefined).toBe(isOpen);
    },
  );

  it('stays strict on segment 2.5', () => {
    const at = parentState('tender', 'active.tendering');
    expect(stateRefusal('add', at, documentMeta(CALLERS['the tender owner'], { open: true }))?.code).toBe(
      'document.add-status',
    );
  });
});

describe('stateRefusal of an addition and of a change', () => {
  const tenderOwner = documentMeta(CALLERS['the tender owner']);
  const bidOwner = documentMeta(CALLERS['the bid owner']);
  const late = documentMeta(CALLERS['the bid owner'], { now: '2026-05-20T18:00:00.000001+03:00' });
  const ofAward = parentState('award', 'active.qualification');
  const lots = [{ id: IDS.lot, status: 'cancelled' }];

  it.each([
    [
      'document.add-complaint',
      'document.update-complaint',
      parentState('complaint', 'active.enquiries', {}, 'draft'),
      tenderOwner,
    ],
    [
      'document.add-contract',
      'document.update-contract',
      parentState('contract', 'active.awarded', { contract: 'cancelled' }),
      tenderOwner,
    ],
    ['document.add-lot', 'document.update-lot', { ...ofAward, tender: { ...ofAward.tender, lots } }, tenderOwner],
    ['document.add-period', 'document.update-period', parentState('bid', 'active.tendering'), late],
    [
      'document.add-award',
      'document.update-award',
      parentState('bid', 'active.qualification', { award: 'active' }),
      bidOwner,
    ],
  ])('%s, %s', (added, updated, state, meta) => {
    expect(stateRefusal('add', state, meta)?.code).toBe(added);
    expect(stateRefusal('update', state, meta)?.code).toBe(updated);
  });
});
