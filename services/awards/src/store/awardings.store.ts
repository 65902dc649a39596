import type { Actor } from '@procurement/contracts/api/actor';
import type { Instant } from '@procurement/contracts/reading/instant';
import type { Problem } from '@procurement/contracts/problems/problems';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { transact } from '@procurement/kit/database/transaction';
import type { IdGenerator } from '@procurement/kit/runtime/ids';
import type { Outbox, OutboxRow } from '@procurement/kit/messaging/outbox';
import type { Clock } from '@procurement/kit/runtime/clock';
import type pg from 'pg';
import { decideAwarding } from '../domain/awarding.decide.ts';
import { foldAwarding } from '../domain/awarding.evolve.ts';
import type { AwardingCommand, AwardingState, AwardMeta, AwardSettings, TenderItem } from '../domain/awarding.ts';
import { tenderTime } from '@procurement/domain/tender-time';
import { loadAwarding, lockAwarding, tenderOfContract } from './load-awardings.ts';
import { saveAwarding } from './save-awarding.ts';

export interface ChangeAwardingInput {
  /** Called with the tender time after the row is locked. */
  makeCommand(meta: AwardMeta): AwardingCommand;
  readonly actor: Actor;
  readonly requestId: string;
  readonly items?: readonly TenderItem[] | undefined;
}

/** The state after a command and before it. */
export interface ChangedAwarding {
  readonly state: AwardingState;
  readonly before: AwardingState;
  /** See `AwardingChanged.awardId`. */
  readonly awardId?: string | undefined;
}

export type ChangeResult = ChangedAwarding | { readonly refused: Problem };

export interface AwardingsStore {
  find(tenderId: string): Promise<AwardingState>;
  tenderOfContract(contractId: string): Promise<string | undefined>;
  /**
   * Decides and stores one command in one transaction. Resolves when the tenders service has applied the event, or after the
   * timeout of `Outbox.awaitApplied`.
   */
  change(tender: TenderFacts, input: ChangeAwardingInput): Promise<ChangeResult>;
}

export interface AwardingsStoreDeps {
  readonly pool: pg.Pool;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly settings: AwardSettings;
  /** Called with the earliest deadline of a stored awarding, in real time. */
  readonly wakeAt: (at: Instant) => void;
}

export function awardingsStore(deps: AwardingsStoreDeps): AwardingsStore {
  const { pool, outbox, clock, ids, settings } = deps;
  return {
    find: async (tenderId) => (await loadAwarding(pool, tenderId)).state,
    tenderOfContract: async (contractId) => tenderOfContract(pool, contractId),

    async change(tender, { makeCommand, actor, requestId, items }) {
      let outboxRows: readonly OutboxRow[] = [];
      let dueAt: Instant | undefined;
      const outcome = await transact(pool, async (tx): Promise<ChangeResult> => {
        const { state: before } = await lockAwarding(tx, tender.id);
        // Read after the lock, so that a command that waited for it is judged by the time at which it is applied.
        const now = clock.now();
        const meta = { now: tenderTime(now, tender), actor, settings, nextId: ids.next, items };
        const decision = decideAwarding({ ...before, tender }, makeCommand(meta));
        if ('refused' in decision) return decision;
        const { accepted } = decision;
        if (accepted.length === 0) return { state: before, before };
        const state = foldAwarding(before, accepted);
        const saved = await saveAwarding(tx, deps, state, tender, { now, requestId, awaitsApplied: true });
        ({ outboxRows, dueAt } = saved);
        return { state, before, awardId: accepted[0]?.awardId };
      });
      if (dueAt !== undefined) deps.wakeAt(dueAt);
      await outbox.awaitApplied(outboxRows);
      return outcome;
    },
  };
}
