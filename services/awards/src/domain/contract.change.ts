import { admitWrite, OWNER_UNSAID } from '@procurement/domain/admission';
import type { BodyResult } from '@procurement/contracts/reading/body-result';
import type { JsonObject } from '@procurement/contracts/reading/json-object';
import { formatServerDate } from '@procurement/contracts/reading/instant';
import { mergePatch } from '@procurement/domain/merge';
import { invalid, problem, type Problem } from '@procurement/contracts/problems/problems';
import { omitEmpty } from '@procurement/domain/omit-empty';
import { parseWith } from '@procurement/contracts/reading/parse-with';
import type { StoredAward } from '@procurement/contracts/resources/award';
import type { ContractPatch, StoredContract } from '@procurement/contracts/resources/contract';
import { deepEqual } from '@procurement/domain/equality';
import type { Decision } from '@procurement/domain/decision';
import { repeatsStatus } from '@procurement/domain/repeated-status';
import { roleInContract } from './awarding.permissions.ts';
import type { Awarding, AwardingEvent, AwardMeta } from './awarding.ts';
import { contractInputWithDateChecks } from './contract.dates.ts';
import { signingRefusal, valueRefusal } from './contract.guards.ts';
import { keepStoredDate } from './keep-stored-date.ts';
import { lotIsOpen } from '@procurement/domain/lots';
import { awardingRefusal } from './awarding-status.ts';

/** Members that the tender owner may set (bids-awards-auction.md 4.1). */
export const CONTRACT_MEMBERS = [
  'contractNumber',
  'title',
  'title_en',
  'title_ru',
  'description',
  'description_en',
  'description_ru',
  'status',
  'value',
  'period',
  'dateSigned',
] as const satisfies readonly (keyof ContractPatch)[];

/** PATCH of a contract by the tender owner; `status: active` signs it. Refusals in the order of bids-awards-auction.md 4.3. */
export function changeContract(
  awarding: Awarding,
  id: string,
  body: BodyResult,
  meta: AwardMeta,
): Decision<AwardingEvent> {
  const stored = awarding.contracts.find((contract) => contract.id === id);
  if (stored === undefined) return { refused: problem('object.not-found', { kind: 'contract' }) };
  const role = roleInContract(awarding, id, meta.actor);
  const admission = admitWrite(body, meta.actor, role !== 'stranger', { owned: OWNER_UNSAID });
  if ('refused' in admission) return admission;
  if (role === 'tender_owner' && repeatsStatus(stored, admission.data)) return { accepted: [] };
  const award = awarding.awards.find((one) => one.id === stored.awardID);
  const known = meta.actor.segment === '2.5' ? { ...stored } : knownToOlderSegments(stored);
  const reading = parseWith(
    contractInputWithDateChecks(stored, award, meta),
    mergePatch(known, admission.data),
    stored,
  );
  if (!reading.ok) return { refused: invalid(reading.errors) };
  const requested = reading.value;
  if (role !== 'tender_owner') return { refused: problem('request.role-forbidden') };
  const next = omitEmpty<StoredContract>({
    ...stored,
    ...Object.fromEntries(CONTRACT_MEMBERS.map((member) => [member, requested[member]])),
    value: withNetAmount(requested.value, stored, meta),
    dateSigned: keepStoredDate(stored.dateSigned, requested.dateSigned),
  });
  const refusal =
    statusRefusal(awarding, award) ??
    valueRefusal(stored, next, award, meta) ??
    signingRefusal(awarding, stored, next, award, meta);
  if (refusal !== undefined) return { refused: refusal };
  if (deepEqual(next, stored)) return { accepted: [] };
  const changed = next.status === stored.status ? next : withSignature(next, meta);
  const contracts = awarding.contracts.map((one) => (one.id === id ? changed : one));
  return { accepted: [{ type: 'AwardingChanged', parts: { contracts } }] };
}

/** Older segments neither show nor take these members (contracting.md 2.2). */
function knownToOlderSegments({
  dateCreated: _created,
  implementation: _followed,
  value,
  ...known
}: StoredContract): JsonObject {
  if (value === undefined) return known;
  const { amountNet: _net, ...gross } = value;
  return { ...known, value: gross };
}

/** The value of the body; a segment that does not know the net amount keeps it. */
function withNetAmount(
  value: StoredContract['value'],
  stored: StoredContract,
  { actor }: AwardMeta,
): StoredContract['value'] {
  if (value === undefined || actor.segment === '2.5') return value;
  return { ...value, amountNet: stored.value?.amountNet };
}

function withSignature(contract: StoredContract, { now }: AwardMeta): StoredContract {
  const date = formatServerDate(now);
  return { ...contract, date, dateSigned: contract.dateSigned ?? date };
}

function statusRefusal({ tender }: Awarding, award: StoredAward | undefined): Problem | undefined {
  const notAwarding = awardingRefusal('contract.update-tender-status', tender.status);
  if (notAwarding !== undefined) return notAwarding;
  return lotIsOpen(tender, award?.lotID) ? undefined : problem('contract.update-lot');
}
