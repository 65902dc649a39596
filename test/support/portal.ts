import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePorts } from '@procurement/local-stack/ports';
import { until } from './broker.ts';

/** The portal as a process beside the system. */
export interface TestPortal {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

const PROGRAM = join(import.meta.dirname, '../../apps/portal/dist/bundle/dist/main.js');

/** Runs the built program. It ends with this process. */
export async function startTestPortal(apiUrl: string, env: Readonly<Record<string, string>> = {}): Promise<TestPortal> {
  const { gateway: port, operations } = await freePorts();
  const child = spawn(process.execPath, [PROGRAM], {
    stdio: ['pipe', 'ignore', 'inherit'],
    env: {
      PORT: String(port),
      OPERATIONS_PORT: String(operations),
      API_URL: apiUrl,
      API_PUBLIC_URL: apiUrl,
      LOG_LEVEL: 'fatal',
      EXIT_WITH_PARENT: 'on',
      SHUTDOWN_LINGER_SECONDS: '0',
      ...env,
    },
  });
  await until('the portal', async () => {
    const answer = await fetch(`http://127.0.0.1:${operations}/ready`).catch(() => undefined);
    return answer?.ok === true ? true : undefined;
  });
  if (child.pid === undefined) throw new Error('the portal has no process');
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid,
    async stop() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

/** The hidden field of the form of `/play`; empty at the end. */
export const parseRun = (html: string): string => /name="run" value="([^"]+)"/.exec(html)?.[1] ?? '';

/** Sends the form of `/play` as a browser without JavaScript does, and answers the page. */
export async function playOn({ url }: TestPortal, run: string, what: 'next' | 'rest'): Promise<string> {
  const body = new URLSearchParams({ run, do: what });
  return (await fetch(`${url}/en/play`, { method: 'POST', headers: { origin: url }, body })).text();
}

/** Plays a tender from its publication to the signed contract. */
export async function playTender(portal: TestPortal): Promise<{ readonly id: string; readonly number: string }> {
  let run = parseRun(await (await fetch(`${portal.url}/en/play`)).text());
  let played = { id: '', number: '' };
  while (run !== '') {
    run = parseRun(await playOn(portal, run, 'next'));
    if (run !== '') played = JSON.parse(Buffer.from(run, 'base64url').toString()).tender;
  }
  return played;
}

/** A request that passed through the proxy. */
export interface PassedRequest {
  readonly method: string;
  readonly path: string;
}

/** What can be wrong with an answer (portal.md 13): it never comes, its connection is lost, it is a refusal, a flood, a part or no JSON. */
export const FAULTS = ['no answer', 'no connection', 'status 500', '9 MB', 'half a body', 'no JSON'] as const;
export type Fault = (typeof FAULTS)[number];

const MANY_BYTES = 9_000_000;

function answerWith(fault: Fault, response: ServerResponse): void {
  if (fault === 'no answer') return;
  if (fault === 'no connection') response.destroy();
  else if (fault === 'status 500') response.writeHead(500).end('{"errors":[]}');
  else if (fault === '9 MB') response.end(`{"data":"${'x'.repeat(MANY_BYTES)}"}`);
  else if (fault === 'no JSON') response.end('<p>Not the API</p>');
  else response.writeHead(200, { 'content-length': '100' }).write('{"data":', () => response.destroy());
}

export interface RecordingProxy {
  readonly url: string;
  readonly requests: readonly PassedRequest[];
  /** Lets so many more answers say that they come from a sandbox, and none after them. */
  hideSandboxAfter(answers: number): void;
  /** Gives the fault to all answers to these paths from now on; undefined ends it. */
  breakWith(fault: Fault | undefined, paths?: RegExp): void;
  stop(): Promise<void>;
}

/** A proxy before the gateway that records what passes (P11). */
export async function startRecordingProxy(gatewayUrl: string): Promise<RecordingProxy> {
  const requests: PassedRequest[] = [];
  let shownAnswers = Number.POSITIVE_INFINITY;
  let broken: { readonly fault: Fault; readonly paths: RegExp } | undefined;
  const server = createServer((request, response) => {
    if (broken?.paths.test(request.url ?? '') === true) return answerWith(broken.fault, response);
    void (async () => {
      requests.push({ method: request.method ?? '', path: request.url ?? '' });
      const isHidden = requests.length > shownAnswers;
      const answer = await fetch(gatewayUrl + request.url, await readRequestInit(request));
      for (const [name, value] of answer.headers)
        if (!/^(?:content-(?:encoding|length)|transfer-encoding|connection|keep-alive)$/.test(name))
          if (!isHidden || name !== 'x-sandbox') response.setHeader(name, value);
      response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    hideSandboxAfter(answers) {
      shownAnswers = requests.length + answers;
    },
    breakWith(fault, paths = /^/) {
      broken = fault === undefined ? undefined : { fault, paths };
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function readRequestInit(request: IncomingMessage): Promise<RequestInit> {
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && !['host', 'connection', 'content-length', 'transfer-encoding'].includes(name)
      ? [[name, value]]
      : [],
  );
  const body = await text(request);
  return { method: request.method ?? 'GET', headers, ...(body === '' ? {} : { body }) };
}
