import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { problems } from '@procurement/contracts/problems/problems';
import { describe, expect, it } from 'vitest';
import { ROOT } from './deploy/repository.ts';

/** Tests, what they share, fixtures, and recordings: where a refusal is expected by its code or its text. */
const TESTS = [
  '*.test.ts',
  'test/**/*.ts',
  '**/test-support/**/*.ts',
  'docs/spec/contracting/errors.json',
  'test/golden/**',
];

function textOfTests(): string {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...TESTS], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const paths = files.split('\n').filter((path) => path !== '' && !path.startsWith('tools/error-codes.test'));
  return paths.map((path) => readFileSync(join(ROOT, path), 'utf8')).join('\n');
}

/** The parts of a description that are the same for all refusals. */
function splitLiterals(description: string): readonly string[] {
  return description.split(/\{\w+\}/).filter((part) => part.trim().length > 2);
}

/** Tests that expect a refusal by its status and name, or by a text that other refusals share. */
const EXPECTED_IN: Readonly<Record<string, readonly [file: string, text: string]>> = {
  'request.role-forbidden': ['services/awards/src/domain/contract.change.test.ts', "['Administrator', ROLE_FORBIDDEN]"],
  'request.not-found': ['services/gateway/src/app.test.ts', "problemBody('url', 'not_found', 'Not Found')"],
  'request.precondition': ['services/tenders/src/http/patch-tender.int.test.ts', '[412, \'"2-2.5"\']'],
  'request.content-encoding': ['services/gateway/src/app.test.ts', "'content-encoding': 'gzip' }, 415]"],
  'feed.offset': ['test/e2e/interface/bad-input.test.ts', "'/tenders?offset=yesterday', 404]"],
  'feed.opt-fields': ['services/tenders/src/http/feed-offsets.test.ts', 'OPT_FIELDS_CHARACTERS_MAX + 1)}`)).toBe(422)'],
  'lot.add-status': ['services/tenders/src/domain/lot.decide.test.ts', "Can't ${act} lot in current (${status})"],
  'lot.update-status': ['services/tenders/src/domain/lot.decide.test.ts', "Can't ${act} lot in current (${status})"],
  'lot.delete-status': ['services/tenders/src/domain/lot.decide.test.ts', "Can't ${act} lot in current (${status})"],
  'document.related-unknown': ['services/documents/src/domain/document.decide.test.ts', 'relatedItem'],
  'file.missing': ['services/documents/src/http/register-file.int.test.ts', "[path, none, 404, 'file']"],
  'file.hash-missing': ['services/documents/src/http/register-file.int.test.ts', "[404, 'hash']"],
  'file.unknown': ['services/documents/src/http/get-file.int.test.ts', "[404, 'doc_id']"],
  'params.not-found': ['services/register/src/history/history.int.test.ts', "[404, 'params', 'at']"],
  'params.expired': ['services/register/src/search/search-tenders.int.test.ts', "['cursor=AAAA', 404, 'cursor']"],
  'search.broad': ['services/register/src/search/search-tenders.int.test.ts', '[200, 400, 422].includes(statusCode)'],
  'stream.last-event-id': ['services/register/src/stream/open-stream.int.test.ts', "'Last-Event-ID'"],
  'revision.not-found': ['services/register/src/history/history.int.test.ts', "[404, 'url', 'rev']"],
  'request.idempotency-key': ['services/gateway/src/idempotency/replay.int.test.ts', "[422, 'Idempotency-Key']"],
  'request.idempotency-body': ['services/gateway/src/idempotency/replay.int.test.ts', "[422, 'Idempotency-Key']"],
  'log.not-found': ['services/ledger/src/http/get-log.int.test.ts', "['edge/0', 'path']"],
  'ocds.not-found': ['services/register/src/ocds/ocds.int.test.ts', "/${OCID}-20200101T000000000Z`, 'release_id']"],
  'webhook.redeliver-limit': ['services/register/src/webhooks/webhooks.int.test.ts', 'redeliver: limit of 10 reached'],
  'dead-letter.not-found': ['services/register/src/webhooks/webhooks.int.test.ts', '/dead-letters/1.0/retry`, {}'],
  'service.failed': ['services/tenders/src/store/tenders.store.int.test.ts', '[200, 500, 200, 200]'],
};

/** The table has this code for clients that handle it. Nothing answers it yet: no tender is archived. */
const UNUSED: ReadonlySet<string> = new Set(['object.archived']);

const text = textOfTests();
const owners = new Map<string, number>();
for (const { description } of Object.values(problems)) owners.set(description, (owners.get(description) ?? 0) + 1);

describe('the table of problems', () => {
  it.each(Object.entries(problems).filter(([code]) => !UNUSED.has(code)))(
    'has a test that expects %s',
    (code, { description }) => {
      const [file, expectation] = EXPECTED_IN[code] ?? [];
      if (file !== undefined && expectation !== undefined) {
        expect(readFileSync(join(ROOT, file), 'utf8')).toContain(expectation);
        return;
      }
      const literals = splitLiterals(description).map((part) => part.replaceAll("'", "\\'"));
      const isNamed = text.includes(`'${code}'`) || text.includes(`"${code}"`) || text.includes(`#${code}"`);
      const isOwn = owners.get(description) === 1 && literals.length > 0;
      const isQuoted = isOwn && splitLiterals(description).every((part) => text.includes(part));
      const isEscaped = isOwn && literals.every((part) => text.includes(part));
      expect(isNamed || isQuoted || isEscaped, `no test expects ${code}`).toBe(true);
    },
  );
});
