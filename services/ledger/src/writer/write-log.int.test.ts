import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import { deriveBlind, deriveCommitment } from '@procurement/proof/commitments';
import { waitFor } from '@procurement/testing/wait-for';
import { beforeEach, describe, expect, it } from 'vitest';
import { eachLedger } from '../../test-support/each-ledger.ts';
import { tenderId } from '../../test-support/fake-owners.ts';
import type { RunningLedger } from '../../test-support/running-ledger.ts';
import { thinCheckpoints } from '../store/checkpoints.store.ts';
import { readHead } from '../store/head.store.ts';

const running = eachLedger();
let ledger: RunningLedger;

beforeEach(() => {
  ledger = running();
});

describe('the writer of the log', () => {
  it('logs a publication, signs it, and tells everybody how to open its commitment', async () => {
    const { owners, deps } = ledger;
    await ledger.begun();
    const state = owners.publish(tenderId(1));
    await ledger.caughtUp();
    const commit = deriveCommitment(deriveBlind(deps.blindKey, 0), Buffer.from(sha256Hex(state.text), 'hex'));
    expect(await ledger.entries()).toEqual([
      {
        kind: 'publication',
        number: 1n,
        tender: state.id,
        rev: 1n,
        position: BigInt(state.position),
        commit,
        bytes: BigInt(Buffer.byteLength(state.text)),
      },
    ]);
    const answer = await ledger.get(`tenders/${state.id}`);
    expect([answer.statusCode, answer.headers['content-type'], answer.headers['cache-control']]).toEqual([
      200,
      'application/json; charset=UTF-8',
      'public, max-age=5',
    ]);
    expect(answer.json()).toEqual({
      tender: state.id,
      size: 1,
      leaves: [
        {
          index: 0,
          kind: 'publication',
          rev: 1,
          position: String(state.position),
          blind: deriveBlind(deps.blindKey, 0).toString('hex'),
        },
      ],
    });
    expect(readFileSync(join(ledger.folder, 'log/checkpoint'), 'utf8')).toBe((await ledger.get('checkpoint')).body);
  });

  it('lists what was published before it began, and leaves drafts out', async () => {
    const { owners } = ledger;
    owners.publish(tenderId(1));
    owners.publish(tenderId(1));
    owners.publish(tenderId(2), { listed: false });
    ledger.write({ rowsMax: 1 });
    await ledger.caughtUp();
    owners.publish(tenderId(2));
    owners.publish(tenderId(3), { listed: false });
    owners.publish(tenderId(1));
    await ledger.caughtUp();
    expect(
      (await ledger.entries()).map((entry) => [
        entry.kind,
        'tender' in entry ? entry.tender : '',
        'number' in entry ? entry.number : 0n,
      ]),
    ).toEqual([
      ['baseline', tenderId(1), 0n],
      ['publication', tenderId(2), 3n],
      ['publication', tenderId(1), 4n],
    ]);
  });

  it('ends its listing while tenders publishes more and more, and logs every state after it', async () => {
    const { owners } = ledger;
    owners.publish(tenderId(1));
    let left = 20;
    owners.spoil = (row) => {
      // Two states of one tender are published while a listing is on its way.
      if (!('previous' in row) && left > 0) {
        left -= 2;
        owners.publish(tenderId(2));
        owners.publish(tenderId(2));
      }
      return row;
    };
    ledger.write();
    await ledger.caughtUp();
    expect((await ledger.entries()).map((entry) => [entry.kind, 'rev' in entry ? entry.rev : undefined])).toEqual([
      ['baseline', 1n],
      ['publication', 1n],
      ['publication', 2n],
    ]);
  });

  it('keeps the first checkpoint of each minute after 90 days, and the one that is served', async () => {
    const { pool } = ledger.database;
    await ledger.begun();
    for (let n = 0; n < 3; n += 1) {
      ledger.owners.publish(tenderId(n));
      await ledger.caughtUp();
    }
    await pool.query(`UPDATE checkpoint SET at = date_trunc('minute', now()) - interval '91 days'`);
    await thinCheckpoints(pool);
    const { rows } = await pool.query('SELECT size::integer FROM checkpoint ORDER BY checkpoint.size');
    expect(rows).toEqual([{ size: 1 }, { size: 3 }]);
    expect((await ledger.checkpoint()).size).toBe(3);
  });

  it('fills tiles and bundles, and keeps entries in the store only', async () => {
    const { owners, database } = ledger;
    for (let n = 0; n < 700; n += 1) owners.publish(tenderId(n));
    ledger.write({ rowsMax: 100 });
    await ledger.caughtUp();
    expect((await ledger.entries()).length).toBe(700);
    const { rows } = await database.pool.query('SELECT count(*)::integer AS count FROM open_entry');
    expect(rows).toEqual([{ count: 700 - 512 }]);
    expect(
      await Promise.all(
        ['tile/0/001', 'tile/entries/001', 'tile/1/000.p/2'].map(async (path) => (await ledger.get(path)).statusCode),
      ),
    ).toEqual([200, 200, 200]);
  });

  it.each([
    ['a number is missing', (row: object) => ({ ...row, number: undefined }), 'has no number'],
    ['a digest is missing', (row: object) => ({ ...row, sha256: undefined }), 'has no digest'],
    ['a number is left out', (row: object) => ({ ...row, number: 7 }), 'has number 7 after 1'],
  ])('logs nothing of a page in which %s, and goes on when it is right', async (_what, spoil, text) => {
    const { owners } = ledger;
    const writer = await ledger.begun();
    owners.publish(tenderId(1));
    await ledger.caughtUp();
    owners.spoil = (row) => ('previous' in row && row.rev > 1 ? (spoil(row) as typeof row) : row);
    const first = owners.publish(tenderId(1));
    await waitFor(() => writer.problems()[0]?.text?.includes(text), { what: 'the problem' });
    expect((await ledger.checkpoint()).size).toBe(1);
    owners.spoil = (row) => row;
    await ledger.caughtUp();
    expect(await ledger.entries()).toMatchObject([{}, { position: BigInt(first.position) }]);
    await waitFor(() => writer.problems().length === 0, { what: 'the end of the problem' });
  });

  it('waits before a publication that is missing (T3)', async () => {
    const { owners } = ledger;
    const writer = await ledger.begun();
    owners.publish(tenderId(1));
    await ledger.caughtUp();
    const missing = owners.publish(tenderId(2));
    owners.log = owners.log.filter((state) => state !== missing);
    owners.publish(tenderId(3));
    await waitFor(() => writer.problems()[0]?.text?.includes('are missing'), { what: 'the problem' });
    expect((await readHead(ledger.database.pool)).size).toBe(1);
  });

  it('logs redactions of states that it has, and tells their blinds no more', async () => {
    const { owners, deps } = ledger;
    await ledger.begun();
    const first = owners.publish(tenderId(1));
    const second = owners.publish(tenderId(1));
    await ledger.caughtUp();
    owners.redact({ ...first, id: tenderId(9) }, '/title');
    const redaction = owners.redact(first, '/procuringEntity/ім’я');
    await waitFor(async () => (await ledger.checkpoint()).size === 3, { what: 'the redaction' });
    expect((await ledger.entries()).at(-1)).toEqual({
      kind: 'redaction',
      tender: first.id,
      rev: 1n,
      position: BigInt(first.position),
      member: '/procuringEntity/%D1%96%D0%BC%E2%80%99%D1%8F',
      commit: deriveCommitment(deriveBlind(deps.blindKey, 2), Buffer.from(redaction.sha256, 'hex')),
      bytes: BigInt(redaction.bytes),
    });
    const { leaves } = (await ledger.get(`tenders/${first.id}`)).json<{ leaves: { index: number }[] }>();
    expect(leaves).toMatchObject([
      { index: 0, blind: null, redacted: 2 },
      { index: 1, rev: second.rev, blind: deriveBlind(deps.blindKey, 1).toString('hex') },
      { index: 2, kind: 'redaction', blind: deriveBlind(deps.blindKey, 2).toString('hex') },
    ]);
  });

  it('logs a restore of tenders, continues its numbers, and leaves what was lost in the log', async () => {
    const { owners } = ledger;
    await ledger.begun();
    const kept = owners.publish(tenderId(1));
    owners.publish(tenderId(2));
    owners.publish(tenderId(3));
    await ledger.caughtUp();
    owners.restore(kept, 2);
    const after = owners.publish(tenderId(2));
    await ledger.caughtUp();
    expect((await ledger.entries()).map((entry) => [entry.kind, 'number' in entry ? entry.number : undefined])).toEqual(
      [
        ['publication', 1n],
        ['publication', 2n],
        ['publication', 3n],
        ['restore', undefined],
        ['publication', 2n],
      ],
    );
    expect((await ledger.entries())[3]).toEqual({
      kind: 'restore',
      epoch: 2n,
      to: BigInt(kept.position),
      began: BigInt(owners.epochs[0]?.began ?? 0),
    });
    expect(after.number).toBe(2);
  });

  it('halts when the clock of tenders went back, and names the time to wait for', async () => {
    const { owners } = ledger;
    const writer = await ledger.begun();
    const kept = owners.publish(tenderId(1));
    const lost = owners.publish(tenderId(2));
    await ledger.caughtUp();
    owners.restore(kept, 2, 500);
    const until = new Date(Math.ceil(lost.position / 1_000)).toISOString();
    await waitFor(() => writer.problems()[0]?.text?.includes(until), { what: 'the problem' });
    expect(await ledger.metrics.registry.metrics()).toMatch(/ledger_halted\{[^}]*\} 1/);
    // A later epoch, which takes the same back.
    owners.restore(kept, 3, -10_000);
    owners.publish(tenderId(2));
    await ledger.caughtUp();
    expect((await ledger.entries()).map(({ kind }) => kind)).toEqual([
      'publication',
      'publication',
      'restore',
      'publication',
    ]);
  });

  it('goes on after a second writer took over', async () => {
    const { owners } = ledger;
    const first = await ledger.begun();
    ledger.write();
    owners.publish(tenderId(1));
    await ledger.caughtUp();
    await first.stop();
    owners.publish(tenderId(2));
    await ledger.caughtUp();
    expect((await ledger.entries()).length).toBe(2);
  });
});
