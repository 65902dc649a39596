import { StorageError } from '@procurement/kit/files/file-storage';
import { makeMetrics, type Metrics } from '@procurement/kit/runtime/metrics';
import { openCheckpoint } from '@procurement/proof/checkpoints';
import { makeSigner } from '@procurement/proof/notes';
import { freshBus, type TestBus } from '@procurement/testing/bus';
import { waitFor } from '@procurement/testing/wait-for';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tenderId } from '../../test-support/fake-owners.ts';
import { fakeWitness, type FakeWitness } from '../../test-support/fake-witness.ts';
import { newKey, ORIGIN, runningLedger, type RunningLedger } from '../../test-support/running-ledger.ts';
import { readHead } from '../store/head.store.ts';
import { resume } from './commands.ts';

let server: TestBus;
let ledger: RunningLedger;
let witness: FakeWitness;

beforeAll(async () => {
  server = await freshBus();
});

afterAll(async () => {
  await server.stop();
});

beforeEach(async () => {
  const signer = makeSigner(ORIGIN, newKey());
  witness = await fakeWitness(signer.verifier);
  ledger = await runningLedger(server, { signers: [signer], witnesses: [witness.witness] });
});

afterEach(async () => {
  await ledger.close();
  await witness.stop();
});

/** Cosignatures of the served checkpoint, which are verified. */
async function cosigners(): Promise<readonly string[] | undefined> {
  const { signers } = ledger.deps;
  const { body } = await ledger.get('checkpoint');
  const opened = openCheckpoint(
    body,
    signers.map(({ verifier }) => verifier),
    [witness.witness.verifier],
  );
  return opened?.cosignatures.map(({ verifier }) => verifier.name);
}

async function gauge({ registry }: Metrics, name: string): Promise<number | undefined> {
  return (await registry.getSingleMetric(name)?.get())?.values[0]?.value;
}

describe('witnesses', () => {
  it('sign each checkpoint, by a proof from the one before; lines of unknown keys are dropped', async () => {
    const { owners } = ledger;
    await ledger.begun();
    for (let n = 0; n < 5; n += 1) {
      owners.publish(tenderId(n));
      await ledger.caughtUp();
    }
    expect(await cosigners()).toEqual(['w1.example/w']);
    expect(witness.seen.size).toBe(5);
    expect((await ledger.get('checkpoint')).body).not.toContain('unknown.example');
    expect((await ledger.get('policy')).body).toContain(`witness w1 ${witness.witness.verifier.vkey}`);
  });

  it.each([
    ['fails', { status: 500, body: '' }],
    ['signs with another key', { status: 200, body: '— w1.example/w AAAAAAAAAAAAAAAAAAAAAAAAAAAA\n' }],
    ['answers too much', { status: 200, body: 'x'.repeat(100_000) }],
  ])('is not waited for when it %s, and signs later', async (_what, answer) => {
    const { owners } = ledger;
    await ledger.begun();
    owners.publish(tenderId(1));
    await ledger.caughtUp();
    witness.answer = answer;
    owners.publish(tenderId(2));
    await ledger.caughtUp();
    expect(await cosigners()).toEqual([]);
    witness.answer = undefined;
    owners.publish(tenderId(3));
    await ledger.caughtUp();
    expect(await cosigners()).toEqual(['w1.example/w']);
  });

  it('is asked from the size that it names, when that is smaller', async () => {
    const { owners, database } = ledger;
    await ledger.begun();
    for (let n = 0; n < 3; n += 1) {
      owners.publish(tenderId(n));
      await ledger.caughtUp();
    }
    await database.pool.query('DELETE FROM cosignature');
    owners.publish(tenderId(4));
    await ledger.caughtUp();
    expect(await cosigners()).toEqual(['w1.example/w']);
  });

  it('are not late for a process that stands by, nor for one that has written', async () => {
    const metrics = makeMetrics('ledger');
    const writer = await ledger.begun();
    ledger.write({ metrics });
    ledger.owners.publish(tenderId(1));
    await ledger.caughtUp();
    await waitFor(async () => (await gauge(ledger.metrics, 'ledger_size')) === 1, { what: 'the size' });
    expect(await gauge(ledger.metrics, 'ledger_witness_behind_seconds')).toBeGreaterThan(0);
    expect(await gauge(metrics, 'ledger_witness_behind_seconds')).toBe(0);
    await writer.stop();
    for (const name of ['ledger_size', 'ledger_checkpoint_age_seconds', 'ledger_witness_behind_seconds'])
      expect([name, await gauge(ledger.metrics, name)]).toEqual([name, 0]);
  });

  it('get no checkpoint while the store is away: its age is from the beginning of the process that writes', async () => {
    const metrics = makeMetrics('ledger');
    const prepare = async (): Promise<void> => Promise.reject(new StorageError('away'));
    const writer = ledger.write({ metrics, files: { ...ledger.deps.files, prepare } });
    await waitFor(() => writer.problems()[0]?.text === 'not written: away', { what: 'the problem' });
    expect(await gauge(metrics, 'ledger_checkpoint_age_seconds')).toBeGreaterThan(0);
  });

  it.each([
    ['another log', { status: 422, body: '' }, 'has seen another log'],
    ['a longer log', { status: 409, body: '900\n' }, 'has seen a log of size 900'],
  ])('stops the log when it has seen %s, until nothing contradicts (T9)', async (_what, answer, text) => {
    const { owners, deps } = ledger;
    const writer = await ledger.begun();
    owners.publish(tenderId(1));
    await ledger.caughtUp();
    witness.answer = answer;
    owners.publish(tenderId(2));
    await waitFor(() => writer.problems()[0]?.text?.includes(text), { what: 'the halt' });
    owners.publish(tenderId(3));
    const { size, published } = await readHead(deps.pool);
    expect([size, published]).toEqual([2, 1]);
    expect((await ledger.checkpoint()).size).toBe(1);
    expect(await ledger.metrics.registry.metrics()).toMatch(/ledger_halted\{[^}]*\} 1/);
    const printed: string[] = [];
    expect(await resume([], deps, (line) => printed.push(line))).toBe(1);
    expect(printed).toEqual([expect.stringContaining(text)]);
    expect((await readHead(deps.pool)).halted).toContain(text);
    witness.answer = undefined;
    expect(await resume([], deps, () => undefined)).toBe(0);
    await ledger.caughtUp();
    expect((await ledger.entries()).length).toBe(3);
  });
});
