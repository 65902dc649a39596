import { formatServerDate } from '@procurement/contracts/reading/instant';
import { omitEmpty } from '@procurement/domain/omit-empty';
import type { StoredAward } from '@procurement/contracts/resources/award';
import type { StoredContract } from '@procurement/contracts/resources/contract';
import type { Awarding, DecisionContext, TenderItem } from './awarding.ts';

type ContractNumbering = Pick<Awarding, 'tender' | 'contracts'>;

/** `{tenderID}-{serverId}{n}`; cancelled contracts count (bids-awards-auction.md 4.1). */
export function nextContractNumber({ tender, contracts }: ContractNumbering, { settings }: DecisionContext): string {
  return `${tender.tenderID}-${settings.serverId}${contracts.length + 1}`;
}

/** Items of one lot; all items when `lot` is undefined. */
export function selectItems(items: readonly TenderItem[], lot: string | undefined): readonly TenderItem[] {
  return lot === undefined ? items : items.filter((item) => item.relatedLot === lot);
}

/**
 * Adds a contract for this award (bids-awards-auction.md 4.2). Without the items of the tender it adds none; a clock tick adds
 * it when the items are available (docs/decisions/0035-contracts.md).
 */
export function withContractFor(
  numbering: ContractNumbering,
  award: StoredAward,
  context: DecisionContext,
): readonly StoredContract[] {
  const { contracts } = numbering;
  if (context.items === undefined) return contracts;
  const date = formatServerDate(context.now);
  const contract = omitEmpty<StoredContract>({
    id: context.nextId(),
    awardID: award.id,
    contractID: nextContractNumber(numbering, context),
    status: 'pending',
    date,
    dateCreated: date,
    value: award.value,
    suppliers: award.suppliers,
    items: selectItems(context.items, award.lotID),
  });
  return [...contracts, contract];
}

/** Active awards without a contract: the items of the tender were not available when the award became active. */
export function awardsWithoutContract({
  awards,
  contracts,
}: Pick<Awarding, 'awards' | 'contracts'>): readonly StoredAward[] {
  const contracted = new Set(contracts.map((contract) => contract.awardID));
  return awards.filter((award) => award.status === 'active' && !contracted.has(award.id));
}
