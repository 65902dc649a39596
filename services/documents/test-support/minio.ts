import { Client } from 'minio';
import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers';
import type { S3Server } from './s3-server.ts';

/** As in docker-compose.yml. */
const IMAGE = 'minio/minio:RELEASE.2025-09-07T16-13-09Z';
const PORT = 9_000;
const CREDENTIALS = { accessKey: 'procurement', secretKey: 'procurement-test' } as const;

/**
 * A MinIO in a container, which checks what s3rver does not: signatures of presigned addresses, and hashes. Undefined without a
 * container engine; with one, a MinIO that does not start is an error.
 */
export async function startMinio(): Promise<Omit<S3Server, 'kill'> | undefined> {
  if (!(await hasContainerEngine())) return undefined;
  const container = await new GenericContainer(IMAGE)
    .withCommand(['server', '/data'])
    .withEnvironment({ MINIO_ROOT_USER: CREDENTIALS.accessKey, MINIO_ROOT_PASSWORD: CREDENTIALS.secretKey })
    .withExposedPorts(PORT)
    .withWaitStrategy(Wait.forHttp('/minio/health/ready', PORT))
    .start();
  const [host, port] = [container.getHost(), container.getMappedPort(PORT)];
  const [bucket, region] = ['files', 'us-east-1'];
  await new Client({ endPoint: host, port, useSSL: false, ...CREDENTIALS }).makeBucket(bucket, region);
  return {
    endpoint: new URL(`http://${host}:${port}`),
    bucket,
    region,
    ...CREDENTIALS,
    stop: async () => {
      await container.stop();
    },
  };
}

async function hasContainerEngine(): Promise<boolean> {
  try {
    await getContainerRuntimeClient();
    return true;
  } catch {
    return false;
  }
}
