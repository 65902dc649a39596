import type { StandaloneContract } from '@procurement/client';
import { complete } from './tenders.ts';

const [signed] = complete.contracts ?? [];
if (signed === undefined) throw new Error('the tender of the pictures has no contract');
const { implementation: { changes = [], transactions = [], ...present } = { status: 'active' }, ...terms } = signed;
const [amendment] = changes;
const [file] = terms.documents ?? [];

/** The contract of the completed tender as it is now, with a paper of its amendment. */
export const contract: StandaloneContract = {
  ...terms,
  ...present,
  items: complete.items ?? [],
  documents: [
    ...(terms.documents ?? []),
    ...(file === undefined || amendment === undefined
      ? []
      : [
          {
            ...file,
            id: 'd'.repeat(32),
            title: 'Додаткова угода 27-2026-1.pdf',
            documentType: 'contractAnnexe' as const,
            relatedItem: amendment.id,
          },
        ]),
  ],
  changes,
  implementation: { transactions },
  tender_id: complete.id,
  owner: complete.owner ?? '',
  dateModified: '2026-11-24T10:05:12.330871+02:00',
  ...(complete.procuringEntity && { procuringEntity: complete.procuringEntity }),
};

const { dateSigned: _dateSigned, ...unsigned } = contract;
const numbered = (n: number, members: Partial<StandaloneContract>): StandaloneContract => ({
  ...(members.status === 'terminated' ? contract : unsigned),
  id: n.toString(16).padStart(32, 'c'),
  contractID: `UA-2026-09-0${n}-00031${n}-1`,
  contractNumber: `${n}/09`,
  ...members,
});
const uah = (amount: number) => ({ amount, currency: 'UAH', valueAddedTaxIncluded: true });
const ended = { status: 'terminated', date: '2026-11-20T17:40:00.000000+02:00' } as const;

/** The newest contracts, as the feed lists them. */
export const contracts: readonly StandaloneContract[] = [
  contract,
  numbered(1, {
    ...ended,
    title: 'Поточний ремонт спортивної зали',
    title_en: 'Repair of the gymnasium',
    value: uah(843_210.5),
    amountPaid: uah(843_210.5),
  }),
  numbered(2, {
    ...ended,
    value: uah(95_000),
    amountPaid: uah(0),
    terminationDetails: 'Постачальник не поставив товар.',
  }),
  numbered(3, { status: 'pending', value: uah(12_400) }),
  numbered(4, { status: 'cancelled', value: uah(12_400) }),
];
