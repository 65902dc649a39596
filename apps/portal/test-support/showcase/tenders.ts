import type { Revision, Tender } from '@procurement/client';

const KYIV = '+02:00';
const kyiv = (text: string): string => `2026-${text}:00.000000${KYIV}`;
const hex = (n: number): string => n.toString(16).padStart(32, '0');

const ADDRESS = {
  countryName: 'Україна',
  countryName_en: 'Ukraine',
  region: 'Рівненська область',
  region_en: 'Rivne region',
  locality: 'Рівне',
  locality_en: 'Rivne',
};
const LYCEUM = {
  name: 'Ліцей № 27 міста Рівного',
  name_en: 'Lyceum No. 27, Rivne',
  kind: 'general' as const,
  identifier: { scheme: 'UA-EDR' as const, id: '95733061', legalName: 'Ліцей № 27 міста Рівного' },
  address: ADDRESS,
  contactPoint: { name: 'Ірина Марчук', telephone: '+380362000000', email: 'purchases@lyceum27.example' },
};

const supplier = (name: string, id: string) => ({
  name,
  identifier: { scheme: 'UA-EDR' as const, id, legalName: name },
  address: ADDRESS,
  contactPoint: { name: 'Відділ продажу', telephone: '+380360000000' },
  scale: 'sme' as const,
});
const WOOD = supplier('ТОВ «Поліський дуб»', '91207735');
const SHELF = supplier('ФОП Мельник Оксана Петрівна', '90412298');
const FORM = supplier('ТОВ «Форма Меблі»', '98990146');
const LINE = supplier('ПП «Лінія затишку»', '95518207');
const BUILDER = supplier('ТОВ «Рівнебудмонтаж»', '97650124');
const VENT = supplier('ТОВ «Вентсервіс Захід»', '92118863');

interface FileRow {
  readonly n: number;
  readonly title: string;
  readonly at: string;
  readonly type: NonNullable<NonNullable<Tender['documents']>[number]['documentType']>;
}
const file = ({ n, title, at, type }: FileRow) => ({
  id: hex(0xd00 + n),
  title,
  format: 'application/pdf',
  url: `https://api.example/get/${hex(0xf00 + n)}?Signature=x`,
  datePublished: kyiv(at),
  dateModified: kyiv(at),
  documentType: type,
  documentOf: 'tender' as const,
});

const uah = (amount: number) => ({ amount, currency: 'UAH', valueAddedTaxIncluded: true });

const SHARED = {
  owner: 'broker1',
  procurementMethod: 'open' as const,
  procurementMethodType: 'belowThreshold',
  submissionMethod: 'electronicAuction' as const,
  awardCriteria: 'lowestCost' as const,
  procuringEntity: LYCEUM,
};

/** Takes bids: a question is answered, the terms were made clearer, the bids are sealed. */
export const bidding: Tender = {
  ...SHARED,
  id: hex(0x1112214),
  tenderID: 'UA-2026-11-12-000214',
  status: 'active.tendering',
  title: 'Облаштування укриття в школі на 420 осіб',
  title_en: 'Shelter in a school for 420 people: building works',
  description:
    'Підвал головного корпусу пристосовують під укриття: вентиляція з фільтрами, два евакуаційні виходи, ' +
    'санвузли, аварійне освітлення. Уроки тривають, тому гучні роботи – після 15:00.',
  description_en:
    'The basement of the main building becomes a shelter: filtered ventilation, two emergency exits, toilets, ' +
    'emergency lighting. Lessons go on, so that noisy works begin after 15:00.',
  mainProcurementCategory: 'works',
  date: kyiv('11-19T12:00'),
  dateCreated: kyiv('11-12T10:02'),
  dateModified: '2026-11-24T16:20:11.410823+02:00',
  next_check: kyiv('11-30T12:00'),
  value: uah(1_480_000),
  minimalStep: uah(14_800),
  guarantee: { amount: 29_600, currency: 'UAH' },
  enquiryPeriod: { startDate: kyiv('11-12T10:02'), endDate: kyiv('11-19T12:00') },
  tenderPeriod: { startDate: kyiv('11-19T12:00'), endDate: kyiv('11-30T12:00') },
  items: [
    {
      id: hex(1),
      description: 'Вентиляція та фільтри',
      description_en: 'Ventilation and filters',
      classification: {
        scheme: 'CPV',
        id: '45331210-1',
        description: 'Встановлення вентиляційних систем',
        description_en: 'Ventilation installation work',
      },
      unit: { code: 'E48', name: 'послуга', name_en: 'service' },
      quantity: 1,
      deliveryAddress: ADDRESS,
      deliveryDate: { endDate: '2027-03-31T23:59:59+03:00' },
    },
    {
      id: hex(2),
      description: 'Евакуаційні виходи та пандус',
      description_en: 'Emergency exits and a ramp',
      classification: {
        scheme: 'CPV',
        id: '45262600-7',
        description: 'Спеціалізовані будівельні роботи',
        description_en: 'Special-trade construction work',
      },
      unit: { code: 'C62', name: 'шт.', name_en: 'pcs' },
      quantity: 2,
      deliveryAddress: ADDRESS,
      deliveryDate: { endDate: '2027-02-28T23:59:59+02:00' },
    },
    {
      id: hex(3),
      description: 'Аварійне освітлення',
      description_en: 'Emergency lighting',
      classification: {
        scheme: 'CPV',
        id: '45316000-5',
        description: 'Встановлення систем освітлення',
        description_en: 'Installation of illumination systems',
      },
      unit: { code: 'C62', name: 'шт.', name_en: 'pcs' },
      quantity: 64,
      deliveryAddress: ADDRESS,
      deliveryDate: { endDate: '2027-03-31T23:59:59+03:00' },
    },
  ],
  documents: [
    file({ n: 1, title: 'Технічне завдання.pdf', at: '11-18T14:30', type: 'technicalSpecifications' }),
    file({ n: 2, title: 'Кошторис.pdf', at: '11-12T10:02', type: 'billOfQuantity' }),
    file({ n: 3, title: 'Проєкт договору.pdf', at: '11-12T10:02', type: 'contractProforma' }),
  ],
  questions: [
    {
      id: hex(0x51),
      author: VENT,
      title: 'Клас фільтрів',
      description: 'Чи допускаються фільтри класу F9 замість H13?',
      questionOf: 'tender',
      date: kyiv('11-13T11:40'),
      answer: 'Ні. Потрібен клас H13; технічне завдання уточнено 18 листопада.',
      dateAnswered: kyiv('11-18T14:32'),
    },
    {
      id: hex(0x52),
      author: BUILDER,
      title: 'Огляд приміщення',
      description: 'Чи можна оглянути підвал до подання пропозиції?',
      questionOf: 'tender',
      date: kyiv('11-17T09:15'),
      answer: 'Так, щодня з 15:00 до 17:00. Зателефонуйте контактній особі.',
      dateAnswered: kyiv('11-17T16:05'),
    },
  ],
};

const bid = (n: number, tenderer: ReturnType<typeof supplier>, amount: number) => ({
  id: hex(0xb00 + n),
  status: 'active' as const,
  date: kyiv('10-20T15:10'),
  tenderers: [tenderer],
  value: uah(amount),
  documents: [file({ n: 20 + n, title: 'Пропозиція.pdf', at: '10-20T15:10', type: 'commercialProposal' })],
});

const account = (name: string, id: string) => ({ name, bankAccount: { scheme: 'IBAN' as const, id } });
const payment = (id: string, at: string, amount: number, status: string) => ({
  id,
  date: kyiv(at),
  status,
  value: { amount, currency: 'UAH' },
  payer: account(LYCEUM.name, 'UA213223130000026007233566001'),
  payee: account(WOOD.name, 'UA903052992990004149123456789'),
});

/** What followed the signature: a dearer price, a second change under way, two payments of three. */
const followed = {
  status: 'active' as const,
  value: { ...uah(161_300), amountNet: 134_416.67 },
  changes: [
    {
      id: hex(0xe01),
      status: 'active' as const,
      date: kyiv('11-17T15:20'),
      dateSigned: kyiv('11-17T12:00'),
      contractNumber: '27/2026-1',
      rationale: 'Постачальник подав довідку торгово-промислової палати: ціна дубової дошки зросла на 2,4 %.',
      rationale_en:
        'The supplier gave a certificate of the chamber of commerce: the price of oak boards rose by 2.4 %.',
      rationaleTypes: ['itemPriceVariation' as const],
    },
    {
      id: hex(0xe02),
      status: 'pending' as const,
      date: kyiv('11-24T10:05'),
      rationale: 'Приміщення бібліотеки ще ремонтують: доставку переносять на січень.',
      rationale_en: 'The library is still being repaired: the delivery moves to January.',
      rationaleTypes: ['durationExtension' as const, 'qualityImprovement' as const],
    },
  ],
  transactions: [
    payment('4417', '11-16T12:00', 47_460, 'successful'),
    payment('4482', '11-19T12:00', 32_260, 'canceled'),
    payment('4490', '11-20T12:00', 32_260, 'successful'),
  ],
};

/** Ended well: four bids, an auction, a winner who was refused, the next one, a contract. */
export const complete: Tender = {
  ...SHARED,
  id: hex(0x100563),
  tenderID: 'UA-2026-10-05-000063',
  status: 'complete',
  title: 'Меблі для шкільної бібліотеки',
  title_en: 'Furniture for a school library',
  description: 'Стелажі, столи та стільці для читальної зали на 32 місця. Доставка і складання – коштом постачальника.',
  description_en: 'Shelves, tables and chairs for a reading room of 32 seats. The supplier delivers and assembles.',
  mainProcurementCategory: 'goods',
  date: kyiv('11-12T10:30'),
  dateCreated: kyiv('10-05T10:00'),
  dateModified: '2026-11-12T10:30:47.118204+02:00',
  value: uah(186_400),
  minimalStep: uah(1864),
  enquiryPeriod: { startDate: '2026-10-05T11:20:00.000000+03:00', endDate: '2026-10-13T10:00:00.000000+03:00' },
  tenderPeriod: { startDate: '2026-10-13T10:00:00.000000+03:00', endDate: '2026-10-21T10:00:00.000000+03:00' },
  auctionPeriod: { startDate: '2026-10-22T12:00:00.000000+03:00', endDate: '2026-10-22T12:27:00.000000+03:00' },
  awardPeriod: { startDate: '2026-10-22T12:27:00.000000+03:00', endDate: kyiv('10-29T16:00') },
  auctionUrl: `https://auction.example/tenders/${hex(0x100563)}`,
  items: [
    {
      id: hex(4),
      description: 'Стелаж книжковий, 2,2 м',
      description_en: 'Book shelf, 2.2 m',
      classification: {
        scheme: 'CPV',
        id: '39155000-3',
        description: 'Меблі для бібліотек',
        description_en: 'Library furniture',
      },
      unit: { code: 'H87', name: 'шт.', name_en: 'pcs' },
      quantity: 18,
      deliveryAddress: ADDRESS,
      deliveryDate: { endDate: kyiv('12-10T18:00') },
    },
    {
      id: hex(5),
      description: 'Стіл читацький із розеткою',
      description_en: 'Reading table with a socket',
      classification: { scheme: 'CPV', id: '39121200-8', description: 'Столи', description_en: 'Tables' },
      unit: { code: 'H87', name: 'шт.', name_en: 'pcs' },
      quantity: 16,
      deliveryAddress: ADDRESS,
      deliveryDate: { endDate: kyiv('12-10T18:00') },
    },
  ],
  documents: [file({ n: 10, title: 'Технічне завдання.pdf', at: '10-05T11:20', type: 'technicalSpecifications' })],
  questions: [],
  numberOfBids: 4,
  bids: [bid(1, SHELF, 157_600), bid(2, WOOD, 158_200), bid(3, FORM, 163_900), bid(4, LINE, 171_450)],
  awards: [
    {
      id: hex(0xa01),
      bid_id: hex(0xb01),
      status: 'unsuccessful',
      date: kyiv('10-26T11:12'),
      value: uah(157_600),
      suppliers: [SHELF],
      title: 'Не надано документ про якість матеріалів',
      title_en: 'The certificate of the materials was not given',
      complaintPeriod: { startDate: kyiv('10-26T11:12'), endDate: kyiv('10-29T00:00') },
    },
    {
      id: hex(0xa02),
      bid_id: hex(0xb02),
      status: 'active',
      date: kyiv('10-29T16:00'),
      value: uah(158_200),
      suppliers: [WOOD],
      complaintPeriod: { startDate: kyiv('10-29T16:00'), endDate: kyiv('11-03T00:00') },
      documents: [file({ n: 30, title: 'Протокол розгляду.pdf', at: '10-29T15:58', type: 'evaluationReports' })],
    },
  ],
  contracts: [
    {
      id: hex(0xc01),
      awardID: hex(0xa02),
      contractID: 'UA-2026-10-05-000063-2',
      contractNumber: '27/2026',
      status: 'active',
      value: uah(158_200),
      suppliers: [WOOD],
      date: kyiv('11-12T10:30'),
      dateCreated: kyiv('10-29T16:00'),
      dateSigned: kyiv('11-12T10:30'),
      period: { startDate: kyiv('11-12T10:30'), endDate: kyiv('12-31T18:00') },
      documents: [file({ n: 31, title: 'Договір 27-2026.pdf', at: '11-12T10:29', type: 'contractSigned' })],
      implementation: followed,
    },
  ],
};

const revision = (rev: number, at: string, status: string, cause: string): Revision => ({
  rev,
  position: String(rev),
  dateModified: kyiv(at),
  status,
  causes: [cause],
  bytes: 4000,
  uri: '',
});

/** The newest states of each tender, the last one first. */
export const histories: Readonly<Record<string, readonly Revision[]>> = {
  [bidding.id]: [
    revision(7, '11-24T16:20', 'active.tendering', 'documents.changed'),
    revision(6, '11-19T12:00', 'active.tendering', 'clock'),
    revision(5, '11-18T14:32', 'active.enquiries', 'question.answered'),
    revision(4, '11-18T14:30', 'active.enquiries', 'tender.edited'),
    revision(3, '11-17T16:05', 'active.enquiries', 'question.answered'),
  ],
  [complete.id]: [
    revision(11, '11-12T10:30', 'complete', 'contract.signed'),
    revision(10, '10-29T16:00', 'active.awarded', 'awards.changed'),
    revision(9, '10-26T11:12', 'active.qualification', 'awards.changed'),
    revision(8, '10-22T12:27', 'active.qualification', 'auction.finished'),
    revision(7, '10-21T10:00', 'active.auction', 'bids.closed'),
  ],
};
