import { formatNumber } from '../../format/money.ts';
import { plural, translations } from '../../texts/translations.ts';

interface Outcomes {
  readonly complete: string;
  readonly active: string;
  readonly unsuccessful: string;
  readonly cancelled: string;
}

export interface StatisticsTexts {
  readonly title: string;
  readonly lead: (from: string, to: string) => string;
  readonly none: string;
  readonly tenders: string;
  readonly count: (n: string, of: number) => string;
  readonly perTender: string;
  readonly oneBid: string;
  readonly contracted: string;
  readonly month: string;
  readonly running: (month: string) => string;
  readonly byMonth: string;
  readonly hatched: (month: string) => string;
  readonly outcome: Outcomes;
  readonly outcomes: { readonly title: string; readonly note: string };
  readonly outcomesSaid: (
    all: string,
    complete: string,
    unsuccessful: string,
    cancelled: string,
    active: string,
  ) => string;
  readonly competition: { readonly title: string; readonly note: string; readonly empty: string };
  readonly competitionSaid: (bids: number, opened: string) => string;
  readonly opened: string;
  readonly bids: string;
  readonly single: { readonly title: string; readonly note: string };
  readonly singleSaid: (share: string) => string;
  readonly singleNone: string;
  readonly days: { readonly title: string; readonly note: string; readonly empty: string };
  readonly daysSaid: (month: string, p50: string, p90: string) => string;
  readonly daysOf: (n: number) => string;
  readonly half: string;
  readonly nine: string;
  readonly contracts: string;
  readonly sums: { readonly title: string; readonly note: string; readonly empty: string };
  readonly sumsSaid: (contracted: string, expected: string, less: string) => string;
  readonly sumsMore: (contracted: string, expected: string, more: string) => string;
  readonly expected: string;
  readonly after: { readonly title: string; readonly note: string };
  readonly contractCount: (n: string, of: number) => string;
  readonly afterSaid: (signed: string, amended: string, terminated: string) => string;
  readonly afterSame: string;
  readonly afterMore: (share: string) => string;
  readonly afterLess: (share: string) => string;
  readonly signed: string;
  readonly amended: string;
  readonly terminated: string;
  readonly atSigning: string;
  readonly now: string;
  readonly paid: string;
  readonly newestContracts: string;
  readonly what: { readonly title: string; readonly note: string };
  readonly where: { readonly title: string; readonly note: string };
  readonly mostSaid: (name: string, amount: string) => string;
  readonly division: string;
  readonly region: string;
  readonly amount: string;
  readonly others: (n: string) => string;
  readonly noSums: string;
  readonly api: string;
}

const DAYS = { uk: { one: 'день', few: 'дні', many: 'днів' }, en: { one: 'day', other: 'days' } };

export const STATISTICS = translations<StatisticsTexts>({
  uk: {
    title: 'Статистика',
    lead: (from, to) => `Тендери, оголошені за 12 місяців: ${from} – ${to}.`,
    none: 'За ці 12 місяців тендерів не оголошено. Щойно замовник оголосить перший, тут з’являться числа.',
    tenders: 'Тендери',
    count: (n, of) => `${n} ${plural('uk', of, { one: 'тендер', few: 'тендери', many: 'тендерів' })}`,
    perTender: 'Пропозицій на тендер',
    oneBid: 'З однією пропозицією',
    contracted: 'Договори',
    month: 'Місяць',
    running: (month) => `${month} (триває)`,
    byMonth: 'Місяць – той, у якому тендер оголошено; числа змінюються, доки його тендери не завершено.',
    hatched: (month) => `Заштриховано ${month}: він ще триває.`,
    outcome: { complete: 'завершено', active: 'тривають', unsuccessful: 'не відбулися', cancelled: 'скасовано' },
    outcomes: {
      title: 'Скільки тендерів оголосили і чим вони закінчилися',
      note: 'Кількість тендерів.',
    },
    outcomesSaid: (all, complete, unsuccessful, cancelled, active) =>
      `Оголошено ${all}: договором завершено ${complete}, не відбулися ${unsuccessful}, скасовано ${cancelled}, ще тривають ${active}.`,
    competition: {
      title: 'Скільки пропозицій отримує тендер',
      note: 'Пропозиції, поділені на тендери, в яких їх розкрито. Тендери без розкритих пропозицій не враховано.',
      empty: 'У жодному тендері за ці місяці ще не розкрито пропозицій.',
    },
    competitionSaid: (bids, opened) => {
      const word = plural('uk', bids, {
        one: 'пропозиція',
        few: 'пропозиції',
        many: 'пропозицій',
        other: 'пропозиції',
      });
      return `У середньому ${formatNumber(bids, 'uk')} ${word} на тендер; враховано ${opened}.`;
    },
    opened: 'З розкритими пропозиціями',
    bids: 'Пропозиції',
    single: {
      title: 'У скількох тендерах лише одна пропозиція',
      note: 'Частка тендерів з однією пропозицією серед тих, у яких пропозиції розкрито.',
    },
    singleNone: 'Кожен такий тендер мав щонайменше дві пропозиції.',
    singleSaid: (share) => `Лише одну пропозицію, тобто без конкуренції, мали ${share} таких тендерів.`,
    days: {
      title: 'Скільки днів від оголошення до договору',
      note: 'Дні до останнього підпису. Лінія – половина договорів, смуга – до 9 з 10. Порожні точки – місяці, в яких менше ніж 20 договорів. Дні округлено вниз: 0, 1, 2, 3, 5, 7, 10, 14, 21, 30, 45, 60, 90 і так далі. В останніх місяцях днів менше, ніж буде: довгі тендери ще тривають.',
      empty: 'За тендерами цих місяців ще не підписано договорів.',
    },
    daysSaid: (month, p50, p90) =>
      `Тендери, оголошені за ${month}: половина договорів – за ${p50} або швидше, 9 з 10 – за ${p90}.`,
    daysOf: (n) => `${n} ${plural('uk', n, DAYS.uk)}`,
    half: 'Половина, днів',
    nine: '9 з 10, днів',
    contracts: 'Завершені тендери',
    sums: {
      title: 'Скільки очікували витратити і на скільки підписали договори',
      note: 'Лише завершені тендери, лише гривні. Різниця не є доведеною економією: очікувану вартість визначає замовник.',
      empty: 'За тендерами цих місяців ще не підписано договорів.',
    },
    sumsSaid: (contracted, expected, less) =>
      `Договори на ${contracted} за очікуваної вартості ${expected}: на ${less} менше.`,
    sumsMore: (contracted, expected, more) =>
      `Договори на ${contracted} за очікуваної вартості ${expected}: на ${more} більше.`,
    expected: 'Очікувана вартість',
    after: {
      title: 'Що стало з підписаними договорами',
      note: 'Ціни – за договорами завершених тендерів, сплачене – за договорами, які вже завершено; лише гривні.',
    },
    contractCount: (n, of) => `${n} ${plural('uk', of, { one: 'договір', few: 'договори', many: 'договорів' })}`,
    afterSaid: (signed, amended, terminated) => `Підписано ${signed}: змінено ${amended}, завершено ${terminated}.`,
    afterSame: 'Ціни разом ті самі, що під час підписання.',
    afterMore: (share) => `Ціни разом на ${share} більші, ніж під час підписання.`,
    afterLess: (share) => `Ціни разом на ${share} менші, ніж під час підписання.`,
    signed: 'Підписано',
    amended: 'Змінено',
    terminated: 'Завершено',
    atSigning: 'Під час підписання',
    now: 'Тепер',
    paid: 'Сплачено за завершеними',
    newestContracts: 'Найновіші договори',
    what: {
      title: 'Що купують',
      note: 'Сума очікуваних вартостей усіх оголошених тендерів у гривнях, за розділами ДК 021: до 15 найбільших. Тендер із кількома розділами враховано в кожному.',
    },
    where: {
      title: 'Де купують',
      note: 'Сума очікуваних вартостей усіх оголошених тендерів у гривнях, за регіоном поставки. Тендер із кількома регіонами враховано в кожному.',
    },
    mostSaid: (name, amount) => `Найбільше: ${name}, ${amount}.`,
    division: 'Розділ ДК 021',
    region: 'Регіон',
    amount: 'Очікувана вартість',
    others: (n) => `Крім того, ${n} мають вартість в іншій валюті; у сумах їх немає.`,
    noSums: 'У тендерах за ці місяці немає вартості в гривнях.',
    api: 'Ці дані в API',
  },
  en: {
    title: 'Statistics',
    lead: (from, to) => `Tenders that were published in 12 months: ${from} – ${to}.`,
    none: 'No tender was published in these 12 months. Figures appear here as soon as a buyer publishes the first one.',
    tenders: 'Tenders',
    count: (n, of) => `${n} ${plural('en', of, { one: 'tender', other: 'tenders' })}`,
    perTender: 'Bids per tender',
    oneBid: 'With one bid',
    contracted: 'Contracts',
    month: 'Month',
    running: (month) => `${month} (running)`,
    byMonth: 'The month is that of publication; its figures change until all its tenders are completed.',
    hatched: (month) => `${month} is hatched: it still runs.`,
    outcome: { complete: 'completed', active: 'running', unsuccessful: 'unsuccessful', cancelled: 'cancelled' },
    outcomes: {
      title: 'How many tenders were published, and how they ended',
      note: 'Number of tenders.',
    },
    outcomesSaid: (all, complete, unsuccessful, cancelled, active) =>
      `${all} were published. Completed with a contract: ${complete}; unsuccessful: ${unsuccessful}; cancelled: ${cancelled}; still running: ${active}.`,
    competition: {
      title: 'How many bids a tender gets',
      note: 'Bids divided by the tenders whose bids are opened. Tenders without opened bids do not count.',
      empty: 'No bids were opened yet in tenders of these months.',
    },
    competitionSaid: (bids, opened) =>
      `On average ${formatNumber(bids, 'en')} ${plural('en', bids, { one: 'bid', other: 'bids' })} per tender. Bids are opened in ${opened}.`,
    opened: 'With opened bids',
    bids: 'Bids',
    single: {
      title: 'How many tenders have one bid only',
      note: 'Share of tenders with one bid among those whose bids are opened.',
    },
    singleNone: 'Each of these tenders had at least two bids.',
    singleSaid: (share) => `${share} of these tenders had one bid only, which is no competition.`,
    days: {
      title: 'How many days from publication to the contract',
      note: 'Days to the last signature. The line is half of the contracts, the band reaches to 9 of 10. Hollow dots are months with less than 20 contracts. Days are rounded down: 0, 1, 2, 3, 5, 7, 10, 14, 21, 30, 45, 60, 90 and so on. The last months show less days than they will: long tenders still run.',
      empty: 'No contract was signed yet for tenders of these months.',
    },
    daysSaid: (month, p50, p90) =>
      `Tenders published in ${month}: half of the contracts within ${p50}, 9 of 10 within ${p90}.`,
    daysOf: (n) => `${n} ${plural('en', n, DAYS.en)}`,
    half: 'Half, days',
    nine: '9 of 10, days',
    contracts: 'Completed tenders',
    sums: {
      title: 'What was expected, and what the contracts say',
      note: 'Completed tenders only, hryvnias only. The difference is no proven saving: the buyer sets the expected value.',
      empty: 'No contract was signed yet for tenders of these months.',
    },
    sumsSaid: (contracted, expected, less) => `Contracts for ${contracted}, expected were ${expected}: ${less} less.`,
    sumsMore: (contracted, expected, more) => `Contracts for ${contracted}, expected were ${expected}: ${more} more.`,
    expected: 'Expected value',
    after: {
      title: 'What became of signed contracts',
      note: 'Values of the contracts of completed tenders; paid for those that have ended; hryvnias only.',
    },
    contractCount: (n, of) => `${n} ${plural('en', of, { one: 'contract', other: 'contracts' })}`,
    afterSaid: (signed, amended, terminated) =>
      `${signed} were signed. Of them amended: ${amended}; ended: ${terminated}.`,
    afterSame: 'Their values together are those that were signed.',
    afterMore: (share) => `Their values together are ${share} more than what was signed.`,
    afterLess: (share) => `Their values together are ${share} less than what was signed.`,
    signed: 'Signed',
    amended: 'Amended',
    terminated: 'Ended',
    atSigning: 'As signed',
    now: 'Now',
    paid: 'Paid for ended ones',
    newestContracts: 'Newest contracts',
    what: {
      title: 'What is bought',
      note: 'Sum of the expected values of all published tenders in hryvnias, by CPV division: up to 15 largest. A tender with several divisions counts in each.',
    },
    where: {
      title: 'Where it is bought',
      note: 'Sum of the expected values of all published tenders in hryvnias, by delivery region. A tender with several regions counts in each.',
    },
    mostSaid: (name, amount) => `Most: ${name}, ${amount}.`,
    division: 'CPV division',
    region: 'Region',
    amount: 'Expected value',
    others: (n) => `In addition, ${n} have a value in another currency; the sums leave them out.`,
    noSums: 'No tender of these months has a value in hryvnias.',
    api: 'These data in the API',
  },
});
