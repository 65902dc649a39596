import { headers, type Msg, type MsgHdrs } from '@nats-io/transport-node';
import { describe, expect, it } from 'vitest';
import { endAfterMessages } from './fetch-messages.ts';

const message = (text: string): Msg => ({ subject: text, headers: undefined }) as unknown as Msg;

function status(description: string, pendingMessages?: number): Msg {
  const values: MsgHdrs = headers(409, description);
  if (pendingMessages !== undefined) values.set('Nats-Pending-Messages', String(pendingMessages));
  return { subject: description, headers: values } as Msg;
}

/** What is passed on of these, in order. */
function passed(messages: readonly Msg[]): readonly string[] {
  const seen: string[] = [];
  const receive = endAfterMessages((_error, { subject }) => void seen.push(subject));
  for (const one of messages) void receive(null, one);
  return seen;
}

describe('endAfterMessages', () => {
  it.each([
    ['Batch Completed', 97],
    ['Message Size Exceeds MaxBytes', 97],
  ])('passes %s on after the messages that were sent before it', (description, pending) => {
    const end = status(description, pending);
    const [a, b, c, later] = ['a', 'b', 'c', 'later'].map(message) as [Msg, Msg, Msg, Msg];
    expect(passed([end, a, b, c])).toEqual(['a', 'b', 'c', description]);
    expect(passed([a, end, b, c, later])).toEqual(['a', 'b', 'c', description, 'later']);
    expect(passed([a, b, c, end])).toEqual(['a', 'b', 'c', description]);
  });

  it('counts no status as a message', () => {
    const beat = status('Idle Heartbeat');
    expect(passed([status('Batch Completed', 99), beat, message('a')])).toEqual([
      'Idle Heartbeat',
      'a',
      'Batch Completed',
    ]);
  });

  it('passes every other end on at once: its messages may never come', () => {
    const ends = [status('Leadership Change', 50), status('Server Shutdown'), status('Batch Completed')];
    for (const end of ends) expect(passed([end, message('a')])).toEqual([end.subject, 'a']);
    expect(passed([status('Batch Completed', 100), message('a')])).toEqual(['Batch Completed', 'a']);
  });
});
