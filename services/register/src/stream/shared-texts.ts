import type { TextPlace } from '../revisions/history.store.ts';

/** A revision whose text is wanted. */
export interface WantedText extends TextPlace {
  /** Length of the text. */
  readonly bytes: number;
}

/** Texts that stay in memory until they are released. */
export interface HeldTexts {
  /** The tender without the envelope of its text, by position. */
  of(position: bigint): Buffer;
  release(): void;
}

/** Texts of revisions that several readers send at the same time: each is in memory once, and all together are bounded. */
export interface SharedTexts {
  /**
   * Waits until there is room for those that nobody holds yet. Undefined when `isWanted` is false by then. Throws when they cannot be
   * read.
   */
  hold(wanted: readonly WantedText[], isWanted: () => boolean): Promise<HeldTexts | undefined>;
  /** Bytes of all texts that are held. */
  readonly bytes: number;
}

export interface SharedTextsOptions {
  readonly read: (places: readonly TextPlace[]) => Promise<ReadonlyMap<bigint, string>>;
  /** A single page that is larger is admitted when nothing else is held. */
  readonly bytesMax: number;
  readonly readsMax: number;
}

interface Entry {
  readonly text: Promise<Buffer>;
  readonly bytes: number;
  holders: number;
}

interface Waiter {
  readonly wanted: readonly WantedText[];
  readonly isWanted: () => boolean;
  readonly settle: (entries: ReadonlyMap<bigint, Entry> | undefined) => void;
}

const ENVELOPE = '{"data":';

/**
 * Whoever waits holds nothing, so that nobody can wait for one another. Those who wait for room get it in their order; whose texts are
 * all there goes first.
 */
export function makeSharedTexts({ read, bytesMax, readsMax }: SharedTextsOptions): SharedTexts {
  const entries = new Map<bigint, Entry>();
  let waiters: Waiter[] = [];
  let bytesHeld = 0;
  let reads = 0;

  function startReading(missing: readonly WantedText[]): void {
    reads += 1;
    const texts = read(missing).finally(() => {
      reads -= 1;
      admit();
    });
    for (const { position, bytes } of missing) {
      const text = texts.then((read) => tenderIn(read.get(position)));
      const entry: Entry = { text, bytes, holders: 0 };
      entries.set(position, entry);
      bytesHeld += bytes;
      // Nobody else may get what could not be read.
      text.catch(() => entries.get(position) === entry && entries.delete(position));
    }
  }

  function admit(): void {
    let isFull = false;
    const waiting = waiters;
    waiters = [];
    for (const waiter of waiting) {
      const { wanted, isWanted, settle } = waiter;
      if (!isWanted()) {
        settle(undefined);
        continue;
      }
      const missing = wanted.filter(({ position }) => !entries.has(position));
      const bytes = missing.reduce((sum, one) => sum + one.bytes, 0);
      isFull ||= reads >= readsMax || (bytesHeld > 0 && bytesHeld + bytes > bytesMax);
      if (missing.length > 0 && isFull) waiters.push(waiter);
      else {
        if (missing.length > 0) startReading(missing);
        settle(holdAll(wanted));
      }
    }
  }

  function holdAll(wanted: readonly WantedText[]): ReadonlyMap<bigint, Entry> {
    const held = new Map<bigint, Entry>();
    for (const { position } of wanted) {
      const entry = entries.get(position);
      if (entry === undefined || held.has(position)) continue;
      entry.holders += 1;
      held.set(position, entry);
    }
    return held;
  }

  function release(held: ReadonlyMap<bigint, Entry>): void {
    for (const [position, entry] of held) {
      entry.holders -= 1;
      if (entry.holders > 0) continue;
      bytesHeld -= entry.bytes;
      if (entries.get(position) === entry) entries.delete(position);
    }
    admit();
  }

  return {
    async hold(wanted, isWanted) {
      const held = await new Promise<ReadonlyMap<bigint, Entry> | undefined>((settle) => {
        waiters.push({ wanted, isWanted, settle });
        admit();
      });
      if (held === undefined) return undefined;
      const texts = new Map<bigint, Buffer>();
      try {
        for (const [position, { text }] of held) texts.set(position, await text);
      } catch (error) {
        release(held);
        throw error;
      }
      return {
        of(position) {
          const text = texts.get(position);
          if (text === undefined) throw new Error(`the text at ${position} is not held`);
          return text;
        },
        release: () => release(held),
      };
    },
    get bytes() {
      return bytesHeld;
    },
  };
}

function tenderIn(text: string | undefined): Buffer {
  if (text === undefined) throw new Error('a text is missing');
  return Buffer.from(text.slice(ENVELOPE.length, -1));
}
