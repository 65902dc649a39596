/**
 * Settings of a system whose services are all up, for tests that read at once what they wrote: on a slow machine its services wait for
 * each other up to 40 times as long, and do not answer before the view of the tender has the write. The gateway waits for them.
 */
export const PATIENCE = { WAIT_FACTOR: '40', UPSTREAM_TIMEOUT_MS: '120000' } as const;
