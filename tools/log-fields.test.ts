import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/** One thing has one name in the logs of all services and of the auction room, so that one search finds it in each. */
const NAMES: Readonly<Record<string, string>> = {
  tender: 'tenderId',
  auction: 'auctionId',
  webhook: 'webhookId',
  lot: 'lotId',
  bid: 'bidId',
  reqId: 'requestId',
  seconds: 'durationMs',
};

const LOG_CALL = /\blog(?:\.(?:trace|debug|info|warn|error|fatal)|\[[^\]]*\])\(\s*\{([^}]*)\}/g;

/** Members of log lines that have another name in `NAMES`. */
function wronglyNamed(source: string): readonly string[] {
  return [...source.matchAll(LOG_CALL)]
    .flatMap(([, members = '']) => members.split(','))
    .map((member) => /^\s*(\w+)/.exec(member)?.[1] ?? '')
    .filter((name) => name in NAMES);
}

describe('fields of logs', () => {
  it.each([
    ["log.warn({ err: error, tender: id }, 'x')", ['tender']],
    ["deps.log.info({ auction }, 'x')", ['auction']],
    ["request.log[level](\n { method, seconds },\n 'x')", ['seconds']],
    ["log.warn({ tenderId: tender.id, durationMs }, 'x')", []],
  ])('are judged in %s', (source, found) => {
    expect(wronglyNamed(source)).toEqual(found);
  });

  it('have one name for one thing in all services and in the auction room', () => {
    const list = execFileSync('git', ['ls-files', '*/src/*.ts'], { cwd: ROOT, encoding: 'utf8' });
    const files = list.split('\n').filter((file) => file !== '' && !file.endsWith('.test.ts'));
    expect(files.length).toBeGreaterThan(500);
    const found = files.flatMap((file) =>
      wronglyNamed(readFileSync(join(ROOT, file), 'utf8')).map((name) => `${file}: ${name}, not ${NAMES[name]}`),
    );
    expect(found).toEqual([]);
  });
});
