import type { Tender } from '@procurement/client';
import type { ComponentChildren, VNode } from 'preact';
import { auctionPeriods, hasAuction } from '../../domain/life-line.ts';
import { BidChart } from '../../charts/bid-chart.tsx';
import { formatPercent } from '../../format/money.ts';
import { findValue } from '../../format/find-value.ts';
import { visibleText } from '../../format/visible-text.ts';
import { rankedBids, type RankedBid } from '../../domain/ranked-bids.ts';
import { Amount, Code, Icon, Others, Tag, When, Written } from '../../parts/basics.tsx';
import { Files } from '../../parts/files.tsx';
import { LongList } from '../../parts/long-list.tsx';
import { OrganizationDetails, PartyLink } from '../../parts/organizations.tsx';
import { usePage } from '../../parts/page-context.ts';
import { findWord } from '../../texts/words.ts';
import { TENDER } from './texts.ts';

interface OfTender {
  readonly tender: Tender;
}

type Feature = NonNullable<Tender['features']>[number];

/** Statuses in which bids are sealed, or will be. */
const BEFORE_OPENING: ReadonlySet<string> = new Set(['active.enquiries', 'active.tendering', 'active.auction']);

export function BidsSection({ tender }: OfTender): VNode {
  const { lang } = usePage();
  const { bids, lots = [], features = [], status } = tender;
  if (BEFORE_OPENING.has(status))
    return (
      <p class="card">
        <Icon name="seal" /> {findWord('now', hasAuction(tender) ? 'bids sealed' : 'bids sealed without auction', lang)}
      </p>
    );
  const t = TENDER[lang];
  // A cancellation erases the bids: whether there were any is not known.
  if (bids === undefined || bids.length === 0)
    return <p class="quiet">{status === 'cancelled' ? t.bidsErased : t.noBids}</p>;
  const opened = { features, deadline: tender.tenderPeriod?.endDate };
  if (lots.length === 0) return <BidTable bids={rankedBids(tender)} none={t.noBids} {...opened} />;
  return (
    <>
      {lots.map((lot) => (
        <div key={lot.id}>
          <h3>
            <Written of={lot} name="title" />
          </h3>
          <BidTable
            bids={rankedBids(tender, lot.id)}
            none={lot.status === 'cancelled' ? t.lotBidsErased : t.noBids}
            {...opened}
          />
        </div>
      ))}
    </>
  );
}

const AWARD_TONES = { active: 'good', unsuccessful: 'bad', cancelled: 'neutral', pending: 'info' } as const;

interface BidTableProps {
  readonly bids: readonly RankedBid[];
  /** What is said when there are none. */
  readonly none: string;
  /** What bids answer besides the price. */
  readonly features: readonly Feature[];
  /** The end of bidding: a bid of a later instant has its price of the auction. */
  readonly deadline: string | undefined;
}

function BidTable({ bids, none, ...opened }: BidTableProps): VNode {
  const { lang } = usePage();
  const t = TENDER[lang];
  if (bids.length === 0) return <p class="quiet">{none}</p>;
  return (
    <LongList
      entries={bids}
      show={(part) => (
        <table class="data-table rows">
          <thead>
            <tr>
              <th scope="col">{t.bidder}</th>
              <th scope="col" class="number">
                {t.price}
              </th>
              <th scope="col">{t.outcome}</th>
            </tr>
          </thead>
          <tbody>
            {part.map((ranked) => (
              <BidRow key={ranked.bid.id} {...ranked} {...opened} />
            ))}
          </tbody>
        </table>
      )}
    />
  );
}

type BidRowProps = RankedBid & Pick<BidTableProps, 'features' | 'deadline'>;

function BidRow({ bid, value, award, features, deadline }: BidRowProps): VNode {
  const { lang } = usePage();
  const t = TENDER[lang];
  const { parameters = [], subcontractingDetails } = bid;
  return (
    <tr id={`bid-${bid.id}`}>
      <td data-name={t.bidder}>
        {bid.tenderers.map((tenderer) => (
          <div key={tenderer.identifier.id}>
            <PartyLink party={tenderer} of="suppliers" />
            <OrganizationDetails party={tenderer} />
          </div>
        ))}
        <p class="quiet small">
          {deadline !== undefined && Date.parse(bid.date) > Date.parse(deadline) ? t.fromAuction : t.submitted}{' '}
          <When at={bid.date} />
        </p>
        {parameters.map(({ code, value: answer }) => (
          <Answer key={code} feature={features.find((one) => one.code === code)} code={code} answer={answer} />
        ))}
        {subcontractingDetails !== undefined && (
          <p class="small">
            {t.subcontracting}: <Others text={subcontractingDetails} />
          </p>
        )}
        {bid.documents !== undefined && bid.documents.length > 0 && (
          <details class="small">
            <summary>{t.documents}</summary>
            <Files files={bid.documents} />
          </details>
        )}
      </td>
      <td data-name={t.price} class="number">
        {value !== undefined && <Amount value={value} />}
      </td>
      <td data-name={t.outcome}>
        {award === undefined ? (
          <Code list="bidStatus" code={bid.status} />
        ) : (
          <Tag tone={findValue(AWARD_TONES, award.status) ?? 'neutral'}>
            <Code list="awardStatus" code={award.status} />
          </Tag>
        )}
      </td>
    </tr>
  );
}

interface AnswerProps {
  readonly feature: Feature | undefined;
  readonly code: string;
  readonly answer: number;
}

/** What a bid offers for a criterion, in the words of the criterion; its code where the tender has none such. */
function Answer({ feature, code, answer }: AnswerProps): VNode {
  const { lang } = usePage();
  const choice = feature?.enum.find(({ value }) => value === answer);
  return (
    <p class="quiet small">
      {feature === undefined ? <code>{visibleText(code)}</code> : <Written of={feature} name="title" />}:{' '}
      {choice !== undefined && (
        <>
          <Written of={choice} name="title" />,{' '}
        </>
      )}
      <span class="number">{formatPercent(answer, lang)}</span>
    </p>
  );
}

/** When the auction is, or was, and where it can be watched; why there was none. */
export function AuctionSection({ tender }: OfTender): VNode {
  const { lang, nowMs, site } = usePage();
  const t = TENDER[lang];
  const isOff = tender.status === 'cancelled';
  const periods = auctionPeriods(tender);
  const isBefore = tender.status === 'active.enquiries' || tender.status === 'active.tendering';
  if (periods.length === 0) return <p class="quiet">{isBefore ? t.auctionAhead : t.auctionNone}</p>;
  const addresses = [tender.auctionUrl, ...(tender.lots ?? []).map(({ auctionUrl }) => auctionUrl)];
  const rooms = addresses.flatMap((address) => asOwnRoom(address, site.auctionsUrl) ?? []);
  return (
    <>
      {periods.map(({ startDate = '', endDate }) => (
        <p key={startDate}>
          {endDate !== undefined && t.auctionHeld}
          {endDate === undefined &&
            (isOff ? t.auctionWas : Date.parse(startDate) <= nowMs ? t.auctionBegan : t.auctionPlanned)}{' '}
          <When at={startDate} />
          {endDate === undefined && isOff && `; ${t.calledOff}`}
          {endDate !== undefined && (
            <>
              {' – '}
              <When at={endDate} />
            </>
          )}
        </p>
      ))}
      <Outcome tender={tender} />
      {rooms.length > 0 && (
        <p class="buttons">
          {rooms.map((room): ComponentChildren => (
            <RoomLink key={room} room={room} />
          ))}
        </p>
      )}
    </>
  );
}

/** The final amounts, once they are public; for lots a chart each. */
function Outcome({ tender }: OfTender): VNode {
  const { bids, lots, value } = tender;
  if (bids === undefined) return <></>;
  const parts =
    lots === undefined
      ? [{ bids: rankedBids(tender), expected: value }]
      : lots.map((lot) => ({ bids: rankedBids(tender, lot.id), expected: lot.value }));
  return (
    <>
      {parts.map(
        (part, n) =>
          part.expected !== undefined && (
            <BidChart
              key={n}
              bids={part.bids.flatMap(({ bid, value: final }) =>
                final === undefined
                  ? []
                  : [{ id: bid.id, name: bid.tenderers[0]?.name ?? bid.id, amount: final.amount }],
              )}
              expected={part.expected}
              winner={part.bids.find(({ award }) => award?.status === 'active')?.bid.id}
            />
          ),
      )}
    </>
  );
}

function RoomLink({ room }: { readonly room: string }): VNode {
  const { lang } = usePage();
  return (
    <a class="button" href={room}>
      {TENDER[lang].watch}
    </a>
  );
}

/** Only the installation's own room is a button: a tender could name any address (portal.md 12). */
function asOwnRoom(address: string | undefined, room: string | undefined): string | undefined {
  if (address === undefined || room === undefined || !URL.canParse(address)) return undefined;
  return new URL(address).origin === new URL(room).origin ? address : undefined;
}
