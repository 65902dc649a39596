import type { AwardingParts } from './awarding.ts';

type Contracts = Pick<AwardingParts, 'contracts'>;

/** Whether a change signs a contract. Complaints about the tender must be frozen meanwhile (architecture.md, handshake 4). */
export function signsContract(before: Contracts, after: Contracts): boolean {
  const signed = new Set(before.contracts.filter(({ status }) => status === 'active').map(({ id }) => id));
  return after.contracts.some(({ id, status }) => status === 'active' && !signed.has(id));
}
