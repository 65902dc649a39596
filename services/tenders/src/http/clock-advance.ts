import { DAY, HOUR, parseInstant, MINUTE, SECOND, type Instant } from '@procurement/contracts/reading/instant';
import { DURATION, sandboxApi } from '@procurement/contracts/api/sandbox.api';
import { invalid, type Problem } from '@procurement/contracts/problems/problems';

/** Microseconds by which a command moves the time of a tender, given its current time and its `next_check`. */
export type ClockAdvance = (now: Instant, nextCheck: string | undefined) => number;

/** The longest move: ten years, longer than any procedure, because time cannot be moved back (rulings R18). */
const MICROS_MAX = 3_660 * DAY;

/** Parses `{"advance": "PT30M"}` or `{"to": "next_check"}` (rulings R18). Time moves forward only. */
export function readClockAdvance(
  data: Readonly<Record<string, unknown>>,
): { readonly advanceMicros: ClockAdvance } | { readonly refused: Problem } {
  const reading = sandboxApi.moveClock.body.safeParse(data);
  if (!reading.success) return refuseBody(data);
  if ('to' in reading.data) {
    return {
      advanceMicros: (now, nextCheck) => (nextCheck === undefined ? 0 : Math.max(parseInstant(nextCheck) - now, 0)),
    };
  }
  const micros = durationMicros(reading.data.advance);
  return micros === undefined ? refused('advance', [DURATION_EXPECTED]) : { advanceMicros: () => micros };
}

const DURATION_EXPECTED = 'Please give a duration such as PT30M, or to: next_check.';

/** The first error of a body that does not have the form of the contract. */
function refuseBody(data: Readonly<Record<string, unknown>>): { readonly refused: Problem } {
  const { advance, to, ...unknownMembers } = data;
  const [unknownName] = Object.keys(unknownMembers);
  if (unknownName !== undefined) return refused(unknownName, 'Rogue field');
  if (advance !== undefined) return refused('advance', [DURATION_EXPECTED]);
  if (to !== undefined) return refused('to', ["Value must be one of ['next_check']."]);
  return refused('advance', ['This field is required.']);
}

function durationMicros(text: string): number | undefined {
  const match = DURATION.exec(text);
  if (match === null) return undefined;
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1, 6).map((part) => Number(part ?? 0));
  const fraction = Number((match[6] ?? '').padEnd(6, '0'));
  const micros = (7 * weeks + days) * DAY + hours * HOUR + minutes * MINUTE + seconds * SECOND + fraction;
  return micros <= MICROS_MAX ? micros : undefined;
}

function refused(name: string, description: string | readonly string[]): { readonly refused: Problem } {
  return { refused: invalid([{ location: 'body', name, description }]) };
}
