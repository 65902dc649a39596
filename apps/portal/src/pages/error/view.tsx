import type { Language } from '@procurement/page-style/time-left';
import type { VNode } from 'preact';
import type { PageError } from '../../page-refusal.ts';
import type { PageHead } from '../../parts/document.tsx';
import { SearchBox } from '../../parts/search-box.tsx';
import { pathIn, usePage } from '../../parts/page-context.ts';
import { translations } from '../../texts/translations.ts';

const STATUS = { 'no-page': 404, 'no-tender': 404, away: 503, 'too-many': 429, failed: 500 } as const;

const statusOf = (error: PageError): number => (error.kind === 'unread' ? error.status : STATUS[error.kind]);

interface ErrorTexts {
  readonly title: Readonly<Record<PageError['kind'], string>>;
  readonly text: Readonly<Record<'no-page' | 'no-tender' | 'away' | 'unread', string>>;
  readonly tooMany: (seconds: string) => string;
  readonly failed: string;
  readonly requestId: string;
  readonly again: string;
}

const TEXTS = translations<ErrorTexts>({
  uk: {
    title: {
      'no-page': 'Такої сторінки немає',
      'no-tender': 'Такого тендера немає',
      away: 'Дані зараз недоступні',
      'too-many': 'Забагато запитів',
      unread: 'Запит не прочитано',
      failed: 'Сталася помилка',
    },
    text: {
      'no-page': 'Перевірте адресу або скористайтеся пошуком.',
      'no-tender': 'Перевірте номер: він має вигляд UA-2026-03-02-000001. Чернетки тут не показуються.',
      away: 'Система не відповіла вчасно. Спробуйте за кілька секунд.',
      unread: 'Він задовгий або має інший вигляд, ніж форма цієї сторінки. Поверніться й спробуйте знову.',
    },
    tooMany: (seconds) => `Зачекайте ${seconds} с і спробуйте знову.`,
    failed: 'Ми вже знаємо про неї. Спробуйте згодом.',
    requestId: 'Номер запиту',
    again: 'Спробувати ще раз',
  },
  en: {
    title: {
      'no-page': 'There is no such page',
      'no-tender': 'There is no such tender',
      away: 'The data are not available now',
      'too-many': 'Too many requests',
      unread: 'The request could not be read',
      failed: 'Something went wrong',
    },
    text: {
      'no-page': 'Check the address, or search.',
      'no-tender': 'Check the number: it looks like UA-2026-03-02-000001. Drafts are not shown here.',
      away: 'The system did not answer in time. Try again in a few seconds.',
      unread: 'It is too long, or has another form than the one of this page. Go back and try again.',
    },
    tooMany: (seconds) => `Wait ${seconds} s and try again.`,
    failed: 'We know about it. Try again later.',
    requestId: 'Number of the request',
    again: 'Try again',
  },
});

const AWAY_RETRY_SECONDS = '5';

/** Status, `Retry-After` and head of the page of an error. */
export function errorHead(
  error: PageError,
  lang: Language,
): { readonly head: PageHead; readonly status: number; readonly retryAfter?: string } {
  const retryAfter = error.kind === 'too-many' ? error.seconds : error.kind === 'away' ? AWAY_RETRY_SECONDS : undefined;
  return {
    status: statusOf(error),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    head: { title: TEXTS[lang].title[error.kind], noIndex: true },
  };
}

export function ErrorView({ error }: { readonly error: PageError }): VNode {
  const { lang, path } = usePage();
  const t = TEXTS[lang];
  const mayPass = error.kind === 'away' || error.kind === 'too-many';
  return (
    <>
      <div class="page-head">
        <h1>{t.title[error.kind]}</h1>
        <p class="lead">{explain(error, lang)}</p>
        {error.kind === 'failed' && (
          <p class="quiet">
            {t.requestId}: <code>{error.requestId}</code>
          </p>
        )}
        {mayPass && (
          <p class="buttons">
            <a class="button" href={pathIn(lang, path)}>
              {t.again}
            </a>
          </p>
        )}
      </div>
      {error.kind !== 'failed' && <SearchBox />}
    </>
  );
}

function explain(error: PageError, lang: Language): string {
  const t = TEXTS[lang];
  if (error.kind === 'too-many') return t.tooMany(error.seconds);
  return error.kind === 'failed' ? t.failed : t.text[error.kind];
}
