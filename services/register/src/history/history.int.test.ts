import { createHash } from 'node:crypto';
import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { parseInstant } from '@procurement/contracts/reading/instant';
import { openBus } from '@procurement/kit/messaging/bus';
import { respondTo } from '@procurement/kit/messaging/request/request';
import { makeLog } from '@procurement/kit/runtime/log';
import { secondsText } from '@procurement/domain/feed-offset';
import { anonymousIdentity } from '@procurement/testing/identity';
import { padId } from '@procurement/testing/ids';
import { applyPatch } from 'rfc6902';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paperHistory, paperTenders } from '../../test-support/paper.ts';
import { publicText, setPosition, storeRevisions } from '../../test-support/stored-revisions.ts';
import { REVISION_FLAGS } from '../revisions/domain/revision-flags.ts';
import { NOW, runningService, type RunningService } from '../../test-support/running-service.ts';

let running: RunningService;
const PAPER = paperTenders[0] ?? {};
const URL = `/tenders/${String(PAPER['id'])}/history`;
const END = BigInt(parseInstant('2026-04-01T09:00:00.000000+03:00'));

beforeAll(async () => {
  running = await runningService();
  const publications = paperTenders.map((tender, n) => ({ rev: n + 1, tender }));
  await storeRevisions(running.database.pool, publications);
  await setPosition(running.database.pool, END);
});
afterAll(async () => {
  await running.close();
});

/** Plain JSON: tests assert on its members. */
async function json(path: string): Promise<any> {
  const answer = await running.get(URL + path);
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return answer.json();
}

async function refusal(url: string): Promise<unknown> {
  const answer = await running.get(url);
  const [error] = answer.json().errors;
  return [answer.statusCode, error.location, error.name];
}

describe('GET /tenders/{id}/history', () => {
  it('lists the revisions of the fixture with their patches', async () => {
    const { data, complete, next_page } = await json('?diff=1');
    expect([complete, next_page]).toEqual([true, undefined]);
    expect(
      data.map(({ causes: _causes, bytes: _bytes, uri: _uri, ...entry }: Record<string, unknown>) => entry),
    ).toEqual(paperHistory);
    expect(data[1]).toMatchObject({
      causes: ['tender.edited'],
      bytes: Buffer.byteLength(publicText(paperTenders[1] ?? {})),
      uri: `https://api.example.org/api/2.5${URL}/2`,
    });
  });

  it('gives the newest revision when all patches are applied to the first (H3)', async () => {
    const { data } = await json('?diff=1');
    const patched = structuredClone(PAPER);
    for (const { patch } of data.slice(1)) applyPatch(patched, patch);
    expect(patched).toEqual(paperTenders.at(-1));
  });

  it.each(['', '&descending=1', '&diff=1', '&diff=1&descending=1'])(
    'is walked by next_page with limit=3%s',
    async (rest) => {
      const revs: number[] = [];
      let path: string | undefined = `?limit=3${rest}`;
      while (path !== undefined) {
        const { data, next_page } = await json(path);
        revs.push(...data.map(({ rev }: { rev: number }) => rev));
        path = next_page?.path.slice(`/api/2.5${URL}`.length);
      }
      const all = paperHistory.map(({ rev }) => rev);
      expect(revs).toEqual(rest.includes('descending') ? all.toReversed() : all);
    },
  );

  it('patches the first revision of a later page against the one before it', async () => {
    const { next_page } = await json('?limit=3&diff=1');
    const { data } = await json(next_page.path.slice(`/api/2.5${URL}`.length));
    expect(data[0].patch).toEqual(paperHistory[3]?.patch);
  });

  it.each([
    ['?limit=0', 400, 'limit'],
    ['?limit=51&diff=1', 400, 'limit'],
    ['?page=2', 400, 'page'],
    ['?cursor=1772439300.482001', 404, 'cursor'],
    ['?cursor=abc', 404, 'cursor'],
    ['?at=2026-03-05&limit=3', 400, 'limit'],
    ['?at=2027-03-05', 400, 'at'],
  ])('refuses %s with %i', async (path, status, name) => {
    expect(await refusal(URL + path)).toEqual([status, 'params', name]);
  });
});

describe('GET /tenders/{id}/history?at=', () => {
  it('gives each revision from its position to a microsecond before the next (A42)', async () => {
    for (const [n, { position }] of paperHistory.entries()) {
      const stamp = BigInt(position.replace('.', ''));
      const next = paperHistory[n + 1]?.position.replace('.', '');
      const last = next === undefined ? END : BigInt(next) - 1n;
      for (const at of [stamp, (stamp + last) / 2n, last]) {
        const { revision } = await json(`?at=${secondsText(at)}`);
        expect(revision.rev).toBe(n + 1);
      }
    }
  });

  it('is 404 before the first revision', async () => {
    expect(await refusal(`${URL}?at=1772439300.481999`)).toEqual([404, 'params', 'at']);
  });

  it('gives the newest revision of an instant that is not applied yet', async () => {
    const answer = await running.get(`${URL}?at=${NOW.replace('+', '%2B')}`);
    expect([answer.json().revision.rev, answer.headers['x-feed-position']]).toEqual([8, secondsText(END)]);
  });
});

describe('GET /tenders/{id}/history/{rev}', () => {
  it('has the Repr-Digest of its text (rulings R32)', async () => {
    const { headers, rawPayload } = await running.get(`${URL}/2`);
    const digest = createHash('sha256').update(rawPayload).digest('base64');
    expect(headers['repr-digest']).toBe(`sha-256=:${digest}:`);
  });

  it('gives the public text of that time, byte for byte (H2)', async () => {
    for (const [n, tender] of paperTenders.entries()) {
      const answer = await running.get(`${URL}/${n + 1}`);
      expect(answer.body.startsWith(`${publicText(tender).slice(0, -1)},"revision":{"rev":${n + 1},`)).toBe(true);
      expect(answer.json().data).toEqual(tender);
    }
  });

  it('may be kept for a day, and is not sent again to whoever has it', async () => {
    const answer = await running.get(`${URL}/3`);
    expect([answer.headers.etag, answer.headers['cache-control']]).toEqual(['"3-2.5"', 'public, max-age=86400']);
    const again = await running.app.inject({
      url: `${URL}/3`,
      headers: { ...anonymousIdentity(), 'if-none-match': '"3-2.5"' },
    });
    expect(again.statusCode).toBe(304);
  });

  it('gives with exact=1 the text whose hash is published, alone (proof.md 4)', async () => {
    for (const [n, tender] of paperTenders.entries()) {
      const answer = await running.get(`${URL}/${n + 1}?exact=1`);
      expect(answer.body).toBe(publicText(tender));
      expect(answer.headers).toMatchObject({
        'content-type': 'application/json; charset=UTF-8',
        etag: `"${n + 1}-2.5-exact"`,
        'cache-control': 'public, max-age=86400',
        'repr-digest': `sha-256=:${createHash('sha256').update(publicText(tender)).digest('base64')}:`,
      });
    }
    const headers = { ...anonymousIdentity(), 'if-none-match': '"3-2.5-exact"' };
    expect((await running.app.inject({ url: `${URL}/3?exact=1`, headers })).statusCode).toBe(304);
    expect((await running.app.inject({ url: `${URL}/3`, headers })).statusCode).toBe(200);
  });

  it.each(['exact=0', 'exact=true', 'exact=1&exact=1', 'exact=1&opt_pretty=1', 'exact=1&opt_jsonp=f'])(
    'is 400 for %s',
    async (query) => {
      expect(await refusal(`${URL}/3?${query}`)).toEqual([400, 'params', 'exact']);
    },
  );

  it('is with exact=1 404 for a revision that is not there, and 503 for a text that could not be read', async () => {
    expect(await refusal(`${URL}/9?exact=1`)).toEqual([404, 'url', 'rev']);
    const { pool } = running.database;
    const of = 'WHERE id = $1 AND rev = 2';
    await pool.query(`UPDATE revision SET flags = flags | ${REVISION_FLAGS.unread} ${of}`, [PAPER['id']]);
    expect((await running.get(`${URL}/2?exact=1`)).statusCode).toBe(503);
    await pool.query(`UPDATE revision SET flags = flags & ~${REVISION_FLAGS.unread} ${of}`, [PAPER['id']]);
  });

  it('is 503 for a text that was removed from the database', async () => {
    const client = await running.database.pool.connect();
    const { rows } = await client.query(
      `DELETE FROM revision_text WHERE position =
      (SELECT position FROM revision WHERE id = $1 AND rev = 2) RETURNING *`,
      [PAPER['id']],
    );
    expect(rows).toHaveLength(1);
    const answers = [await running.get(`${URL}/2`), await running.get(`${URL}/2?exact=1`)];
    await client.query('INSERT INTO revision_text SELECT * FROM jsonb_populate_record(NULL::revision_text, $1)', [
      JSON.stringify(rows[0]),
    ]);
    client.release();
    expect(answers.map(({ statusCode, headers }) => [statusCode, headers['retry-after']])).toEqual([
      [503, '60'],
      [503, '60'],
    ]);
  });

  it.each(['9', '0', '-1', '1.5', '99999999999999999999', 'x'])('is 404 for the revision %s', async (rev) => {
    expect(await refusal(`${URL}/${rev}`)).toEqual([404, 'url', 'rev']);
    expect(await refusal(`${URL}/${rev}/changes`)).toEqual([404, 'url', 'rev']);
  });
});

describe('GET /tenders/{id}/history/{rev}/changes', () => {
  it('gives the patch from the revision before', async () => {
    expect(await json('/7/changes')).toEqual({ data: paperHistory[6]?.patch, from: 6, to: 7 });
  });

  it.each([
    [8, 1],
    [2, 8],
    [4, 4],
  ])('leads to revision %i from revision %i', async (to, from) => {
    const { data } = await json(`/${to}/changes?from=${from}`);
    const patched = structuredClone(paperTenders[from - 1]);
    applyPatch(patched, data);
    expect(patched).toEqual(paperTenders[to - 1]);
  });

  it.each(['/1/changes', '/2/changes?from=9'])('is 404 for %s, which has no revision to start from', async (path) => {
    expect(await refusal(URL + path)).toEqual([404, 'params', 'from']);
  });
});

describe('a revision that is not public', () => {
  const id = padId('77');
  const at = (second: number) => `2026-03-31T15:00:0${second}.000000+03:00`;

  it('is neither listed nor given: removed from lists, or lost by a restore', async () => {
    const { pool } = running.database;
    const tender = { ...PAPER, id, tenderID: 'UA-2026-03-31-000077' };
    await storeRevisions(pool, [
      { rev: 3, tender: { ...tender, dateModified: at(1) } },
      { rev: 4, tender: { ...tender, dateModified: at(2) }, listed: false },
      { rev: 5, tender: { ...tender, title: 'void', dateModified: at(3) } },
      { rev: 5, tender: { ...tender, title: 'later', dateModified: at(4) } },
    ]);
    await pool.query('UPDATE revision SET void = TRUE WHERE id = $1 AND position = $2', [id, parseInstant(at(3))]);
    await pool.query('UPDATE tender SET complete = FALSE WHERE id = $1', [id]);
    const list = await running.get(`/tenders/${id}/history`);
    expect(list.json().data.map(({ rev }: { rev: number }) => rev)).toEqual([3, 5]);
    expect(list.json()).toMatchObject({ complete: false, from: { rev: 3, position: '1774958401.000000' } });
    expect((await running.get(`/tenders/${id}/history/5`)).json().data.title).toBe('later');
    expect(await refusal(`/tenders/${id}/history/4`)).toEqual([404, 'url', 'rev']);
    expect(await refusal(`/tenders/${id}/history?at=${at(2).replace('+', '%2B')}`)).toEqual([404, 'params', 'at']);
    expect(await refusal(`/tenders/${id}/history?at=${at(3).replace('+', '%2B')}`)).toEqual([404, 'params', 'at']);
  });
});

describe('a tender that is not here', () => {
  it('is 503 while its owner cannot be asked, and is then answered as the owner says', async () => {
    const { url } = running.busServer;
    expect((await running.get(`/tenders/${padId('a1')}/history`)).statusCode).toBe(503);
    const log = makeLog('test', 'fatal');
    const owner = await openBus(url, 'test', log);
    const views: Readonly<Record<string, string>> = {
      [padId('a1')]: publicText({ ...PAPER, status: 'active.enquiries' }),
      [padId('a2')]: publicText({ ...PAPER, status: 'draft' }),
    };
    respondTo(owner, rpcSubjects.tenderView, log, async (request) => views[(request as { id: string }).id]);
    await owner.connection.flush();
    const late = await running.get(`/tenders/${padId('a1')}/history`);
    expect([late.statusCode, late.headers['retry-after']]).toEqual([503, '1']);
    for (const id of [padId('a2'), padId('a3'), 'UA-2026', padId('a1').toUpperCase()]) {
      expect(await refusal(`/tenders/${id}/history/1`)).toEqual([404, 'url', 'tender_id']);
    }
    await owner.close();
  });
});
