import { z } from 'zod';
import { Tender } from '../resources/tender.ts';
import type { RouteContract } from './route.ts';

/** How far to move the time of one tender: by an ISO 8601 duration, or to the moment at which its clock acts next. */
export const ClockMove = z
  .union([z.strictObject({ advance: z.string() }), z.strictObject({ to: z.literal('next_check') })])
  .meta({ id: 'ClockMove' });

/** What exists in sandbox mode only (rulings R18). */
export const sandboxApi = {
  moveClock: {
    name: 'moveClock',
    method: 'POST',
    path: '/sandbox/tenders/:tender_id/clock',
    owner: 'tenders',
    spore: 'post_sandbox tender clock',
    summary: 'Move the time in which one tender lives forward, and run what is due',
    segments: ['2.5'],
    body: ClockMove,
    responses: { 200: Tender },
    sandbox: true,
  },
} as const satisfies Record<string, RouteContract>;
