import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAuctionRoom } from '@procurement/local-stack/auction-room';
import { freePorts } from '@procurement/local-stack/ports';
import { startTestPostgres, type TestPostgres } from '@procurement/testing/postgres';
import pg from 'pg';
import type { Json } from './broker.ts';

/** The auction room as a process beside the system, with a PostgreSQL of its own. */
export interface TestRoom {
  readonly url: string;
  /** Address of the pages of operators. */
  readonly operatorsUrl: string;
  readonly databaseUrl: string;
  readonly logFile: string;
  /** Id of the process that runs now. */
  pid(): number;
  /** Ends it by SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again on the same database. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a room. Its PostgreSQL ends with it. */
export async function startTestRoom(
  gatewayUrl: string,
  env: Readonly<Record<string, string>> = {},
  given?: TestPostgres,
): Promise<TestRoom> {
  const postgres = given ?? (await startTestPostgres());
  const folder = mkdtempSync(join(tmpdir(), 'auction-room-'));
  const name = `room_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Client({ connectionString: postgres.url });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.end();
  const databaseUrl = new URL(postgres.url);
  databaseUrl.pathname = `/${name}`;
  const { gateway: port, operations: operatorPort } = await freePorts();
  const logFile = join(folder, 'room.log');
  const secrets = `1:${randomBytes(32).toString('base64url')}`;
  const options = { databaseUrl: databaseUrl.href, gatewayUrl, port, operatorPort, secrets, logFile, env };
  let running = await startAuctionRoom(options);
  return {
    url: `http://127.0.0.1:${port}`,
    operatorsUrl: `http://127.0.0.1:${operatorPort}`,
    databaseUrl: databaseUrl.href,
    logFile,
    pid: () => running.child.pid,
    async kill() {
      await running.child.stop('SIGKILL');
    },
    async start() {
      running = await startAuctionRoom(options);
    },
    async stop() {
      await running.stop();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A bidder in the room: a browser without a page. */
export interface RoomBidder {
  readonly bid: string;
  /** Where and with which headers it posts offers. */
  readonly offersAt: { readonly url: URL; readonly headers: Readonly<Record<string, string>> };
  offer(amount: number | null, offerId?: string): Promise<{ readonly status: number; readonly body: Json }>;
  mine(): Promise<Json>;
}

/** Opens the link of a bidder, as its page does: the consent form, then the cookie. */
export async function enterRoom(participationUrl: string): Promise<RoomBidder> {
  const link = new URL(participationUrl);
  const page = link.pathname.replace(/\/login$/, '');
  const bid = link.searchParams.get('bidder_id') ?? '';
  const entered = await fetch(link.origin + link.pathname, {
    method: 'POST',
    body: link.searchParams,
    redirect: 'manual',
  });
  const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  if (entered.status !== 303) throw new Error(`the link was refused: ${entered.status} ${await entered.text()}`);
  const mine = async (): Promise<Json> => (await fetch(`${link.origin}${page}/mine`, { headers: { cookie } })).json();
  const { csrf } = await mine();
  const url = new URL(`${link.origin}${page}/offers`);
  const headers = { cookie, 'x-room-csrf': csrf, 'content-type': 'application/json' };
  return {
    bid,
    mine,
    offersAt: { url, headers },
    async offer(amount, offerId = randomBytes(8).toString('hex')) {
      const body = JSON.stringify({ offerId, amount });
      const answer = await fetch(url, { method: 'POST', headers, body });
      return { status: answer.status, body: await answer.json() };
    },
  };
}

/** The frames of the public stream of an auction, as they come. */
export function watchRoom(url: string, auctionId: string): { readonly frames: Json[]; close(): void } {
  const frames: Json[] = [];
  const end = new AbortController();
  const read = async (): Promise<void> => {
    const answer = await fetch(`${url}/tenders/${auctionId}/stream`, { signal: end.signal });
    let rest = '';
    for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const parts = (rest + chunk).split('\n\n');
      rest = parts.pop() ?? '';
      for (const part of parts) {
        if (!part.includes('event: state')) continue;
        frames.push(JSON.parse(/^data: (.*)$/m.exec(part)?.[1] ?? ''));
      }
    }
  };
  void read().catch(() => undefined);
  return { frames, close: () => end.abort() };
}

/** Moves the clock of the auction to its next stage. */
export async function toNextStage(url: string, auctionId: string): Promise<void> {
  await moveRoomClock(url, auctionId, { to: 'next_stage' });
}

/** Moves the clock of the auction: `{"to": "next_stage"}` or `{"advance": "PT1H"}`. */
export async function moveRoomClock(url: string, auctionId: string, data: Json): Promise<void> {
  const answer = await fetch(`${url}/sandbox/auctions/${auctionId}/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data }),
  });
  if (!answer.ok) throw new Error(`the clock was not moved: ${answer.status} ${await answer.text()}`);
}

/** The public document of an auction. */
export async function roomState(url: string, auctionId: string): Promise<Json> {
  const answer = await fetch(`${url}/tenders/${auctionId}/state`);
  return answer.status === 200 ? answer.json() : undefined;
}

/**
 * The records of the auctions of a tender, which shows every version of a file: the room publishes each again with the names of
 * the bidders.
 */
export function newestRecords({ documents = [] }: Json): readonly Json[] {
  return [...new Map(documents.map((one: Json) => [one.id, one])).values()];
}
