/** A stream as the server describes it. */
export interface StreamState {
  readonly createdAt: string;
  /** 0 when it never had an event. */
  readonly firstSeq: number;
  readonly lastSeq: number;
}

/** A durable as the server describes it. */
export interface DurableState {
  /** The server has looked at every event up to this sequence, and delivered those that match the filter. */
  readonly deliveredSeq: number;
  /** Every delivered event up to this sequence was acknowledged. */
  readonly ackFloorSeq: number;
  readonly ackPending: number;
}

export interface ServerState {
  readonly stream: StreamState;
  /** Undefined: the server does not have it. */
  readonly durable?: DurableState | undefined;
}

/** What the database of the service knows of a durable. */
export interface StoredPosition {
  readonly streamCreatedAt: string;
  /** Everything up to this sequence was applied, by the last check. */
  readonly verifiedSeq: number;
  /** The largest sequence that was applied. */
  readonly appliedSeq: number;
}

export interface PositionEvidence extends ServerState {
  /** Read after what the server said. */
  readonly stored?: StoredPosition | undefined;
  /** What the server said when it was asked again, after `stored` was read: it must know every event that `stored` counts. */
  readonly later?: ServerState | undefined;
  /** The first event of the stream after `appliedSeq` that matches the filter. */
  readonly nextSeq?: number | undefined;
  /** The rows that the durable maintains are gone. */
  readonly copyMissing: boolean;
  /** The owner can send the current facts. */
  readonly hasFacts: boolean;
}

/**
 * `current`: nothing is missing. `replay`: the stream still has what may be missing. `rebuild`: only the owner has it.
 * `lost`: nobody has it, because the events are commands; their senders repeat them. `isReset`: the stored positions do not continue, so
 * that they must be removed.
 */
export type Assessment =
  | { readonly kind: 'current'; readonly floorSeq: number }
  | { readonly kind: 'replay'; readonly reason: string; readonly afterSeq: number; readonly floorSeq: number }
  | {
      readonly kind: 'rebuild' | 'lost';
      readonly reason: string;
      readonly floorSeq: number;
      readonly isReset: boolean;
    };

/** The sequence up to which the server will not deliver again what matches the filter. */
export function acknowledgedSeq(durable: DurableState | undefined, verifiedSeq: number): number {
  if (durable === undefined) return verifiedSeq;
  // With nothing pending everything delivered was acknowledged. The ack floor itself stays at the last event that matched.
  return Math.max(verifiedSeq, durable.ackPending === 0 ? durable.deliveredSeq : durable.ackFloorSeq);
}

/**
 * Compares what the server will not deliver again with what the database has. Events are acknowledged after the commit that
 * raises `appliedSeq`, so an acknowledged event after `appliedSeq` is missing here: the database was lost or restored. A replay skips
 * what the inbox has.
 */
export function assessPosition(evidence: PositionEvidence): Assessment {
  const { stream, durable, stored, nextSeq, later = evidence } = evidence;
  if (stored === undefined) return assessFirst(evidence);
  const loss = findLoss(later, stored);
  if (loss !== undefined) return reset({ ...later, hasFacts: evidence.hasFacts }, loss);
  const floorSeq = acknowledgedSeq(durable, stored.verifiedSeq);
  if (stream.firstSeq > floorSeq + 1) {
    return repair(evidence, 'the stream has dropped events that were not applied', stream.firstSeq - 1);
  }
  // What the stream has dropped cannot be compared with the inbox.
  if (floorSeq > stored.appliedSeq && stream.firstSeq > stored.appliedSeq + 1) {
    return repair(evidence, 'the stream has dropped events that may not have been applied', floorSeq);
  }
  if (evidence.copyMissing) return repair(evidence, 'the copy is empty', floorSeq);
  const isBehind = floorSeq > stored.appliedSeq && nextSeq !== undefined && nextSeq <= floorSeq;
  if (!isBehind) return { kind: 'current', floorSeq };
  const reason = 'the database is older than the acknowledgements';
  // Not after `appliedSeq`: other processes may have applied later events first.
  const { verifiedSeq: afterSeq } = stored;
  return evidence.hasFacts && stream.firstSeq > afterSeq + 1
    ? { kind: 'rebuild', reason, floorSeq, isReset: false }
    : { kind: 'replay', reason, afterSeq, floorSeq };
}

/**
 * Why the server does not know all that `stored` counts: it has lost something, or has answered before `stored` was read, and an event
 * has come since.
 */
export function findLoss({ stream, durable }: ServerState, stored: StoredPosition): string | undefined {
  if (stored.streamCreatedAt !== stream.createdAt) return 'the stream was created anew';
  if (stream.lastSeq < Math.max(stored.appliedSeq, stored.verifiedSeq)) return 'the stream has lost its last events';
  // Not `verifiedSeq`: it may be after the last event that matched, and so after `deliveredSeq` while the next one waits.
  if (durable !== undefined && durable.deliveredSeq < stored.appliedSeq)
    return 'the durable is older than the last applied event';
  return undefined;
}

function assessFirst(evidence: PositionEvidence): Assessment {
  const { stream, hasFacts } = evidence;
  const floorSeq = resetSeqOf(evidence);
  if (floorSeq === 0 && stream.firstSeq <= 1) return { kind: 'current', floorSeq: 0 };
  const reason = 'no position is stored';
  return hasFacts ? reset(evidence, reason) : { kind: 'replay', reason, afterSeq: 0, floorSeq };
}

/** What the server will not deliver again, whatever is stored. */
function resetSeqOf({ stream, durable }: ServerState): number {
  return Math.min(acknowledgedSeq(durable, 0), stream.lastSeq);
}

function reset(evidence: ServerState & Pick<PositionEvidence, 'hasFacts'>, reason: string): Assessment {
  return { kind: evidence.hasFacts ? 'rebuild' : 'lost', reason, floorSeq: resetSeqOf(evidence), isReset: true };
}

function repair({ hasFacts }: PositionEvidence, reason: string, floorSeq: number): Assessment {
  return { kind: hasFacts ? 'rebuild' : 'lost', reason, floorSeq, isReset: false };
}
