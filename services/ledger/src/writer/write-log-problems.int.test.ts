import { monotonicMs } from '@procurement/kit/runtime/clock';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import { waitFor } from '@procurement/testing/wait-for';
import { beforeEach, describe, expect, it } from 'vitest';
import { eachLedger } from '../../test-support/each-ledger.ts';
import { tenderId, type FakeRedaction, type LoggedState } from '../../test-support/fake-owners.ts';
import type { RunningLedger } from '../../test-support/running-ledger.ts';
import type { LogWriter } from './write-log.ts';

const running = eachLedger();
let ledger: RunningLedger;

beforeEach(() => {
  ledger = running();
});

/** Names of what is in the health of a writer in a minute, when nothing changes. */
function namesLater(writer: LogWriter): readonly string[] {
  return writer.problems(monotonicMs() + 61_000).map(({ name }) => name);
}

function buildRow({ id: tender, rev, position, text }: LoggedState, id: number): FakeRedaction {
  return { id, tender, rev, position: String(position), member: '/a', sha256: sha256Hex(text), bytes: text.length };
}

async function redacted(): Promise<readonly string[]> {
  return (await ledger.entries()).flatMap((entry) => (entry.kind === 'redaction' ? [entry.member] : []));
}

describe('the health of the writer', () => {
  it('names an owner that does not answer for a minute', async () => {
    const { owners } = ledger;
    const writer = await ledger.begun();
    owners.silent.add('register');
    owners.publish(tenderId(1));
    await ledger.caughtUp();
    await waitFor(() => namesLater(writer).includes('register'), { what: 'the register' });
    expect([writer.problems(), namesLater(writer)]).toEqual([[], ['register']]);
    owners.silent.add('tenders');
    await waitFor(() => namesLater(writer).includes('tenders'), { what: 'tenders' });
    owners.silent.clear();
    owners.publish(tenderId(2));
    await ledger.caughtUp();
    await waitFor(() => namesLater(writer).length === 0, { what: 'the end of the problem' });
  });

  it.each([
    ['cannot be read', { sha256: 'x' }, 'the redaction after 0 cannot be read', []],
    ['is none that an entry can say', { member: `/${'ї'.repeat(1_000)}` }, 'redaction 1 is none', ['/b']],
  ])('tells of a redaction that %s, which stops no publication', async (_what, spoilt, text, others) => {
    const { owners } = ledger;
    const writer = await ledger.begun();
    const [first, second] = [owners.publish(tenderId(1)), owners.publish(tenderId(2))];
    await ledger.caughtUp();
    owners.redactions.push({ ...buildRow(first, 1), ...spoilt });
    owners.redact(first, '/c');
    owners.redact(second, '/b');
    owners.publish(tenderId(5));
    await ledger.caughtUp();
    await waitFor(() => writer.problems()[0]?.text?.includes(text), { what: 'the problem' });
    await waitFor(async () => (await redacted()).length === others.length, { what: 'the redactions' });
    expect(await redacted()).toEqual(others);
    owners.redactions.shift();
    owners.publish(tenderId(5));
    await waitFor(async () => (await redacted()).length === 2, { what: 'all redactions' });
    expect((await redacted()).toSorted()).toEqual(['/b', '/c']);
    await waitFor(() => writer.problems().length === 0, { what: 'the end of the problem' });
  });

  it('asks for the redactions after a full page at once', async () => {
    const { owners } = ledger;
    ledger.write({ rowsMax: 2 });
    await ledger.caughtUp();
    const states = [1, 2, 3, 4, 5].map((n) => owners.publish(tenderId(n)));
    await ledger.caughtUp();
    owners.redactions.push(...states.slice(0, 4).map((state, at) => buildRow(state, at + 1)));
    // The only signal.
    for (const state of states.slice(4)) owners.redact(state, '/a');
    await waitFor(async () => (await ledger.checkpoint()).size === 10, { what: 'the redactions' });
    expect(await redacted()).toEqual(Array.from({ length: 5 }, () => '/a'));
  });
});
