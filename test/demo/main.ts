import { parseArgs } from 'node:util';
import { createClient, type ProcurementClient } from '@procurement/client';
import { NoSandboxError, requireSandbox } from '@procurement/local-stack/sandbox';
import { playProcedure, type Players } from '../support/client-procedure.ts';
import { printingFetch, type ExchangeStats } from './printing-fetch.ts';

const USAGE = `npm run procedure [-- [<address>] [--room <address>]]

Plays a whole procedure against a system in sandbox mode, without an address the running npm start on DATA_DIR (.local/ by default): a
tender with a file, a question, a claim, two bids, an auction, an award, a complaint about it, and a signed contract. Every request is
made by the typed client (packages/client). With --room, the auction room at that address holds the auction (npm run auction).`;

function playersAt(url: string, stats: ExchangeStats, room: string | undefined): Players {
  const makeClient = (name: string, key?: string): ProcurementClient =>
    createClient({ url, fetch: printingFetch(name, stats), ...(key === undefined ? {} : { key }) });
  return {
    buyer: makeClient('buyer', 'broker1'),
    bidders: [makeClient('first bidder', 'broker2'), makeClient('second bidder', 'broker3')],
    auction: makeClient('auction', 'auction'),
    anyone: makeClient('anyone'),
    ...(room === undefined ? {} : { room }),
  };
}

async function runDemo(address: string, room: string | undefined): Promise<void> {
  const stats: ExchangeStats = { exchanges: 0, slowestMs: 0 };
  const beganMs = performance.now();
  const { tenderID, id, status } = await playProcedure(playersAt(address, stats, room), (title) =>
    console.log(`\n${title}`),
  );
  const seconds = ((performance.now() - beganMs) / 1_000).toFixed(1);
  console.log(
    `\n${tenderID} is ${status}: ${stats.exchanges} exchanges in ${seconds} s, the slowest ${Math.round(stats.slowestMs)} ms.`,
  );
  console.log(`${address}/api/2.5/tenders/${id}`);
  if (status !== 'complete') throw new Error(`the tender is ${status}, not complete`);
}

interface Arguments {
  readonly address: string | undefined;
  readonly room: string | undefined;
}

/** Undefined for wrong usage. */
function readArguments(): Arguments | undefined {
  try {
    const { values, positionals } = parseArgs({ options: { room: { type: 'string' } }, allowPositionals: true });
    return positionals.length > 1 ? undefined : { address: positionals[0], room: values.room };
  } catch {
    return undefined;
  }
}

const withoutSlash = (address: string | undefined): string | undefined => address?.replace(/\/$/, '');

const isHelp = process.argv.includes('--help');
const given = isHelp ? undefined : readArguments();
if (given === undefined) {
  console.log(USAGE);
  process.exitCode = isHelp ? 0 : 2;
} else {
  try {
    const address = withoutSlash(given.address) ?? `http://127.0.0.1:${requireSandbox().gatewayPort}`;
    await runDemo(address, withoutSlash(given.room));
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    console.error(error instanceof NoSandboxError ? text : `\nThe procedure stopped: ${text}`);
    process.exitCode = 1;
  }
}
