import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@procurement/testing/wait-for';

const require = createRequire(import.meta.url);

/** A server that speaks S3, as a process of its own, so that it can be killed as one. */
export interface S3Server {
  readonly endpoint: URL;
  readonly bucket: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly region: string;
  /** As a crash does. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * s3rver: runs without containers, knows multipart uploads, keeps objects in a folder. It checks no signature of presigned
 * addresses, so tests of those belong to a MinIO (`minio.ts`, platform.md 4.2).
 */
export async function startS3Server(): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), 'procurement-s3-'));
  const bucket = 'files';
  const args = ['--directory', folder, '--port', '0', '--address', '127.0.0.1', '--configure-bucket', bucket];
  const child = spawn(process.execPath, [require.resolve('s3rver/bin/s3rver.js'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  // It chooses a port and says which.
  const port = await waitFor(() => /listening on [\d.]+:(\d+)/.exec(output)?.[1], { what: 's3rver to listen' });
  const endpoint = new URL(`http://127.0.0.1:${port}`);
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  return {
    endpoint,
    bucket,
    accessKey: 'S3RVER',
    secretKey: 'S3RVER',
    region: 'us-east-1',
    kill,
    async stop() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
