import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from './wait-for.ts';

const require = createRequire(import.meta.url);

/** An S3 server in a separate process, so that a test can kill it. */
export interface S3Server {
  readonly endpoint: URL;
  readonly bucket: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly region: string;
  /** Ends it as a crash does. */
  kill(): Promise<void>;
  /** Starts it again, with the objects that it had. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * s3rver runs without containers, supports multipart uploads and stores objects in a folder. It does not check signatures of
 * presigned addresses; a store named by TEST_S3_URL does (platform.md 4.2).
 */
export async function startS3Server(): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), 'procurement-s3-'));
  const bucket = 'files';
  // It chooses a port.
  let running = await runS3rver(folder, bucket, '0');
  const { port } = running;
  const kill = async (): Promise<void> => running.kill();
  return {
    endpoint: new URL(`http://127.0.0.1:${port}`),
    bucket,
    accessKey: 'S3RVER',
    secretKey: 'S3RVER',
    region: 'us-east-1',
    kill,
    async start() {
      running = await runS3rver(folder, bucket, port);
    },
    async stop() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function runS3rver(
  folder: string,
  bucket: string,
  port: string,
): Promise<{ port: string; kill(): Promise<void> }> {
  const args = ['--directory', folder, '--port', port, '--address', '127.0.0.1', '--configure-bucket', bucket];
  const child = spawn(process.execPath, [require.resolve('s3rver/bin/s3rver.js'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return {
    port: await waitFor(() => /listening on [\d.]+:(\d+)/.exec(output)?.[1], { what: 's3rver to listen' }),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
