import { monotonicMs } from './clock.ts';

/** A client has as much waiting as there is room for, or its work has waited too long. */
export class QueueFullError extends Error {
  constructor() {
    super('the queue is full');
    this.name = 'QueueFullError';
  }
}

/**
 * How long a client rests after its work, in times of what the work took. With a factor of 1 lookups waited 70 to 90 ms beside a
 * burst of expanded ones, against 8 ms without the burst (two shared cores).
 */
const REST_FACTOR = 3;

/**
 * The longest rest. Where the machine is so busy that a thread takes seconds to start, a longer one would end in a refusal of the
 * next work.
 */
const REST_MS_MAX = 1_000;

/** Bounds work that many clients ask for, and shares the places between them. */
export interface FairQueue {
  /** Runs `work` when it is the turn of the client. Rejects with QueueFullError when it cannot wait. */
  run<T>(client: string, work: () => Promise<T>): Promise<T>;
}

export interface FairQueueOptions {
  readonly runningMax: number;
  /** Limit for one client; the other places are kept for the others. */
  readonly runningOfClientMax?: number;
  readonly waitingMax: number;
  readonly waitMsMax: number;
  /**
   * The place of a client stays taken after its work for REST_FACTOR times as long as the work took, a second at most: a client that
   * always has work waiting uses at most a quarter of what its work shares with others (event loop, database).
   */
  readonly clientsRest?: boolean;
}

interface Waiter {
  readonly start: () => void;
  readonly refuse: () => void;
}

interface Client {
  readonly waiting: Waiter[];
  running: number;
}

/**
 * Clients take turns: each starts at most one piece of work before the next one of another client. When the queue is full, the
 * client with the most waiting work loses its newest, so that a client cannot fill the queue for others.
 */
export function makeFairQueue(options: FairQueueOptions): FairQueue {
  const { runningMax, runningOfClientMax = runningMax, waitingMax, waitMsMax, clientsRest = false } = options;
  /** Clients in the order of their turns. Those with nothing running or waiting are not remembered. */
  const clients = new Map<string, Client>();
  let [running, waiting] = [0, 0];

  function startNext(): void {
    if (running >= runningMax || waiting === 0) return;
    for (const [name, client] of clients) {
      if (client.running >= runningOfClientMax) continue;
      const next = client.waiting.shift();
      if (next === undefined) continue;
      waiting -= 1;
      moveToEnd(name, client);
      begin(client);
      next.start();
      startNext();
      return;
    }
  }

  function moveToEnd(name: string, client: Client): void {
    clients.delete(name);
    clients.set(name, client);
  }

  function begin(client: Client): void {
    running += 1;
    client.running += 1;
  }

  function end(name: string, client: Client, beganMs: number): void {
    running -= 1;
    const restMs = Math.min(REST_MS_MAX, REST_FACTOR * (monotonicMs() - beganMs));
    if (clientsRest) setTimeout(() => free(name, client), restMs).unref();
    else free(name, client);
    startNext();
  }

  function free(name: string, client: Client): void {
    client.running -= 1;
    // Who came while this ran is before it.
    moveToEnd(name, client);
    forget(name, client);
    startNext();
  }

  function forget(name: string, client: Client): void {
    if (client.running === 0 && client.waiting.length === 0) clients.delete(name);
  }

  /** Makes room for one more of a client, if another one has more waiting than it would have then. */
  function makeRoom(own: Client): boolean {
    let longest = own;
    for (const client of clients.values()) if (client.waiting.length > longest.waiting.length) longest = client;
    if (longest.waiting.length <= own.waiting.length + 1) return false;
    longest.waiting.pop()?.refuse();
    waiting -= 1;
    return true;
  }

  async function wait(name: string, client: Client): Promise<void> {
    if (waiting >= waitingMax && !makeRoom(client)) {
      forget(name, client);
      throw new QueueFullError();
    }
    waiting += 1;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        client.waiting.splice(client.waiting.indexOf(waiter), 1);
        waiting -= 1;
        forget(name, client);
        waiter.refuse();
      }, waitMsMax);
      const waiter: Waiter = {
        start: () => {
          clearTimeout(timer);
          resolve();
        },
        refuse: () => {
          clearTimeout(timer);
          reject(new QueueFullError());
        },
      };
      client.waiting.push(waiter);
    });
  }

  return {
    async run(name, work) {
      const client = clients.get(name) ?? { waiting: [], running: 0 };
      clients.set(name, client);
      if (running < runningMax && client.running < runningOfClientMax) begin(client);
      else await wait(name, client);
      const beganMs = monotonicMs();
      try {
        return await work();
      } finally {
        end(name, client, beganMs);
      }
    },
  };
}
