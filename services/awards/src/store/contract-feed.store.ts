import { feedStore, type FeedStore } from '@procurement/kit/feed/feed.store';
import type pg from 'pg';
import type { Awarding } from '../domain/awarding.ts';
import { contractDocuments, publishContracts } from './contract-feed.publish.ts';
import { ownerOfContract } from '../domain/awarding.permissions.ts';
import { lockContracts } from './load-awardings.ts';
import type { CurrentTenders } from './tender-reader.ts';

/** What `GET /contracts/{id}` shows: its text, and the hash that is its ETag. */
export interface StoredContractView {
  readonly body: string;
  readonly viewHash: string;
}

/** The published contracts: their feed, their texts, and what events of other services change of them. */
export interface ContractFeedStore {
  readonly feed: FeedStore;
  view(contractId: string): Promise<StoredContractView | undefined>;
  /** Publishes the contracts whose owner is another one now. Ends the caller's transaction, which has locked their awardings. */
  publishOwners(tx: pg.PoolClient, locked: readonly Awarding[]): Promise<void>;
  /**
   * Publishes the contracts of these tenders whose documents `apply` changes in the local copy. Locks the awardings before it, so that
   * no decision publishes the documents as they were. Ends the caller's transaction. Throws when an awarding cannot be read: a copy that
   * is taken without it would never be published.
   */
  publishDocuments(tx: pg.PoolClient, tenderIds: readonly string[], apply: () => Promise<void>): Promise<void>;
}

const VIEW = 'SELECT body, view_hash AS "viewHash" FROM contract_view WHERE contract_id = $1';
const OWNERS = `SELECT contract_id AS id, fast_fields::json ->> 'owner' AS owner FROM contract_feed
  WHERE contract_id = ANY($1::text[])`;

export function contractFeedStore(pool: pg.Pool, currentTenders: CurrentTenders): ContractFeedStore {
  return {
    feed: feedStore(pool, { feed: 'contract_feed', view: 'contract_view', id: 'contract_id' }),

    async view(contractId) {
      const statement = { name: 'contract-view', text: VIEW, values: [contractId] };
      return (await pool.query<StoredContractView>(statement)).rows[0];
    },

    async publishOwners(tx, locked) {
      const ids = locked.flatMap(({ contracts }) => contracts.map(({ id }) => id));
      if (ids.length === 0) return;
      const statement = { name: 'contract-owners', text: OWNERS, values: [ids] };
      const { rows } = await tx.query<{ id: string; owner: string }>(statement);
      const shown = new Map(rows.map(({ id, owner }) => [id, owner]));
      const changes = locked.map((awarding) => ({
        awarding,
        contracts: awarding.contracts.filter(({ id }) => shown.get(id) !== ownerOfContract(awarding, id)),
      }));
      await publishContracts(tx, changes);
    },

    async publishDocuments(tx, tenderIds, apply) {
      const { awardings, unreadableIds } = await lockContracts(tx, tenderIds, currentTenders);
      if (unreadableIds.length > 0) throw new Error(`awardings that cannot be read: ${unreadableIds.join()}`);
      const ids = awardings.map(({ id }) => id);
      const before = await contractDocuments(tx, ids);
      await apply();
      const after = await contractDocuments(tx, ids);
      const isChanged = (id: string): boolean => JSON.stringify(before.get(id)) !== JSON.stringify(after.get(id));
      await publishContracts(
        tx,
        awardings.map((awarding) => ({ awarding, contracts: awarding.contracts.filter(({ id }) => isChanged(id)) })),
        { documents: after },
      );
    },
  };
}
