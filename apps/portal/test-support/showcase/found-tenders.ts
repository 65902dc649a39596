import type { FoundTender } from '@procurement/client';
import type { Facet, Found } from '../../src/api/reads.ts';

/** Name, number in the register of companies, region. All are invented: no company has a number that begins with 9. */
const BUYERS: Readonly<Record<string, readonly [name: string, id: string, region: string]>> = {
  education: ['Управління освіти Рівненської міської ради', '90113205', 'UA-56'],
  lyceum: ['Ліцей № 27 міста Рівного', '95733061', 'UA-56'],
  gymnasium: ['Гімназія «Берегиня» Яворівської міської ради', '92389417', 'UA-46'],
  works: ['Департамент капітального будівництва Полтавської міської ради', '96512048', 'UA-53'],
  hospital: ['КНП «Лікарня інтенсивного лікування № 2»', '95484102', 'UA-05'],
  water: ['КП «Міськводоканал»', '93357168', 'UA-71'],
  library: ['Міська бібліотека № 5 імені Григорія Сковороди', '92220914', 'UA-63'],
  roads: ['Управління дорожнього господарства Одеської міської ради', '98016923', 'UA-51'],
};

/**
 * Columns: day of publication, number of that day, status, end of bidding, buyer, code, expected value, bids, value of the contract, and the
 * title in both languages.
 */
const COLUMNS = 11;

/** What a search for "school" finds, in its order. */
const SCHOOL = `
11-16 | 37 | tendering | 12-02T15:00 | education | 34121100-2 | 4850000 |  |  | Шкільний автобус на 36 місць із пандусом | School bus, 36 seats, with a wheelchair ramp
11-12 | 214 | tendering | 11-30T12:00 | lyceum | 45216129-7 | 1480000 |  |  | Облаштування укриття в школі на 420 осіб | Shelter in a school for 420 people: building works
11-24 | 158 | enquiries | 12-09T10:00 | gymnasium | 55523100-3 | 912600 |  |  | Гаряче харчування учнів початкової школи, січень – червень 2027 року | Hot meals in a primary school, January to June 2027
11-02 | 96 | qualification | 11-18T11:00 | education | 30213100-6 | 640000 | 5 |  | Ноутбуки для вчителів школи | Laptops for school teachers
10-05 | 63 | complete | 10-21T10:00 | lyceum | 39155000-3 | 186400 | 4 | 158200 | Меблі для шкільної бібліотеки | Furniture for a school library
11-04 | 121 | auction | 11-24T16:00 | works | 45321000-3 | 7320500 |  |  | Утеплення фасаду школи | School facade: thermal insulation
09-14 | 402 | complete | 09-28T12:00 | gymnasium | 22112000-8 | 74900 | 2 | 71300 | Підручники з математики для 7 класу | Mathematics textbooks for year 7
10-27 | 88 | awarded | 11-12T10:00 | education | 45312100-8 | 523800 | 3 |  | Система оповіщення та протипожежного захисту школи | Fire alarm and public address system for a school
10-12 | 310 | unsuccessful | 10-26T11:00 | lyceum | 37400000-2 | 98750 | 0 |  | Спортивний інвентар для шкільної зали | Equipment for a school gymnasium
11-18 | 52 | tendering | 12-07T14:00 | works | 45453000-7 | 2140000 |  |  | Ремонт шкільної їдальні | School canteen: renovation
09-22 | 17 | complete | 10-08T12:00 | education | 31122000-7 | 1065000 | 6 | 889900 | Генератор для школи, 60 кВт | Generator for a school, 60 kW
11-19 | 77 | tendering | 12-04T12:00 | gymnasium | 90911200-8 | 348000 |  |  | Прибирання приміщень школи у 2027 році | Cleaning of a school in 2027`;

/** What was published last, of all kinds. */
const NEWEST = `
11-25 | 41 | enquiries | 12-10T11:00 | hospital | 33696500-0 | 1274300.5 |  |  | Реагенти для лабораторної діагностики | Reagents for laboratory diagnostics
11-25 | 38 | enquiries | 12-11T10:00 | water | 42122130-0 | 2960000 |  |  | Насосний агрегат для станції другого підйому | Pump unit for a water lifting station
11-25 | 29 | enquiries | 12-08T15:00 | library | 22113000-5 | 149900 |  |  | Нові книги українських видавництв | New books of Ukrainian publishers
11-25 | 12 | enquiries | 12-14T12:00 | roads | 45233142-6 | 5611200 |  |  | Поточний ремонт вулиці Садової | Sadova street: running repairs
11-24 | 158 | enquiries | 12-09T10:00 | gymnasium | 55523100-3 | 912600 |  |  | Гаряче харчування учнів початкової школи, січень – червень 2027 року | Hot meals in a primary school, January to June 2027
11-24 | 133 | enquiries | 12-15T10:00 | water | 09310000-5 | 38400000 |  |  | Електрична енергія, 2027 рік | Electricity, 2027
11-24 | 90 | enquiries | 12-10T16:00 | hospital | 33111000-1 | 6750000 |  |  | Рентгенівський апарат, 1 шт. | X-ray machine, 1 unit`;

/** Bids on these are accepted for a few hours or days more. */
const CLOSING = `
11-09 | 205 | tendering | 11-25T15:00 | roads | 34927100-2 | 3180000 |  |  | Сіль технічна для утримання доріг | Rock salt for winter roads
11-10 | 61 | tendering | 11-26T11:00 | hospital | 24111900-4 | 799000 |  |  | Кисень медичний рідкий | Liquid medical oxygen
11-13 | 118 | tendering | 11-27T10:00 | library | 30197630-1 | 48600 |  |  | Папір офісний А4, 80 г/м² | Office paper A4, 80 g/m²
11-11 | 44 | tendering | 11-27T16:00 | water | 44163000-0 | 1930000 |  |  | Труби поліетиленові для водопроводу | Polyethylene water pipes`;

const parseTenders = (table: string): readonly FoundTender[] => table.trim().split('\n').map(parseTender);

function parseTender(line: string): FoundTender {
  const cells = line.split('|').map((cell) => cell.trim());
  if (cells.length !== COLUMNS) throw new Error(`not ${COLUMNS} columns: ${line}`);
  const [day = '', number = '', status = '', until = '', buyer = '', cpv = '', amount, bids, contracted, uk, en] =
    cells;
  const [name, id, region] = BUYERS[buyer] ?? ['', '', ''];
  const isOver = status === 'complete' || status === 'unsuccessful';
  return {
    id: `${day}${number}`.replaceAll(/\D/g, '').padStart(32, '0'),
    tenderID: `UA-2026-${day}-${number.padStart(6, '0')}`,
    dateModified: '2026-11-25T11:00:00.000000+02:00',
    status: isOver ? status : `active.${status}`,
    ...(uk === undefined || en === undefined ? {} : { title: uk, title_en: en }),
    value: { amount: Number(amount), currency: 'UAH' },
    procuringEntity: { name, identifier: { scheme: 'UA-EDR', id } },
    cpv: [cpv],
    region: [region],
    tenderPeriod: { endDate: `2026-${until}:00+02:00` },
    ...(bids === '' ? {} : { numberOfBids: Number(bids) }),
    ...(contracted === '' ? {} : { contracted: Number(contracted) }),
    created: `2026-${day}T09:15:02.000000+02:00`,
  };
}

/** How many tenders have each value, most first. */
function counted(tenders: readonly FoundTender[], valuesOf: (tender: FoundTender) => readonly string[]): Facet[] {
  const counts = new Map<string, number>();
  for (const value of tenders.flatMap(valuesOf)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([key, count]) => ({ key, count })).toSorted((one, other) => other.count - one.count);
}

function buildFound(tenders: readonly FoundTender[]): Found {
  return {
    data: tenders,
    total: { value: tenders.length, relation: 'eq' },
    facets: {
      status: counted(tenders, ({ status }) => [status]),
      cpv: counted(tenders, ({ cpv = [] }) => cpv.map((code) => code.slice(0, 2))),
      region: counted(tenders, ({ region = [] }) => region),
    },
  };
}

const school = parseTenders(SCHOOL);
export const schoolTenders: Found = buildFound(school);
export const closingTenders: Found = buildFound(parseTenders(CLOSING));

/** The newest tenders, with the counts of the whole installation. */
export const newestTenders: Found = {
  data: parseTenders(NEWEST),
  total: { value: 8926, relation: 'eq' },
  facets: {
    status: [
      { key: 'complete', count: 5492 },
      { key: 'active.tendering', count: 418 },
      { key: 'active.qualification', count: 163 },
      { key: 'active.enquiries', count: 127 },
      { key: 'active.auction', count: 34 },
    ],
  },
};

/** A buyer with a past: its newest tenders, and the counts of all of them. */
const EDUCATION = '90113205';
export const BUYER_KEY = `UA-EDR-${EDUCATION}`;
const ofBuyer = school.filter(({ procuringEntity }) => procuringEntity?.identifier.id === EDUCATION);
export const buyerTenders: Found = {
  data: ofBuyer,
  total: { value: 97, relation: 'eq' },
  facets: {
    status: [
      { key: 'complete', count: 71 },
      { key: 'unsuccessful', count: 11 },
      { key: 'active.tendering', count: 6 },
      { key: 'active.qualification', count: 4 },
      { key: 'cancelled', count: 3 },
      { key: 'active.awarded', count: 2 },
    ],
    cpv: [
      { key: '15', count: 31 },
      { key: '45', count: 22 },
      { key: '39', count: 17 },
      { key: '30', count: 12 },
      { key: '09', count: 8 },
      { key: '34', count: 4 },
      { key: '31', count: 3 },
    ],
  },
};
