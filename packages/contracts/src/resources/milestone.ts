import type { z } from 'zod';
import { evenAfterErrors, list, model } from '../reading/composites.ts';
import { REQUIRED, validationError } from '../reading/error-messages.ts';
import { float, hexId, integer, oneOf, text } from '../reading/scalars.ts';

/** Events from which the duration of a milestone counts, as the living system names them (rulings R25). */
const MILESTONE_TITLES = [
  'executionOfWorks',
  'deliveryOfGoods',
  'submittingServices',
  'signingTheContract',
  'submissionDateOfApplications',
  'submittingPayment',
  'dateOfInvoicing',
  'endDateOfTheReportingPeriod',
  'anotherEvent',
] as const;

const CODES = { financing: ['prepayment', 'postpayment'], delivery: ['standard', 'recurring'] } as const;
const TYPES = ['financing', 'delivery'] as const;
const DAYS_MAX = 1_000;

const Duration = model('Duration', {
  days: integer({ min: 1 }).refine((days) => days <= DAYS_MAX, {
    error: validationError(`days shouldn't be more than ${DAYS_MAX}`),
  }),
  type: oneOf(['working', 'banking', 'calendar']),
}).meta({ id: 'Duration' });

/** A term of payment or delivery (tenders.md 6.4). The service sets `id` if the client does not. */
export const Milestone = model('Milestone', {
  id: hexId().optional(),
  title: oneOf(MILESTONE_TITLES),
  description: text('description').optional(),
  type: oneOf(TYPES),
  code: oneOf([...CODES.financing, ...CODES.delivery]),
  percentage: float({ min: { value: 0, printed: '0', isExclusive: true }, max: { value: 100, printed: '100' } }),
  duration: Duration,
  sequenceNumber: integer({ min: 0 }),
  relatedLot: hexId().optional(),
})
  .superRefine(({ title, description = '', type, code }, context) => {
    if (title === 'anotherEvent' && description === '') {
      context.addIssue({ code: 'custom', path: ['description'], message: REQUIRED });
    }
    const fault = codeFault(type, code);
    if (fault !== undefined) context.addIssue({ code: 'custom', path: ['code'], message: fault });
  }, evenAfterErrors)
  .meta({ id: 'Milestone' });
export type Milestone = z.infer<typeof Milestone>;

/** A code of the other type. `type` or `code` may be anything else after an error, which has a message of its own. */
function codeFault(type: unknown, code: unknown): string | undefined {
  const known = TYPES.find((one) => one === type);
  const other = TYPES.find((one) => one !== type);
  if (known === undefined || other === undefined || !CODES[other].some((one) => one === code)) return undefined;
  return validationError(`Value must be one of [${CODES[known].map((one) => `'${one}'`).join(', ')}].`);
}

/** Percentages have fewer decimals; more would be errors of binary fractions. */
const SUM_DECIMALS = 9;

/** The payments for the tender, and those for each lot, are the whole price. Elements that are invalid are not summed. */
export const Milestones = list('milestones', Milestone).superRefine((milestones, context) => {
  const sums = new Map<string | undefined, number>();
  for (const { type, relatedLot, percentage } of milestones) {
    if (type === 'financing') sums.set(relatedLot, (sums.get(relatedLot) ?? 0) + percentage);
  }
  for (const [lot, exact] of sums) {
    const sum = Number(exact.toFixed(SUM_DECIMALS));
    if (sum === 100) continue;
    const ofLot = lot === undefined ? '' : ` for lot ${lot}`;
    const message = `Sum of the financial milestone percentages ${sum} is not equal 100${ofLot}.`;
    context.addIssue({ code: 'custom', message: validationError(message) });
  }
});
