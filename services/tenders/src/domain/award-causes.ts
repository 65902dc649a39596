import type { AwardFacts, ContractRecord } from '@procurement/contracts/resources/award-facts';
import type { PublicationCause } from '@procurement/contracts/resources/causes';
import { deepEqual } from '@procurement/domain/equality';

type Implementation = NonNullable<ContractRecord['implementation']>;
type Facts = Pick<AwardFacts, 'awards' | 'contracts'>;

/** What made the awards and contracts of a tender differ (contracting.md 9.5). An empty set: nothing that the public sees. */
export function awardCauses(before: Facts | undefined, after: Facts): ReadonlySet<PublicationCause> {
  const contractsBefore = new Map(before?.contracts.map((contract) => [contract.id, contract]));
  const causes = new Set(
    after.contracts.flatMap((contract) => contractCauses(contractsBefore.get(contract.id), contract)),
  );
  if (!deepEqual(before?.awards, after.awards)) causes.add('awards.changed');
  return causes;
}

function contractCauses(before: ContractRecord | undefined, after: ContractRecord): readonly PublicationCause[] {
  if (after.status !== 'active') return deepEqual(before, after) ? [] : ['awards.changed'];
  const wasSigned = before?.status === 'active';
  const { implementation, ...signed } = after;
  const { implementation: implementationBefore, ...signedBefore } = before ?? after;
  const [present, former] = [splitByCause(implementation), splitByCause(wasSigned ? implementationBefore : undefined)];
  return [
    ...(wasSigned ? [] : ['contract.signed' as const]),
    ...((wasSigned && !deepEqual(signed, signedBefore)) || !deepEqual(present.other, former.other)
      ? ['contract.changed' as const]
      : []),
    ...(deepEqual(present.paid, former.paid) ? [] : ['contract.paid' as const]),
    ...(present.status === 'terminated' && former.status !== 'terminated' ? ['contract.terminated' as const] : []),
  ];
}

/** What followed the signature, by the cause that tells of it. */
function splitByCause(implementation: ContractRecord['implementation']) {
  const {
    status,
    date: _terminated,
    amountPaid,
    transactions,
    ...other
  }: Partial<Implementation> = implementation ?? {};
  return { status, paid: { amountPaid, transactions }, other };
}
