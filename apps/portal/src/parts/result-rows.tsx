import type { VNode } from 'preact';
import type { FoundTender } from '../api/reads.ts';
import { toneOf } from '../texts/words.ts';
import { plural, translations } from '../texts/translations.ts';
import { Amount, Code, OwnLink, Tag, textIn, TimeLeft, When, Written, Others } from './basics.tsx';
import { usePage } from './page-context.ts';

const TEXTS = translations({
  uk: {
    until: 'до',
    left: 'ще',
    untitled: 'Без назви',
    bids: (n: number) => `${n} ${plural('uk', n, { one: 'пропозиція', few: 'пропозиції', many: 'пропозицій' })}`,
    contracted: 'договір',
  },
  en: {
    until: 'until',
    left: 'in',
    untitled: 'Untitled',
    bids: (n: number) => `${n} ${plural('en', n, { one: 'bid', other: 'bids' })}`,
    contracted: 'contract',
  },
});

/** Tenders as a list: what, how much, who, and what happens now. */
export function ResultRows({ tenders }: { readonly tenders: readonly FoundTender[] }): VNode {
  return (
    <ol class="result-list">
      {tenders.map((tender) => (
        <ResultRow key={tender.id} tender={tender} />
      ))}
    </ol>
  );
}

function ResultRow({ tender }: { readonly tender: FoundTender }): VNode {
  const { lang } = usePage();
  const { tenderID, value, procuringEntity, status } = tender;
  return (
    <li class="result-row">
      <h3>
        <OwnLink to={`/tenders/${tenderID}`}>
          {textIn(tender, 'title', lang) === undefined ? TEXTS[lang].untitled : <Written of={tender} name="title" />}
        </OwnLink>
      </h3>
      {value === undefined ? <span /> : <Amount value={value} class="number figure" />}
      <p class="quiet small">
        {procuringEntity?.name !== undefined && <Others text={procuringEntity.name} />}
        <span class="number">{tenderID}</span>
      </p>
      <p class="small">
        <Tag tone={toneOf(status)}>
          <Code list="tenderStatus" code={status} />
        </Tag>
        <Moment tender={tender} />
      </p>
    </li>
  );
}

/** What a reader wants to know first: until when bids are accepted, or how it ended. */
function Moment({ tender }: { readonly tender: FoundTender }): VNode | null {
  const { lang, nowMs } = usePage();
  const { status, tenderPeriod, numberOfBids, contracted, value } = tender;
  const t = TEXTS[lang];
  if (status === 'active.tendering' && tenderPeriod !== undefined)
    return (
      <span>
        {t.until} <When at={tenderPeriod.endDate} />
        {Date.parse(tenderPeriod.endDate) > nowMs && (
          <>
            {' '}
            · {t.left} <TimeLeft until={tenderPeriod.endDate} />
          </>
        )}
      </span>
    );
  const parts = [
    ...(numberOfBids === undefined ? [] : [<span key="bids">{t.bids(numberOfBids)}</span>]),
    ...(contracted === undefined || value === undefined
      ? []
      : [
          <span key="contracted">
            {t.contracted} <Amount value={{ amount: contracted, currency: value.currency }} />
          </span>,
        ]),
  ];
  return parts.length === 0 ? null : <span>{parts.flatMap((part, n) => (n === 0 ? [part] : [' · ', part]))}</span>;
}
