import { admitWrite } from '@procurement/domain/admission';
import { formatServerDate } from '@procurement/contracts/reading/instant';
import { mergePatch } from '@procurement/domain/merge';
import { invalid, problem, type ErrorEntry, type Problem, allowing } from '@procurement/contracts/problems/problems';
import { tendersApi } from '@procurement/contracts/api/tenders.api';
import { REQUIRED, splitPass } from '@procurement/contracts/reading/error-messages';
import {
  DEFERRABLE_TENDER_MEMBERS,
  type ReadTender,
  type StoredTender,
  type TenderInput,
} from '@procurement/contracts/resources/tender';
import { deepEqual } from '@procurement/domain/equality';
import { repeatsStatus } from '@procurement/domain/repeated-status';
import { isFinal, isRunning, statusesThat } from '@procurement/domain/tender-status';
import type { Decision } from '@procurement/domain/decision';
import { hasAuction } from './auction-period.ts';
import { readChanged, normalized, withIds } from './tender.compose.ts';
import { tick } from './tender.external-inputs.ts';
import { tenderRoleOf, type TenderRole } from '@procurement/domain/roles';
import { editableMembers } from './tender.permissions.ts';
import { crossMemberErrors, periodErrors } from './tender.rules.ts';
import type { ChangeTender, TenderEvent, TenderState } from './tender.ts';
import { withoutUntouchedPeriods } from './untouched-periods.ts';

/**
 * PATCH and PUT of a tender (tenders.md 11): validates the merged tender, keeps the members that the role may change in the
 * status, and compares. A change without effect stores nothing. Refusals come in the order of http.md 0.2.
 */
export function changeTender(state: TenderState | undefined, command: ChangeTender): Decision<TenderEvent> {
  const { body, meta } = command;
  if (state === undefined) return { refused: problem('object.not-found', { kind: 'tender' }) };
  const role = tenderRoleOf(state, meta.actor);
  const isPermitted = role !== 'stranger' && !(role === 'chronograph' && command.type === 'PutTender');
  const admission = admitWrite(body, meta.actor, isPermitted, { owned: { owner: state.owner } });
  if ('refused' in admission) return admission;
  const { data } = admission;
  const stored = state.document;
  if (role === 'tender_owner' && repeatsStatus(stored, data)) return { accepted: [] };
  const merged = command.type === 'PutTender' ? withStoredStarts(stored, data) : mergePatch({ ...stored }, data);
  const route = tendersApi[command.type === 'PutTender' ? 'putTender' : 'patchTender'];
  const toRead = withoutUntouchedPeriods(merged, stored);
  const reading = readChanged(toRead.data, meta.settings, { route, segment: meta.actor.segment, stored });
  if (!reading.ok) return { refused: invalid(reading.errors) };
  const requested = toRead.restore(reading.value);
  const removed = removedPartErrors(stored, requested);
  if (removed.length > 0) return { refused: invalid(removed) };
  const refusal = statusRefusal(role, stored, command.type, data);
  if (refusal !== undefined) return { refused: refusal };
  const next = normalized(nextDocument(role, stored, requested, command));
  const isUnchanged = deepEqual(next, stored);
  const errors = isUnchanged ? [] : [...periodErrors(next), ...crossMemberErrors(next)];
  if (errors.length > 0) return { refused: invalid(errors) };
  const changes: TenderEvent[] = isUnchanged ? [] : [{ type: 'TenderChanged', parts: { document: next } }];
  // Every request of the chronograph also runs the clock (tenders.md 1.7).
  const ticks = role === 'chronograph' ? tick({ ...state, document: next }, meta) : [];
  return { accepted: [...changes, ...ticks] };
}

const PERIODS = ['enquiryPeriod', 'tenderPeriod'] as const;

/** The body of a PUT, with the stored start of each period whose start it does not send (tenders.md 11.2). */
function withStoredStarts(
  stored: StoredTender,
  sent: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const starts = PERIODS.flatMap((name) => {
    const period = sent[name];
    if (typeof period !== 'object' || period === null || Array.isArray(period)) return [];
    const { startDate } = stored[name] ?? {};
    return startDate === undefined ? [] : [[name, { startDate, ...period }] as const];
  });
  return { ...sent, ...Object.fromEntries(starts) };
}

/** Errors for parts that the change removes. A stored part, start or end can be replaced but not removed (tenders.md 5.3). */
function removedPartErrors(stored: StoredTender, next: TenderInput): readonly ErrorEntry[] {
  const required = [splitPass(REQUIRED).message];
  const parts = DEFERRABLE_TENDER_MEMBERS.filter((name) => stored[name] !== undefined && next[name] === undefined);
  const periods = PERIODS.flatMap((name) => {
    const [before, after = {}] = [stored[name] ?? {}, next[name]];
    if (parts.includes(name)) return [];
    return [
      ...(before.startDate === undefined || after.startDate !== undefined
        ? []
        : [{ location: 'body', name, description: { startDate: ['This field cannot be deleted'] } }]),
      ...(before.endDate === undefined || after.endDate !== undefined
        ? []
        : [{ location: 'body', name, description: { endDate: required } }]),
    ];
  });
  return [...parts.map((name) => ({ location: 'body', name, description: required })), ...periods];
}

/** The refusal of a role that may not change the tender in its status (tenders.md 1.7). */
function statusRefusal(
  role: TenderRole,
  { status }: StoredTender,
  type: ChangeTender['type'],
  data: Readonly<Record<string, unknown>>,
): Problem | undefined {
  if (role === 'Administrator') return undefined;
  const refusal = (): Problem =>
    allowing(problem('tender.update-status', { status }), { allowedStatuses: statusesThat(isRunning) });
  if (isFinal(status)) return refusal();
  if (role !== 'tender_owner' || status !== 'draft') return undefined;
  if (type === 'PutTender') return refusal();
  // A draft can only be published. An empty body is accepted and changes nothing.
  const requestedMembers = Object.keys(data).filter((name) => name !== 'id');
  return requestedMembers.length === 0 || data['status'] === 'active.enquiries' ? undefined : refusal();
}

function nextDocument(
  role: TenderRole,
  stored: StoredTender,
  requested: TenderInput,
  { meta }: ChangeTender,
): StoredTender {
  const requestedWithIds = { ...requested, ...withIds(requested, meta.nextId) };
  const members = editableMembers(role, stored.status, meta.actor.segment, hasAuction(stored));
  const next = withMembers(stored, members, (name) => nextMember(name, role, stored, requestedWithIds));
  return next.status === stored.status ? next : { ...next, date: formatServerDate(meta.now) };
}

/** A document with new values of these members. Most are absent before and after, and are not added as undefined ones. */
function withMembers(
  stored: StoredTender,
  names: readonly (keyof StoredTender)[],
  valueOf: (name: keyof StoredTender) => unknown,
): StoredTender {
  const next: Record<string, unknown> = { ...stored };
  for (const name of names) {
    const value = valueOf(name);
    if (value !== undefined || next[name] !== undefined) next[name] = value;
  }
  // Safe cast: `valueOf` gives values of the member's type.
  return next as unknown as StoredTender;
}

/** `shouldStartAfter` is computed for each view and never stored (tenders.md 9.2). */
function withoutComputedStart(period: ReadTender['auctionPeriod']): ReadTender['auctionPeriod'] {
  const { shouldStartAfter: _computed, ...own } = period ?? {};
  return own;
}

/** The new value of a member. Of `procuringEntity` the owner cannot set `kind`; of `lots` only the auction periods change. */
function nextMember(name: keyof StoredTender, role: TenderRole, stored: StoredTender, requested: ReadTender): unknown {
  if (name === 'procuringEntity' && role === 'tender_owner') {
    const { kind = requested.procuringEntity?.kind } = stored.procuringEntity ?? {};
    return { ...requested.procuringEntity, kind };
  }
  if (name === 'lots') {
    return stored.lots?.map((lot, at) => {
      const own = requested.lots?.[at];
      return own === undefined ? lot : { ...lot, auctionPeriod: withoutComputedStart(own.auctionPeriod) };
    });
  }
  if (name === 'auctionPeriod') return withoutComputedStart(requested.auctionPeriod);
  // A PUT by the Administrator keeps members that it does not send (tenders.md 11.2).
  return role === 'Administrator' ? (requested[name] ?? stored[name]) : requested[name];
}
