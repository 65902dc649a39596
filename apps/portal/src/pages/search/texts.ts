import type { Field, SearchProblem } from '../../domain/search-parameters.ts';
import { formatNumber } from '../../format/money.ts';
import { plural, translations } from '../../texts/translations.ts';

interface SearchTexts {
  readonly title: string;
  readonly words: string;
  readonly hint: string;
  readonly show: string;
  readonly filters: string;
  readonly more: (n: number) => string;
  readonly from: string;
  readonly to: string;
  readonly group: Readonly<Record<'status' | 'cpv' | 'region' | 'buyer' | 'value' | 'created', string>>;
  readonly buyerHint: string;
  readonly active: string;
  readonly found: (n: number, isLeast: boolean) => string;
  readonly sortLabel: string;
  readonly sorts: Readonly<Record<'relevance' | '-created' | 'tenderEnd' | '-amount', string>>;
  readonly hryvniasOnly: string;
  readonly chosen: string;
  readonly remove: string;
  readonly reset: string;
  readonly pages: string;
  readonly next: string;
  readonly first: string;
  readonly api: string;
  readonly nothing: string;
  readonly nothingAsked: string;
  readonly askedFor: string;
  readonly meant: string;
  readonly wider: string;
  readonly all: string;
  readonly goesOn: string;
  readonly whichBuyer: string;
  readonly noBuyer: (name: string) => string;
  readonly errorTitle: string;
  readonly notSearched: string;
  readonly problem: Readonly<Record<SearchProblem, string>>;
  readonly field: Readonly<Record<Field, string>>;
}

const FIELD_UK: Readonly<Record<Field, string>> = {
  q: 'Слова',
  status: 'Етап',
  cpv: 'ДК 021',
  region: 'Регіон поставки',
  buyer: 'Замовник',
  amountFrom: 'Вартість від',
  amountTo: 'Вартість до',
  createdFrom: 'Оголошено від',
  createdTo: 'Оголошено до',
  method: 'Процедура',
  buyerRegion: 'Регіон замовника',
  supplier: 'Переможець',
  bidder: 'Учасник',
  contract: 'Договір',
  contractStatus: 'Стан договору',
  rationale: 'Договір змінено',
  currency: 'Валюта',
  tenderEndFrom: 'Подання закінчується від',
  tenderEndTo: 'Подання закінчується до',
  modifiedFrom: 'Змінено від',
  modifiedTo: 'Змінено до',
  mode: 'Тестові тендери',
  sort: 'Порядок',
  cursor: 'Сторінка',
};

const FIELD_EN: Readonly<Record<Field, string>> = {
  q: 'Words',
  status: 'Step',
  cpv: 'CPV',
  region: 'Delivery region',
  buyer: 'Buyer',
  amountFrom: 'Value from',
  amountTo: 'Value to',
  createdFrom: 'Published from',
  createdTo: 'Published to',
  method: 'Procedure',
  buyerRegion: 'Region of the buyer',
  supplier: 'Winner',
  bidder: 'Bidder',
  contract: 'Contract',
  contractStatus: 'Status of the contract',
  rationale: 'Contract amended',
  currency: 'Currency',
  tenderEndFrom: 'Bidding ends from',
  tenderEndTo: 'Bidding ends to',
  modifiedFrom: 'Changed from',
  modifiedTo: 'Changed to',
  mode: 'Test tenders',
  sort: 'Order',
  cursor: 'Page',
};

export const SEARCH = translations<SearchTexts>({
  uk: {
    title: 'Тендери',
    words: 'Слова, номер тендера або код ДК 021',
    hint: 'Слово, номер або код ДК 021',
    show: 'Показати',
    filters: 'Фільтри',
    more: (n) => `Ще ${n}`,
    from: 'від',
    to: 'до',
    group: {
      status: 'Етап',
      cpv: 'Що купують (ДК 021)',
      region: 'Регіон поставки',
      buyer: 'Замовник',
      value: 'Очікувана вартість, грн',
      created: 'Оголошено',
    },
    buyerHint: 'Назва або код ЄДРПОУ',
    active: 'Ще тривають',
    found: (n, isLeast) => (isLeast ? `Понад ${formatNumber(n, 'uk')} тендерів` : countUk(n)),
    sortLabel: 'Спершу',
    sorts: {
      relevance: 'найвідповідніші',
      '-created': 'нові',
      tenderEnd: 'скоро закінчуються',
      '-amount': 'дорожчі',
    },
    hryvniasOnly: 'Показано тендери, вартість яких у гривнях.',
    chosen: 'Обрані фільтри',
    remove: 'прибрати',
    reset: 'Скинути все',
    pages: 'Сторінки результатів',
    next: 'Далі',
    first: 'На початок',
    api: 'Цей запит в API',
    nothing: 'Нічого не знайдено',
    nothingAsked: 'Тендерів ще немає. Щойно замовник оголосить перший, він з’явиться тут.',
    askedFor: 'Немає тендерів, які відповідають усьому одразу:',
    meant: 'Можливо, ви мали на увазі:',
    wider: 'Спробуйте без одного з фільтрів:',
    all: 'Показати всі тендери',
    goesOn: 'Серед переглянутих тендерів нічого не знайдено. Пошук ще не закінчено.',
    whichBuyer: 'Оберіть замовника',
    noBuyer: (name) => `Замовника з назвою «${name}» не знайдено. Напишіть початок слова з назви або код ЄДРПОУ.`,
    errorTitle: 'Помилка',
    notSearched: 'Пошук не виконано. Виправте:',
    problem: {
      amount: 'це не сума. Напишіть число, наприклад 1 000,50',
      day: 'такої дати немає. Напишіть її так: 16.03.2026',
      order: '«від» більше за «до»',
      value: 'такого значення немає',
      words: 'додайте слово, яке має бути в тендері, або фільтр',
      broad: 'запит надто широкий. Додайте слово або фільтр',
    },
    field: FIELD_UK,
  },
  en: {
    title: 'Tenders',
    words: 'Words, the number of a tender or a CPV code',
    hint: 'A word, the number of a tender or a CPV code',
    show: 'Show',
    filters: 'Filters',
    more: (n) => `${n} more`,
    from: 'from',
    to: 'to',
    group: {
      status: 'Step',
      cpv: 'What is bought (CPV)',
      region: 'Delivery region',
      buyer: 'Buyer',
      value: 'Expected value, UAH',
      created: 'Published',
    },
    buyerHint: 'Name or registration number',
    active: 'Still running',
    found: (n, isLeast) =>
      isLeast
        ? `Over ${formatNumber(n, 'en')} tenders`
        : `${formatNumber(n, 'en')} ${plural('en', n, { one: 'tender', other: 'tenders' })}`,
    sortLabel: 'Sort by',
    sorts: {
      relevance: 'relevance',
      '-created': 'newest',
      tenderEnd: 'ending soon',
      '-amount': 'value',
    },
    hryvniasOnly: 'Only tenders with a value in hryvnias are shown.',
    chosen: 'Chosen filters',
    remove: 'remove',
    reset: 'Reset all',
    pages: 'Pages of results',
    next: 'Next',
    first: 'First page',
    api: 'This query in the API',
    nothing: 'Nothing was found',
    nothingAsked: 'There are no tenders yet. The first one appears here as soon as a buyer publishes it.',
    askedFor: 'No tender matches all of this at once:',
    meant: 'Did you mean:',
    wider: 'Try without one of the filters:',
    all: 'Show all tenders',
    goesOn: 'Nothing was found among the tenders that were looked through. The search has not ended.',
    whichBuyer: 'Choose the buyer',
    noBuyer: (name) =>
      `No buyer named “${name}” was found. Write the beginning of a word of the name, or the registration number.`,
    errorTitle: 'Error',
    notSearched: 'The search was not made. Please correct:',
    problem: {
      amount: 'this is no amount. Write a number, such as 1,000.50',
      day: 'there is no such date. Write it like this: 16.03.2026',
      order: '“from” is more than “to”',
      value: 'there is no such value',
      words: 'add a word that must occur, or a filter',
      broad: 'the query is too broad. Add a word or a filter',
    },
    field: FIELD_EN,
  },
});

function countUk(n: number): string {
  return `${formatNumber(n, 'uk')} ${plural('uk', n, { one: 'тендер', few: 'тендери', many: 'тендерів' })}`;
}
