import { z } from 'zod';
import { TEXT_CHARACTERS_MAX } from '../limits.ts';
import { Tender, TenderConfig } from '../resources/tender.ts';
import type { RouteContract } from './route.ts';

/** An ISO 8601 duration without years and months: their length varies. */
export const DURATION =
  /^P(?!$)(?:(\d{1,5})W)?(?:(\d{1,5})D)?(?:T(?!$)(?:(\d{1,7})H)?(?:(\d{1,7})M)?(?:(\d{1,9})(?:\.(\d{1,6}))?S)?)?$/;

/** How far to move the clock of one tender: by a duration, or to its next deadline. */
export const ClockMove = z
  .union([
    z.strictObject({ advance: z.string().max(TEXT_CHARACTERS_MAX.date).regex(DURATION) }),
    z.strictObject({ to: z.literal('next_check') }),
  ])
  .meta({ id: 'ClockMove' });

/** The time in which a tender lives. */
export const TenderClock = z
  .object({
    now: z.string().meta({ description: 'The time of the tender', format: 'date-time' }),
    ahead: z.string().meta({ description: 'By how much it is ahead of real time, as an ISO 8601 duration' }),
  })
  .meta({ id: 'TenderClock' });

/** Operations of the sandbox (rulings R18). */
export const sandboxApi = {
  readClock: {
    name: 'readClock',
    method: 'GET',
    path: '/sandbox/tenders/:tender_id/clock',
    owner: 'tenders',
    spore: 'get_sandbox tender clock',
    summary: 'Read the clock of a tender',
    description:
      'Sandbox mode only. The time in which the tender lives, for programs that act at its deadlines, such as an auction component.',
    segments: ['2.5'],
    responses: { 200: TenderClock },
    example: { data: { now: '2026-05-04T11:15:00.000000+03:00', ahead: 'PT3600.000000S' } },
    sandbox: true,
  },
  moveClock: {
    name: 'moveClock',
    method: 'POST',
    path: '/sandbox/tenders/:tender_id/clock',
    owner: 'tenders',
    spore: 'post_sandbox tender clock',
    summary: 'Move the clock of a tender forward',
    description:
      'Sandbox mode only. Moves the time of one tender by a duration, or to the moment of `next_check`, and applies every deadline up to it. Other tenders keep their time.',
    segments: ['2.5'],
    body: ClockMove,
    responses: { 200: Tender },
    beside: { config: TenderConfig.optional() },
    sandbox: true,
  },
} as const satisfies Record<string, RouteContract>;
