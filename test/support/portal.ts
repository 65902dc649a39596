import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePorts } from '@procurement/local-stack/ports';
import { until } from './broker.ts';

/** The portal as a process beside the system. */
export interface TestPortal {
  readonly url: string;
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
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

/** A request that passed through the proxy. */
export interface PassedRequest {
  readonly method: string;
  readonly path: string;
}

export interface RecordingProxy {
  readonly url: string;
  readonly requests: readonly PassedRequest[];
  /** After so many answers more, they do not say that they come from a sandbox. */
  hideSandboxAfter(answers: number): void;
  stop(): Promise<void>;
}

/** A proxy before the gateway that records what passes (P11). */
export async function startRecordingProxy(gatewayUrl: string): Promise<RecordingProxy> {
  const requests: PassedRequest[] = [];
  let shownAnswers = Number.POSITIVE_INFINITY;
  const server = createServer((request, response) => {
    void (async () => {
      requests.push({ method: request.method ?? '', path: request.url ?? '' });
      const isHidden = requests.length > shownAnswers;
      const answer = await fetch(gatewayUrl + request.url, await initOf(request));
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
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function initOf(request: IncomingMessage): Promise<RequestInit> {
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && !['host', 'connection', 'content-length', 'transfer-encoding'].includes(name)
      ? [[name, value]]
      : [],
  );
  const body = await text(request);
  return { method: request.method ?? 'GET', headers, ...(body === '' ? {} : { body }) };
}
