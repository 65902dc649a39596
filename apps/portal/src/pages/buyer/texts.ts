import { plural, translations } from '../../texts/translations.ts';

interface BuyerTexts {
  readonly tenders: string;
  readonly api: string;
  readonly figures: Readonly<Record<'tenders' | 'open' | 'competition' | 'contracted' | 'signed' | 'paid', string>>;
  readonly count: (n: string, of: number) => string;
  readonly outcomes: { readonly title: string; readonly note: string };
  readonly outcome: Readonly<Record<'complete' | 'active' | 'unsuccessful' | 'cancelled', string>>;
  readonly share: string;
  readonly what: { readonly title: string; readonly note: string };
  readonly division: string;
  readonly sums: { readonly title: string; readonly note: string; readonly empty: string };
  readonly expected: string;
  readonly contracts: string;
  readonly amount: string;
  readonly newest: string;
  readonly all: string;
}

export const BUYER = translations<BuyerTexts>({
  uk: {
    tenders: 'Тендери',
    api: 'JSON',
    figures: {
      tenders: 'Тендери',
      open: 'Приймають пропозиції',
      competition: 'Пропозицій на тендер',
      contracted: 'Сума договорів',
      signed: 'Підписано договорів',
      paid: 'Сплачено за завершеними',
    },
    count: (n, of) => `${n} ${plural('uk', of, { one: 'тендер', few: 'тендери', many: 'тендерів' })}`,
    outcomes: { title: 'Чим закінчилися тендери', note: 'Усі тендери замовника за теперішнім станом.' },
    outcome: { complete: 'Завершено', active: 'Тривають', unsuccessful: 'Не відбулися', cancelled: 'Скасовано' },
    share: 'Частка',
    what: {
      title: 'Що купує',
      note: 'Кількість тендерів за розділами ДК 021. Тендер із кількома розділами враховано в кожному.',
    },
    division: 'Розділ ДК 021',
    sums: {
      title: 'Очікували витратити і підписали договори',
      note: 'Лише завершені тендери, лише гривні. Різниця не є доведеною економією: очікувану вартість визначає замовник.',
      empty: 'За тендерами цього замовника ще не підписано договорів у гривнях.',
    },
    expected: 'Очікувана вартість',
    contracts: 'Договори',
    amount: 'Сума',
    newest: 'Нові тендери',
    all: 'Усі тендери замовника',
  },
  en: {
    tenders: 'Tenders',
    api: 'JSON',
    figures: {
      tenders: 'Tenders',
      open: 'Taking bids',
      competition: 'Bids per tender',
      contracted: 'Sum of contracts',
      signed: 'Contracts signed',
      paid: 'Paid for ended ones',
    },
    count: (n, of) => `${n} ${plural('en', of, { one: 'tender', other: 'tenders' })}`,
    outcomes: { title: 'How the tenders ended', note: 'All tenders of the buyer by their present state.' },
    outcome: { complete: 'Completed', active: 'Running', unsuccessful: 'Unsuccessful', cancelled: 'Cancelled' },
    share: 'Share',
    what: {
      title: 'What is bought',
      note: 'Number of tenders by CPV division. A tender with several divisions counts in each.',
    },
    division: 'CPV division',
    sums: {
      title: 'What was expected, and what the contracts say',
      note: 'Completed tenders only, hryvnias only. The difference is no proven saving: the buyer sets the expected value.',
      empty: 'No contract in hryvnias was signed yet for tenders of this buyer.',
    },
    expected: 'Expected value',
    contracts: 'Contracts',
    amount: 'Sum',
    newest: 'Newest tenders',
    all: 'All tenders of the buyer',
  },
});
