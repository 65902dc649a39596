import { plural, translations } from '../../texts/translations.ts';

export const SUPPLIER = translations({
  uk: {
    won: 'Обрано переможцем',
    wonNote: 'Тендери, в яких замовник обрав цього учасника. Враховано й рішення, які потім скасовано.',
    wonNone: 'У жодному оголошеному тендері цього учасника ще не обирали переможцем.',
    bids: 'Подано пропозиції',
    bidsNote: 'Пропозиції видно після аукціону; запечатаних тут немає.',
    bidsNone: 'Розкритих пропозицій цього учасника ще немає.',
    all: (n: string, of: number) => `Усі ${n} ${plural('uk', of, { one: 'тендер', few: 'тендери', many: 'тендерів' })}`,
  },
  en: {
    won: 'Chosen as the winner',
    wonNote: 'Tenders whose buyer chose this bidder. Decisions that were cancelled later count too.',
    wonNone: 'This bidder was not chosen in any published tender yet.',
    bids: 'Submitted bids',
    bidsNote: 'Bids can be seen after the auction; sealed ones are not here.',
    bidsNone: 'There are no opened bids of this bidder yet.',
    all: (n: string, of: number) => `All ${n} ${plural('en', of, { one: 'tender', other: 'tenders' })}`,
  },
});
