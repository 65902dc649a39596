import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderStorage } from '@procurement/kit/files/folder-storage';
import { openBus, type Bus } from '@procurement/kit/messaging/bus';
import { makeLog } from '@procurement/kit/runtime/log';
import { systemClock } from '@procurement/kit/runtime/clock';
import { makeMetrics, type Metrics } from '@procurement/kit/runtime/metrics';
import { openCheckpoint, type Checkpoint } from '@procurement/proof/checkpoints';
import { parseEntry, type Entry } from '@procurement/proof/entries';
import { makeSigner } from '@procurement/proof/notes';
import { unpackEntries, tilePath, TILE_WIDTH, tileWidth } from '@procurement/proof/tiles';
import { leafHash, rootOfLeaves } from '@procurement/proof/tree';
import type { TestBus } from '@procurement/testing/bus';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { anonymousIdentity } from '@procurement/testing/identity';
import { testServer } from '@procurement/testing/server';
import { waitFor } from '@procurement/testing/wait-for';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { mountRoutes } from '../src/app.ts';
import type { Witness } from '../src/config.ts';
import type { ReadDeps } from '../src/http/log-answer.ts';
import { requireBlindKey } from '../src/deps.ts';
import { makeLogFiles } from '../src/files/log-files.ts';
import { readHead } from '../src/store/head.store.ts';
import { makeNodes } from '../src/store/nodes.ts';
import type { WriterDeps } from '../src/writer/deps.ts';
import { startLogWriter, type LogWriter } from '../src/writer/write-log.ts';
import { fakeOwners, type FakeOwners } from './fake-owners.ts';

export const ORIGIN = 'procurement.example/log';

/** A ledger on a real database and bus, with a folder as its store. */
export interface RunningLedger {
  readonly owners: FakeOwners;
  readonly deps: WriterDeps & ReadDeps;
  readonly folder: string;
  readonly database: TestDatabase;
  readonly metrics: Metrics;
  readonly app: FastifyInstance;
  /** Starts one more writer; it is stopped by `stopWriters` or `close`. */
  write(changes?: Partial<WriterDeps>): LogWriter;
  /** Starts a writer, and waits until it has listed what is there. */
  begun(): Promise<LogWriter>;
  stopWriters(): Promise<void>;
  /** Waits until everything that tenders has published is in the log, and in its published checkpoint. */
  caughtUp(): Promise<void>;
  get(path: string): Promise<LightMyRequestResponse>;
  /** The newest checkpoint, whose signature is checked. */
  checkpoint(): Promise<Checkpoint>;
  /** All entries by HTTP, which are checked against the root of the newest checkpoint. */
  entries(): Promise<readonly Entry[]>;
  close(): Promise<void>;
}

export function newKey(): KeyObject {
  const { privateKey } = generateKeyPairSync('ed25519');
  return createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }));
}

/** `given`: the key, store and blind key of another ledger, whose database this one does not have. */
export async function runningLedger(
  server: TestBus,
  given: Partial<Pick<WriterDeps, 'signers' | 'blindKey' | 'witnesses' | 'files'>> = {},
): Promise<RunningLedger> {
  const database = await freshDatabase('ledger');
  const log = makeLog('ledger', 'fatal');
  const buses: Bus[] = await Promise.all(
    (['ledger', 'tenders', 'register'] as const).map(async (name) => openBus(server.urlOf(name), name, log)),
  );
  const [bus, tenders, register] = buses;
  if (bus === undefined || tenders === undefined || register === undefined) throw new Error('no bus');
  const owners = fakeOwners(tenders, register, log);
  const folder = mkdtempSync(join(tmpdir(), 'procurement-ledger-'));
  const files = given.files ?? makeLogFiles(folderStorage(folder));
  const metrics = makeMetrics('ledger');
  const witnesses: readonly Witness[] = given.witnesses ?? [];
  const deps: WriterDeps & ReadDeps = {
    pool: database.pool,
    databaseUrl: database.url,
    bus,
    log,
    metrics,
    clock: systemClock,
    files,
    nodes: makeNodes(async (tile) => files.readTile(tile)),
    signers: given.signers ?? [makeSigner(ORIGIN, newKey())],
    origin: ORIGIN,
    blindKey: given.blindKey ?? Buffer.alloc(32, 7),
    witnesses,
    receiptKeys: [makeSigner(`${ORIGIN}/bids`, newKey()).verifier],
    intervalMs: 0,
    problemMs: 50,
  };
  await requireBlindKey(deps);
  const app = testServer({ log, metrics, auditPool: database.pool });
  mountRoutes(app, deps);
  const writers: LogWriter[] = [];
  const stopWriters = async (): Promise<void> => {
    await Promise.all(writers.splice(0).map(async (writer) => writer.stop()));
  };
  const get: RunningLedger['get'] = async (path) =>
    app.inject({ method: 'GET', url: `/log/${path}`, headers: anonymousIdentity() });
  const checkpoint = async (): Promise<Checkpoint> => {
    const { body, statusCode } = await get('checkpoint');
    const opened = openCheckpoint(
      body,
      deps.signers.map(({ verifier }) => verifier),
    );
    if (opened === undefined) throw new Error(`no checkpoint: ${statusCode}`);
    return opened.checkpoint;
  };
  const write: RunningLedger['write'] = (changes = {}) => {
    const writer = startLogWriter({ ...deps, ...changes });
    writers.push(writer);
    return writer;
  };
  const caughtUp = async (): Promise<void> => {
    await waitFor(
      async () => {
        const { position, size, published, phase } = await readHead(database.pool);
        return phase !== 'listing' && position === (owners.log.at(-1)?.position ?? 0) && size === published;
      },
      { what: 'the log' },
    );
  };
  return {
    owners,
    deps,
    folder,
    database,
    metrics,
    app,
    write,
    begun: async () => {
      const writer = write();
      await caughtUp();
      return writer;
    },
    stopWriters,
    caughtUp,
    get,
    checkpoint,
    entries: async () => {
      const { size, root } = await checkpoint();
      const texts: Buffer[] = [];
      for (let index = 0; index * TILE_WIDTH < size; index += 1) {
        const path = tilePath({ level: 'entries', index, width: tileWidth('entries', index, size) });
        const { rawPayload, statusCode } = await get(path);
        if (statusCode !== 200) throw new Error(`${path}: ${statusCode}`);
        texts.push(...(unpackEntries(rawPayload) ?? []));
      }
      if (!rootOfLeaves(texts.map((text) => leafHash(text))).equals(root))
        throw new Error('entries do not give the root');
      return texts.map((text) => {
        const entry = parseEntry(text);
        if (entry === undefined) throw new Error(`no entry: ${text.toString()}`);
        return entry;
      });
    },
    close: async () => {
      await stopWriters();
      await app.close();
      await Promise.all(buses.map(async (one) => one.close()));
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
