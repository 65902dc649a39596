import type { Instant } from '@procurement/contracts/reading/instant';
import type { Auction } from '../domain/auction.ts';
import type { Command } from '../domain/commands.ts';
import type { MasterKey } from '../session/links.ts';
import { meaningOf, pauseSeconds, type Meaning } from '../tender-service/answers.table.ts';
import type { ServiceAnswer, TenderService } from '../tender-service/client.ts';

/** What a task works with. */
export interface TaskContext {
  readonly auction: Auction;
  /** Time of the auction. */
  readonly now: Instant;
  readonly attempts: number;
  readonly service: TenderService;
  readonly publicUrl: string;
  readonly keys: readonly MasterKey[];
  /** Answers a number from 0 to 1. */
  readonly random: () => number;
  /** Runs a command before the request is sent. False when it was refused. */
  readonly run: (command: Command) => Promise<boolean>;
}

/** What came of an attempt. Commands that end the task remove it in their own transaction. */
export type Outcome =
  | { readonly commands: readonly Command[] }
  /** Nothing to do any more. */
  | { readonly done: true; readonly readsTender?: true }
  /** `readsTender`: the tender says what became of the auction. */
  | { readonly againSeconds: number; readonly error?: string; readonly readsTender?: true };

/** The outcome of a refused or unanswered request. */
export function failure(answer: ServiceAnswer, { attempts, random }: TaskContext): Outcome {
  const meaning: Meaning = meaningOf(answer);
  const againSeconds = pauseSeconds(answer, meaning, { attempts, random: random() });
  const error = `${answer.status} ${answer.description}`.trim();
  const isOver = meaning === 'read-the-tender' || meaning === 'lot-is-over';
  return { againSeconds, error, ...(isOver ? { readsTender: true } : {}) };
}

export function isDone(answer: ServiceAnswer): boolean {
  return meaningOf(answer) === 'done';
}
