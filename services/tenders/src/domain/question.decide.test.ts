import { ACTORS } from '@procurement/testing/actors';
import { AUTHOR } from '@procurement/testing/bodies';
import { padId, LOT_1, LOT_2 } from '@procurement/testing/ids';
import { FORBIDDEN, ROLE_FORBIDDEN, refusalOf, REQUIRED, UNAUTHORIZED } from '@procurement/testing/refusals';
import { addMicros, formatServerDate, parseInstant, MINUTE, SECOND } from '@procurement/contracts/reading/instant';
import { describe, expect, it } from 'vitest';
import {
  add,
  change,
  withCancelledLot,
  hours,
  inStatus,
  tenderWithLots,
  newTender,
  type CommandOptions,
  type Data,
} from '../../test-support/run-command.ts';
import { STATUSES } from '../../test-support/statuses.ts';
import type { TenderState } from './tender.ts';

const tender = newTender({ items: [item('i1')] });
const broker = ACTORS.otherBroker;

function item(id: string): Data {
  return { id, description: 'x', classification: { id: '44810000-1', description: 'Фарби' } };
}

function ask(state: TenderState, data: Data = {}, options: CommandOptions = {}) {
  return add(state, 'AskQuestion', { author: AUTHOR, title: 'Тара', ...data }, { actor: broker, id: '9', ...options });
}

function withQuestion(state = tender, data: Data = {}): TenderState {
  return ask(state, data).state;
}

function answer(state: TenderState, data: Data = { answer: 'Відра.' }, options: CommandOptions = {}) {
  return change(state, 'AnswerQuestion', padId('9'), data, options);
}

describe('AskQuestion (tenders.md 12)', () => {
  it('stores the members that the author may set, with id and date, and ignores the others', () => {
    const data = { description: 'Який?', answer: 'mine', date: '2020-01-01', id: 'x', dateAnswered: '2020-01-01' };
    expect(withQuestion(tender, data).document.questions).toEqual([
      {
        author: { ...AUTHOR },
        title: 'Тара',
        description: 'Який?',
        questionOf: 'tender',
        id: padId('9'),
        date: '2026-05-04T10:15:00.120034+03:00',
      },
    ]);
  });

  it('keeps the order of creation', () => {
    const second = ask(withQuestion(), { title: 'друге' }, { id: '8' }).state;
    expect(second.document.questions?.map((question) => question.title)).toEqual(['Тара', 'друге']);
  });

  it.each([
    ['nothing', {}, 'author', REQUIRED],
    ['no title', { author: AUTHOR }, 'title', REQUIRED],
    ['about an item without relatedItem', { questionOf: 'item' }, 'relatedItem', REQUIRED],
    ['about a lot without relatedItem', { questionOf: 'lot' }, 'relatedItem', REQUIRED],
    [
      'about an unknown item',
      { questionOf: 'item', relatedItem: 'z' },
      'relatedItem',
      ['relatedItem should be one of items'],
    ],
    [
      'about an unknown lot',
      { questionOf: 'lot', relatedItem: 'z' },
      'relatedItem',
      ['relatedItem should be one of lots'],
    ],
    ['about something else', { questionOf: 'x' }, 'questionOf', ["Value must be one of ['tender', 'item', 'lot']."]],
    ['with an unknown member', { foo: 1 }, 'foo', 'Rogue field'],
  ])('422: %s', (what, data, name, description) => {
    const base = what === 'nothing' ? {} : { author: AUTHOR, ...(what === 'no title' ? {} : { title: 'x' }) };
    const result = add(tender, 'AskQuestion', { ...base, ...data }, { actor: broker });
    expect(result.refused?.errors[0]).toEqual({ location: 'body', name, description });
    expect(result.state).toBe(tender);
  });

  it.each([
    ['before the period begins', hours(-1)],
    ['after it has ended', hours(24 * 6)],
  ])('403: %s, in active.enquiries', (_what, now) => {
    expect(refusalOf(ask(tender, {}, { now }))).toEqual([403, 'data', 'Can add question only in enquiryPeriod']);
  });

  it('accepts one at once after the publication, also by a process whose clock is behind', () => {
    const published = parseInstant(tender.document.date);
    const at = (micros: number): unknown => refusalOf(ask(tender, {}, { now: addMicros(published, micros) }));
    expect(at(-20 * SECOND)).toBeUndefined();
    expect(at(-2 * MINUTE)).toEqual([403, 'data', 'Can add question only in enquiryPeriod']);
  });

  it('refuses one before the time at which the buyer lets the period begin', () => {
    const later = formatServerDate(addMicros(parseInstant(tender.document.date), 20 * SECOND));
    const document = { ...tender.document, enquiryPeriod: { startDate: later, endDate: '2099-01-01T00:00:00+02:00' } };
    const refusal = refusalOf(ask({ ...tender, document }, {}, { now: parseInstant(tender.document.date) }));
    expect(refusal).toEqual([403, 'data', 'Can add question only in enquiryPeriod']);
  });

  it.each(STATUSES)('in %s: allowed in active.enquiries only', (status) => {
    const expected =
      status === 'active.enquiries' ? undefined : [403, 'data', 'Can add question only in enquiryPeriod'];
    expect(refusalOf(ask(inStatus(tender, status)))).toEqual(expected);
  });

  it.each([
    ['the lot', 'lot', LOT_1],
    ['an item of the lot', 'item', 'first'],
  ])('403: about %s that is not active', (_what, questionOf, relatedItem) => {
    const state = withCancelledLot(tenderWithLots(), LOT_1);
    expect(refusalOf(ask(state, { questionOf, relatedItem }))).toEqual([
      403,
      'data',
      'Can add question only in active lot status',
    ]);
    expect(ask(state, { questionOf: 'lot', relatedItem: LOT_2 }).refused).toBeUndefined();
  });

  it.each([
    ['anonymous', ACTORS.anonymous, UNAUTHORIZED],
    ['the reviewer', ACTORS.reviewer, FORBIDDEN],
    ['the Administrator', ACTORS.Administrator, FORBIDDEN],
    ['the chronograph', ACTORS.chronograph, FORBIDDEN],
    [
      'a broker without level 2',
      { ...broker, levels: '134' },
      [403, 'accreditation', 'Broker Accreditation level does not permit question creation'],
    ],
    [
      'a test-only broker on a real tender',
      { ...broker, levels: '12t' },
      [403, 'mode', 'Broker Accreditation level does not permit question creation'],
    ],
  ])('refuses %s before it validates the body', (_who, actor, expected) => {
    expect(refusalOf(add(tender, 'AskQuestion', {}, { actor }))).toEqual(expected);
  });

  it('accepts a test-only broker on a test tender, and admins without any level', () => {
    const test = newTender({ mode: 'test' });
    expect(ask(test, {}, { actor: { ...broker, levels: '2t' } }).refused).toBeUndefined();
    expect(ask(tender, {}, { actor: { ...ACTORS.admins, levels: '' } }).refused).toBeUndefined();
  });

  it('404: the tender does not exist', () => {
    // Cast because the helper takes a state; the command of a missing tender has none.
    expect(refusalOf(add(undefined as unknown as TenderState, 'AskQuestion', {}))).toEqual([
      404,
      'tender_id',
      'Not Found',
    ]);
  });
});

describe('AnswerQuestion (tenders.md 12)', () => {
  it('sets the answer and its date, and ignores other members', () => {
    const { state } = answer(
      withQuestion(),
      { answer: 'Відра.', title: 'чуже', date: '2020-01-01' },
      { now: hours(1) },
    );
    expect(state.document.questions?.[0]).toMatchObject({
      title: 'Тара',
      date: '2026-05-04T10:15:00.120034+03:00',
      answer: 'Відра.',
      dateAnswered: '2026-05-04T11:15:00.120034+03:00',
    });
  });

  it('replaces an answer, and stores nothing for the same answer', () => {
    const first = answer(withQuestion()).state;
    expect(answer(first, { answer: 'Відра.' }, { now: hours(1) }).events).toEqual([]);
    expect(answer(first, {}, { now: hours(1) }).events).toEqual([]);
    const second = answer(first, { answer: 'Інше.' }, { now: hours(1) }).state;
    expect(second.document.questions?.[0]).toMatchObject({
      answer: 'Інше.',
      dateAnswered: expect.stringContaining('T11:15'),
    });
  });

  it('accepts an answer between the end of enquiries and the start of tendering', () => {
    expect(answer(withQuestion(), undefined, { now: hours(24 * 6) }).refused).toBeUndefined();
  });

  it.each(STATUSES)('in %s: allowed in active.enquiries only', (status) => {
    const text = `Can't update question in current (${status}) tender status`;
    const expected = status === 'active.enquiries' ? undefined : [403, 'data', text];
    expect(refusalOf(answer(inStatus(withQuestion(), status)))).toEqual(expected);
  });

  it('403: about a lot that is not active', () => {
    const state = withCancelledLot(withQuestion(tenderWithLots(), { questionOf: 'item', relatedItem: 'first' }), LOT_1);
    expect(refusalOf(answer(state))).toEqual([403, 'data', 'Can update question only in active lot status']);
  });

  it.each([
    ['anonymous', ACTORS.anonymous, UNAUTHORIZED],
    ['the author', broker, FORBIDDEN],
    ['the token with another broker', ACTORS.wrongBroker, FORBIDDEN],
    ['the reviewer', ACTORS.reviewer, FORBIDDEN],
    ['the chronograph', ACTORS.chronograph, FORBIDDEN],
    ['the Administrator', ACTORS.Administrator, ROLE_FORBIDDEN],
  ])('refuses %s', (_who, actor, expected) => {
    expect(refusalOf(answer(withQuestion(), undefined, { actor }))).toEqual(expected);
  });

  it('422: a malformed body is reported before the status', () => {
    const result = answer(inStatus(withQuestion(), 'complete'), { answer: {} });
    expect(refusalOf(result)).toEqual([422, 'answer', ["Couldn't interpret '{}' as string."]]);
  });

  it('404: the question does not exist', () => {
    expect(refusalOf(answer(tender))).toEqual([404, 'question_id', 'Not Found']);
  });
});

describe('questions by older segments with open guards (rulings R3)', () => {
  const open = { settings: { legacyGuardsOpen: true }, actor: { ...broker, segment: '2.3' } } as const;

  it('are asked and answered in any active status', () => {
    for (const status of STATUSES.filter((one) => one.startsWith('active.'))) {
      const state = inStatus(tender, status);
      const question = ask(state, {}, open);
      expect(question.refused).toBeUndefined();
      const owner = { ...ACTORS.owner, segment: '2.3' };
      expect(answer(question.state, undefined, { ...open, actor: owner }).refused).toBeUndefined();
    }
  });

  it('are refused on segment 2.5, and once the tender is over', () => {
    const settings = { legacyGuardsOpen: true };
    expect(ask(inStatus(tender, 'active.awarded'), {}, { settings }).refused?.status).toBe(403);
    expect(ask(inStatus(tender, 'complete'), {}, open).refused?.status).toBe(403);
  });

  it('are accepted from organisations without contact point and address', () => {
    const author = { name: 'x', identifier: { scheme: 'any' } };
    const state = ask(tender, { author }, { actor: { ...broker, segment: '2.3' } });
    expect(state.refused).toBeUndefined();
    expect(answer(state.state).refused).toBeUndefined();
  });
});
