import type { Player } from '../../play/keys.ts';
import type { Stop } from '../../play/play-steps.ts';
import { STEPS, type StepName } from '../../play/steps.ts';
import { translations } from '../../texts/translations.ts';

/** Why a request to play did not do all that it should. */
export type PlayFault = Stop | 'unread' | 'foreign' | 'busy';

interface Titled {
  readonly title: string;
  readonly text: string;
}

interface PlayTexts {
  readonly title: string;
  readonly lead: string;
  readonly how: readonly string[];
  readonly who: string;
  readonly role: string;
  readonly key: string;
  readonly may: string;
  readonly players: Readonly<Record<Player, string>>;
  readonly roles: Readonly<Record<Exclude<Player, 'anyone'>, string>>;
  readonly stepOf: (step: number) => string;
  readonly done: string;
  readonly now: string;
  readonly path: string;
  readonly begin: string;
  readonly next: string;
  readonly rest: string;
  readonly again: string;
  readonly repeat: string;
  readonly tender: string;
  readonly history: string;
  readonly record: string;
  readonly curl: string;
  readonly answer: string;
  readonly copy: string;
  readonly copied: string;
  readonly end: Titled;
  readonly fault: string;
  readonly faults: Readonly<Record<PlayFault, Titled>>;
  readonly steps: Readonly<Record<StepName, Titled>>;
}

export const PLAY = translations<PlayTexts>({
  uk: {
    title: 'Навчальна закупівля',
    lead: 'Від оголошення до підписаного договору за десять кроків і за хвилину. Кожен крок надсилає справжні запити до цієї пісочниці.',
    how: [
      'Ви побачите кожен запит і відповідь на нього. Запит можна скопіювати як команду curl і виконати в терміналі.',
      'Команда з тим самим Idempotency-Key нічого не створює вдруге: вона отримує першу відповідь. Для власної спроби зітріть цей рядок.',
    ],
    who: 'Хто бере участь',
    role: 'Роль',
    key: 'Ключ API',
    may: 'Що робить',
    players: {
      buyer: 'Замовник',
      seller1: 'Перший учасник',
      seller2: 'Другий учасник',
      auction: 'Аукціонний модуль',
      anyone: 'Будь-хто, без ключа',
    },
    roles: {
      buyer: 'ліцей оголошує тендер, обирає переможця, підписує договір',
      seller1: 'ставить запитання і подає пропозицію',
      seller2: 'подає дешевшу пропозицію',
      auction: 'проводить аукціон і повідомляє його підсумки',
    },
    stepOf: (step) => `Крок ${step} з ${STEPS.length}`,
    done: 'зроблено',
    now: 'наступний',
    path: 'Десять кроків',
    begin: 'Почати',
    next: 'Далі',
    rest: 'Пройти до кінця',
    again: 'Пройти ще раз',
    repeat: 'Спробувати ще раз',
    tender: 'Сторінка тендера',
    history: 'Історія змін',
    record: 'Запис OCDS',
    curl: 'Запит як команда curl',
    answer: 'Відповідь',
    copy: 'Копіювати',
    copied: 'Скопійовано',
    end: {
      title: 'Закупівлю завершено',
      text: 'Договір підписано. Усе, що відбулося, лишилося у відкритих даних: подивіться, як їх бачить журналіст або програма.',
    },
    fault: 'Помилка',
    faults: {
      unread: {
        title: 'Не вдалося продовжити з цього кроку',
        text: 'Дані форми змінено або вони застаріли. Почніть спочатку.',
      },
      foreign: {
        title: 'Запит надійшов з іншого сайту',
        text: 'Нічого не надіслано. Натисніть кнопку на цій сторінці.',
      },
      busy: { title: 'Зараз виконується інший крок', text: 'Зачекайте дві секунди і спробуйте ще раз.' },
      refused: {
        title: 'Система відмовила',
        text: 'Крок зупинився на цьому запиті: причина у відповіді. Мабуть, тендер уже пішов далі. Почніть спочатку.',
      },
      away: {
        title: 'Система не відповіла вчасно',
        text: 'Спробуйте ще раз: зроблене не повториться.',
      },
      'not-sandbox': {
        title: 'Це вже не пісочниця',
        text: 'Відповідь не підтвердила, що система є пісочницею. Більше нічого не надіслано.',
      },
    },
    steps: {
      publish: {
        title: 'Замовник оголошує тендер',
        text: 'Ліцей купує папір на 100 000 грн. Оголошення вміщується в один запит. У відповіді номер тендера і токен власника: лише з ним можна змінити тендер.',
      },
      question: {
        title: 'Запитання і відповідь',
        text: 'Поки триває період уточнень, запитати може кожен. Учасник питає, замовник відповідає. Хто питав, стане видно лише після аукціону.',
      },
      tendering: {
        title: 'Починається подання пропозицій',
        text: 'У житті тут минає п’ять днів. У пісочниці кожен тендер має власний годинник: цей запит переводить його до наступної події, а стан система змінює сама.',
      },
      bids: {
        title: 'Дві пропозиції',
        text: 'Два учасники подають ціни: 96 000 і 95 000 грн. Кожен отримує токен власної пропозиції.',
      },
      sealed: {
        title: 'Пропозиції запечатано',
        text: 'Другий учасник хоче побачити чужу ціну, замовник теж. Обидва отримують 403: до кінця аукціону ніхто не дізнається ні цін, ні навіть кількості пропозицій.',
      },
      auction: {
        title: 'Подання завершено, аукціон призначено',
        text: 'Система сама призначила час аукціону. Годинник переходить до кінця подання: відтепер пропозицію не подати, не змінити і не відкликати.',
      },
      results: {
        title: 'Аукціон',
        text: 'Аукціонний модуль читає пропозиції, настає час аукціону, і модуль повідомляє остаточні ціни: 92 500 і 91 000 грн. Разом із ними розкриваються всі пропозиції.',
      },
      award: {
        title: 'Замовник обирає переможця',
        text: 'Найдешевша пропозиція чекає рішення першою. Замовник перевіряє учасника і підтверджує перемогу.',
      },
      standstill: {
        title: 'Минає строк оскарження',
        text: 'Ще два робочі дні рішення можна оскаржити, і договір підписати не можна. Скарг немає; годинник переходить до кінця цього строку.',
      },
      contract: {
        title: 'Договір підписано',
        text: 'Проєкт договору з’явився разом із рішенням. Замовник підписує його, і тендер завершено: папір обійшовся на 9 % дешевше, ніж очікували.',
      },
    },
  },
  en: {
    title: 'Play a procurement',
    lead: 'From the notice to the signed contract in ten steps and one minute. Each step sends real requests to this sandbox.',
    how: [
      'You see every request and its answer. Copy a request as a curl command and run it in a terminal.',
      'A command with the same Idempotency-Key creates nothing twice: it gets the first answer. Delete that line to try your own.',
    ],
    who: 'Who takes part',
    role: 'Role',
    key: 'API key',
    may: 'What it does',
    players: {
      buyer: 'Buyer',
      seller1: 'First bidder',
      seller2: 'Second bidder',
      auction: 'Auction component',
      anyone: 'Anybody, without a key',
    },
    roles: {
      buyer: 'a school publishes the tender, chooses the winner, signs the contract',
      seller1: 'asks a question and bids',
      seller2: 'offers a lower price',
      auction: 'holds the auction and reports its results',
    },
    stepOf: (step) => `Step ${step} of ${STEPS.length}`,
    done: 'done',
    now: 'next',
    path: 'Ten steps',
    begin: 'Begin',
    next: 'Next',
    rest: 'Play to the end',
    again: 'Play again',
    repeat: 'Try again',
    tender: 'Page of the tender',
    history: 'History of changes',
    record: 'OCDS record',
    curl: 'Request as a curl command',
    answer: 'Answer',
    copy: 'Copy',
    copied: 'Copied',
    end: {
      title: 'The procurement is complete',
      text: 'The contract is signed. All that happened stays in the open data: look at it as a journalist or a program does.',
    },
    fault: 'Error',
    faults: {
      unread: { title: 'This run cannot be read', text: 'The form was changed, or is too old. Begin again.' },
      foreign: {
        title: 'The request came from another site',
        text: 'Nothing was sent. Press the button on this page.',
      },
      busy: { title: 'Another step is being played now', text: 'Wait two seconds and try again.' },
      refused: {
        title: 'The API refused',
        text: 'The step stopped at this request: the answer says why. Perhaps the tender has moved on. Begin again.',
      },
      away: { title: 'The API did not answer in time', text: 'Try again: what is done is not repeated.' },
      'not-sandbox': {
        title: 'This is no sandbox any more',
        text: 'An answer did not say that the API is a sandbox. Nothing more was sent.',
      },
    },
    steps: {
      publish: {
        title: 'The buyer publishes a tender',
        text: 'A school buys paper for UAH 100,000. The notice is one request. The answer has the number of the tender and the owner’s token: only who has it can change the tender.',
      },
      question: {
        title: 'A question and its answer',
        text: 'During clarifications anybody may ask. A bidder asks, the buyer answers. Who asked becomes public only after the auction.',
      },
      tendering: {
        title: 'Bidding begins',
        text: 'In life this takes five days. In a sandbox each tender has a clock of its own: this request moves it to the next event, and the system changes the status by itself.',
      },
      bids: {
        title: 'Two bids',
        text: 'Two suppliers offer UAH 96,000 and 95,000. Each gets the token of its own bid.',
      },
      sealed: {
        title: 'The bids are sealed',
        text: 'The second bidder wants to see the price of the first, and so does the buyer. Both get 403: until the auction is over nobody learns the prices, or even the number of bids.',
      },
      auction: {
        title: 'Bidding ends, the auction is scheduled',
        text: 'The system gave the auction a time by itself. The clock moves to the end of bidding: from now on no bid can be made, changed or withdrawn.',
      },
      results: {
        title: 'The auction',
        text: 'The auction component reads the bids, the time of the auction comes, and it reports the final prices: UAH 92,500 and 91,000. With them all bids are opened.',
      },
      award: {
        title: 'The buyer chooses the winner',
        text: 'The cheapest bid waits for a decision first. The buyer checks the bidder and confirms the award.',
      },
      standstill: {
        title: 'The standstill passes',
        text: 'For two more working days the decision can be challenged, and no contract can be signed. Nobody complains; the clock moves to their end.',
      },
      contract: {
        title: 'The contract is signed',
        text: 'Its draft came with the award. The buyer signs it and the tender is complete: the paper costs 9 % less than expected.',
      },
    },
  },
});
