import { z } from 'zod';
import { TEXT_CHARACTERS_MAX } from '../limits.ts';
import { Tender } from '../resources/tender.ts';
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

/** Operations of the sandbox (rulings R18). */
export const sandboxApi = {
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
    sandbox: true,
  },
} as const satisfies Record<string, RouteContract>;
