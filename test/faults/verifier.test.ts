import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack, type Stack } from '@procurement/local-stack/stack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../../packages/verify/src/program.ts';
import { patientBroker, pauseBeforeRetry, until } from '../support/broker.ts';
import { queryService } from '../support/hold-row.ts';
import { publish, type PublishedTender } from '../support/published-tender.ts';
import { minimalTender } from '../support/request-bodies.ts';
import { serviceCommand } from '../support/service-command.ts';
import { verifyAndStop } from '../support/verified.ts';

const TITLE = 'what was published';
const FORGED = 'what the operator likes better';
/** Flag of a revision in the register whose text could not be read. */
const UNREAD = 4;

let stack: Stack;
let tender: PublishedTender;
const home = mkdtempSync(join(tmpdir(), 'verifier-'));

beforeAll(async () => {
  stack = await startStack({ durable: false, env: { LEDGER_INTERVAL_MS: '1000' } });
  await run('trust', `${stack.gatewayUrl}/log`, '--yes');
  const buyer = patientBroker(stack.gatewayUrl, 'broker1', '2.5');
  // What is there when the log begins has no earlier states in it.
  await publish(buyer, minimalTender({ mode: 'test' }));
  await until('the log to begin', async () => (await run('checkpoint')).exit === 0);
  tender = await publish(buyer, minimalTender({ mode: 'test', title: TITLE, title_en: 'a name' }));
  await buyer.patch(`${tender.path}${tender.tokenQuery}`, { title_en: 'no name' });
});

afterAll(async () => {
  rmSync(home, { recursive: true, force: true });
  await verifyAndStop(stack);
});

/** Runs the verifier, whose two minutes for a log that is behind are two seconds here. Returns the exit code, and the last text that it prints. */
async function run(...args: readonly string[]): Promise<{ readonly exit: number; readonly printed: string }> {
  const printed: string[] = [];
  const exit = await runProgram(['--home', home, ...args], {
    env: {},
    signal: new AbortController().signal,
    fetch,
    nowSeconds: () => Math.floor(Date.now() / 1_000),
    waitMs: pauseBeforeRetry,
    confirm: async () => false,
    print: (text) => void printed.push(text),
  });
  return { exit, printed: printed.at(-1) ?? '' };
}

/** Checks the tender, by the entries that the log names for it, and by all of the log. Returns the exit code and the codes of the findings. */
async function check(): Promise<readonly [exit: number, ...codes: string[]]> {
  const [named, full] = [await run('--json', 'tender', tender.id), await run('--json', 'tender', tender.id, '--full')];
  const findings = [named, full].map(({ exit, printed }) => {
    const answer: { readonly findings: readonly { readonly code: string }[] } = JSON.parse(printed);
    return [exit, ...new Set(answer.findings.map(({ code }) => code))] as const;
  });
  expect(findings[0]).toEqual(findings[1]);
  return findings[1] ?? [1];
}

/** Waits until a service is ready again, or the log has everything. */
async function untilExit(expected: number): Promise<void> {
  await until(`the exit code ${expected}`, async () => (await run('tender', tender.id)).exit === expected);
}

describe('the verifier before a running system', () => {
  it('proves what was published', async () => {
    await until('both states to be in the log', async () => {
      const { exit, printed } = await run('tender', tender.id);
      return exit === 0 && printed.includes('2 of 2 logged states were proven');
    });
    expect(await check()).toEqual([0]);
    expect((await run('checkpoint')).exit).toBe(0);
    expect((await run('log')).exit).toBe(0);
  });

  it('finds a view that was changed in the database (T2)', async () => {
    const statement = 'UPDATE tender_view SET body = replace(body, $2, $3) WHERE tender_id = $1';
    const change = async (from: string, to: string) => {
      await queryService(stack, 'tenders', statement, [tender.id, from, to]);
      // It has the view in its memory.
      await stack.parts.tenders.kill('SIGKILL');
      await stack.parts.tenders.start();
    };
    await change(TITLE, FORGED);
    await untilExit(2);
    expect(await check()).toEqual([2, 'view']);
    await change(FORGED, TITLE);
    await untilExit(0);
  });

  it('finds an earlier text that was changed in the database (T2)', async () => {
    const statement = `UPDATE revision_text SET text = replace(text, $2, $3)
      WHERE position = (SELECT position FROM revision WHERE id = $1::uuid AND rev = 1)`;
    await queryService(stack, 'register', statement, [tender.id, TITLE, FORGED]);
    expect(await check()).toEqual([2, 'text']);
    await queryService(stack, 'register', statement, [tender.id, FORGED, TITLE]);
    expect(await check()).toEqual([0]);
  });

  it('does not prove an earlier text that the register cannot read (T2)', async () => {
    const statement = 'UPDATE revision SET flags = flags # $2 WHERE id = $1::uuid AND rev = 1';
    await queryService(stack, 'register', statement, [tender.id, UNREAD]);
    expect(await check()).toEqual([3, 'withheld']);
    await queryService(stack, 'register', statement, [tender.id, UNREAD]);
    expect(await check()).toEqual([0]);
  });

  it('proves a removal by law as a declared one (T5)', async () => {
    const reason = ['--reason', 'a judgement'];
    expect(
      await serviceCommand(
        stack,
        'register',
        'redact',
        tender.id,
        '--pointer',
        '/title_en',
        '--rev',
        '1..1',
        ...reason,
      ),
    ).toContain('1 revisions redacted');
    await untilExit(4);
    expect(await check()).toEqual([4, 'redacted']);
  });
});
