import type { Tender } from '@procurement/client';
import type { ComponentChildren, VNode } from 'preact';
import { auctionPeriods } from '../../domain/life-line.ts';
import { BidChart } from '../../charts/bid-chart.tsx';
import { valueOf } from '../../format/value-of.ts';
import { rankedBids, type RankedBid } from '../../domain/ranked-bids.ts';
import { Amount, Code, Icon, OwnLink, Tag, When, Written } from '../../parts/basics.tsx';
import { Files } from '../../parts/files.tsx';
import { LongList } from '../../parts/long-list.tsx';
import { supplierPath } from '../../parts/organizations.tsx';
import { usePage } from '../../parts/page-context.ts';
import { wordOf } from '../../texts/words.ts';
import { TENDER } from './texts.ts';

interface OfTender {
  readonly tender: Tender;
}

/** Statuses in which bids are sealed, or will be. */
const BEFORE_OPENING: ReadonlySet<string> = new Set(['active.enquiries', 'active.tendering', 'active.auction']);

export function BidsSection({ tender }: OfTender): VNode {
  const { lang } = usePage();
  const { bids, lots = [], status } = tender;
  if (BEFORE_OPENING.has(status))
    return (
      <p class="card">
        <Icon name="seal" /> {wordOf('now', 'bids sealed', lang)}
      </p>
    );
  if (bids === undefined || bids.length === 0) return <p class="quiet">{TENDER[lang].noBids}</p>;
  if (lots.length === 0) return <BidTable bids={rankedBids(tender)} />;
  return (
    <>
      {lots.map((lot) => (
        <div key={lot.id}>
          <h3>
            <Written of={lot} name="title" />
          </h3>
          <BidTable bids={rankedBids(tender, lot.id)} />
        </div>
      ))}
    </>
  );
}

const AWARD_TONES = { active: 'good', unsuccessful: 'bad', cancelled: 'neutral', pending: 'info' } as const;

function BidTable({ bids }: { readonly bids: readonly RankedBid[] }): VNode {
  const { lang } = usePage();
  const t = TENDER[lang];
  if (bids.length === 0) return <p class="quiet">{t.noBids}</p>;
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
              <BidRow key={ranked.bid.id} {...ranked} />
            ))}
          </tbody>
        </table>
      )}
    />
  );
}

function BidRow({ bid, value, award }: RankedBid): VNode {
  const { lang } = usePage();
  const t = TENDER[lang];
  return (
    <tr id={`bid-${bid.id}`}>
      <td data-name={t.bidder}>
        {bid.tenderers.map((tenderer) => (
          <p key={tenderer.identifier.id}>
            <OwnLink to={supplierPath(tenderer.identifier)}>
              <Written of={tenderer} name="name" />
            </OwnLink>
          </p>
        ))}
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
          <Tag tone={valueOf(AWARD_TONES, award.status) ?? 'neutral'}>
            <Code list="awardStatus" code={award.status} />
          </Tag>
        )}
      </td>
    </tr>
  );
}

/** When the auction is, or was, and where it can be watched; why there was none. */
export function AuctionSection({ tender }: OfTender): VNode {
  const { lang, site } = usePage();
  const t = TENDER[lang];
  const periods = auctionPeriods(tender);
  const isBefore = tender.status === 'active.enquiries' || tender.status === 'active.tendering';
  if (periods.length === 0) return <p class="quiet">{isBefore ? t.auctionAhead : t.auctionNone}</p>;
  const addresses = [tender.auctionUrl, ...(tender.lots ?? []).map(({ auctionUrl }) => auctionUrl)];
  const rooms = addresses.flatMap((address) => roomOf(address, site.auctionsUrl) ?? []);
  return (
    <>
      {periods.map(({ startDate = '', endDate }) => (
        <p key={startDate}>
          {endDate === undefined ? t.auctionPlanned : t.auctionHeld} <When at={startDate} />
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
      {parts.map((part, n) => (
        <BidChart
          key={n}
          bids={part.bids.flatMap(({ bid, value: final }) =>
            final === undefined ? [] : [{ id: bid.id, name: bid.tenderers[0]?.name ?? bid.id, amount: final.amount }],
          )}
          expected={part.expected}
          winner={part.bids.find(({ award }) => award?.status === 'active')?.bid.id}
        />
      ))}
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
function roomOf(address: string | undefined, room: string | undefined): string | undefined {
  if (address === undefined || room === undefined || !URL.canParse(address)) return undefined;
  return new URL(address).origin === new URL(room).origin ? address : undefined;
}
