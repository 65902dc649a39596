import { formatServerDate } from '@procurement/contracts/reading/instant';
import { omitEmpty } from '@procurement/domain/omit-empty';
import type { StoredAward } from '@procurement/contracts/resources/award';
import type { StoredContract } from '@procurement/contracts/resources/contract';
import type { Awarding, DecisionContext, TenderItem } from './awarding.ts';

type ContractNumbering = Pick<Awarding, 'tender' | 'contracts'>;

/** `{tenderID}-{serverId}{n}`; contracts that were cancelled count (bids-awards-auction.md 4.1). */
export function nextContractNumber({ tender, contracts }: ContractNumbering, { settings }: DecisionContext): string {
  return `${tender.tenderID}-${settings.serverId}${contracts.length + 1}`;
}

/** The items that a contract about this lot is for. */
export function itemsOf(items: readonly TenderItem[], lot: string | undefined): readonly TenderItem[] {
  return lot === undefined ? items : items.filter((item) => item.relatedLot === lot);
}

/**
 * The contracts with one for this award (bids-awards-auction.md 4.2). Without the items of the tender none is made: the clock
 * does it as soon as they can be had.
 */
export function withContractFor(
  numbering: ContractNumbering,
  award: StoredAward,
  context: DecisionContext,
): readonly StoredContract[] {
  const { contracts } = numbering;
  if (context.items === undefined) return contracts;
  const contract = omitEmpty<StoredContract>({
    id: context.nextId(),
    awardID: award.id,
    contractID: nextContractNumber(numbering, context),
    status: 'pending',
    date: formatServerDate(context.now),
    value: award.value,
    suppliers: award.suppliers,
    items: itemsOf(context.items, award.lotID),
  });
  return [...contracts, contract];
}

/** Active awards that have no contract, as a crash or an absent sibling leaves them. */
export function awardsWithoutContract({
  awards,
  contracts,
}: Pick<Awarding, 'awards' | 'contracts'>): readonly StoredAward[] {
  const contracted = new Set(contracts.map((contract) => contract.awardID));
  return awards.filter((award) => award.status === 'active' && !contracted.has(award.id));
}
