import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const TASKS = ['generate', 'build', 'bundle'];
/** Lines of turbo's output that a failure shows: what the compiler said is near the end. */
const FAILURE_LINES = 60;

/** How many tasks the build has: one for each of these scripts of each workspace. */
export function countBuildTasks(root = ROOT): number {
  const folders = ['packages', 'services', 'apps'].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => join(root, group, name, 'package.json')),
  );
  const scripts = folders.filter(existsSync).flatMap((file) => {
    // npm checks the shape of every package.json.
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as { scripts?: Readonly<Record<string, string>> };
    return Object.keys(manifest.scripts ?? {});
  });
  return scripts.filter((name) => TASKS.includes(name)).length;
}

/** Receives the lines of turbo, and returns the progress that a line means. Undefined for other lines, and for tasks done before. */
export function readProgress(total: number): (line: string) => string | undefined {
  let begun = 0;
  return (line) => {
    const [, workspace, task, hit] = /^@procurement\/([\w-]+):(\w+): cache (hit|miss)/.exec(line) ?? [];
    if (workspace === undefined) return undefined;
    begun += 1;
    return hit === 'hit' ? undefined : `building ${begun} of ${total}: ${task} ${workspace}`;
  };
}

/**
 * Builds the whole system, as far as it has changed since the last build, and reports each task that runs: the first build takes
 * minutes on a small machine. Throws with the end of the output when it fails.
 */
export async function buildSystem(report: (line: string) => void, signal?: AbortSignal): Promise<void> {
  const turbo = join(ROOT, 'node_modules/.bin/turbo');
  const args = ['run', 'build', 'bundle', '--output-logs=new-only', '--log-order=stream'];
  const child = spawn(turbo, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], ...(signal && { signal }) });
  const closed = once(child, 'close');
  const output: string[] = [];
  const progressOf = readProgress(countBuildTasks());
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      const progress = progressOf(line);
      if (progress !== undefined) report(progress);
      else output.push(line);
    });
  }
  const [code] = await closed;
  if (code !== 0) throw new Error(`The build failed:\n${output.slice(-FAILURE_LINES).join('\n')}`);
}
