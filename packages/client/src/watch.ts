import type { Tender } from './resources.golden.ts';
import { streamSteps, type StreamStep } from './stream.ts';
import type { TransportSettings } from './transport.ts';
import { waitOverFailures } from './wait-over-failures.ts';

export interface WatchOptions {
  /** Time between two reads where there is no stream. A stream says when to read, so there it is six times as long. Default 10 s. */
  readonly pollMs?: number;
  readonly signal?: AbortSignal;
}

const POLL_MS = 10_000;
/** Reads beside an open stream find what it cannot tell: changes made while the register, its source, stands still. */
const POLLS_OF_STREAM = 6;

/**
 * The tender now, and again after each change. A notice of the stream makes it read at once, and so does each connection that opens or
 * ends, so that no change between two of them is missed. Without a stream, and for a draft, of which the stream says nothing, it reads
 * every `pollMs`.
 */
export async function* watchTender(
  settings: TransportSettings,
  { id, read }: { readonly id: string; readonly read: (signal: AbortSignal) => Promise<Tender> },
  { pollMs = POLL_MS, signal: asked }: WatchOptions = {},
): AsyncGenerator<Tender, void> {
  const ending = new AbortController();
  const signal = asked === undefined ? ending.signal : AbortSignal.any([ending.signal, asked]);
  const news = makeNews(settings, id, signal);
  let seen: string | undefined;
  try {
    for (;;) {
      const tender = await waitOverFailures(async () => read(signal), settings.wait, signal);
      if (tender.dateModified !== seen) yield tender;
      seen = tender.dateModified;
      const isStreamed = news.isOpen() && tender.status !== 'draft';
      await news.within(isStreamed ? pollMs * POLLS_OF_STREAM : pollMs);
    }
  } finally {
    ending.abort();
  }
}

interface News {
  isOpen(): boolean;
  /** Ends when there may be something to read, at the latest after this time. */
  within(ms: number): Promise<void>;
}

function makeNews(settings: TransportSettings, id: string, signal: AbortSignal): News {
  const steps = streamSteps(settings, { ids: id, mode: '_all_', signal });
  // Undefined after the stream is refused: a server may have none.
  const nextStep = async (): Promise<StreamStep | undefined> =>
    steps.next().then(
      ({ value }) => value ?? undefined,
      () => undefined,
    );
  let next: Promise<StreamStep | undefined> | undefined = nextStep();
  let isOpen = false;
  /** Whether the step is a reason to read: a heartbeat is none. */
  const take = (step: StreamStep | undefined): boolean => {
    const isReason = step?.item !== undefined || (step?.isOpen ?? false) !== isOpen;
    isOpen = step?.isOpen ?? false;
    next = step === undefined ? undefined : nextStep();
    return isReason;
  };
  return {
    isOpen: () => isOpen,
    async within(ms) {
      const waited = new AbortController();
      const end = settings.wait(ms, AbortSignal.any([signal, waited.signal])).then(() => 'time' as const);
      try {
        for (;;) {
          const step = next === undefined ? await end : await Promise.race([next, end]);
          if (step === 'time' || take(step)) return;
        }
      } finally {
        waited.abort();
      }
    },
  };
}
