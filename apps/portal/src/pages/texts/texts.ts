import { translations } from '../../texts/translations.ts';

/** A text, or texts with links between them: to a page of this site, to the API, or a setting of the site. */
export type Paragraph =
  | string
  | readonly (
      | string
      | { readonly to: string; readonly text: string }
      | { readonly api: string; readonly text: string }
      | { readonly site: 'contact' | 'licence' }
    )[];

interface TextPage {
  readonly title: string;
  readonly lead: string;
  readonly parts: readonly {
    readonly heading: string;
    readonly paragraphs: readonly Paragraph[];
    /** The part is left out when the site has no such setting. */
    readonly needs?: 'contact' | 'licence';
  }[];
}

export type TextName = 'about' | 'take-part' | 'data' | 'accessibility';

export const TEXTS = translations<Readonly<Record<TextName, TextPage>>>({
  uk: {
    about: {
      title: 'Про портал',
      lead: 'Портал показує публічні закупівлі такими, якими їх бачать програми: без реєстрації, без реклами, без стеження.',
      parts: [
        {
          heading: 'Звідки дані',
          paragraphs: [
            'Кожна сторінка читає відкритий API системи закупівель, той самий, що доступний усім. Портал нічого не зберігає і не може змінити жодного тендера.',
            'Тексти, ціни та файли надають замовники й учасники. Портал їх не виправляє; знаки, яких не видно, він показує позначками.',
          ],
        },
        {
          heading: 'Чого тут немає',
          paragraphs: [
            'Портал не ставить cookie, не має облікових записів і не оцінює закупівель. Подати пропозицію чи скаргу можна лише через майданчик.',
          ],
        },
        { heading: 'Запитання', needs: 'contact', paragraphs: [['Пишіть на ', { site: 'contact' }, '.']] },
      ],
    },
    'take-part': {
      title: 'Як узяти участь',
      lead: 'Пропозицію подають через акредитований майданчик. Цей портал лише показує, що відбувається.',
      parts: [
        {
          heading: '1. Знайдіть тендер і запитайте',
          paragraphs: [
            [
              { to: '/tenders', text: 'Знайдіть тендер' },
              ' і прочитайте документи. У період уточнень через майданчик можна поставити запитання або подати вимогу до умов. Ваше ім’я як автора запитання стане видно лише після аукціону.',
            ],
          ],
        },
        {
          heading: '2. Подайте пропозицію до кінця строку',
          paragraphs: [
            'Зареєструйтеся на майданчику, вкажіть ціну, не вищу за очікувану вартість, і додайте документи. До кінця подання пропозицію можна змінити або відкликати. Коли строк за київським часом мине, система не прийме жодної пропозиції.',
          ],
        },
        {
          heading: 'Що запечатано і доки',
          paragraphs: [
            'До кінця аукціону ніхто не бачить цін, файлів, назв учасників і навіть їхньої кількості: ні замовник, ні інші учасники, ні цей портал. Потім усе це стає відкритим для всіх.',
          ],
        },
        {
          heading: '3. Аукціон',
          paragraphs: [
            'Коли пропозицій дві або більше, система призначає аукціон. Майданчик дає вам особисте посилання: не передавайте його нікому. Є три раунди; у кожному учасники роблять ставки по черзі, від найгіршої пропозиції до найкращої. Ціну можна лишити або знизити щонайменше на мінімальний крок. Дивитися аукціон може кожен.',
            'Перемагає найкраща остання ціна. За однакових цін краща та, яку запропоновано раніше.',
          ],
        },
        {
          heading: '4. Рішення і оскарження',
          paragraphs: [
            'Замовник перевіряє найкращу пропозицію і підтверджує її або відхиляє з поясненням; тоді черга наступної. Від рішення починається строк оскарження: до його кінця учасники можуть подати вимогу чи скаргу через майданчик, а договір підписати не можна.',
            'Оскаржити можна умови тендера, поки приймаються пропозиції, і рішення щодо переможця.',
          ],
        },
      ],
    },
    data: {
      title: 'Дані та ліцензія',
      lead: 'Усе, що є на цих сторінках, можна прочитати програмою, без ключа.',
      parts: [
        {
          heading: 'Ліцензія',
          needs: 'licence',
          paragraphs: [['Умови використання даних: ', { site: 'licence' }, '.']],
        },
        {
          heading: 'Тендери',
          paragraphs: [
            [
              'API віддає кожен тендер як JSON, перелік усіх змін і кожен стан, який був відкритим. ',
              { api: '/docs', text: 'Довідник API' },
              ' описує всі запити, ',
              { api: '/docs/guides', text: 'посібники' },
              ' показують, як почати (англійською).',
            ],
            [
              'Ті самі дані є у стандарті відкритих договорів: ',
              { api: '/api/ocds/records', text: 'записи OCDS' },
              '.',
            ],
          ],
        },
        {
          heading: 'Що варто знати',
          paragraphs: [
            'Час зміни записано з точністю до мікросекунди і ніколи не повторюється. Дані запечатаних пропозицій з’являються лише після аукціону. Персональні дані за законом можуть бути вилучені, і тоді про це сказано в історії.',
          ],
        },
      ],
    },
    accessibility: {
      title: 'Доступність',
      lead: 'Портал має бути зручним для всіх. Ми будуємо його за WCAG 2.2, рівень AA.',
      parts: [
        {
          heading: 'Що перевірено',
          paragraphs: [
            'Кожну сторінку автоматично перевіряють програмою axe-core у світлому й темному вигляді, на екранах від 320 до 1280 пікселів. Усе працює з клавіатури і без скриптів. Колір ніколи не є єдиною ознакою стану.',
          ],
        },
        {
          heading: 'Що ще не перевірено',
          paragraphs: [
            'Людина з програмою читання з екрана ще не перевіряла портал. Довідник API і посібники є лише англійською. Файли тендерів створюють замовники й учасники, тому доступність цих файлів портал гарантувати не може.',
          ],
        },
        {
          heading: 'Повідомити про перешкоду',
          needs: 'contact',
          paragraphs: [['Напишіть, на якій сторінці й що заважає: ', { site: 'contact' }, '.']],
        },
      ],
    },
  },
  en: {
    about: {
      title: 'About the portal',
      lead: 'The portal shows public procurement as programs see it: without an account, without advertising, without tracking.',
      parts: [
        {
          heading: 'Where the data come from',
          paragraphs: [
            'Every page reads the open API of the procurement system, which anybody can read. The portal stores nothing and can change no tender.',
            'Texts, prices and files come from buyers and bidders. The portal does not correct them; it shows invisible characters as marks.',
          ],
        },
        {
          heading: 'What is not here',
          paragraphs: [
            'The portal sets no cookies, has no accounts and does not rate procurements. Bids and complaints are submitted through a broker only.',
          ],
        },
        { heading: 'Questions', needs: 'contact', paragraphs: [['Write to ', { site: 'contact' }, '.']] },
      ],
    },
    'take-part': {
      title: 'How to take part',
      lead: 'A bid is submitted through an accredited broker. This portal only shows what happens.',
      parts: [
        {
          heading: '1. Find a tender and ask',
          paragraphs: [
            [
              { to: '/tenders', text: 'Find a tender' },
              ' and read its documents. During clarifications your broker can send a question, or a claim about the terms. Your name as the author of a question becomes public only after the auction.',
            ],
          ],
        },
        {
          heading: '2. Bid before the deadline',
          paragraphs: [
            'Register with a broker, name a price that is not above the expected value, and add your documents. Until bidding ends you can change or withdraw the bid. After the deadline, in Kyiv time, the system accepts no bid.',
          ],
        },
        {
          heading: 'What is sealed, and until when',
          paragraphs: [
            'Until the auction is over nobody sees prices, files, names of bidders, or even their number: not the buyer, not the other bidders, not this portal. Then all of it becomes public.',
          ],
        },
        {
          heading: '3. The auction',
          paragraphs: [
            'When there are two bids or more, the system schedules an auction. Your broker gives you a personal link: give it to nobody. There are three rounds; in each of them the bidders take turns, from the worst bid to the best. You may keep your price, or lower it by at least the minimum step. Anybody may watch.',
            'The best last price wins. Of equal prices the one that was offered earlier is better.',
          ],
        },
        {
          heading: '4. Decision and challenge',
          paragraphs: [
            'The buyer checks the best bid and confirms it, or rejects it with reasons; then the next one is considered. The decision begins the standstill: until it ends bidders can file a claim or a complaint through their broker, and no contract can be signed.',
            'You can challenge the terms of the tender while bids are accepted, and the decision on the winner.',
          ],
        },
      ],
    },
    data: {
      title: 'Data and licence',
      lead: 'Programs can read everything that is on these pages, without a key.',
      parts: [
        {
          heading: 'Licence',
          needs: 'licence',
          paragraphs: [['Terms of use of the data: ', { site: 'licence' }, '.']],
        },
        {
          heading: 'Tenders',
          paragraphs: [
            [
              'The API gives each tender as JSON, the list of all changes, and every state that was public. The ',
              { api: '/docs', text: 'reference of the API' },
              ' describes all requests; the ',
              { api: '/docs/guides', text: 'guides' },
              ' show how to begin.',
            ],
            [
              'The same data follow the Open Contracting Data Standard: ',
              { api: '/api/ocds/records', text: 'OCDS records' },
              '.',
            ],
          ],
        },
        {
          heading: 'Good to know',
          paragraphs: [
            'The time of a change has microseconds and is never used twice. Sealed bids appear only after the auction. Data of persons can be removed by law; then the history says so.',
          ],
        },
      ],
    },
    accessibility: {
      title: 'Accessibility',
      lead: 'The portal must serve everybody. We build it after WCAG 2.2, level AA.',
      parts: [
        {
          heading: 'What is tested',
          paragraphs: [
            'The program axe-core checks every page, light and dark, on screens from 320 to 1,280 pixels. Everything works with the keyboard and without scripts. Colour is never the only sign of a state.',
          ],
        },
        {
          heading: 'What is not tested yet',
          paragraphs: [
            'No person with a screen reader has tested the portal yet. The reference of the API and the guides are in English only. Buyers and bidders make the files of tenders, so the portal cannot promise that those files are accessible.',
          ],
        },
        {
          heading: 'Report a barrier',
          needs: 'contact',
          paragraphs: [['Write which page it is and what stands in the way: ', { site: 'contact' }, '.']],
        },
      ],
    },
  },
});
