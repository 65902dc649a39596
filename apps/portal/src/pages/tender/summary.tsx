import type { Tender } from '@procurement/client';
import type { ComponentChildren, VNode } from 'preact';
import { nowSentence, type NowValues } from '../../domain/now.ts';
import { tenderOutcome, type TenderOutcome } from '../../domain/tender-outcome.ts';
import { findValue } from '../../format/find-value.ts';
import { visibleText } from '../../format/visible-text.ts';
import { Amount, Code, Others, OwnLink, TimeLeft, When, Written } from '../../parts/basics.tsx';
import { FactsRow } from '../../parts/facts-row.tsx';
import { IdentifierText, OrganizationDetails, PartyLink } from '../../parts/organizations.tsx';
import { usePage } from '../../parts/page-context.ts';
import { Vat } from '../../parts/vat.tsx';
import { findWord } from '../../texts/words.ts';
import { PROCEDURES, TENDER } from './texts.ts';

interface OfTender {
  readonly tender: Tender;
}

/** What happens now, in a sentence or two, and what a supplier can do. */
export function Now({ tender }: OfTender): VNode {
  const { lang, nowMs } = usePage();
  const t = TENDER[lang];
  const { key, values } = nowSentence(tender, nowMs);
  const [first, ...rest] = splitSentences(findWord('now', key, lang) ?? '');
  const lots = (tender.lots ?? []).filter(({ status = 'active' }) => status !== 'active');
  return (
    <div class="now" id="now">
      <strong>
        <Sentence text={first ?? ''} values={values} />
      </strong>
      {rest.length > 0 && (
        <p>
          <Sentence text={rest.join(' ')} values={values} />
        </p>
      )}
      {tender.status === 'active.tendering' && (
        <p>
          <OwnLink to="/take-part">{t.howToBid}</OwnLink>
        </p>
      )}
      {tender.status.startsWith('active.') &&
        lots.map((lot) => (
          <p key={lot.id}>
            {t.lots}: <Written of={lot} name="title" /> – <Code list="lotStatus" code={lot.status ?? ''} />
          </p>
        ))}
    </div>
  );
}

/** Splits after a full stop that ends a sentence. */
const splitSentences = (text: string): readonly string[] => text.split(/(?<=\.)\s+(?=\p{Lu})/u);

/** A sentence of words.json with its braces filled. */
function Sentence({ text, values }: { readonly text: string; readonly values: NowValues }): VNode {
  const parts = text.split(/\{(\w+)\}/);
  return <>{parts.map((part, n) => (n % 2 === 0 ? part : <SentenceValue key={n} name={part} values={values} />))}</>;
}

function SentenceValue({ name, values }: { readonly name: string; readonly values: NowValues }): ComponentChildren {
  const { lang } = usePage();
  const { left, start, end, date, amount, n, reason, code } = values;
  const shown: Readonly<Record<string, ComponentChildren>> = {
    left: left !== undefined && <TimeLeft until={left} />,
    start: start !== undefined && <When at={start} />,
    end: end !== undefined && (
      <>
        <When at={end} /> {TENDER[lang].zone}
      </>
    ),
    date: date !== undefined && <When at={date} as="day" />,
    amount: amount !== undefined && <Amount value={amount} />,
    n,
    // The sentence has a full stop of its own.
    reason: reason !== undefined && visibleText(reason.replace(/\.$/, '')),
    code: code !== undefined && <code>{visibleText(code)}</code>,
  };
  return shown[name] === false || shown[name] === undefined ? '…' : shown[name];
}

/** The facts that everybody asks for first; after the end how it went. */
export function Facts({ tender }: OfTender): VNode {
  const { lang } = usePage();
  const t = TENDER[lang];
  const { value, tenderPeriod, procuringEntity, procurementMethodType, procurementMethodDetails, minimalStep } = tender;
  const outcome = tenderOutcome(tender);
  const published = tender.enquiryPeriod?.startDate;
  return (
    <dl class="facts">
      {value !== undefined && (
        <div>
          <dt>{t.expected}</dt>
          <dd>
            <Amount value={value} class="number figure" />
          </dd>
          <dd class="quiet small">
            <Vat value={value} />
          </dd>
        </div>
      )}
      {outcome !== undefined && <Outcome {...outcome} />}
      {tenderPeriod?.endDate !== undefined && (
        <FactsRow name={t.biddingUntil}>
          {tenderPeriod.startDate !== undefined && (
            <>
              {t.from} <When at={tenderPeriod.startDate} />{' '}
            </>
          )}
          {t.until} <When at={tenderPeriod.endDate} /> {t.zone}
        </FactsRow>
      )}
      {procuringEntity !== undefined && (
        <div>
          <dt>{t.buyer}</dt>
          <dd>
            <PartyLink party={procuringEntity} of="buyers" />
          </dd>
          <dd class="quiet small">
            <IdentifierText {...procuringEntity.identifier} />
          </dd>
          <dd>
            <OrganizationDetails party={procuringEntity} withContact />
          </dd>
        </div>
      )}
      {procurementMethodType !== undefined && (
        <FactsRow name={t.procedure}>
          {findValue(PROCEDURES[lang], procurementMethodType) ?? visibleText(procurementMethodType)}
          {procurementMethodDetails !== undefined && (
            <>
              {' · '}
              <Others text={procurementMethodDetails} />
            </>
          )}
        </FactsRow>
      )}
      {minimalStep !== undefined && (
        <FactsRow name={t.step}>
          <Amount value={minimalStep} />
        </FactsRow>
      )}
      {published !== undefined && (
        <FactsRow name={t.published}>
          <When at={published} />
        </FactsRow>
      )}
    </dl>
  );
}

function Outcome({ bids, contracted, isAmended, daysToContract, answered, complaints }: TenderOutcome): VNode {
  const { lang } = usePage();
  const t = TENDER[lang];
  return (
    <>
      {contracted !== undefined && (
        <FactsRow name={t.contractValue}>
          <Amount value={contracted} class="number figure" />
          {isAmended === true && <p class="quiet small">{t.asSigned}</p>}
        </FactsRow>
      )}
      {bids !== undefined && <FactsRow name={t.bidsCount}>{bids}</FactsRow>}
      {daysToContract !== undefined && <FactsRow name={t.days}>{t.daysCount(daysToContract)}</FactsRow>}
      {answered !== undefined && <FactsRow name={t.answered}>{t.ofAsked(answered.answered, answered.asked)}</FactsRow>}
      {complaints !== undefined && <FactsRow name={t.complaintsCount}>{complaints}</FactsRow>}
    </>
  );
}
