import { openConnection, postText, parseStatus } from './http-connection.ts';
import { percentilesOf, type Rate } from './load.ts';

export interface PostLoad {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Paths that are used in turn. */
  readonly paths: readonly string[];
  readonly connections: number;
  readonly seconds: number;
}

/** POSTs again on each connection as soon as the last request was answered. Throws on any status but 201. */
export async function postLoad({ url, headers, body, paths, connections, seconds }: PostLoad): Promise<Rate> {
  const requests = paths.map((path) => postText(new URL(path, url), headers, body));
  const durationsMs: number[] = [];
  const beganAt = performance.now();
  const end = beganAt + seconds * 1_000;
  let sent = 0;
  const runConnection = async (): Promise<void> => {
    const connection = await openConnection(new URL(url));
    for (let sentAt = performance.now(); sentAt < end; sentAt = performance.now()) {
      // The remainder is an index of the list.
      const response = await connection.exchange(requests[sent++ % requests.length] as string);
      if (parseStatus(response) !== 201) throw new Error(`not accepted: ${response}`);
      durationsMs.push(performance.now() - sentAt);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, runConnection));
  const perSecond = (durationsMs.length / (performance.now() - beganAt)) * 1_000;
  return { perSecond, ...percentilesOf(durationsMs) };
}
