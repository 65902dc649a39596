import type { JsonObject } from '@procurement/contracts/reading/json-object';
import { presentContract } from '@procurement/domain/present-contract';
import { CONTRACT_STATUSES } from './codes.ts';
import { mapDocuments } from './documents.ts';
import { mapItems } from './items.ts';
import type { Parties } from './parties.ts';
import {
  compact,
  identified,
  idText,
  money,
  multilingual,
  asObject,
  asObjects,
  asCode,
  period,
  text,
  timestamp,
} from './values.ts';

/** What contracts take from the rest of the release. */
export interface ContractContext {
  readonly tenderUrl: string;
  readonly parties: Parties;
  readonly buyer: JsonObject;
  /** Suppliers of all awards by name, the first of each name. */
  readonly suppliersByName: ReadonlyMap<string, JsonObject>;
}

/** Scheme of the codes that say why a contract was amended. */
const RATIONALE_SCHEME = 'contractChangeRationaleType';

/** Contracts of every status, as they are now (ocds.md 2.10). The schema requires the award of a contract. */
export function mapContracts(contracts: unknown, context: ContractContext): readonly JsonObject[] {
  return identified(contracts)
    .filter(({ awardID }) => idText(awardID) !== undefined)
    .map((contract) => mapContract(contract, context));
}

function mapContract(contract: JsonObject, context: ContractContext): JsonObject {
  const id = idText(contract['id']);
  const present = presentContract(contract);
  return compact({
    id,
    awardID: idText(contract['awardID']),
    ...multilingual(present, 'title', 'description'),
    status: asCode(CONTRACT_STATUSES, present['status']),
    period: period(present['period']),
    value: money(present['value']),
    items: mapItems(present['items']),
    dateSigned: timestamp(contract['dateSigned']),
    documents: mapDocuments(contract['documents'], { place: 'contract', tenderUrl: context.tenderUrl, parentId: id }),
    amendments: activeChanges(present['changes']).map(amendment),
    implementation: implementation(present, [context.buyer, ...asObjects(contract['suppliers'])], context),
    contractNumber: text(contract['contractNumber']) ?? text(contract['contractID']),
  });
}

function activeChanges(changes: unknown): readonly JsonObject[] {
  return identified(changes).filter(({ status }) => status === 'active');
}

function amendment(change: JsonObject): JsonObject {
  const { rationaleTypes } = change;
  const codes = Array.isArray(rationaleTypes) ? rationaleTypes.flatMap((code) => text(code) ?? []) : [];
  return compact({
    id: idText(change['id']),
    date: timestamp(change['dateSigned']),
    ...multilingual(change, 'rationale'),
    description: text(change['contractNumber']),
    rationaleClassifications: [...new Set(codes)].map((id) => ({ scheme: RATIONALE_SCHEME, id })),
  });
}

/**
 * What was paid; of an ended contract also its sum and end. What a running contract says of its sum may still change. `sides`: the buyer and
 * the suppliers of the contract.
 */
function implementation(present: JsonObject, sides: readonly JsonObject[], context: ContractContext): JsonObject {
  const { transactions } = asObject(present['implementation']);
  const paid = identified(transactions).filter(({ status }) => status === 'successful');
  const isEnded = present['status'] === 'terminated';
  return compact({
    transactions: paid.map((source) => transaction(source, sides, context)),
    endDate: isEnded ? timestamp(present['date']) : undefined,
    finalValue: isEnded ? money(present['amountPaid']) : undefined,
    finalValueDetails: isEnded ? text(present['terminationDetails']) : undefined,
  });
}

/** A payment names its sides only: by the name they are parties of the release. Bank accounts are not published. */
function transaction(
  source: JsonObject,
  sides: readonly JsonObject[],
  { parties, suppliersByName }: ContractContext,
): JsonObject {
  const side = (role: 'payer' | 'payee'): JsonObject | undefined => {
    const name = text(asObject(source[role])['name']);
    if (name === undefined) return undefined;
    const known = sides.find((organization) => text(organization['name']) === name) ?? suppliersByName.get(name);
    return parties.refer(known ?? { name }, role);
  };
  return compact({
    id: idText(source['id']),
    date: timestamp(source['date']),
    value: money(source['value']),
    payer: side('payer'),
    payee: side('payee'),
  });
}
