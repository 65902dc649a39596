import { createHash } from 'node:crypto';
import { anonymousIdentity } from '@procurement/testing/identity';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileForm, postDocument, tenderOwner } from '../../test-support/requests.ts';
import { startDocuments, type RunningDocuments } from '../../test-support/running-documents.ts';
import { startS3Server, type S3Server } from '@procurement/testing/s3-server';

let running: RunningDocuments;
let server: S3Server;

beforeAll(async () => {
  server = await startS3Server();
  running = await startDocuments({
    settings: {
      STORAGE: `s3:${server.endpoint.origin}/${server.bucket}`,
      S3_ACCESS_KEY: server.accessKey,
      S3_SECRET_KEY: server.secretKey,
    },
  });
});

afterAll(async () => {
  await running.close();
  await server.stop();
});

const MIB = 1024 * 1024;

describe('documents in a bucket', () => {
  it('are read byte for byte, whole and in part', async () => {
    const { id } = await running.tender();
    const content = Buffer.alloc(20 * MIB, 'any bytes ');
    const document = await postDocument(running.app, `/tenders/${id}/documents`, tenderOwner, fileForm(content));
    expect(document.hash).toBe(`md5:${createHash('md5').update(content).digest('hex')}`);
    const { pathname, search } = new URL(document.url);
    const get = async (headers: Record<string, string>) =>
      running.app.inject({ method: 'GET', url: pathname + search, headers: { ...anonymousIdentity(), ...headers } });
    expect((await get({})).rawPayload.equals(content)).toBe(true);
    const part = await get({ range: `bytes=${9 * MIB}-${9 * MIB + 9}` });
    expect([part.statusCode, part.body]).toEqual([206, content.subarray(9 * MIB, 9 * MIB + 10).toString()]);
  });

  it('422: when the bucket is killed during an upload, which leaves no record', async () => {
    const { id } = await running.tender();
    const url = `/tenders/${id}/documents`;
    const { headers, payload } = fileForm(Buffer.alloc(40 * MIB));
    const body = new ReadableStream({
      async start(controller) {
        controller.enqueue(payload.subarray(0, 18 * MIB));
        await server.kill();
        controller.enqueue(payload.subarray(18 * MIB));
        controller.close();
      },
    });
    const sent = { method: 'POST', headers: { ...tenderOwner, ...headers }, body, duplex: 'half' } as const;
    const response = await fetch(running.url + url, sent);
    expect([response.status, await response.json()]).toMatchObject([
      422,
      {
        status: 'error',
        errors: [{ location: 'body', name: 'data', description: "Can't upload document to document service." }],
      },
    ]);
    const list = await running.app.inject({ method: 'GET', url, headers: anonymousIdentity() });
    expect(list.json()).toEqual({ data: [] });
    expect(await running.events(id)).toEqual([]);
  });
});
