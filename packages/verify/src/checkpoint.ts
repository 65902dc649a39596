import { openCheckpoint, type OpenedCheckpoint } from '@procurement/proof/checkpoints';
import { decodeText } from '@procurement/proof/hash';
import type { Signature } from '@procurement/proof/notes';
import { hasQuorum, type Policy } from '@procurement/proof/policy';
import { consistencyRanges, rootOfLeaves, verifyConsistency } from '@procurement/proof/tree';
import { LogReader } from './log-reader.ts';
import { CannotCheckError, FindingError, NoCheckpointError, type Report } from './report.ts';
import { readIfThere, type Source } from './source.ts';

/** Context of a check: what is asked, who is trusted, where findings go. */
export interface Context {
  readonly source: Source;
  readonly policy: Policy;
  readonly report: Report;
  /** Real time in seconds since 1970. */
  nowSeconds(): number;
}

/** Oldest cosignature that still shows a checkpoint to be fresh. The log asks its witnesses for new ones every ten minutes. */
const FRESH_SECONDS = 15 * 60;

/** Opens a checkpoint that the trusted log has signed. Returns undefined for any other note. */
export function openTrusted({ policy }: Pick<Context, 'policy'>, note: string): OpenedCheckpoint | undefined {
  return openCheckpoint(note, policy.logs, [...policy.witnesses.values()]);
}

/** Reads a checkpoint, and judges who signed it. */
export async function readCheckpoint(context: Context): Promise<SignedTree> {
  const { source, report } = context;
  const bytes = await readIfThere(source, 'log/checkpoint');
  if (bytes === undefined) throw new NoCheckpointError(`${source.address}/log/checkpoint: there is no checkpoint`);
  const note = decodeText(bytes) ?? '';
  const opened = openTrusted(context, note);
  if (opened === undefined)
    throw new FindingError('signature', 'checkpoint', 'signed by the key of the log', note.slice(0, 1_000));
  report.size = opened.checkpoint.size;
  judgeWitnesses(context, opened);
  return { note, opened };
}

function judgeWitnesses(context: Context, { checkpoint, cosignatures }: OpenedCheckpoint): void {
  const { policy, report } = context;
  const names = new Map([...policy.witnesses].map(([name, { vkey }]) => [vkey, name]));
  report.witnesses = cosignatures.map(({ verifier, seconds = 0 }) => ({
    name: names.get(verifier.vkey) ?? verifier.name,
    time: seconds,
  }));
  if (!isQuorum(policy, cosignatures))
    report.add('quorum', 'checkpoint', `a quorum of ${policy.quorum}`, `${cosignatures.length} cosignatures`);
  if (policy.quorum === 'none') report.warn('the policy needs no witness: other readers may be shown another log');
  const seen =
    cosignatures.length === 0
      ? 'no witness'
      : `${cosignatures.length} of ${names.size} witnesses, ${agesText(context, cosignatures)} ago`;
  report.say('log', `${checkpoint.origin}, ${checkpoint.size} entries, ${seen}`);
}

/** Says whether those who have cosigned are the witnesses that the policy needs. */
export function isQuorum(policy: Policy, cosignatures: readonly Signature[]): boolean {
  return hasQuorum(
    policy,
    cosignatures.map(({ verifier }) => verifier),
  );
}

/** Writes how long ago the witnesses have signed, by the clock of the reader. */
function agesText({ nowSeconds }: Context, cosignatures: readonly Signature[]): string {
  return `${cosignatures.map(({ seconds = 0 }) => nowSeconds() - seconds).join(', ')} s`;
}

/**
 * Judges the age of the checkpoint by the witnesses that the policy needs: one of them, whose clock is wrong, must not make an old log fresh,
 * or a fresh one old. Where the policy needs none, or too few have signed, one fresh cosignature is enough.
 */
function judgeAge(context: Context, { cosignatures }: OpenedCheckpoint): void {
  const { policy, report, nowSeconds } = context;
  const fresh = cosignatures.filter(({ seconds = 0 }) => Math.abs(nowSeconds() - seconds) <= FRESH_SECONDS);
  const isFresh = fresh.length > 0 && (isQuorum(policy, fresh) || !isQuorum(policy, cosignatures));
  if (cosignatures.length > 0 && !isFresh)
    report.add(
      'stale',
      'checkpoint',
      `cosigned by a quorum at most ${FRESH_SECONDS} s ago`,
      agesText(context, cosignatures),
    );
}

/** Two signed checkpoints that are not of one log, in the form of docs/spec/proof/equivocation.json. */
export interface Equivocation {
  readonly first: string;
  readonly second: string;
  readonly rootInSecond?: string;
  readonly proof?: readonly string[];
}

/** A checkpoint with its signed note. */
export interface SignedTree {
  readonly note: string;
  readonly opened: OpenedCheckpoint;
}

/** The newest checkpoint, with the reader of its tree. */
export interface CheckedTree {
  readonly shown: SignedTree;
  readonly reader: LogReader;
}

/**
 * Compares two checkpoints of one log, of which the second is not smaller. Returns evidence when the first tree is not the beginning of the
 * second, whose tiles the reader has. Throws where the tiles do not lead to the second root: they prove nothing about the first.
 */
export async function findEquivocation(
  first: SignedTree,
  second: SignedTree,
  reader: LogReader,
): Promise<Equivocation | undefined> {
  const [older, newer] = [first.opened.checkpoint, second.opened.checkpoint];
  // A policy may have several logs, and their trees say nothing about each other.
  if (older.origin !== newer.origin)
    throw new CannotCheckError(`these are checkpoints of two logs: ${older.origin} and ${newer.origin}`);
  const notes = { first: first.note, second: second.note };
  if (older.size === newer.size) return older.root.equals(newer.root) ? undefined : notes;
  if (older.size === 0) return older.root.equals(rootOfLeaves([])) ? undefined : notes;
  const proof = await reader.hashes(consistencyRanges(older.size, newer.size));
  const [rootInSecond = older.root] = await reader.hashes([{ start: 0, end: older.size }]);
  const sizes = { first: older.size, second: newer.size, secondRoot: newer.root, proof };
  if (!verifyConsistency({ ...sizes, firstRoot: rootInSecond }))
    throw new FindingError('root', `tiles of ${newer.size} entries`, newer.root.toString('base64'), 'another root');
  if (rootInSecond.equals(older.root)) return undefined;
  const base64 = (hash: Buffer) => hash.toString('base64');
  return { ...notes, rootInSecond: base64(rootInSecond), proof: proof.map(base64) };
}

/** Opens the checkpoint that this reader has kept. Returns undefined where there is none, or where it is of other keys than those of now. */
export function openKept(context: Context, note: string | undefined): SignedTree | undefined {
  if (note === undefined) return undefined;
  const opened = openTrusted(context, note);
  if (opened !== undefined) return { note, opened };
  context.report.warn('the kept checkpoint was signed by other keys than those that are trusted now');
  return undefined;
}

/** Reads the newest checkpoint, which must be fresh, and whose tree must begin with the kept one. Gives evidence of a fork to `onFork`. */
export async function readTree(
  context: Context,
  kept: SignedTree | undefined,
  onFork: (evidence: Equivocation) => void,
): Promise<CheckedTree> {
  const shown = await readCheckpoint(context);
  judgeAge(context, shown.opened);
  if (kept !== undefined) {
    const evidence = await compareWithKept(context, kept, shown);
    if (evidence !== undefined) {
      addFork(context, evidence);
      onFork(evidence);
    }
  }
  return { shown, reader: new LogReader(context.source, shown.opened.checkpoint) };
}

/** Adds the finding that the log has shown two trees. */
export function addFork({ report }: Context, { first, second }: Equivocation): void {
  const shown = (note: string) => note.split('\n').slice(1, 3).join(' entries, root ');
  report.add('fork', 'two checkpoints of the log', shown(first), shown(second));
}

/** Compares the checkpoint with the kept one. Returns evidence of a fork, or undefined where one tree is the beginning of the other. */
async function compareWithKept(
  context: Context,
  kept: SignedTree,
  shown: SignedTree,
): Promise<Equivocation | undefined> {
  const [before, now] = [kept.opened.checkpoint, shown.opened.checkpoint];
  if (before.size <= now.size) return findEquivocation(kept, shown, new LogReader(context.source, now));
  // The log has shown a larger tree before. This may be an old copy of an honest log, whose tiles lead to both roots.
  try {
    const evidence = await findEquivocation(shown, kept, new LogReader(context.source, before));
    if (evidence === undefined)
      context.report.add('stale', 'checkpoint', `at least ${before.size} entries, as kept`, `${now.size} entries`);
    return evidence;
  } catch (error) {
    // A log that went back has lost what it had signed; a server that does not answer proves nothing.
    const isGone = error instanceof FindingError && (error.finding.code === 'root' || error.finding.found === '404');
    if (!isGone) throw error;
    return { first: shown.note, second: kept.note };
  }
}
