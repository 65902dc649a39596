import type { JsonObject } from '@procurement/contracts/reading/json-object';
import { presentContract } from '@procurement/domain/present-contract';
import { asObjects, sumAmounts } from './tender-columns.ts';

/** What became of the contracts of a tender after they were signed (register.md 6.6). Sums are in the currency of the tender. */
export interface ContractTotals {
  readonly signed: number;
  /** Signed contracts with a change in force. */
  readonly amended: number;
  readonly terminated: number;
  /** Sum of the values of signed contracts as they are now. Absent without one. */
  readonly present?: number;
  /** Sum of what was paid for terminated contracts. Absent without one. */
  readonly paid?: number;
}

/** The contracts of a tender as they are now. */
export function presentContracts({ contracts }: JsonObject): readonly JsonObject[] {
  return asObjects(contracts).map(presentContract);
}

/** The changes of a contract that are in force. */
export function activeChanges({ changes }: JsonObject): readonly JsonObject[] {
  return asObjects(changes).filter(({ status }) => status === 'active');
}

/** `contracts`: those of `presentContracts`. */
export function contractTotals(contracts: readonly JsonObject[], currency: string | undefined): ContractTotals {
  const terminated = contracts.filter(({ status }) => status === 'terminated');
  const signed = contracts.filter(({ status }) => status === 'active' || status === 'terminated');
  const [present, paid] = [sumAmounts(signed, 'value', currency), sumAmounts(terminated, 'amountPaid', currency)];
  return {
    signed: signed.length,
    amended: signed.filter((contract) => activeChanges(contract).length > 0).length,
    terminated: terminated.length,
    ...(present === undefined ? {} : { present }),
    ...(paid === undefined ? {} : { paid }),
  };
}
