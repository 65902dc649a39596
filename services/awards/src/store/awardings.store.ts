import type { Actor } from '@procurement/contracts/api/actor';
import type { Instant } from '@procurement/contracts/reading/instant';
import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { type Problem, unavailable } from '@procurement/contracts/problems/problems';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { appendAudit, readStoredText, type AuditAct } from '@procurement/kit/database/audit';
import { transact } from '@procurement/kit/database/transaction';
import type { IdGenerator } from '@procurement/kit/runtime/ids';
import {
  FrozenError,
  allowsDecision,
  NOT_FROZEN,
  type DecisionFreeze,
} from '@procurement/kit/messaging/request/decision-freeze';
import type { DecisionFreezer, BegunFreeze } from '@procurement/kit/messaging/request/decision-freezer';
import type { Outbox } from '@procurement/kit/messaging/publish/outbox';
import type { Replica } from '@procurement/kit/messaging/consume/replica';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { Clock } from '@procurement/kit/runtime/clock';
import type pg from 'pg';
import { budgetRefusal } from '../domain/awarding.budget.ts';
import { decideAwarding } from '../domain/awarding.decide.ts';
import { foldAwarding } from '../domain/awarding.evolve.ts';
import type { AwardingCommand, AwardingState, AwardMeta, AwardSettings } from '../domain/awarding.ts';
import { signsContract } from '../domain/signing.ts';
import { tenderTime } from '@procurement/domain/tender-time';
import { buildColumns } from './awarding.row.ts';
import type { CopiedByContracts } from './copied-reader.ts';
import { loadAwarding, lockAwarding, tenderOfContract } from './load-awardings.ts';
import { saveAwardings, type SaveResult } from './save-awardings.ts';

export interface ChangeAwardingInput {
  /** Called with the tender time after the row is locked. */
  makeCommand(meta: AwardMeta): AwardingCommand;
  readonly actor: Actor;
  readonly requestId: string;
  /** What a new contract copies of the tender. */
  readonly copied?: CopiedByContracts | undefined;
  /** Decides only: reads without locks, freezes nothing, and stores nothing (decision 0111). */
  readonly isDryRun: boolean;
  /** The refusal when the request requires another state of the object (http.md 5.4), or all of its change (rulings R40). */
  readonly precondition?: ((before: AwardingState, after: AwardingState) => Problem | undefined) | undefined;
  /** Recorded with the change (decision 0071). */
  readonly audit?: AuditAct | undefined;
}

/** The state after a command and before it. */
export interface ChangedAwarding {
  readonly state: AwardingState;
  readonly before: AwardingState;
  /** See `AwardingChanged.awardId`. */
  readonly awardId?: string | undefined;
  /** Bytes of the document of all awards and contracts of the tender, which was stored; absent when nothing was. */
  readonly savedBytes?: number;
}

export type ChangeResult = ChangedAwarding | { readonly refused: Problem };

export interface AwardingsStore {
  find(tenderId: string): Promise<AwardingState>;
  tenderOfContract(contractId: string): Promise<string | undefined>;
  /**
   * Decides and stores one command in one transaction. Resolves when the tenders service has applied the event, or after the
   * timeout of `Outbox.awaitApplied`. Signs only while the tenders service holds complaints about the tender (decision 0060).
   * Throws 503 while the tender is frozen (decision 0060), and when the tenders service does not hold complaints.
   */
  change(tender: TenderFacts, input: ChangeAwardingInput): Promise<ChangeResult>;
}

export interface AwardingsStoreDeps {
  readonly pool: pg.Pool;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly settings: AwardSettings;
  /** Cancellations of tenders freeze all decisions about their awards. */
  readonly freeze: DecisionFreeze;
  /** Freezes complaints about a tender while a contract is signed. */
  readonly signings: DecisionFreezer;
  readonly tenders: Replica<TenderFacts>;
  /** Called with the earliest deadline of a stored awarding, in real time. */
  readonly wakeAt: (at: Instant) => void;
}

const STORED_TEXT = 'SELECT document AS text FROM awarding WHERE tender_id = $1';

/** The command signs a contract and was not stored, because complaints about the tender were not frozen. */
const NEEDS_RESERVATION = { needsReservation: true } as const;

/** A decision, with the columns of the state after it when there is something to store. */
interface DecidedChange {
  readonly result: ChangeResult;
  readonly columns?: ReturnType<typeof buildColumns>;
}

interface StoredChange {
  readonly result: ChangeResult;
  readonly saved?: SaveResult | undefined;
}

export function awardingsStore(deps: AwardingsStoreDeps): AwardingsStore {
  const { pool, outbox, clock, ids, settings, freeze, signings, tenders } = deps;

  function decide(
    before: AwardingState,
    tender: TenderFacts,
    { makeCommand, actor, copied, precondition }: ChangeAwardingInput,
    now: Instant,
  ): DecidedChange {
    const meta = { now: tenderTime(now, tender), actor, settings, nextId: ids.next, ...copied };
    const command = makeCommand(meta);
    const decision = decideAwarding({ ...before, tender }, command);
    if ('refused' in decision) return { result: decision };
    const { accepted } = decision;
    const state = accepted.length === 0 ? before : foldAwarding(before, accepted);
    const unmet = precondition?.(before, state);
    if (unmet !== undefined) return { result: { refused: unmet } };
    if (accepted.length === 0) return { result: { state, before } };
    const columns = buildColumns(state);
    const awardId = accepted[0]?.awardId;
    const refused = budgetRefusal(command, { before, after: state, documentText: columns.document, awardId });
    if (refused !== undefined) return { result: { refused } };
    return { result: { state, before, awardId, savedBytes: Buffer.byteLength(columns.document) }, columns };
  }

  async function preview(tender: TenderFacts, input: ChangeAwardingInput): Promise<ChangeResult> {
    return decide((await loadAwarding(pool, tender.id)).state, tender, input, clock.now()).result;
  }

  async function decideAndStore(
    tender: TenderFacts,
    input: ChangeAwardingInput,
    reserved?: BegunFreeze,
  ): Promise<StoredChange | typeof NEEDS_RESERVATION> {
    const { requestId, audit } = input;
    return transact(pool, async (tx) => {
      const { state: before } = await lockAwarding(tx, tender.id);
      await requireNotFrozen(tx, freeze, tender);
      // Read after the lock, so that a command that waited for it is judged by the time at which it is applied.
      const now = clock.now();
      const { result, columns } = decide(before, tender, input, now);
      if ('refused' in result || columns === undefined) return { result };
      const { state } = result;
      if (reserved === undefined && signsContract(before, state)) return NEEDS_RESERVATION;
      if (reserved !== undefined) await signings.confirm(tx, reserved);
      if (audit !== undefined) {
        const text = await readStoredText(tx, STORED_TEXT, tender.id);
        await appendAudit(tx, audit, { id: tender.id, before: text, after: columns.document });
      }
      const [saved] = await saveAwardings(tx, deps, [{ before, state, tender, columns, requestId }], {
        now,
        awaitsApplied: true,
      });
      return { result, saved };
    });
  }

  /** Signs by the complaints of the tender as they are while they are frozen. */
  async function signReserved(id: string, input: ChangeAwardingInput): Promise<StoredChange> {
    const reserved = await signings.freeze(id);
    try {
      const tender = await tenders.refresh(id);
      const frozenVersion = reserved.versions.get(rpcSubjects.freezeComplaints) ?? Infinity;
      // The tenders service did not answer with the facts that it has frozen.
      if (tender === undefined || tender.version < frozenVersion) throw new ProblemError(UNAVAILABLE);
      const stored = await decideAndStore(tender, input, reserved);
      if ('needsReservation' in stored) throw new Error('a reserved signing asked for a reservation');
      return stored;
    } finally {
      await signings.lift(reserved);
    }
  }

  return {
    find: async (tenderId) => (await loadAwarding(pool, tenderId)).state,
    tenderOfContract: async (contractId) => tenderOfContract(pool, contractId),

    async change(given, input) {
      if (input.isDryRun) return preview(given, input);
      const { result, saved } = await freeze.decide(given.id, async (again) => {
        const tender = again ? ((await tenders.refresh(given.id)) ?? given) : given;
        const stored = await decideAndStore(tender, input);
        return 'needsReservation' in stored ? signReserved(given.id, input) : stored;
      });
      if (saved?.dueAt !== undefined) deps.wakeAt(saved.dueAt);
      await outbox.awaitApplied(saved?.outboxRows ?? []);
      return result;
    },
  };
}

const UNAVAILABLE = unavailable(1);

/** Throws FrozenError when tenders cancels the tender, or has since these facts. The caller holds the lock of the awarding. */
export async function requireNotFrozen(tx: pg.PoolClient, freeze: DecisionFreeze, tender: TenderFacts): Promise<void> {
  const state = (await freeze.read(tx, [tender.id])).get(tender.id) ?? NOT_FROZEN;
  if (allowsDecision(state, tender.version)) return;
  if (state.isHeld) freeze.liftAbandoned(tender.id);
  throw new FrozenError(tender.id);
}
