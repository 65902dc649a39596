import { run } from './toolsets.ts';

/** Plays stories of test/e2e against a system in sandbox mode. Throws when one fails. */
export function playStories(url: string, names: readonly string[]): void {
  const files = names.map((name) => `test/e2e/${name}`);
  run('npx', ['vitest', 'run', '--project', 'e2e', ...files], { env: { GATEWAY_URL: url } });
}
