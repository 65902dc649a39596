import { z } from 'zod';
import { EarlyQuestionInput, Question, QuestionInput } from '../resources/question.ts';
import type { RouteContract } from './route.ts';

const segments = ['2.5', '2.3', '0'] as const;
const collection = '/tenders/:tender_id/questions';
const bodyBySegment = { '2.3': EarlyQuestionInput, '0': EarlyQuestionInput } as const;

/** Questions about a tender and their answers (tenders.md 12). */
export const questionsApi = {
  listQuestions: {
    name: 'listQuestions',
    method: 'GET',
    path: collection,
    owner: 'tenders',
    spore: 'get_collection_tender questions',
    summary: 'Questions about a tender',
    description: 'All questions with their answers, in the order of asking. Authors are hidden until bids are opened.',
    segments,
    responses: { 200: z.array(Question) },
  },
  createQuestion: {
    name: 'createQuestion',
    method: 'POST',
    path: collection,
    owner: 'tenders',
    spore: 'post_collection_tender questions',
    summary: 'Ask a question',
    description:
      'Asks about the tender, or with `questionOf` and `relatedItem` about an item or a lot. Possible during the enquiry period, with an API key of accreditation level 2.',
    segments,
    body: QuestionInput,
    bodyBySegment,
    responses: { 201: Question },
  },
  getQuestion: {
    name: 'getQuestion',
    method: 'GET',
    path: `${collection}/:question_id`,
    owner: 'tenders',
    spore: 'get_tender questions',
    summary: 'A question',
    description: 'One question with its answer. The author is hidden until bids are opened.',
    segments,
    responses: { 200: Question },
  },
  patchQuestion: {
    name: 'patchQuestion',
    method: 'PATCH',
    path: `${collection}/:question_id`,
    owner: 'tenders',
    spore: 'patch_tender questions',
    summary: 'Answer a question',
    description:
      'The owner of the tender sets `answer`, with the owner token of the tender. The service sets `dateAnswered`; other members are ignored.',
    segments,
    body: QuestionInput,
    bodyBySegment,
    responses: { 200: Question },
  },
} as const satisfies Record<string, RouteContract>;
