import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { waitFor } from '@procurement/testing/wait-for';
import { expect, it, onTestFinished } from 'vitest';

/** A process that has a log and runs `program`. */
function logging(program: string): { exited: Promise<unknown>; messages(): readonly string[]; end(): void } {
  const text = `import { makeLog } from ${JSON.stringify(new URL('log.ts', import.meta.url).href)};
    const log = makeLog('test', 'info');
    ${program}`;
  const args = ['--conditions=source', '--import=tsx', '--input-type=module', '-e', text];
  const child = spawn(process.execPath, args, { cwd: import.meta.dirname, stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  const lines = (): readonly string[] => output.split('\n').filter((line) => line !== '');
  return {
    exited: once(child, 'close'),
    messages: () => lines().map((line) => JSON.parse(line).msg),
    end: () => void child.stdin.end(),
  };
}

it('writes lines while the process runs, also those after a pause', async () => {
  const child = logging(`log.info('first'); process.stdin.on('end', () => log.info('second')).resume();
    setInterval(() => undefined, 1_000_000)`);
  await waitFor(() => child.messages().includes('first'), { what: 'the first line' });
  child.end();
  await waitFor(() => child.messages().length > 1, { what: 'the second line' });
  expect(child.messages()).toEqual(['first', 'second']);
});

it('writes all lines of a process that ends at once', async () => {
  const child = logging(`for (let n = 0; n < 200; n += 1) log.info(String(n)); log.fatal('last'); process.exit(1)`);
  await child.exited;
  // The end of the process may overtake a write of a thread.
  const expected = [...Array.from({ length: 200 }, (_, n) => String(n)), 'last'];
  expect(child.messages().toSorted()).toEqual(expected.toSorted());
});
