import type { z } from 'zod';
import { evenAfterErrors, model } from '../reading/composites.ts';
import { REQUIRED } from '../reading/error-messages.ts';
import { oneOf, dateTime, text } from '../reading/scalars.ts';
import { EarlyOrganization, Organization } from './organization.ts';

function questionInput<A extends z.ZodType>(author: A) {
  return model('Question', {
    id: text('identifier').optional(),
    author,
    title: text('title'),
    description: text('description').optional(),
    questionOf: oneOf(['tender', 'item', 'lot']).default('tender'),
    relatedItem: text('identifier', { charactersMin: 1 }).optional(),
    date: dateTime().optional(),
    answer: text('description').optional(),
    dateAnswered: dateTime().optional(),
  }).refine(({ questionOf, relatedItem }) => questionOf === 'tender' || relatedItem !== undefined, {
    path: ['relatedItem'],
    error: REQUIRED,
    ...evenAfterErrors,
  });
}

/** Body of POST and PATCH (tenders.md 12). Members that the service sets are ignored. */
export const QuestionInput = questionInput(Organization).meta({ id: 'QuestionInput' });

/** Body by an older segment, whose organisations have fewer required members (rulings R13). */
export const EarlyQuestionInput = questionInput(EarlyOrganization).meta({ id: 'EarlyQuestionInput' });
export type QuestionInput = z.infer<typeof EarlyQuestionInput>;

/** A stored question with its author. */
export interface StoredQuestion extends Omit<QuestionInput, 'id' | 'date'> {
  readonly id: string;
  readonly date: string;
}

/** A question in answers. The author is shown when bids are opened (tenders.md 10). */
export const Question = model('Question', {
  ...QuestionInput.shape,
  id: text('identifier'),
  author: Organization.optional(),
  date: dateTime(),
}).meta({ id: 'Question' });
