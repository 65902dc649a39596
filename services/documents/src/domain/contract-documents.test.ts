import { CONTRACT_STATUSES } from '@procurement/contracts/resources/contract';
import { TENDER_STATUSES } from '@procurement/contracts/resources/tender';
import { describe, expect, it } from 'vitest';
import {
  awardFacts,
  CALLERS,
  documentMeta,
  IDS,
  storedVersion,
  tenderFacts,
  type AwardOptions,
  type Caller,
} from '../../test-support/document-facts.ts';
import { decideDocument } from './document.decide.ts';
import { permissionRefusal, stateRefusal } from './document.guards.ts';
import type { DocumentCommand, ParentState } from './document.ts';
import { resolveParent } from './parent.ts';

const CHANGES = [
  { id: '5'.repeat(32), status: 'pending' },
  { id: '6'.repeat(32), status: 'active' },
] as const;
const [PENDING, CLOSED] = CHANGES;
const SIGNED: AwardOptions = { contract: 'active', implementation: { status: 'active', changes: [...CHANGES] } };

/** A contract at its own address, or inside its tender. */
function contractState(awards: AwardOptions = {}, status = 'complete', path: object = {}): ParentState {
  const found = resolveParent(
    'contract',
    { contract_id: IDS.contract, ...path },
    { tender: tenderFacts({ status }), awards: awardFacts(awards), bidsOpened: true },
  );
  if ('missing' in found) throw new Error(`no ${found.missing}`);
  return found;
}

const FILE = { kind: 'registered', registration: { fileId: '8'.repeat(32) } } as const;
const meta = documentMeta(CALLERS['the tender owner']);

function add(state: ParentState, data: object = {}) {
  const sent = { title: 'a.pdf', format: 'application/pdf', url: 'https://x', ...data };
  const command: DocumentCommand = {
    type: 'AddDocument',
    id: '7'.repeat(32),
    versionId: '7'.repeat(32),
    file: { ...FILE, body: { kind: 'data', data: sent } },
    meta,
  };
  return describeOutcome(decideDocument({ parentState: state }, command));
}

function patch(
  state: ParentState,
  stored: Parameters<typeof storedVersion>[1],
  data: Readonly<Record<string, unknown>>,
) {
  const newest = storedVersion(state, stored);
  return describeOutcome(
    decideDocument({ parentState: state, newest }, { type: 'ChangeDocument', body: { kind: 'data', data }, meta }),
  );
}

function describeOutcome(decision: ReturnType<typeof decideDocument>) {
  if ('refused' in decision) return decision.refused.errors[0];
  return decision.accepted[0]?.version.record ?? 'unchanged';
}

describe('who writes documents of a contract at its own address (contracting.md 6, 8)', () => {
  const own = { owner: 'broker1' };
  const taken = { owner: 'broker4', isTakenOver: true } as const;
  const EVERYWHERE: readonly Caller[] = ['Administrator', 'admins'];

  it.each([
    ['no token of its own', undefined, ['the tender owner']],
    ['a token of its own', own, ['the tender owner', 'the contract owner']],
    ['a token of a former owner of the tender', { owner: 'broker0' }, ['the tender owner']],
    ['been taken over', taken, ['who took the contract over']],
  ] as const)('has %s', (_what, contractOwner, writers) => {
    const state = contractState(contractOwner === undefined ? {} : { contractOwner });
    const permitted = (Object.keys(CALLERS) as Caller[]).filter((caller) =>
      (['add', 'update'] as const).every(
        (write) => permissionRefusal(write, state, { actor: CALLERS[caller] }) === undefined,
      ),
    );
    expect(permitted.toSorted()).toEqual([...writers, ...EVERYWHERE].toSorted());
  });

  it('leaves a token of the contract without effect at the address inside the tender', () => {
    const state = contractState({ contractOwner: own }, 'active.awarded', { tender_id: IDS.tender });
    expect(permissionRefusal('add', state, { actor: CALLERS['the contract owner'] })?.status).toBe(403);
  });

  it('takes the address inside the tender from the tender owner too, once the contract was taken over', () => {
    const state = contractState({ contractOwner: taken }, 'active.awarded', { tender_id: IDS.tender });
    const permitted = (Object.keys(CALLERS) as Caller[]).filter(
      (caller) => permissionRefusal('add', state, { actor: CALLERS[caller] }) === undefined,
    );
    expect(permitted.toSorted()).toEqual(EVERYWHERE.toSorted());
  });
});

describe('when documents of a contract are written at its own address', () => {
  it.each(TENDER_STATUSES)('in a tender that is %s: by the status of the contract', (tenderStatus) => {
    for (const contract of CONTRACT_STATUSES) {
      for (const write of ['add', 'update'] as const) {
        const refusal = stateRefusal(write, contractState({ contract }, tenderStatus), meta);
        const isOpen = contract === 'pending' || contract === 'active';
        const text = `Can't ${write} document in current (${contract}) contract status`;
        const code = write === 'add' ? 'document.add-contract-status' : 'document.update-contract-status';
        expect([refusal?.code, refusal?.errors[0]?.description]).toEqual(
          isOpen ? [undefined, undefined] : [code, text],
        );
      }
    }
  });

  it('not after the termination, although the signed contract stays active', () => {
    const state = contractState({ contract: 'active', implementation: { status: 'terminated' } });
    expect(add(state)).toMatchObject({ description: "Can't add document in current (terminated) contract status" });
  });
});

describe('what documents of a contract are about', () => {
  it('the contract, unless the body says something else', () => {
    expect(add(contractState(SIGNED))).toMatchObject({ documentOf: 'contract' });
    expect(add(contractState(SIGNED), { documentOf: 'tender' })).toMatchObject({ documentOf: 'tender' });
    expect(add(contractState(SIGNED, 'active.awarded', { tender_id: IDS.tender }))).toMatchObject({
      documentOf: 'tender',
    });
  });

  it.each([
    [{ documentOf: 'item', relatedItem: IDS.item }, undefined],
    [{ documentOf: 'lot', relatedItem: IDS.lot }, undefined],
    [{ documentOf: 'change', relatedItem: PENDING.id }, undefined],
    [{ documentOf: 'item', relatedItem: 'x' }, ['relatedItem should be one of items']],
    [{ documentOf: 'change', relatedItem: 'x' }, ['relatedItem should be one of changes']],
    [{ documentOf: 'change' }, ['This field is required.']],
    [{ documentOf: 'item' }, ['This field is required.']],
    [{ documentOf: 'change', relatedItem: CLOSED.id }, "Can't add document to 'active' change"],
  ])('%j', (data, description) => {
    expect(add(contractState(SIGNED), data)).toMatchObject(description === undefined ? data : { description });
  });

  it('is not the contract or a change at the address inside the tender', () => {
    const state = contractState(SIGNED, 'active.awarded', { tender_id: IDS.tender });
    for (const documentOf of ['contract', 'change']) {
      expect(add(state, { documentOf, relatedItem: PENDING.id })).toMatchObject({ name: 'documentOf' });
    }
  });

  it('an amendment gets no papers and no new names after its change was activated, at either address', () => {
    const inTender = contractState(SIGNED, 'active.awarded', { tender_id: IDS.tender });
    const closed = { documentOf: 'change', relatedItem: CLOSED.id } as const;
    const description = "Can't add document to 'active' change";
    for (const state of [contractState(SIGNED), inTender]) {
      expect(patch(state, closed, { title: 'b.pdf' })).toMatchObject({ description });
    }
    // A multipart upload is a document of the contract, and is bound by a PATCH.
    const bound = { documentOf: 'change', relatedItem: PENDING.id } as const;
    expect(patch(contractState(SIGNED), { documentOf: 'contract' }, bound)).toMatchObject(bound);
    expect(patch(contractState(SIGNED), { documentOf: 'contract' }, { ...closed })).toMatchObject({ description });
    expect(patch(inTender, bound, { title: 'b.pdf' })).toMatchObject({ title: 'b.pdf', ...bound });
  });
});
