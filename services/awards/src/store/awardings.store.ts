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
  /** The command, once the time of the tender is known. */
  makeCommand(meta: AwardMeta): AwardingCommand;
  readonly actor: Actor;
  readonly requestId: string;
  readonly items?: readonly TenderItem[] | undefined;
}

/** An awarding as a command left it, and as it was. */
export interface ChangedAwarding {
  readonly state: AwardingState;
  readonly before: AwardingState;
  /** What the command was about, where it says so. */
  readonly awardId?: string | undefined;
}

export type ChangeResult = ChangedAwarding | { readonly refused: Problem };

/** Awards and contracts, by tender. */
export interface AwardingsStore {
  find(tenderId: string): Promise<AwardingState>;
  tenderOfContract(contractId: string): Promise<string | undefined>;
  /** Decides and stores one command in one transaction; answers when the tender shows what came of it. */
  change(tender: TenderFacts, input: ChangeAwardingInput): Promise<ChangeResult>;
}

export interface AwardingsStoreDeps {
  readonly pool: pg.Pool;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly settings: AwardSettings;
  /** Told when the clock will have to act for awards that were stored. */
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
        // After the lock: a wish that waited here is as late as it is now.
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
