import type { BodyResult } from '@procurement/contracts/reading/body-result';
import type { JsonObject } from '@procurement/contracts/reading/json-object';
import { formatServerDate } from '@procurement/contracts/reading/instant';
import { parseWith } from '@procurement/contracts/reading/parse-with';
import { contractsApi } from '@procurement/contracts/api/contracts.api';
import { invalid } from '@procurement/contracts/problems/problems';
import type {
  StandaloneContractPatch,
  StoredContract,
  StoredImplementation,
} from '@procurement/contracts/resources/contract';
import type { Decision } from '@procurement/domain/decision';
import { deepEqual } from '@procurement/domain/equality';
import { isJsonObject } from '@procurement/contracts/reading/json-object';
import { mergePatch } from '@procurement/domain/merge';
import { repeatsStatus } from '@procurement/domain/repeated-status';
import type { Awarding, AwardingEvent, AwardMeta } from './awarding.ts';
import { signedChangeRefusal } from './implementation.checks.ts';
import { changedItems } from './implementation.items.ts';
import { admitContractOwner, withImplementation } from './implementation.ts';
import { presentContract, type PresentContract } from './implementation.view.ts';

/** Members of a signed contract that its owner may change. They stand in `implementation` while they differ from what was signed. */
const SIGNED_MEMBERS = [
  'title',
  'title_en',
  'title_ru',
  'description',
  'description_en',
  'description_ru',
  'period',
  'value',
  'items',
] as const;
/** Members that a contract has only after its signature. */
const LATER_MEMBERS = ['amountPaid', 'terminationDetails'] as const;

/** What a PATCH of a signed contract may set (contracting.md 4.2). */
export const IMPLEMENTATION_MEMBERS = [...SIGNED_MEMBERS, ...LATER_MEMBERS, 'status'] as const;

/** PATCH of a signed contract by its owner; `status: terminated` ends it. Refusals in the order of contracting.md 4.3. */
export function changeSignedContract(
  awarding: Awarding,
  stored: StoredContract,
  body: BodyResult,
  meta: AwardMeta,
): Decision<AwardingEvent> {
  const admission = admitContractOwner(awarding, stored.id, body, meta);
  if ('refused' in admission) return admission;
  const { data } = admission;
  const present = presentContract(stored);
  if (repeatsStatus(present, data)) return { accepted: [] };
  const reading = parseWith(
    contractsApi.patchStandaloneContract.body,
    mergePatch(mergeBase(present, data), data),
    present,
  );
  if (!reading.ok) return { refused: invalid(reading.errors) };
  const next = nextContract(stored, present, data, reading.value);
  const refused = signedChangeRefusal({ present, next, requested: reading.value });
  if (refused !== undefined) return { refused };
  const isTerminated = next.status === 'terminated';
  return withImplementation(awarding, stored, {
    ...differencesFrom(stored, next),
    status: isTerminated ? 'terminated' : 'active',
    ...(isTerminated ? { date: formatServerDate(meta.now) } : {}),
  });
}

/** The present values of the members that the body changes: what it does not send is not read again. */
function mergeBase(present: PresentContract, data: JsonObject): JsonObject {
  const sent = Object.fromEntries(
    IMPLEMENTATION_MEMBERS.filter((name) => Object.hasOwn(data, name)).map((name) => [name, present[name]]),
  );
  if (!isJsonObject(data['amountPaid'])) return sent;
  const { currency } = present.value ?? {};
  return { ...sent, amountPaid: { ...(currency === undefined ? {} : { currency }), ...present.amountPaid } };
}

/** The contract after the change. A null takes the difference from the signed contract back. */
function nextContract(
  signed: StoredContract,
  present: PresentContract,
  data: JsonObject,
  requested: StandaloneContractPatch,
): PresentContract {
  const own = presentContract({ ...signed, implementation: undefined });
  const changed = [...SIGNED_MEMBERS, ...LATER_MEMBERS]
    .filter((name) => Object.hasOwn(data, name))
    .map((name) => [name, data[name] === null ? own[name] : requested[name]]);
  const next: PresentContract = {
    ...present,
    ...Object.fromEntries(changed),
    status: requested.status ?? present.status,
  };
  const items = data['items'] === null ? signed.items : changedItems(present.items, requested.items);
  return { ...next, items, amountPaid: withVatFlag(next, present, data['amountPaid']) };
}

/** Decision: the VAT flag of what was paid is that of the contract unless one was sent (contracting.md 4.3). */
function withVatFlag(
  { amountPaid, value }: PresentContract,
  present: PresentContract,
  sent: unknown,
): PresentContract['amountPaid'] {
  const hasFlag = isJsonObject(sent) && (sent['valueAddedTaxIncluded'] ?? undefined) !== undefined;
  if (amountPaid === undefined || value === undefined || hasFlag || present.amountPaid !== undefined) return amountPaid;
  return { ...amountPaid, valueAddedTaxIncluded: value.valueAddedTaxIncluded };
}

function differencesFrom(signed: StoredContract, next: PresentContract): Partial<StoredImplementation> {
  const differences = SIGNED_MEMBERS.map((name) => [
    name,
    deepEqual(next[name], signed[name]) ? undefined : next[name],
  ]);
  const { amountPaid, terminationDetails } = next;
  return { ...Object.fromEntries(differences), amountPaid, terminationDetails };
}
