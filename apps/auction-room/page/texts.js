/** Texts of the page by language. A test proves that both have the same keys and parameters. */
export const TEXTS = {
  uk: {
    auctions: 'Аукціони',
    auction: 'Аукціон',
    number: 'Закупівля',
    buyer: 'Замовник',
    start: 'Початок',
    phase: 'Стан',
    title: 'Назва',
    none: 'Цього дня аукціонів немає.',
    noneOfNumber: 'Аукціонів закупівлі з таким номером немає.',
    found: 'Знайдено',
    testAuctions: 'Тестові аукціони',
    show: 'Показати',
    find: 'Знайти',
    more: 'Ще',
    skip: 'До ходу аукціону',
    notFound: 'Такого аукціону немає.',
    linkWrong: 'Використайте дійсне посилання для участі в аукціоні.',
    consentTitle: 'Участь в аукціоні',
    consent: 'Ви входите до аукціону як учасник. Продовжити?',
    yes: 'Так',
    planned: 'Очікування',
    running: 'Аукціон триває',
    finished: 'Торги завершено, результати передаються',
    announced: 'Аукціон завершився.',
    cancelled: 'Закупівлю скасовано.',
    missed: 'Аукціон не відбувся і буде перепланований.',
    conflict: 'Результати записано іншою системою.',
    registered: 'Ви зареєстровані як учасник. Очікуйте старту аукціону.',
    you: 'Ви',
    yourTurn: 'Ваша черга. Не більше {limit}.',
    yourTurnNoLimit: 'Ваша черга. Крок більший за вашу ціну.',
    untilStart: 'до початку аукціону',
    untilTurn: 'до вашої черги',
    untilTurnEnd: 'до закінчення вашої черги',
    untilNext: 'до наступного етапу',
    initialBids: 'Початкові заявки',
    round: 'Раунд {n}',
    results: 'Результати',
    bidder: 'Учасник',
    amount: 'Ціна',
    normalized: 'Приведена ціна',
    time: 'Час',
    minimum: 'мінімум',
    amountLabel: 'Ваша ціна',
    place: 'Зробити заявку',
    withdraw: 'Відмінити заявку',
    edit: 'Змінити заявку',
    clear: 'Очистити поле',
    stands: 'Ваша заявка в цій черзі: {amount}',
    accepted: 'Заявку прийнято: {amount}.',
    withdrawn: 'Заявку відмінено.',
    sending: 'надсилається, спроба {n}',
    willBeSent: "немає зв'язку; заявку буде надіслано",
    low: 'Ви збираєтеся значно понизити свою ставку на {percent}%. Ви впевнені? Натисніть ще раз.',
    bought: 'Що закуповується',
    step: 'Мінімальний крок',
    value: 'Очікувана вартість',
    features: 'Нецінові критерії',
    connected: "З'єднано",
    reconnecting: "Немає зв'язку {n} с",
    connectionLost: "Втрачено зв'язок.",
    connectionBack: "Зв'язок відновлено.",
    serverTime: 'Час аукціону',
    turnSoon: 'Ваша черга за хвилину.',
    secondsLeft: 'Залишилось {n} секунд.',
    turnClosed: '{bidder}: {amount}.',
    turnUnchanged: '{bidder}: без змін.',
    pauseBefore: 'Пауза. Раунд {n}.',
    pauseFor: 'Пауза. Раунд {n} за {time}.',
    turnBegins: 'Ваша черга. У вас {time}. Не більше {limit}.',
    extended: 'Через збій аукціон подовжено на {n} с.',
    protocol: 'Протокол аукціону',
    leave: 'Вийти',
    back: 'Повернутися на {host}',
    lastSeconds: 'до кінця черги менше 5 секунд; заявка може не встигнути',
    notANumber: 'Введіть число.',
    'offer.placed': 'Заявку прийнято',
    'offer.no-turn': 'Зараз не час заявок',
    'offer.recorded-too-late': 'Заявка надійшла, але чергу вже закрито',
    'offer.not-your-turn': 'Зараз черга іншого учасника',
    'offer.amount-required': 'Вкажіть ціну',
    'offer.too-low': 'Надто низька заявка',
    'offer.too-high': 'Надто висока заявка',
    'offer.id-used': 'Заявку вже надіслано з іншою ціною',
    'session.required': 'Увійдіть за посиланням для участі',
    'session.csrf': 'Оновіть сторінку',
    'rate.exceeded': 'Забагато запитів',
    'room.unavailable': 'Сервер тимчасово недоступний',
    other: 'Заявку не прийнято',
  },
  en: {
    auctions: 'Auctions',
    auction: 'Auction',
    number: 'Tender',
    buyer: 'Buyer',
    start: 'Start',
    phase: 'State',
    title: 'Title',
    none: 'No auctions on this day.',
    noneOfNumber: 'No auctions of a tender with this number.',
    found: 'Found',
    testAuctions: 'Test auctions',
    show: 'Show',
    find: 'Find',
    more: 'More',
    skip: 'Skip to the auction',
    notFound: 'There is no such auction.',
    linkWrong: 'Use the valid participation link to enter the auction.',
    consentTitle: 'Taking part in the auction',
    consent: 'You enter the auction as a bidder. Continue?',
    yes: 'Yes',
    planned: 'Waiting',
    running: 'The auction is running',
    finished: 'Bidding is over, results are being recorded',
    announced: 'Auction was completed.',
    cancelled: 'Tender cancelled.',
    missed: 'The auction did not take place and will be rescheduled.',
    conflict: 'Results were recorded by another system.',
    registered: 'You are registered as a bidder. Wait for the start of the auction.',
    you: 'You',
    yourTurn: 'Your turn. {limit} or lower.',
    yourTurnNoLimit: 'Your turn. The step is larger than your price.',
    untilStart: 'until the auction starts',
    untilTurn: 'until your turn',
    untilTurnEnd: 'until your turn ends',
    untilNext: 'until the next stage',
    initialBids: 'Opening bids',
    round: 'Round {n}',
    results: 'Results',
    bidder: 'Bidder',
    amount: 'Price',
    normalized: 'Normalized price',
    time: 'Time',
    minimum: 'minimum',
    amountLabel: 'Your price',
    place: 'Place bid',
    withdraw: 'Cancel bid',
    edit: 'Edit bid',
    clear: 'Clear field',
    stands: 'Your bid in this turn: {amount}',
    accepted: 'Bid placed: {amount}.',
    withdrawn: 'Bid canceled.',
    sending: 'sending, attempt {n}',
    willBeSent: 'no connection; the bid will be sent',
    low: 'You are going to decrease your bid by {percent}%. Are you sure? Press again.',
    bought: 'What is bought',
    step: 'Minimal step',
    value: 'Expected value',
    features: 'Non-price criteria',
    connected: 'Connected',
    reconnecting: 'No connection for {n} s',
    connectionLost: 'Connection lost.',
    connectionBack: 'Connection is back.',
    serverTime: 'Auction time',
    turnSoon: 'Your turn in one minute.',
    secondsLeft: '{n} seconds left.',
    turnClosed: '{bidder}: {amount}.',
    turnUnchanged: '{bidder}: no change.',
    pauseBefore: 'Pause. Round {n}.',
    pauseFor: 'Pause. Round {n} in {time}.',
    turnBegins: 'Your turn. You have {time}. {limit} or lower.',
    extended: 'The auction was extended by {n} s after a failure.',
    protocol: 'Protocol of the auction',
    leave: 'Leave',
    back: 'Back to {host}',
    lastSeconds: 'less than 5 seconds until the turn ends; the bid may be too late',
    notANumber: 'Enter a number.',
    'offer.placed': 'Bid placed',
    'offer.no-turn': 'Bids are not accepted in this stage',
    'offer.recorded-too-late': 'The bid arrived, but the turn is closed',
    'offer.not-your-turn': "It is another bidder's turn",
    'offer.amount-required': 'Enter a price',
    'offer.too-low': 'Too low value',
    'offer.too-high': 'Too high value',
    'offer.id-used': 'This bid was sent with another price',
    'session.required': 'Enter by your participation link',
    'session.csrf': 'Reload the page',
    'rate.exceeded': 'Too many requests',
    'room.unavailable': 'The server is not available at the moment',
    other: 'The bid was not accepted',
  },
};

/** The text of a key with its parameters. */
export function text(lang, key, parameters = {}) {
  // The key may be of an address, such as ?message=constructor.
  const template = Object.hasOwn(TEXTS[lang], key) ? TEXTS[lang][key] : TEXTS[lang].other;
  return template.replaceAll(/\{(\w+)\}/g, (_match, name) => String(parameters[name] ?? ''));
}

const LOCALES = { uk: 'uk-UA', en: 'en-GB' };

/** An amount; with a currency when there is one. Never rounded up: the largest accepted amount is shown by it. */
export function money(lang, amount, currency) {
  if (amount === undefined || amount === null) return '';
  const kopecks = Math.floor(Number((amount * 100).toPrecision(15))) / 100;
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return `${new Intl.NumberFormat(LOCALES[lang], digits).format(kopecks)}${currency ? ` ${currency}` : ''}`;
}

/** The time between two dates: whole minutes as such, everything else in seconds. */
export function duration(lang, from, until) {
  const seconds = Math.round((Date.parse(until) - Date.parse(from)) / 1_000);
  const [value, unit] = seconds % 60 === 0 ? [seconds / 60, 'minute'] : [seconds, 'second'];
  return new Intl.NumberFormat(LOCALES[lang], { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}

/** Time of day of a date with an offset, as the auction shows it: `11:24:34`. */
export function clockTime(date) {
  return /T(\d\d:\d\d:\d\d)/.exec(date ?? '')?.[1] ?? '';
}

export function dayAndTime(date) {
  return (date ?? '').replace('T', ' ').slice(0, 16);
}

/** A price as people write it: blanks, one comma or point. Undefined for anything else. */
export function parseAmount(typed) {
  const plain = typed.replaceAll(/[\s\u00a0]/g, '');
  if (/^\d+([.,]\d{1,2})?$/.test(plain)) return Number(plain.replace(',', '.'));
  if (/^\d{1,3}(,\d{3})+\.\d{1,2}$/.test(plain)) return Number(plain.replaceAll(',', ''));
  return undefined;
}
