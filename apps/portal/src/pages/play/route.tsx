import { randomBytes } from 'node:crypto';
import type { Deps } from '../../deps.ts';
import { PageRefusal } from '../../page-refusal.ts';
import { NO_STORE, type Page, type PageRequest, type PageRoute } from '../../page-route.tsx';
import { playSteps, type PlayedStep } from '../../play/play-steps.ts';
import { readRun, type Run } from '../../play/run.ts';
import { PLAY, type PlayFault } from './texts.ts';
import { PlayView } from './view.tsx';

const STEPS_AT_A_TIME_MAX = 4;
const RETRY_SECONDS = '2';
const STATUS = { unread: 400, foreign: 403, busy: 429, refused: 200, away: 503, 'not-sandbox': 503 } as const;

/** `GET /play`: what will happen, and the first button. */
export const showPlay: PageRoute = async (request, deps) => {
  await requireSandbox(request, deps);
  return playPage(request, { run: newRun(request.nowMs), steps: [] });
};

/** `POST /play`: plays the next step of the run in the form, or all that remain (portal.md 6). */
export const playOn: PageRoute = async (request, deps) => {
  const { form, isFromOwnPage, visitor, nowMs } = request;
  await requireSandbox(request, deps);
  const run = readRun(form['run'] ?? '');
  const given = run ?? newRun(nowMs);
  if (!isFromOwnPage) return playPage(request, { run: given, steps: [], fault: 'foreign' });
  if (run === undefined) return playPage(request, { run: given, steps: [], fault: 'unread' });
  const { playing, settings, fetch, monotonicMs, pause } = deps;
  if (playing.size >= STEPS_AT_A_TIME_MAX || playing.has(visitor.address))
    return playPage(request, { run, steps: [], fault: 'busy' });
  playing.add(visitor.address);
  try {
    const played = await playSteps(run, form['do'] === 'rest' ? 'rest' : 'next', {
      apiUrl: settings.API_URL,
      fetch,
      monotonicMs,
      pause,
      visitor: visitor.address,
      requestId: visitor.requestId,
    });
    return playPage(request, { ...played, fault: played.steps.at(-1)?.stop });
  } finally {
    playing.delete(visitor.address);
  }
};

/** There is no such page outside of a sandbox. */
async function requireSandbox({ read }: PageRequest, { settings }: Deps): Promise<void> {
  if (settings.PLAY === 'off' || !(await read('/health')).isSandbox) throw new PageRefusal({ kind: 'no-page' });
}

const ID_BYTES = 16;

function newRun(nowMs: number): Run {
  return { run: randomBytes(ID_BYTES).toString('hex'), at: new Date(nowMs).toISOString(), step: 0, bids: [] };
}

interface PlayState {
  readonly run: Run;
  readonly steps: readonly PlayedStep[];
  readonly fault?: PlayFault | undefined;
}

function playPage({ lang }: PageRequest, { run, steps, fault }: PlayState): Page {
  const t = PLAY[lang];
  const title = steps.length === 0 ? t.title : `${t.stepOf(run.step)} – ${t.title}`;
  return {
    head: {
      title: fault === undefined ? title : `${t.fault}: ${t.faults[fault].title}`,
      description: t.lead,
      noIndex: true,
    },
    view: () => <PlayView run={run} steps={steps} fault={fault} />,
    status: fault === undefined ? 200 : STATUS[fault],
    ...(fault === 'busy' || fault === 'away' ? { retryAfter: RETRY_SECONDS } : {}),
    cacheControl: NO_STORE,
    referrerPolicy: 'same-origin',
  };
}
