import { isDue, PARKED_MAX } from './webhook-schedule.ts';

/** A change that was not accepted yet, or waits behind one of its tender. */
export interface ParkedChange {
  readonly position: bigint;
  readonly tender: string;
  /** Number of failed attempts so far. */
  readonly attempts: number;
  /** Undefined: due as soon as the tender's change before it is gone. */
  readonly nextAt?: number;
  readonly deadAt?: number;
  /** Demanded by the owner. */
  readonly redelivery: boolean;
  readonly lastError?: string;
}

/** A change to be sent now. */
export interface DueChange {
  readonly position: bigint;
  readonly tender: string;
  /** Number of earlier attempts. */
  readonly attempts: number;
  readonly redelivery: boolean;
  readonly isParked: boolean;
}

export interface DeliveryState {
  readonly position: bigint;
  readonly redeliveredTo: bigint;
  /** Parked changes in order, without dead letters. */
  readonly parked: readonly ParkedChange[];
}

export interface Circuit {
  readonly isOpen: boolean;
  /** Whether a change may be tried although it is open. */
  readonly isDue: boolean;
}

/** What is to be stored with the cursor. */
export interface WindowChanges {
  readonly position: bigint;
  readonly parked: readonly ParkedChange[];
  readonly unparked: readonly bigint[];
}

/** How a failed change goes on: when it is tried again; undefined when it is given up. */
export interface Failure {
  readonly retryAt: number | undefined;
  /** Does not count towards the last attempt: the circuit is open. */
  readonly isFree: boolean;
  readonly now: number;
  readonly error: string;
}

/**
 * The changes of one webhook between reading and delivery, in memory (register.md 5.3). At most one change of a tender is sent at
 * a time, in order. A change that fails is parked with all later ones of its tender, and other tenders go on.
 */
export interface DeliveryWindow {
  /** Adds matching changes in order. Everything up to `readTo` was read. */
  add(changes: readonly { readonly position: bigint; readonly tender: string }[], readTo: bigint): void;
  readonly readTo: bigint;
  /** Number of changes that were read and are neither delivered nor parked. */
  readonly unsettled: number;
  readonly parkedCount: number;
  /** Whether more may be read. */
  canRead(circuit: Circuit): boolean;
  /** The next change to send; its tender is busy until `delivered` or `failed`. */
  next(now: number, circuit: Circuit): DueChange | undefined;
  /** When a parked change is due; undefined when none waits for a time. */
  nextDueAt(): number | undefined;
  delivered(change: DueChange): void;
  failed(change: DueChange, failure: Failure): void;
  /** Sends it again as if nothing had happened. */
  abandon(change: DueChange): void;
  /** Everything up to it is delivered or parked. */
  cursor(): bigint;
  hasChanges(): boolean;
  takeChanges(): WindowChanges;
  /** Takes the changes back after a save that failed. */
  restoreChanges(changes: WindowChanges): void;
}

/** Changes that are read ahead. */
export const WINDOW_MAX = 500;

export function makeDeliveryWindow({ position, redeliveredTo, parked }: DeliveryState): DeliveryWindow {
  let readTo = position;
  let saved = position;
  let parkedCount = 0;
  const busy = new Set<string>();
  /** Positions in ascending order: the first one bounds the cursor. */
  const unsettled = new Set<bigint>();
  const waiting = new Map<string, bigint[]>();
  /** Tenders with waiting changes that are not busy. */
  const ready = new Set<string>();
  const parkedOf = new Map<string, ParkedChange[]>();
  let toPark = new Map<bigint, ParkedChange>();
  let toUnpark = new Set<bigint>();

  function park(change: ParkedChange): void {
    const list = parkedOf.get(change.tender) ?? [];
    const at = list.findIndex((one) => one.position === change.position);
    if (at >= 0) list[at] = change;
    else {
      list.push(change);
      parkedCount += 1;
    }
    parkedOf.set(change.tender, list);
    toPark.set(change.position, change);
    toUnpark.delete(change.position);
  }

  /** Takes the first one away; the next is due at once. */
  function unparkFirst(tender: string): void {
    const list = parkedOf.get(tender) ?? [];
    const first = list.shift();
    if (first !== undefined) parkedCount -= 1;
    const next = list[0];
    if (next === undefined) parkedOf.delete(tender);
    else if (next.nextAt !== undefined) park(withoutTime(next));
  }

  function parkBehind(tender: string, change: bigint): void {
    park({ position: change, tender, attempts: 0, redelivery: change <= redeliveredTo });
    unsettled.delete(change);
  }

  function dueParked(now: number, circuit: Circuit): ParkedChange | undefined {
    let best: ParkedChange | undefined;
    for (const [tender, [first]] of parkedOf) {
      if (first === undefined || busy.has(tender)) continue;
      if (!circuit.isOpen && !isDue(first.nextAt, now)) continue;
      if (best === undefined || (first.nextAt ?? 0) < (best.nextAt ?? 0)) best = first;
    }
    return best;
  }

  function nextRead(): DueChange | undefined {
    for (const tender of ready) {
      const first = waiting.get(tender)?.[0];
      if (first === undefined) continue;
      return { position: first, tender, attempts: 0, redelivery: first <= redeliveredTo, isParked: false };
    }
    return undefined;
  }

  function release(tender: string): void {
    busy.delete(tender);
    if ((waiting.get(tender)?.length ?? 0) > 0) ready.add(tender);
    else waiting.delete(tender);
  }

  for (const change of parked) park(change);
  toPark.clear();

  return {
    get readTo() {
      return readTo;
    },
    get unsettled() {
      return unsettled.size;
    },
    get parkedCount() {
      return parkedCount;
    },
    add(changes, upTo) {
      for (const { position: change, tender } of changes) {
        if (parkedOf.has(tender)) {
          parkBehind(tender, change);
          continue;
        }
        unsettled.add(change);
        const list = waiting.get(tender) ?? [];
        list.push(change);
        waiting.set(tender, list);
        if (!busy.has(tender)) ready.add(tender);
      }
      readTo = upTo;
    },
    canRead: ({ isOpen }) => !isOpen && unsettled.size < WINDOW_MAX / 2 && parkedCount < PARKED_MAX,
    next(now, circuit) {
      if (circuit.isOpen && (!circuit.isDue || busy.size > 0)) return undefined;
      const first = dueParked(now, circuit);
      const change: DueChange | undefined = first === undefined ? nextRead() : { ...first, isParked: true };
      if (change === undefined) return undefined;
      busy.add(change.tender);
      ready.delete(change.tender);
      return change;
    },
    nextDueAt() {
      let earliest: number | undefined;
      for (const [tender, [first]] of parkedOf) {
        if (first === undefined || busy.has(tender)) continue;
        earliest = Math.min(earliest ?? Infinity, first.nextAt ?? 0);
      }
      return earliest;
    },
    delivered({ position: change, tender, isParked }) {
      if (isParked) {
        unparkFirst(tender);
        toPark.delete(change);
        toUnpark.add(change);
      } else {
        waiting.get(tender)?.shift();
        unsettled.delete(change);
      }
      release(tender);
    },
    failed({ position: change, tender, attempts, redelivery, isParked }, { retryAt, isFree, now, error }) {
      const counted = isFree && isParked ? attempts : attempts + 1;
      const kept = { position: change, tender, attempts: counted, redelivery, lastError: error };
      if (!isParked) {
        const [, ...later] = waiting.get(tender) ?? [];
        waiting.delete(tender);
        unsettled.delete(change);
        park({ ...kept, ...(retryAt === undefined ? {} : { nextAt: retryAt }) });
        for (const one of later) parkBehind(tender, one);
      } else if (retryAt === undefined) {
        unparkFirst(tender);
        toPark.set(change, { ...kept, deadAt: now });
      } else park({ ...kept, nextAt: retryAt });
      release(tender);
    },
    abandon: ({ tender }) => release(tender),
    cursor() {
      const [first] = unsettled;
      return first === undefined ? readTo : first - 1n;
    },
    hasChanges() {
      return toPark.size > 0 || toUnpark.size > 0 || this.cursor() !== saved;
    },
    takeChanges() {
      const changes = { position: this.cursor(), parked: [...toPark.values()], unparked: [...toUnpark] };
      saved = changes.position;
      [toPark, toUnpark] = [new Map(), new Set()];
      return changes;
    },
    restoreChanges({ parked: parkedBefore, unparked }) {
      saved = -1n;
      for (const change of parkedBefore) {
        if (!toPark.has(change.position) && !toUnpark.has(change.position)) toPark.set(change.position, change);
      }
      for (const change of unparked) if (!toPark.has(change)) toUnpark.add(change);
    },
  };
}

function withoutTime({ nextAt: _nextAt, ...rest }: ParkedChange): ParkedChange {
  return rest;
}
