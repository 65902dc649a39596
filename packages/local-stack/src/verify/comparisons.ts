import { SERVICES, type ServiceName } from '../ports.ts';

/** Rows of one service's database. The query returns the text columns `key`, which is unique, and `value`. */
export interface KeyedRows {
  readonly service: ServiceName;
  readonly sql: string;
}

/** What one service, or one table, has of another, and what it must equal. */
export interface Comparison {
  readonly name: string;
  readonly owner: KeyedRows;
  readonly copy: KeyedRows;
  /** The copy may have more rows: only those of the owner are compared. */
  readonly ownerRowsOnly?: true;
}

/** Rows that end by themselves: one that stays is a fault. */
export interface PassingState {
  readonly name: string;
  readonly rows: KeyedRows;
}

// As `jsonb`: spaces and the order of members do not count.
const replicas = (kind: string, value: string): string =>
  `SELECT id AS key, ${value} AS value FROM kit.replica WHERE kind = '${kind}'`;
const FACTS = "md5((facts::jsonb - 'version')::text)";
const IS_DRAFT = "facts::jsonb ->> 'status' = 'draft'";

/** The part of a tender's private state that came from another service. */
const partOfTender = (
  part: string,
  value: string,
  condition = 'part IS NOT NULL',
): string => `SELECT id AS key, ${value} AS value
  FROM (SELECT id, private_state::json -> '${part}' AS part FROM tender) AS one WHERE ${condition}`;

const BID_OWNERS = `SELECT id AS key, concat_ws(' ', tender_id, owner, md5(owner_token_hash)) AS value FROM bid`;
const COPIED_BID_OWNERS = replicas(
  'bid',
  `concat_ws(' ', facts::json ->> 'tenderId', facts::json ->> 'owner', md5(facts::json ->> 'ownerTokenHash'))`,
);
// The closing of a tender and what follows change bids without an event of each.
const BIDS_IN_TENDERING = `SELECT id AS key, status AS value FROM bid
  WHERE NOT EXISTS (SELECT FROM bidding WHERE bidding.tender_id = bid.tender_id AND phase <> 'open')`;

const items = (
  list: string,
): string => `(SELECT string_agg(one ->> 'id' || ':' || (one ->> 'status'), ' ' ORDER BY place)
  FROM json_array_elements(${list}) WITH ORDINALITY AS of (one, place))`;
const awards = (source: string): string =>
  `concat_ws(' ', version, ${items(`${source} -> 'awards'`)}, ${items(`${source} -> 'contracts'`)})`;
const OWN_AWARDS = `SELECT tender_id AS key, ${awards('document::json')} AS value FROM awarding`;

// What followed the signature is laid over the signed contract; the title of a test tender has a marker.
const CONTRACT_VALUE = (one: string, present: string): string => `concat_ws(' ', ${one} ->> 'contractID',
  coalesce(${present} ->> 'status', ${one} ->> 'status'), md5(coalesce(${present} -> 'value', ${one} -> 'value')::jsonb::text),
  ${one} ->> 'dateSigned', json_array_length(${present} -> 'changes'))`;
const OWN_CONTRACTS = `SELECT one ->> 'id' AS key, ${CONTRACT_VALUE('one', "(one -> 'implementation')")} AS value
  FROM awarding, json_array_elements(document::json -> 'contracts') AS of (one)`;
const SHOWN_CONTRACTS = `SELECT contract_id AS key, ${CONTRACT_VALUE('one', 'one')} AS value
  FROM (SELECT contract_id, body::json -> 'data' AS one FROM contract_view) AS view`;

const OWN_DOCUMENTS = 'SELECT tender_id AS key, version::text AS value FROM tender_documents WHERE version > 0';

const bidContent = (json: string): string => `md5((${json}::jsonb - 'documents')::text)`;
const OPENED_BIDS = `SELECT tender_id AS key, string_agg(${bidContent('document')}, ' ' ORDER BY position) AS value
  FROM bid JOIN bidding USING (tender_id) WHERE phase = 'opened' AND status = 'active' GROUP BY tender_id`;
const SHOWN_BIDS = partOfTender(
  'bids',
  `(SELECT string_agg(${bidContent('bid')}, ' ' ORDER BY place) FROM json_array_elements(part) WITH ORDINALITY AS of (bid, place))`,
  // A list without bids shows nothing.
  'json_array_length(part) > 0',
);

const results = (table: string, at: string): string =>
  `SELECT tender_id || '/' || lot_id AS key, ${at} AS value FROM ${table}`;

const plainId = (column: string): string => `replace(${column}::text, '-', '')`;

/** Every view, copy, feed and register, and what it must equal. */
export const comparisons: readonly Comparison[] = [
  ...(['bids', 'awards', 'documents', 'auction'] as const).map((service) => ({
    name: `tenders in ${service}`,
    // Facts that were asked for have a newer version than those that were published (decision 0022).
    owner: {
      service: 'tenders' as const,
      sql: `SELECT id AS key, ${FACTS} AS value FROM tender WHERE NOT ${IS_DRAFT}`,
    },
    copy: { service, sql: `${replicas('tender', FACTS)} AND NOT ${IS_DRAFT}` },
  })),
  // A draft is nowhere until somebody asks for it (decision 0022).
  ...(['bids', 'awards', 'documents', 'auction'] as const).map((service) => ({
    name: `drafts in ${service}`,
    owner: { service, sql: `${replicas('tender', FACTS)} AND ${IS_DRAFT}` },
    copy: { service: 'tenders' as const, sql: `SELECT id AS key, ${FACTS} AS value FROM tender WHERE ${IS_DRAFT}` },
    ownerRowsOnly: true as const,
  })),
  ...(['awards', 'documents'] as const).flatMap((service): Comparison[] => [
    {
      name: `owners of bids in ${service}`,
      owner: { service: 'bids', sql: BID_OWNERS },
      copy: { service, sql: COPIED_BID_OWNERS },
    },
    {
      name: `bids in tendering in ${service}`,
      owner: { service: 'bids', sql: BIDS_IN_TENDERING },
      copy: { service, sql: replicas('bid', `facts::json ->> 'status'`) },
      ownerRowsOnly: true,
    },
  ]),
  {
    name: 'awards in documents',
    owner: { service: 'awards', sql: OWN_AWARDS },
    copy: { service: 'documents', sql: replicas('awards', awards('facts::json')) },
  },
  {
    name: 'awards in tenders',
    owner: { service: 'awards', sql: OWN_AWARDS },
    copy: {
      service: 'tenders',
      sql: `SELECT id AS key, ${awards('part')} AS value FROM (SELECT id, private_state::json -> 'awards' AS part,
        private_state::json -> 'awards' ->> 'version' AS version FROM tender) AS one WHERE part IS NOT NULL`,
    },
  },
  {
    name: 'documents in awards',
    owner: { service: 'documents', sql: OWN_DOCUMENTS },
    copy: { service: 'awards', sql: replicas('documents', 'version::text') },
  },
  {
    name: 'documents in tenders',
    owner: { service: 'documents', sql: OWN_DOCUMENTS },
    copy: { service: 'tenders', sql: partOfTender('documents', `part ->> 'version'`) },
  },
  {
    name: 'contents of documents in tenders and awards',
    owner: { service: 'tenders', sql: partOfTender('documents', 'md5(part::jsonb::text)') },
    copy: { service: 'awards', sql: replicas('documents', 'md5(facts::jsonb::text)') },
  },
  {
    name: 'opened bids in tenders',
    owner: { service: 'bids', sql: OPENED_BIDS },
    copy: { service: 'tenders', sql: SHOWN_BIDS },
  },
  {
    name: 'results of auctions in bids',
    owner: { service: 'auction', sql: results('auction_result', 'reported_at') },
    copy: { service: 'bids', sql: results('bidding_result', 'at') },
  },
  {
    name: 'views of tenders',
    owner: { service: 'tenders', sql: 'SELECT id AS key, public_rev::text AS value FROM tender' },
    copy: { service: 'tenders', sql: 'SELECT tender_id AS key, rev::text AS value FROM tender_view' },
  },
  {
    name: 'feed of tenders',
    // `dateModified` of the view is the position in the feed.
    owner: {
      service: 'tenders',
      sql: `SELECT tender_id AS key, concat_ws(' ', rev, body::json -> 'data' ->> 'dateModified') AS value FROM tender_view
        WHERE body::json -> 'data' ->> 'status' <> 'draft' OR tender_id IN (SELECT tender_id FROM tender_feed)`,
    },
    copy: {
      service: 'tenders',
      sql: `SELECT tender_id AS key, concat_ws(' ', rev, feed_text(stamp)) AS value FROM tender_feed`,
    },
  },
  {
    name: 'feed of contracts',
    // `dateModified` of the view is the position in the feed.
    owner: {
      service: 'awards',
      sql: `SELECT contract_id AS key, body::json -> 'data' ->> 'dateModified' AS value FROM contract_view`,
    },
    copy: { service: 'awards', sql: 'SELECT contract_id AS key, feed_text(stamp) AS value FROM contract_feed' },
  },
  {
    name: 'views of contracts',
    owner: { service: 'awards', sql: OWN_CONTRACTS },
    copy: { service: 'awards', sql: SHOWN_CONTRACTS },
  },
  {
    name: 'log of publications',
    owner: { service: 'tenders', sql: 'SELECT tender_id AS key, rev::text AS value FROM tender_feed' },
    copy: {
      service: 'tenders',
      sql: 'SELECT tender_id AS key, max(rev)::text AS value FROM tender_publication GROUP BY tender_id',
    },
    ownerRowsOnly: true,
  },
  {
    name: 'tenders in register',
    owner: {
      service: 'tenders',
      sql: `SELECT tender_id AS key, concat_ws(' ', tender_feed.rev, stamp, md5(body)) AS value
        FROM tender_feed JOIN tender_view USING (tender_id) WHERE listed`,
    },
    copy: {
      service: 'register',
      sql: `SELECT ${plainId('tender.id')} AS key, concat_ws(' ', rev, position, md5(body)) AS value
        FROM tender JOIN tender_body USING (id) WHERE listed`,
    },
  },
  {
    name: 'history in register',
    owner: {
      service: 'register',
      sql: `SELECT position::text AS key, concat_ws(' ', ${plainId('id')}, rev) AS value
        FROM revision WHERE listed AND NOT void AND position > (SELECT followed_from FROM follow)`,
    },
    copy: {
      service: 'tenders',
      sql: `SELECT stamp::text AS key, concat_ws(' ', tender_id, rev) AS value FROM tender_publication WHERE listed`,
    },
    ownerRowsOnly: true,
  },
];

const PUBLISHERS = SERVICES.filter((service) => service !== 'register' && service !== 'ledger');
const FOLLOWERS = PUBLISHERS.filter((service) => service !== 'gateway');

const inEach = (services: readonly ServiceName[], what: string, sql: string): readonly PassingState[] =>
  services.map((service) => ({ name: `${what} of ${service}`, rows: { service, sql } }));

const overdue = (table: string, key: string): string => `SELECT ${key} AS key, due_at::text AS value FROM ${table}
  WHERE due_at < extract(epoch FROM clock_timestamp()) * 1000000`;
const FROZEN = 'SELECT id AS key, frozen_at::text AS value FROM kit.decision_freeze WHERE frozen_at IS NOT NULL';
const frozenIn = (table: string): string =>
  `SELECT tender_id AS key, frozen_at::text AS value FROM ${table} WHERE frozen_at IS NOT NULL`;

/** Every row that must go away: unpublished events, dead letters, repairs, waits, freezes, missed deadlines. */
export const passingStates: readonly PassingState[] = [
  ...inEach(
    PUBLISHERS,
    'outbox',
    'SELECT position::text AS key, subject AS value FROM kit.outbox WHERE sent_at IS NULL',
  ),
  ...inEach(
    SERVICES,
    'dead letters',
    `SELECT id::text AS key, concat_ws(' ', durable, subject, error) AS value FROM kit.dead_letter WHERE replayed_at IS NULL`,
  ),
  ...inEach(
    FOLLOWERS,
    'repairs',
    `SELECT durable AS key, concat_ws(' ', repair, reason) AS value FROM kit.consumer_check WHERE repair IS NOT NULL`,
  ),
  ...inEach(
    FOLLOWERS,
    'waits',
    `SELECT flow || ' ' || id AS key, concat_ws(' ', 'since', waiting_since, 'asked', asked) AS value FROM kit.flow_wait`,
  ),
  ...inEach(['tenders', 'awards', 'auction'], 'freezes', FROZEN),
  ...inEach(['bids'], 'freezes', frozenIn('bidding')),
  ...inEach(['documents'], 'freezes', frozenIn('tender_documents')),
  ...inEach(
    ['tenders', 'awards'],
    'open freezes',
    'SELECT id AS key, number::text AS value FROM kit.begun_freeze WHERE open',
  ),
  ...inEach(['tenders'], 'deadlines', overdue('tender', 'id')),
  ...inEach(['awards'], 'deadlines', overdue('awarding', 'tender_id')),
  ...inEach(['auction'], 'deadlines', overdue('auction_task', `concat_ws('/', tender_id, lot_id, kind)`)),
  ...inEach(
    ['register'],
    'gaps in the history',
    `SELECT position::text AS key, concat_ws(' ', id, rev) AS value FROM revision
      WHERE NOT void AND previous_of_tender IS NOT NULL AND NOT EXISTS (SELECT FROM revision AS before
        WHERE before.position = revision.previous_of_tender AND before.id = revision.id AND before.rev = revision.rev - 1)`,
  ),
  ...inEach(
    ['register'],
    'back-fill',
    'SELECT id::text AS key, backfill AS value FROM follow WHERE backfill IS NOT NULL',
  ),
];
