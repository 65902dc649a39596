import { ConnectionError, isProblem, type Tender } from '@procurement/client';
import { makeRecorder, SandboxLostError, type Exchange, type Recorder, type RecorderOptions } from './exchanges.ts';
import type { Player } from './keys.ts';
import type { Run } from './run.ts';
import { STEPS, type StepName } from './steps.ts';

/** Why a step did not come to its end. */
export type Stop = 'refused' | 'away' | 'not-sandbox';

/** A step as it went. */
export interface PlayedStep {
  readonly name: StepName;
  readonly exchanges: readonly Exchange[];
  /** The tender after the step, and its own time; undefined when they could not be read. */
  readonly after: { readonly tender: Tender; readonly nowMs: number } | undefined;
  readonly stop: Stop | undefined;
}

export interface Played {
  readonly run: Run;
  readonly steps: readonly PlayedStep[];
}

const REST_MS_MAX = 5000;
const ASK_MS = 50;
const ASKS_MAX = 60;

type PlayOptions = Omit<RecorderOptions, 'idempotencyKey'>;

/** Plays the next step of a run, or all that remain as far as five seconds go. Ends at the first step that does not come to its end. */
export async function playSteps(run: Run, what: 'next' | 'rest', options: PlayOptions): Promise<Played> {
  const untilMs = options.monotonicMs() + REST_MS_MAX;
  const steps: PlayedStep[] = [];
  let now = run;
  while (now.step < STEPS.length && (steps.length === 0 || (what === 'rest' && options.monotonicMs() < untilMs))) {
    const { step, made } = await playStep(now, options);
    steps.push(step);
    if (step.stop !== undefined) break;
    now = { ...now, ...made, step: now.step + 1 };
  }
  return { run: now, steps };
}

async function playStep(run: Run, options: PlayOptions): Promise<{ step: PlayedStep; made: Partial<Run> }> {
  const recorder = makeRecorder({ ...options, idempotencyKey: (n) => `${run.run}-${run.step + 1}-${n}` });
  const { clients, exchanges } = recorder;
  const { name, play } = STEPS[run.step] ?? STEPS[0];
  let made: Partial<Run> = {};
  let stop: Stop | undefined;
  let after: PlayedStep['after'];
  try {
    await recorder.requireSandbox();
    await giveTokens(recorder, run);
    made = await play({ clients, waitFor: async (what) => waitFor(recorder, options, what) }, run);
    after = await readAfter(recorder, { ...run, ...made });
  } catch (error) {
    stop = judgeError(error, recorder);
  }
  return { step: { name, exchanges, after, stop }, made };
}

/** The clients of a step know no more than the run does. */
async function giveTokens({ clients }: Recorder, { tender, bids }: Run): Promise<void> {
  const owners: readonly Player[] = ['seller1', 'seller2'];
  if (tender !== undefined) await clients.buyer.tokens.set(tender.id, { token: tender.token });
  for (const [n, { id, token }] of bids.entries()) await clients[owners[n] ?? 'anyone'].tokens.set(id, { token });
}

async function readAfter({ unseen }: Recorder, { tender }: Run): Promise<PlayedStep['after']> {
  if (tender === undefined) return undefined;
  const [read, { now }] = [await unseen.tender(tender.id).get(), await unseen.readClock(tender.id)];
  return { tender: read, nowMs: Date.parse(now) };
}

class NeverHappenedError extends Error {}

async function waitFor(
  { unseen }: Recorder,
  { pause }: PlayOptions,
  what: (client: Recorder['unseen']) => Promise<boolean>,
): Promise<void> {
  for (let asks = 0; asks < ASKS_MAX; asks += 1) {
    if (await what(unseen)) return;
    await pause(ASK_MS);
  }
  throw new NeverHappenedError();
}

const SERVER_ERROR = 500;
const TOO_MANY = 429;

function judgeError(error: unknown, recorder: Recorder): Stop {
  if (recorder.isSandboxLost() || error instanceof SandboxLostError) return 'not-sandbox';
  if (isProblem(error)) return error.status >= SERVER_ERROR || error.status === TOO_MANY ? 'away' : 'refused';
  if (error instanceof ConnectionError || error instanceof NeverHappenedError) return 'away';
  throw error;
}
