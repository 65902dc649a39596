import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { monotonicMs } from '../runtime/clock.ts';

/**
 * Sent as `Keep-Alive`, in seconds: clients that read it, such as the gateway's own, end a connection that is idle for a second less. It
 * says less than the server's time-out, so that no request meets a connection that is being closed.
 */
const IDLE_SECONDS = 2;

export interface ConnectionAge {
  /** Milliseconds from the opening of a connection after which its next answer is the last one. 0: connections do not end by age. */
  readonly maxMs: number;
  /** A monotonic clock; set by tests. */
  readonly nowMs?: () => number;
}

/**
 * Ends connections by age, each with an answer that says so (`Connection: close`). A balancer of connections gives a pod that will end no
 * new ones, but leaves it those that are open, and gives a new pod none of those. With an age below the time between the two (`preStop`
 * of Kubernetes) a pod has no connections when it is told to end.
 */
export function endOldConnections(server: Server, { maxMs, nowMs = monotonicMs }: ConnectionAge): void {
  if (maxMs === 0) return;
  const openedAt = new WeakMap<Socket, number>();
  server.on('connection', (socket: Socket) => {
    openedAt.set(socket, nowMs());
  });
  server.prependListener('request', ({ socket }, response) => {
    if (nowMs() - (openedAt.get(socket) ?? 0) >= maxMs) response.shouldKeepAlive = false;
    else response.setHeader('Keep-Alive', `timeout=${IDLE_SECONDS}`);
  });
}
