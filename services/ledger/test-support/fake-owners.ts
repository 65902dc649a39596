import {
  ListingQuestion,
  PublicationsQuestion,
  type PageHead,
  type PublicationRow,
} from '@procurement/contracts/events/publications';
import { rpcSubjects, signalSubjects } from '@procurement/contracts/events/subjects';
import type { Bus } from '@procurement/kit/messaging/bus';
import { answerLines } from '@procurement/kit/messaging/request/request-lines';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import type { Logger } from '@procurement/kit/runtime/log';

/** A publication in the log of the fake tenders. */
export interface LoggedState {
  readonly position: number;
  readonly previous: number;
  readonly id: string;
  readonly rev: number;
  readonly listed: boolean;
  /** Among the listed ones. */
  readonly number: number | undefined;
  readonly text: string;
}

export interface FakeRedaction {
  readonly id: number;
  readonly tender: string;
  readonly rev: number;
  readonly position: string;
  readonly member: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** Tenders and the register, as far as the ledger asks them. Tests change what they have. */
export interface FakeOwners {
  log: LoggedState[];
  readonly epochs: { epoch: number; restoredTo: number; began: number }[];
  readonly redactions: FakeRedaction[];
  /** Those that do not answer. */
  readonly silent: Set<'tenders' | 'register'>;
  /** Changes rows before they are sent. */
  spoil: (row: PublicationRow) => PublicationRow;
  publish(id: string, options?: { readonly listed?: boolean; readonly rev?: number }): LoggedState;
  /** Removes a member of a state by law. */
  redact(state: LoggedState, member: string): FakeRedaction;
  /** Loses everything after a state, and begins an epoch, `behindUs` before the time of the feed. */
  restore(to: LoggedState, epoch: number, behindUs?: number): void;
  /** Deletes the oldest `count` publications of the log, not the views. */
  purge(count: number): void;
}

const FIRST_POSITION = 1_779_360_000_000_000;

/** An id of 32 hex digits. */
export function tenderId(n: number): string {
  return n.toString(16).padStart(32, '0');
}

export function fakeOwners(tenders: Bus, register: Bus, log: Logger): FakeOwners {
  let clock = FIRST_POSITION;
  let oldest = 0;
  /** Also of what a test takes out of the log. */
  let last = { position: 0, number: 0 };
  const signal = (): void => {
    if (tenders.connected()) tenders.connection.publish(signalSubjects.tendersPublished);
  };
  const owners: FakeOwners = {
    log: [],
    epochs: [],
    redactions: [],
    silent: new Set(),
    spoil: (row) => row,
    publish(id, { listed = true, rev } = {}) {
      clock += 1_000;
      const before = owners.log.filter((state) => state.id === id).at(-1);
      const state: LoggedState = {
        position: clock,
        previous: last.position,
        id,
        rev: rev ?? (before?.rev ?? 0) + 1,
        listed,
        number: listed ? last.number + 1 : undefined,
        text: JSON.stringify({ data: { id, dateModified: new Date(clock / 1_000).toISOString(), phone: '+380' } }),
      };
      owners.log.push(state);
      last = { position: clock, number: state.number ?? last.number };
      signal();
      return state;
    },
    redact(state, member) {
      const text = state.text.replace(',"phone":"+380"', '');
      const redaction = {
        id: owners.redactions.length + 1,
        tender: state.id,
        rev: state.rev,
        position: String(state.position),
        member,
        sha256: sha256Hex(text),
        bytes: Buffer.byteLength(text),
      };
      owners.redactions.push(redaction);
      if (register.connected()) register.connection.publish(signalSubjects.registerRedacted);
      return redaction;
    },
    restore(to, epoch, behindUs = -1_000_000) {
      owners.log = owners.log.slice(0, owners.log.indexOf(to) + 1);
      last = { position: to.position, number: to.number ?? last.number };
      clock -= behindUs;
      owners.epochs.push({ epoch, restoredTo: to.position, began: clock });
      signal();
    },
    purge(count) {
      oldest = owners.log[count]?.position ?? 0;
    },
  };

  function answer(known: number, rows: readonly LoggedState[], isListing: boolean): readonly string[] {
    const kept = owners.log.filter(({ position }) => position >= oldest);
    const head: PageHead = {
      epoch: owners.epochs.at(-1)?.epoch ?? 1,
      epochs: owners.epochs
        .filter(({ epoch }) => epoch > known)
        .map(({ epoch, restoredTo, began }) => ({ epoch, restoredTo: String(restoredTo), began: String(began) })),
      oldest: kept[0] === undefined ? null : String(kept[0].position),
      head: String(owners.log.at(-1)?.position ?? 0),
      horizon: null,
      rows: rows.length,
    };
    return [head, ...rows.map((row) => owners.spoil(buildRow(row, isListing)))].map((line) => JSON.stringify(line));
  }

  const requireAnswer = (owner: 'tenders' | 'register'): void => {
    if (owners.silent.has(owner)) throw new Error('away');
  };

  answerLines(tenders, rpcSubjects.tenderPublications, log, async (asked) => {
    requireAnswer('tenders');
    const question = PublicationsQuestion.parse(asked);
    if ('part' in question || question.texts) throw new Error('the ledger sees no text');
    const rows = owners.log.filter(({ position }) => position > Number(question.after) && position >= oldest);
    return answer(question.epoch, rows.slice(0, question.rowsMax), false);
  });
  answerLines(tenders, rpcSubjects.tenderListing, log, async (asked) => {
    requireAnswer('tenders');
    const question = ListingQuestion.parse(asked);
    if (question.texts) throw new Error('the ledger sees no text');
    const newest = new Map(owners.log.map((state) => [state.id, state]));
    const rows = [...newest.values()]
      .filter(({ position }) => position > Number(question.after) && position <= Number(question.upTo))
      .toSorted((one, other) => one.position - other.position);
    return answer(0, rows.slice(0, question.rowsMax), true);
  });
  answerLines(register, rpcSubjects.registerRedactions, log, async (asked) => {
    requireAnswer('register');
    const { after, rowsMax } = asked as { after: number; rowsMax: number };
    return owners.redactions
      .filter(({ id }) => id > after)
      .slice(0, rowsMax)
      .map((row) => JSON.stringify(row));
  });
  return owners;
}

function buildRow(
  { position, previous, id, rev, listed, number, text }: LoggedState,
  isListing: boolean,
): PublicationRow {
  return {
    position: String(position),
    ...(isListing ? {} : { previous: String(previous) }),
    id,
    rev,
    listed,
    test: false,
    causes: [],
    bytes: listed ? Buffer.byteLength(text) : 0,
    ...(listed ? { sha256: sha256Hex(text) } : {}),
    ...(listed && !isListing && number !== undefined ? { number } : {}),
  };
}
