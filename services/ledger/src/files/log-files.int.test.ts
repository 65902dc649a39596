import { s3Storage } from '@procurement/kit/files/s3-storage';
import { freshBus, type TestBus } from '@procurement/testing/bus';
import { startS3Server, type S3Server } from '@procurement/testing/s3-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tenderId } from '../../test-support/fake-owners.ts';
import { runningLedger, type RunningLedger } from '../../test-support/running-ledger.ts';
import { makeLogFiles } from './log-files.ts';

let bus: TestBus;
let server: S3Server;
let ledger: RunningLedger;

beforeAll(async () => {
  bus = await freshBus();
  server = await startS3Server();
  ledger = await runningLedger(bus, { files: makeLogFiles(s3Storage({ ...server, bucket: 'made-by-the-ledger' })) });
});

afterAll(async () => {
  await ledger.close();
  await server.stop();
  await bus.stop();
});

it('a log in a bucket that is not there yet is written, read, and goes on', async () => {
  const { files } = ledger.deps;
  await ledger.begun();
  for (let n = 0; n < 300; n += 1) ledger.owners.publish(tenderId(n));
  await ledger.caughtUp();
  await ledger.stopWriters();
  expect((await files.read('checkpoint'))?.toString()).toBe((await ledger.get('checkpoint')).body);
  expect([await files.read('tile/0/001'), await files.has('tile/0/001')]).toEqual([undefined, false]);
  ledger.write();
  ledger.owners.publish(tenderId(1));
  await ledger.caughtUp();
  expect((await ledger.entries()).length).toBe(301);
});
