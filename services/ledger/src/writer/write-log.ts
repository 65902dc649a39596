import { signalSubjects } from '@procurement/contracts/events/subjects';
import { startExclusive, type ExclusiveTurn } from '@procurement/kit/database/session-lock';
import { monotonicMs } from '@procurement/kit/runtime/clock';
import { toError } from '@procurement/kit/runtime/to-error';
import { makeInterruption, type Interruption } from '@procurement/kit/runtime/interruption';
import { STUCK_SECONDS, type ReadyDetail } from '@procurement/kit/runtime/ready-detail';
import { makeSignal } from '@procurement/kit/runtime/signal';
import type { Progress } from '../domain/page-plan.ts';
import { appendLeaves, HeadMovedError } from '../store/append.ts';
import { thinCheckpoints } from '../store/checkpoints.store.ts';
import { HeadDamagedError, readHead, saveProgress, type Head } from '../store/head.store.ts';
import { countUploads } from '../store/upload.store.ts';
import { LockLostError, type RequireLock, type WriterDeps } from './deps.ts';
import { publishHead, type WitnessTimes } from './publish.ts';
import { readOwners, type OwnersAnswer } from './read-owners.ts';
import { startLog } from './start-log.ts';

/** One writer per database: an advisory lock. */
const WRITER_LOCK = '7270738020';

/** A signal comes with every commit of the owners; this bounds the wait for a lost one. */
const IDLE_MS = 60_000;
const UNANSWERED_MS = 1_000;
/** Pause of a halted writer, and before the owner is asked again for what cannot be logged. */
const PROBLEM_MS = 5_000;
/** So that readers see that the newest checkpoint is fresh, although nothing is new. */
const REFRESH_MS = 600_000;
const THIN_MS = 3_600_000;

export interface LogWriter {
  /** What is stuck, by the clock of `monotonicMs`; empty in a process that stands by. */
  problems(nowMs?: number): readonly ReadyDetail[];
  /** Finishes the transaction that is running. */
  stop(): Promise<void>;
}

/** What the writer has seen, for metrics and `/health`. Times are of `monotonicMs`. */
interface Seen {
  head: Head | undefined;
  ownerHead: number | undefined;
  uploads: number;
  /** When this process began to write; undefined while it stands by. */
  turnMs: number | undefined;
  publishedMs: number | undefined;
  /** Why the log is not written. */
  problem: string | undefined;
  isHalted: boolean;
  /** Why a redaction is not logged. */
  redactionProblem: string | undefined;
  /** Since when an owner does not answer. */
  readonly silentSinceMs: Map<'tenders' | 'register', number>;
  readonly witnessTimes: WitnessTimes;
}

/** What a process has seen that stands by, or begins to write. */
function nothingSeen(turn: Pick<Seen, 'turnMs' | 'witnessTimes'>): Seen {
  return {
    head: undefined,
    ownerHead: undefined,
    uploads: 0,
    publishedMs: undefined,
    problem: undefined,
    isHalted: false,
    redactionProblem: undefined,
    silentSinceMs: new Map(),
    ...turn,
  };
}

/** `more`: there is more to log; `idle`: nothing was left. */
type Outcome = 'more' | 'idle' | 'unanswered' | 'problem';

/** Writes the log (proof.md 3.2). One process per database writes; the others stand by and serve. */
export function startLogWriter(deps: WriterDeps): LogWriter {
  const { log, bus } = deps;
  const wake = makeSignal();
  const ended = makeSignal();
  const standingBy = nothingSeen({ turnMs: undefined, witnessTimes: new Map() });
  const turn: { interruption: Interruption; seen: Seen } = { interruption: makeInterruption(), seen: standingBy };
  registerGauges(deps, () => turn.seen);
  bus.onOpen((connection) => {
    for (const subject of [signalSubjects.tendersPublished, signalSubjects.registerRedacted])
      connection.subscribe(subject, { callback: () => wake.notify() });
  });

  async function work({ client, isHeld }: ExclusiveTurn): Promise<void> {
    turn.interruption = makeInterruption();
    const requireLock: RequireLock = async () => {
      if (!isHeld()) throw new LockLostError();
      // The session has the lock: a statement fails when it is gone.
      await client.query('SELECT').catch(() => Promise.reject(new LockLostError()));
    };
    const turnMs = monotonicMs();
    // A new value for each turn: what is left of the one before writes into its own.
    const seen = nothingSeen({ turnMs, witnessTimes: new Map(deps.witnesses.map((witness) => [witness, turnMs])) });
    turn.seen = seen;
    let isStarted = false;
    let thinnedMs = turnMs;
    while (isHeld()) {
      const begunMs = monotonicMs();
      const outcome: Outcome | undefined = await turn.interruption
        .unlessInterrupted(isStarted ? runRound(deps, seen, requireLock) : start(deps, seen))
        .catch((error: unknown) => failed(seen, error));
      if (outcome === undefined || !isHeld()) break;
      // After every doubt database and store are compared again.
      isStarted = outcome !== 'problem';
      if (outcome === 'problem') await ended.wait(deps.problemMs ?? PROBLEM_MS);
      else if (outcome === 'idle') await wake.wait(IDLE_MS);
      else if (outcome === 'unanswered') await ended.wait(UNANSWERED_MS);
      const leftMs = begunMs + deps.intervalMs - monotonicMs();
      if (leftMs > 0 && outcome !== 'unanswered') await ended.wait(leftMs);
      if (monotonicMs() - thinnedMs > THIN_MS) {
        thinnedMs = monotonicMs();
        await thinCheckpoints(deps.pool).catch((error: unknown) => log.warn({ err: error }, 'checkpoints not thinned'));
      }
    }
    turn.seen = standingBy;
  }

  function failed(seen: Seen, error: unknown): Outcome {
    if (error instanceof HeadMovedError || error instanceof LockLostError) return 'problem';
    if (error instanceof HeadDamagedError)
      return stopAt(deps, seen, { text: `halted: ${error.message}`, isHalt: true });
    log.warn({ err: error }, 'the log was not written');
    seen.problem = `not written: ${toError(error).message}`;
    return 'problem';
  }

  const exclusive = startExclusive({
    databaseUrl: deps.databaseUrl,
    name: 'ledger-writer',
    lockKey: WRITER_LOCK,
    log,
    onLost: () => {
      turn.interruption.interrupt();
      wake.notify();
      ended.notify();
    },
    work,
  });
  return {
    problems: (nowMs = monotonicMs()) => findProblems(turn.seen, nowMs),
    stop: async () => exclusive.stop(),
  };
}

function findProblems({ problem, redactionProblem, silentSinceMs }: Seen, nowMs: number): readonly ReadyDetail[] {
  const texts = { writer: problem, redactions: redactionProblem };
  const silent = [...silentSinceMs].map(([name, sinceMs]) => ({ name, seconds: (nowMs - sinceMs) / 1_000 }));
  return [
    ...Object.entries(texts).flatMap(([name, text]) =>
      text === undefined ? [] : [{ kind: 'ledger', name, count: 1, text }],
    ),
    ...silent
      .filter(({ seconds }) => seconds >= STUCK_SECONDS)
      .map(({ name, seconds }) => ({
        kind: 'owner',
        name,
        count: 1,
        oldestSeconds: Math.round(seconds),
        text: 'does not answer the ledger',
      })),
  ];
}

/** Compares database and store. What memory has may be of a transaction that was not committed. */
async function start(deps: WriterDeps, seen: Seen): Promise<Outcome> {
  deps.nodes.forget();
  await deps.files.prepare();
  const { halted } = await readHead(deps.pool);
  const halt = halted ?? (await startLog(deps));
  return halt === undefined ? 'more' : stopAt(deps, seen, { text: `halted: ${halt}`, isHalt: true });
}

/** Reads what is new, adds it to the log, and brings the checkpoint to readers. */
async function runRound(deps: WriterDeps, seen: Seen, requireLock: RequireLock): Promise<Outcome> {
  const head = await readHead(deps.pool);
  seen.head = head;
  if (head.halted !== undefined) return stopAt(deps, seen, { text: `halted: ${head.halted}`, isHalt: true });
  // What a process before this one has signed comes first.
  if (head.size > head.published || isStale(seen)) return publish(deps, seen, head, requireLock);
  const answer = await readOwners(deps, head);
  noteAnswers(seen, answer);
  if (answer.kind === 'unanswered') return 'unanswered';
  if (answer.head !== undefined) seen.ownerHead = answer.head;
  if (answer.kind === 'problem') return stopAt(deps, seen, answer);
  return add(deps, seen, { head, answer, requireLock });
}

async function add(
  deps: WriterDeps,
  seen: Seen,
  {
    head,
    answer: { addition, isWhole },
    requireLock,
  }: { head: Head; answer: OwnersAnswer & { kind: 'addition' }; requireLock: RequireLock },
): Promise<Outcome> {
  if (addition.drafts.length > 0) {
    await requireLock();
    await appendLeaves(deps, head, addition);
    const outcome = await publish(deps, seen, await readHead(deps.pool), requireLock);
    return outcome === 'more' && isWhole ? 'idle' : outcome;
  }
  if (!isSame(head, addition.progress)) {
    if (!(await saveProgress(deps.pool, head.size, addition.progress))) throw new HeadMovedError();
    seen.head = await readHead(deps.pool);
  }
  goOn(seen);
  return isWhole ? 'idle' : 'more';
}

function isSame(one: Progress, other: Progress): boolean {
  return (['phase', 'position', 'number', 'epoch', 'redaction'] as const).every((name) => one[name] === other[name]);
}

async function publish(deps: WriterDeps, seen: Seen, head: Head, requireLock: RequireLock): Promise<Outcome> {
  seen.head = head;
  seen.uploads = await countUploads(deps.pool);
  if (head.size > 0 && !(await publishHead(deps, head, { requireLock, witnessTimes: seen.witnessTimes })))
    return 'problem';
  seen.publishedMs = monotonicMs();
  // All of them are in the store.
  seen.uploads = 0;
  goOn(seen);
  return 'more';
}

function goOn(seen: Seen): void {
  seen.problem = undefined;
  seen.isHalted = false;
}

function noteAnswers(seen: Seen, answer: OwnersAnswer): void {
  noteAnswer(seen, 'tenders', answer.kind !== 'unanswered');
  if (answer.kind !== 'addition' || answer.register === undefined) return;
  noteAnswer(seen, 'register', answer.register.hasAnswered);
  if (answer.register.hasAnswered) seen.redactionProblem = answer.register.problem;
}

function noteAnswer({ silentSinceMs }: Seen, owner: 'tenders' | 'register', hasAnswered: boolean): void {
  if (hasAnswered) silentSinceMs.delete(owner);
  else if (!silentSinceMs.has(owner)) silentSinceMs.set(owner, monotonicMs());
}

function isStale({ publishedMs }: Seen): boolean {
  return publishedMs === undefined || monotonicMs() - publishedMs > REFRESH_MS;
}

function stopAt(
  { log }: WriterDeps,
  seen: Seen,
  { text, isHalt = false }: { readonly text: string; readonly isHalt?: boolean },
): Outcome {
  if (seen.problem !== text) log.error({ text }, isHalt ? 'the log is halted' : 'the log waits');
  seen.problem = text;
  seen.isHalted = isHalt;
  return 'problem';
}

function registerGauges({ metrics, clock, witnesses }: WriterDeps, now: () => Seen): void {
  metrics.gauge('ledger_size', 'Leaves of the log; of the writer', () => now().head?.size ?? 0);
  metrics.gauge('ledger_halted', '1 while nothing is signed any more', () => (now().isHalted ? 1 : 0));
  metrics.gauge('ledger_behind_seconds', 'Age of the position of the log while tenders has more, else 0', () => {
    const { head, ownerHead = 0 } = now();
    const position = head?.position ?? 0;
    return ownerHead > position && position > 0 ? (clock.now() - position) / 1_000_000 : 0;
  });
  metrics.gauge('ledger_checkpoint_age_seconds', 'Since the newest checkpoint was published or confirmed', () =>
    secondsSince(now().publishedMs ?? now().turnMs),
  );
  metrics.gauge('ledger_upload_waiting', 'Full tiles that the store does not have yet', () => now().uploads);
  for (const witness of witnesses)
    metrics.gauge(
      'ledger_witness_behind_seconds',
      'Since the witness has last signed the newest checkpoint',
      () => secondsSince(now().witnessTimes.get(witness)),
      { witness: witness.name },
    );
}

/** 0 for what was never. */
function secondsSince(ms: number | undefined): number {
  return ms === undefined ? 0 : (monotonicMs() - ms) / 1_000;
}
