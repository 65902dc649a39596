import { deepEqual } from '@procurement/domain/equality';
import { TEST_MARKERS, withTestMarker } from '@procurement/domain/test-titles';
import type { ContractData, SignedContract } from './contract.ts';
import type { Money } from './money.ts';

type Item = NonNullable<ContractData['items']>[number];
type Terms = Pick<ContractData, 'value' | 'period' | 'title' | 'title_en' | 'description' | 'description_en'>;

/** What of a contract is not as it was signed: one of its terms, or an item. */
export type ContractDifference =
  | { readonly kind: 'value' | 'period' | 'title' | 'description'; readonly signed: Terms; readonly present: Terms }
  | { readonly kind: 'item'; readonly signed: Item; readonly present: Item };

const TERMS = {
  value: ['value'],
  period: ['period'],
  title: ['title', 'title_en'],
  description: ['description', 'description_en'],
} as const satisfies Record<string, readonly (keyof Terms)[]>;
const KINDS = ['value', 'period', 'title', 'description'] as const;

/** What changed since the signature, terms first. Items are matched by id; none is added, removed or moved after the signature. */
export function contractDifferences(inTender: SignedContract, present: ContractData): readonly ContractDifference[] {
  const signed = present.mode === 'test' ? withMarks(inTender) : inTender;
  const changed = KINDS.filter((kind) => TERMS[kind].some((name) => !deepEqual(signed[name], present[name])));
  const before = new Map((signed.items ?? []).map((item) => [item.id, item]));
  return [
    ...changed.map((kind) => ({ kind, signed, present })),
    ...(present.items ?? []).flatMap((item) => {
      const old = before.get(item.id);
      return old === undefined || deepEqual(old, item) ? [] : [{ kind: 'item' as const, signed: old, present: item }];
    }),
  ];
}

/** The contract at its own address has the marks of a test in its titles; its tender shows it without them. */
function withMarks(contract: SignedContract): SignedContract {
  const { title, title_en: titleEn } = contract;
  return {
    ...contract,
    ...(title !== undefined && { title: withTestMarker(title, TEST_MARKERS.title) }),
    ...(titleEn !== undefined && { title_en: withTestMarker(titleEn, TEST_MARKERS.title_en) }),
  };
}

/** The difference of an amount to what was signed, as a share of the latter; undefined when that cannot be told. */
export function shareOfChange(signed: Money | undefined, present: Money | undefined): number | undefined {
  if (signed === undefined || present === undefined || signed.currency !== present.currency) return undefined;
  return signed.amount > 0 && signed.amount !== present.amount ? present.amount / signed.amount - 1 : undefined;
}
