import type { ServiceAnswer } from './client.ts';

/** What an answer means for the task that asked (auction-room.md 7.4). */
export type Meaning =
  | 'done'
  /** The tender says what became of the auction. */
  | 'read-the-tender'
  | 'lot-is-over'
  /** Our key: a person has to act. */
  | 'key-refused'
  | 'again'
  /** Our fault: repeating does not help, operators may try again. */
  | 'stop';

const LOT_OVER = /^Can (?:report auction results|update auction urls) only in active lot status/;
const STATUS_OVER =
  /^Can't (?:get auction info|report auction results|update auction urls|add document|update document) in current/;

/** Answers by status and text; the first row that matches counts. */
const TABLE: readonly { readonly matches: (answer: ServiceAnswer) => boolean; readonly meaning: Meaning }[] = [
  { matches: ({ status }) => status === 200 || status === 201, meaning: 'done' },
  { matches: ({ status, description }) => status === 403 && LOT_OVER.test(description), meaning: 'lot-is-over' },
  { matches: ({ status, description }) => status === 403 && STATUS_OVER.test(description), meaning: 'read-the-tender' },
  { matches: ({ status }) => status === 401 || status === 403, meaning: 'key-refused' },
  { matches: ({ status }) => status === 400 || status === 422, meaning: 'stop' },
];

export function meaningOf(answer: ServiceAnswer): Meaning {
  return TABLE.find(({ matches }) => matches(answer))?.meaning ?? 'again';
}

const PAUSES_SECONDS = [1, 2, 4, 8, 15, 30, 60];
const KEY_PAUSE_SECONDS = 60;
/** A task that only a person can help is tried again once an hour: the other side may have been corrected. */
const STOPPED_PAUSE_SECONDS = 3_600;
const JITTER = 0.2;

/** Seconds until the next attempt. `random` is from 0 to 1. */
export function pauseSeconds(
  answer: Pick<ServiceAnswer, 'retryAfterSeconds'>,
  meaning: Meaning,
  { attempts, random }: { readonly attempts: number; readonly random: number },
): number {
  if (meaning === 'key-refused') return KEY_PAUSE_SECONDS;
  if (meaning === 'stop') return STOPPED_PAUSE_SECONDS;
  const pause = PAUSES_SECONDS[Math.min(attempts, PAUSES_SECONDS.length - 1)] ?? 60;
  return Math.max(answer.retryAfterSeconds ?? 0, pause * (1 + JITTER * (2 * random - 1)));
}
