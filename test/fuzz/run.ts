import fc from 'fast-check';
import { findFaults } from './find-faults.ts';
import { readOperations } from './operations.ts';
import { recordedBodies } from './recorded-bodies.ts';
import { requestsTo, type PlannedRequest } from './requests.ts';
import { describeRequest, render, send } from './send.ts';
import { makeShared, makeWorld, type SharedIds, type World } from './world.ts';

const ANSWER_SHOWN_MAX = 500;

export interface FuzzOptions {
  readonly gatewayUrl: string;
  readonly seed: number;
  /** Requests to each operation of each segment. */
  readonly ofEach: number;
  /** Asked before each operation. */
  readonly isOver?: () => boolean;
}

export interface FuzzReport {
  /** Requests with what was wrong with their answers. */
  readonly findings: string[];
  /** Number of answers by status. */
  readonly statuses: Record<number, number>;
  slowest: { readonly ms: number; readonly request: string };
}

/**
 * Sends requests to every operation in every segment, and judges each answer. The same seed makes the same requests; ids, tokens and
 * times in them differ from run to run.
 */
export async function fuzz({ gatewayUrl, seed, ofEach, isOver = () => false }: FuzzOptions): Promise<FuzzReport> {
  const [operations, shared] = [await readOperations(gatewayUrl), await makeShared(gatewayUrl)];
  const recorded = recordedBodies();
  const report: FuzzReport = { findings: [], statuses: {}, slowest: { ms: 0, request: '' } };
  let target: Target | undefined;
  for (const [n, operation] of operations.entries()) {
    if (isOver()) break;
    for (const planned of fc.sample(requestsTo(operation, recorded), { seed: seed + n, numRuns: ofEach })) {
      target ??= await newTarget(gatewayUrl, shared);
      // What an accepted write changes arrives at readers later, and would look like the change of a later refusal.
      if (await judge(gatewayUrl, planned, target, report)) target = undefined;
    }
  }
  return report;
}

/** A world, and what clients see of it. */
interface Target {
  readonly world: World;
  readonly state: string;
}

async function newTarget(gatewayUrl: string, shared: SharedIds): Promise<Target> {
  const world = await makeWorld(gatewayUrl, shared);
  return { world, state: await world.state() };
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Sends one request. Returns whether it may have changed something. */
async function judge(
  gatewayUrl: string,
  planned: PlannedRequest,
  { world, state }: Target,
  report: FuzzReport,
): Promise<boolean> {
  const request = render(planned, world);
  const beganMs = performance.now();
  const answer = await send(gatewayUrl, request);
  const ms = performance.now() - beganMs;
  const shown = describeRequest(request);
  report.statuses[answer.status] = (report.statuses[answer.status] ?? 0) + 1;
  if (ms > report.slowest.ms) report.slowest = { ms, request: shown };
  const isRead = READS.has(request.method);
  const isDry = planned.query.some(([name]) => name === 'opt_dry_run');
  if (!isRead && !isDry && answer.status < 400) return true;
  const after = isRead ? state : await world.state();
  const faults = findFaults(request.method, answer);
  if (after !== state) faults.push(`answered ${answer.status}, and something changed:\n${state}\n${after}`);
  if (faults.length > 0) report.findings.push([...faults, shown, answer.text.slice(0, ANSWER_SHOWN_MAX)].join('\n'));
  return after !== state;
}
