import { createHash } from 'node:crypto';
import {
  CensusQuestion,
  ListingQuestion,
  PublicationsQuestion,
  TEXT_BYTES_MAX,
  TEXT_PART_BYTES,
  type CensusAnswer,
  type PageHead,
  type PublicationRow,
} from '@procurement/contracts/events/publications';
import { rpcSubjects, signalSubjects } from '@procurement/contracts/events/subjects';
import type { Bus } from '@procurement/kit/messaging/bus';
import { answerLines } from '@procurement/kit/messaging/request/request-lines';
import { respondTo } from '@procurement/kit/messaging/request/request';
import type { Logger } from '@procurement/kit/runtime/log';

/** A publication in the log of the fake owner. */
export interface LoggedPublication {
  readonly position: number;
  previous: number;
  readonly id: string;
  readonly rev: number;
  /** The first of its tender that is listed. */
  readonly first: boolean;
  readonly listed: boolean;
  readonly test: boolean;
  readonly causes: readonly string[];
  readonly text: string;
}

export interface PublishOptions {
  readonly rev?: number;
  readonly listed?: boolean;
  readonly test?: boolean;
  readonly causes?: readonly string[];
  /** Instead of the text of a small tender. */
  readonly text?: string;
  readonly members?: object;
}

/** The owner of publications, as far as the register asks it. Tests change its log. */
export interface FakeOwner {
  readonly log: LoggedPublication[];
  readonly epochs: { epoch: number; restoredTo: number; began: number }[];
  /** Questions that were answered, newest last. */
  readonly questions: object[];
  /** Awaited before each answer. */
  beforeAnswer: (question: object) => Promise<void> | void;
  publish(id: string, options?: PublishOptions): LoggedPublication;
  /** The time of the next publication. */
  now(): string;
  /** Lets time pass before the next publication. */
  pass(microseconds: number): void;
  /** Deletes publications of the log, not the views; the oldest `count`. */
  purge(count: number): void;
  /** Loses everything after a publication, as a restore does. */
  restore(to: LoggedPublication, epoch?: number): void;
  /** Records a restore after everything that was published since, as a start with a raised `FEED_EPOCH` does. */
  raiseEpoch(epoch: number): void;
  /** The newest publication of each tender. */
  views(): readonly LoggedPublication[];
}

const FIRST_POSITION = 1_779_360_000_000_000;

/** An id of 32 hex digits. */
export function tenderId(n: number): string {
  return n.toString(16).padStart(32, '0');
}

/** The text of a public tender. */
export function tenderText(id: string, position: number, members: object = {}): string {
  const dateModified = new Date(position / 1_000).toISOString();
  const tender = {
    id,
    tenderID: `UA-2026-05-21-${id.slice(-6)}`,
    dateModified,
    status: 'active.enquiries',
    ...members,
  };
  return JSON.stringify({ data: tender });
}

export function fakeOwner(bus: Bus, log: Logger): FakeOwner {
  let clock = FIRST_POSITION;
  let oldest = 0;
  const views = new Map<string, LoggedPublication>();
  const everListed = new Set<string>();
  const owner: FakeOwner = {
    log: [],
    epochs: [],
    questions: [],
    beforeAnswer: () => undefined,
    publish(id, { rev, listed = true, test = false, causes = ['tender.edited'], text, members } = {}) {
      clock += 1_000;
      const publication: LoggedPublication = {
        position: clock,
        previous: findHead(views),
        id,
        rev: rev ?? (views.get(id)?.rev ?? 0) + 1,
        first: listed && !everListed.has(id),
        listed,
        test,
        causes,
        text: text ?? tenderText(id, clock, members),
      };
      owner.log.push(publication);
      views.set(id, publication);
      if (listed) everListed.add(id);
      if (bus.connected()) bus.connection.publish(signalSubjects.tendersPublished);
      return publication;
    },
    now: () => new Date((clock + 1_000) / 1_000).toISOString(),
    pass(microseconds) {
      clock += microseconds;
    },
    purge(count) {
      owner.log.splice(0, count);
      oldest = owner.log[0]?.position ?? 0;
    },
    restore(to, epoch) {
      owner.log.splice(owner.log.indexOf(to) + 1);
      views.clear();
      everListed.clear();
      for (const publication of owner.log) {
        views.set(publication.id, publication);
        if (publication.listed) everListed.add(publication.id);
      }
      clock += 1_000_000;
      if (epoch !== undefined) owner.epochs.push({ epoch, restoredTo: to.position, began: clock });
    },
    raiseEpoch(epoch) {
      clock += 1;
      owner.epochs.push({ epoch, restoredTo: findHead(views), began: clock });
    },
    views: () => [...views.values()].toSorted((one, other) => one.position - other.position),
  };

  function page(question: { epoch?: number; horizon?: boolean }, rows: readonly LoggedPublication[]): string[] {
    const head: PageHead = {
      epoch: owner.epochs.at(-1)?.epoch ?? 1,
      epochs: owner.epochs
        .filter(({ epoch }) => epoch > (question.epoch ?? 0))
        .map(({ epoch, restoredTo, began }) => ({ epoch, restoredTo: String(restoredTo), began: String(began) })),
      oldest: owner.log.length === 0 ? null : String(Math.max(oldest, owner.log[0]?.position ?? 0)),
      head: String(findHead(views)),
      horizon: question.horizon === true ? String((clock += 1)) : null,
      rows: rows.length,
    };
    return [JSON.stringify(head), ...rows.flatMap(formatLines)];
  }

  answerLines(bus, rpcSubjects.tenderPublications, log, async (asked) => {
    const question = PublicationsQuestion.parse(asked);
    owner.questions.push(question);
    await owner.beforeAnswer(question);
    if ('part' in question) {
      const text = owner.log.find(({ position }) => position === Number(question.position))?.text ?? '';
      const from = question.part * TEXT_PART_BYTES;
      return [
        Buffer.from(text)
          .subarray(from, from + TEXT_PART_BYTES)
          .toString('base64'),
      ];
    }
    const after = owner.log.filter(({ position }) => position > Number(question.after));
    return page(question, after.slice(0, question.rowsMax));
  });
  answerLines(bus, rpcSubjects.tenderListing, log, async (asked) => {
    const question = ListingQuestion.parse(asked);
    owner.questions.push(question);
    await owner.beforeAnswer(question);
    const inRange = owner
      .views()
      .filter(({ position }) => position > Number(question.after) && position <= Number(question.upTo));
    return page(
      {},
      inRange.slice(0, question.rowsMax).map((view) => ({ ...view, first: false })),
    );
  });
  respondTo(bus, rpcSubjects.tenderCensus, log, async (asked) => {
    const { from, to } = CensusQuestion.parse(asked);
    const found = owner
      .views()
      .filter(({ listed, position }) => listed && position > Number(from) && position <= Number(to));
    let sum = 0n;
    for (const { id, rev, position } of found) sum += firstBytes(`${id}:${rev}:${position}`);
    return { count: found.length, sum: String(sum), head: String(findHead(views)) } satisfies CensusAnswer;
  });
  return owner;
}

/** The first 8 bytes of MD5, as a signed number. */
function firstBytes(text: string): bigint {
  return createHash('md5').update(text).digest().readBigInt64BE(0);
}

function findHead(views: ReadonlyMap<string, LoggedPublication>): number {
  return Math.max(0, ...[...views.values()].map(({ position }) => position));
}

function formatLines({ position, previous, id, rev, first, listed, test, causes, text }: LoggedPublication): string[] {
  const bytes = listed ? Buffer.byteLength(text) : 0;
  const row: PublicationRow = {
    id,
    rev,
    ...(first ? { first } : {}),
    listed,
    test,
    bytes,
    causes: [...causes],
    position: String(position),
    previous: String(previous),
    ...(bytes > TEXT_BYTES_MAX ? { parts: Math.ceil(bytes / TEXT_PART_BYTES) } : {}),
  };
  return listed && row.parts === undefined ? [JSON.stringify(row), text] : [JSON.stringify(row)];
}
