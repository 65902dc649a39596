import type { ComponentChildren, VNode } from 'preact';
import type { FoundTender } from '@procurement/client';
import { regionName, toneOf } from '../texts/words.ts';
import { plural, translations } from '../texts/translations.ts';
import { Amount, Code, OwnLink, Tag, TimeLeft, When, Others } from './basics.tsx';
import { TestTag, TitleWithoutMark } from './test-mark.tsx';
import { usePage } from './page-context.ts';

const TEXTS = translations({
  uk: {
    untitled: 'Без назви',
    begins: 'подання до',
    until: 'до',
    left: 'ще',
    bids: (n: number) =>
      n === 0
        ? 'жодної пропозиції'
        : `${n} ${plural('uk', n, { one: 'пропозиція', few: 'пропозиції', many: 'пропозицій' })}`,
    contracted: 'договір',
    paid: 'сплачено',
  },
  en: {
    untitled: 'Untitled',
    begins: 'bidding until',
    until: 'until',
    left: 'in',
    bids: (n: number) => (n === 0 ? 'no bids' : `${n} ${plural('en', n, { one: 'bid', other: 'bids' })}`),
    contracted: 'contract',
    paid: 'paid',
  },
});

const NBSP = '\u00a0';

/** Tenders as a list: what, how much, who, and what happens now. `ofBuyer`: all are of one buyer, whom the page names. */
export function ResultRows({
  tenders,
  ofBuyer = false,
}: {
  readonly tenders: readonly FoundTender[];
  readonly ofBuyer?: boolean;
}): VNode {
  return (
    <ol class="result-list">
      {tenders.map((tender) => (
        <ResultRow key={tender.id} tender={tender} ofBuyer={ofBuyer} />
      ))}
    </ol>
  );
}

function ResultRow({ tender, ofBuyer }: { readonly tender: FoundTender; readonly ofBuyer: boolean }): VNode {
  const { lang } = usePage();
  const { tenderID, value, procuringEntity, region = [], status, mode } = tender;
  const t = TEXTS[lang];
  const { name, identifier } = procuringEntity ?? {};
  const facts = [
    ...(ofBuyer || name === undefined ? [] : [<Buyer key="buyer" name={name} {...identifier} />]),
    ...region.slice(0, 2).map((code) => <span key={code}>{regionName(code, lang)}</span>),
    <span key="number" class="number">
      {tenderID}
    </span>,
  ];
  return (
    <li class="result-row">
      <h3>
        <OwnLink to={`/tenders/${tenderID}`}>
          <TitleWithoutMark of={tender} otherwise={t.untitled} />
        </OwnLink>
      </h3>
      {value === undefined ? <span /> : <Amount value={value} class="number figure" />}
      <p class="row-facts quiet small">{separated(facts)}</p>
      <p class="small">
        <Tag tone={toneOf(status)}>
          <Code list="tenderStatus" code={status} />
        </Tag>
        <TestTag mode={mode} />
        <Moment tender={tender} />
      </p>
    </li>
  );
}

/** The buyer, as a link to his page where he can be told from others. */
function Buyer({ name, scheme, id }: { readonly name: string; readonly scheme?: string; readonly id?: string }): VNode {
  const { lang } = usePage();
  const written = <Others text={name} lang={lang === 'en' ? 'uk' : undefined} />;
  if (scheme === undefined || id === undefined) return written;
  return <OwnLink to={`/buyers/${encodeURIComponent(`${scheme}-${id}`)}`}>{written}</OwnLink>;
}

/** Facts of a row with a dot between two of them. */
export function separated(parts: readonly VNode[]): ComponentChildren[] {
  return parts.flatMap((part, n) => (n === 0 ? [part] : [`${NBSP}· `, part]));
}

/** What a reader wants to know first: until when bids are accepted, or how it ended. */
function Moment({ tender }: { readonly tender: FoundTender }): VNode | null {
  const { lang, nowMs } = usePage();
  const { status, tenderPeriod, numberOfBids, contracted, paid, value } = tender;
  const t = TEXTS[lang];
  if (tenderPeriod !== undefined && ['active.enquiries', 'active.tendering'].includes(status)) {
    const takesBids = status === 'active.tendering';
    return (
      <span>
        {takesBids ? t.until : t.begins} <When at={tenderPeriod.endDate} />
        {takesBids && Date.parse(tenderPeriod.endDate) > nowMs && (
          <>
            {' '}
            · {t.left} <TimeLeft until={tenderPeriod.endDate} />
          </>
        )}
      </span>
    );
  }
  const parts = [
    // A cancellation erases the bids: 0 says nothing then.
    ...(numberOfBids === undefined || (status === 'cancelled' && numberOfBids === 0)
      ? []
      : [<span key="bids">{t.bids(numberOfBids)}</span>]),
    ...(contracted === undefined || value === undefined
      ? []
      : [
          <span key="contracted">
            {t.contracted} <Amount value={{ amount: contracted, currency: value.currency }} />
          </span>,
        ]),
    ...(paid === undefined || value === undefined
      ? []
      : [
          <span key="paid">
            {t.paid} <Amount value={{ amount: paid, currency: value.currency }} />
          </span>,
        ]),
  ];
  return parts.length === 0 ? null : <span>{separated(parts)}</span>;
}
