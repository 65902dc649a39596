import { chmodSync, copyFileSync, existsSync, readdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

/** Size at which a log is moved to `<name>.log.1`. There are two files for each part, so this bounds their disk space. */
const LOG_BYTES_MAX = 16 * 1024 * 1024;
const CHECK_EVERY_MS = 10_000;

/** Rotates the logs of a folder until `stop`. */
export function startLogRotation(dir: string): { stop(): void } {
  const timer = setInterval(() => rotateLogs(dir), CHECK_EVERY_MS).unref();
  return { stop: () => clearInterval(timer) };
}

/**
 * Copies each log that is too large over its previous copy, and empties it. The processes have the files open for appending and go
 * on writing; what they write between the two steps is lost.
 */
export function rotateLogs(dir: string, bytesMax = LOG_BYTES_MAX): void {
  if (!existsSync(dir)) return;
  for (const name of readdirSync(dir).filter((one) => one.endsWith('.log'))) {
    const path = join(dir, name);
    if (statSync(path).size <= bytesMax) continue;
    copyFileSync(path, `${path}.1`);
    chmodSync(`${path}.1`, 0o600);
    truncateSync(path);
  }
}
