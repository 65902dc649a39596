import { evenAfterErrors } from '@procurement/contracts/reading/composites';
import { validationError } from '@procurement/contracts/reading/error-messages';
import { formatServerDate, parseInstant, parseDateTime, type Instant } from '@procurement/contracts/reading/instant';
import { parseWith } from '@procurement/contracts/reading/parse-with';
import { implementationApi } from '@procurement/contracts/api/implementation.api';
import { allowing, invalid, problem, type Problem } from '@procurement/contracts/problems/problems';
import type { StoredContract } from '@procurement/contracts/resources/contract';
import type { StoredContractChange } from '@procurement/contracts/resources/contract-change';
import type { Decision } from '@procurement/domain/decision';
import { deepEqual } from '@procurement/domain/equality';
import { mergePatch } from '@procurement/domain/merge';
import { omitEmpty } from '@procurement/domain/omit-empty';
import { repeatsStatus } from '@procurement/domain/repeated-status';
import type { AddContractChange, Awarding, AwardingEvent, ChangeContractChange } from './awarding.ts';
import { admitContractOwner, withImplementation } from './implementation.ts';
import { contractStatusRefusal } from './implementation.view.ts';

/** What the owner of a contract may set of a change (contracting.md 5). */
export const CHANGE_MEMBERS = [
  'rationale',
  'rationale_en',
  'rationale_ru',
  'rationaleTypes',
  'contractNumber',
  'dateSigned',
] as const;

/** Statuses of a contract whose changes are written. */
export const CHANGED_IN: readonly string[] = ['active'];

/** Adds a pending change to a signed contract. Refusals in the order of contracting.md 5. */
export function addContractChange(
  awarding: Awarding,
  { contractId, body, meta }: AddContractChange,
): Decision<AwardingEvent> {
  const stored = awarding.contracts.find(({ id }) => id === contractId);
  if (stored === undefined) return { refused: problem('object.not-found', { kind: 'contract' }) };
  const admission = admitContractOwner(awarding, contractId, body, meta);
  if ('refused' in admission) return admission;
  const reading = parseWith(
    withDateCheck(implementationApi.createContractChange, latest(meta.now, lastSignature(stored))),
    admission.data,
  );
  if (!reading.ok) return { refused: invalid(reading.errors) };
  const { status: _ignored, ...members } = reading.value;
  const changes = changesOf(stored);
  const refused =
    contractStatusRefusal('change.add-status', stored, CHANGED_IN) ??
    (changes.some(({ status }) => status === 'pending') ? problem('change.add-another') : undefined) ??
    dateRefusal(stored, members.dateSigned);
  if (refused !== undefined) return { refused };
  const added = omitEmpty<StoredContractChange>({
    ...members,
    id: meta.id,
    date: formatServerDate(meta.now),
    status: 'pending',
  });
  return withImplementation(awarding, stored, { changes: [...changes, added] });
}

/** Changes or activates a pending change; an active one is closed. */
export function changeContractChange(
  awarding: Awarding,
  { contractId, id, body, meta }: ChangeContractChange,
): Decision<AwardingEvent> {
  const stored = awarding.contracts.find((contract) => contract.id === contractId);
  if (stored === undefined) return { refused: problem('object.not-found', { kind: 'contract' }) };
  const changes = changesOf(stored);
  const change = changes.find((one) => one.id === id);
  if (change === undefined) return { refused: problem('object.not-found', { kind: 'change' }) };
  const admission = admitContractOwner(awarding, contractId, body, meta);
  if ('refused' in admission) return admission;
  if (repeatsStatus(change, admission.data)) return { accepted: [] };
  const merged = mergePatch({ ...change }, admission.data);
  const reading = parseWith(
    withDateCheck(implementationApi.patchContractChange, latest(meta.now, lastSignature(stored), change.dateSigned)),
    merged,
    change,
  );
  if (!reading.ok) return { refused: invalid(reading.errors) };
  const requested = reading.value;
  const isActivated = requested.status === 'active';
  const refused =
    contractStatusRefusal('change.update-contract-status', stored, CHANGED_IN) ??
    (change.status === 'active'
      ? allowing(problem('change.update-status', { status: change.status }), { allowedStatuses: ['pending'] })
      : undefined) ??
    (isActivated && requested.dateSigned === undefined ? problem('change.unsigned') : undefined) ??
    dateRefusal(stored, requested.dateSigned);
  if (refused !== undefined) return { refused };
  const edited = omitEmpty<StoredContractChange>({
    ...change,
    ...Object.fromEntries(CHANGE_MEMBERS.map((member) => [member, requested[member]])),
  });
  if (!isActivated && deepEqual(edited, change)) return { accepted: [] };
  const next = isActivated ? { ...edited, status: 'active' as const, date: formatServerDate(meta.now) } : edited;
  return withImplementation(awarding, stored, { changes: changes.map((one) => (one.id === id ? next : one)) });
}

/** The changes of a contract in order of creation. */
export function changesOf({ implementation }: StoredContract): readonly StoredContractChange[] {
  return implementation?.changes ?? [];
}

/** The latest of now and of dates that were accepted before, perhaps by a process whose clock is ahead. */
function latest(now: Instant, ...accepted: readonly (string | undefined)[]): Instant {
  let last = now;
  for (const date of accepted) if (date !== undefined && parseInstant(date) > last) last = parseInstant(date);
  return last;
}

function lastChange(stored: StoredContract): StoredContractChange | undefined {
  return changesOf(stored).findLast(({ status }) => status === 'active');
}

/** The date of the change that was activated last, or of the contract. */
function lastSignature(stored: StoredContract): string | undefined {
  return lastChange(stored)?.dateSigned ?? stored.dateSigned;
}

function withDateCheck({ body }: Pick<typeof implementationApi.createContractChange, 'body'>, latest: Instant) {
  return body.superRefine(({ dateSigned }, context) => {
    // Not a string when dateSigned itself is invalid; that error is reported instead.
    const signedAt = typeof dateSigned === 'string' ? parseDateTime(dateSigned)?.instant : undefined;
    if (signedAt === undefined || signedAt <= latest) return;
    const message = validationError("Contract signature date can't be in the future");
    context.addIssue({ code: 'custom', path: ['dateSigned'], message });
  }, evenAfterErrors);
}

/** A change is not signed before the one that was activated last, nor before the contract. */
function dateRefusal(stored: StoredContract, sent: string | undefined): Problem | undefined {
  if (sent === undefined) return undefined;
  const its = lastSignature(stored);
  if (its === undefined || parseInstant(sent) >= parseInstant(its)) return undefined;
  return problem(lastChange(stored) === undefined ? 'change.before-contract' : 'change.before-last', { sent, its });
}
