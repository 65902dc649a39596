import type { JsonObject } from '@procurement/contracts/reading/json-object';
import type { StoredContract } from '@procurement/contracts/resources/contract';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { DATE_MODIFIED_PLACEHOLDER } from '@procurement/domain/date-modified';
import { presentContract } from './implementation.view.ts';
import { TEST_MARKERS, withTestMarker } from '@procurement/domain/test-titles';

/** What a contract shows that is not its own. */
export interface ContractContext {
  readonly tender: Pick<TenderFacts, 'id' | 'mode'>;
  /** The broker that owns the contract. */
  readonly owner: string;
  /** That of the tender, when its first contract was created. */
  readonly procuringEntity?: JsonObject | undefined;
  /** Documents of the contract as they are public. */
  readonly documents: readonly unknown[];
}

/**
 * Composes what `GET /contracts/{id}` shows (contracting.md 2.2): the contract as it is now, and what it takes from elsewhere.
 * `dateModified` has a placeholder, and precedes all text of clients.
 */
export function composeContractView(
  stored: StoredContract,
  { tender, owner, procuringEntity, documents }: ContractContext,
): JsonObject {
  const { contactPoint: _contactPoint, kind: _kind, ...buyer } = procuringEntity ?? {};
  const contract = { ...presentContract(stored) };
  return inOrder({
    ...(tender.mode === 'test' ? withMarkers(contract) : contract),
    dateModified: DATE_MODIFIED_PLACEHOLDER,
    tender_id: tender.id,
    owner,
    ...(tender.mode === undefined ? {} : { mode: tender.mode }),
    ...(procuringEntity === undefined ? {} : { procuringEntity, buyer }),
    ...(documents.length === 0 ? {} : { documents }),
  });
}

const FIRST_MEMBERS = ['id', 'dateModified', 'tender_id', 'awardID', 'contractID'];

/** Orders members: a stored contract has them in another order than a new one, and the text is compared by its hash. */
function inOrder(view: JsonObject): JsonObject {
  const rest = Object.keys(view).filter((name) => !FIRST_MEMBERS.includes(name));
  return Object.fromEntries([...FIRST_MEMBERS, ...rest.toSorted()].map((name) => [name, view[name]]));
}

/** Marks the titles that a contract of a test tender has; it gets none by that. */
function withMarkers(contract: JsonObject): JsonObject {
  const marked = Object.entries(TEST_MARKERS).flatMap(([name, marker]) => {
    const title = contract[name];
    return typeof title === 'string' ? [[name, withTestMarker(title, marker)] as const] : [];
  });
  return { ...contract, ...Object.fromEntries(marked) };
}

/** Members that are stored with the rows of the feed, so that `opt_fields` does not read the view (contracting.md 3). */
export const CONTRACT_FEED_MEMBERS = [
  'status',
  'contractID',
  'contractNumber',
  'tender_id',
  'awardID',
  'mode',
  'owner',
  'dateCreated',
  'dateSigned',
  'date',
  'value',
  'amountPaid',
  'period',
] as const;
