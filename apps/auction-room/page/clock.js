// The time of the auction, measured against the server. The clock of the machine is used for nothing (auction-room.md 11.3).

const SAMPLES = 5;
const PAUSE_MS = 100;
const EVERY_MS = 30_000;
const KEEP_MS = 60_000;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** `now()` in milliseconds; `offsetText` of the zone in which the server shows times. */
export function makeClock(auctionId) {
  let samples = [];
  let measuring = false;

  function add(serverMs, sentMs, receivedMs) {
    const error = (receivedMs - sentMs) / 2;
    samples = [
      ...samples.filter(({ at }) => receivedMs - at < KEEP_MS),
      { offset: serverMs - receivedMs + error, error, at: receivedMs },
    ];
  }
  const best = () => samples.toSorted((a, b) => a.error - b.error)[0];

  async function sample() {
    const sentMs = performance.now();
    const response = await fetch(`/time?auction=${auctionId}`, { cache: 'no-store' });
    const { now } = await response.json();
    add(Date.parse(now), sentMs, performance.now());
  }

  async function measure() {
    if (measuring) return;
    measuring = true;
    try {
      for (let taken = 0; taken < SAMPLES; taken += 1) {
        await sample().catch(() => undefined);
        await pause(PAUSE_MS);
      }
    } finally {
      measuring = false;
    }
  }

  setInterval(() => void sample().catch(() => undefined), EVERY_MS);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void measure();
  });
  return {
    measure,
    /** Undefined until the server was asked. */
    now() {
      const chosen = best();
      return chosen === undefined ? undefined : performance.now() + chosen.offset;
    },
    /** A frame was written at `serverMs`: time cannot be earlier, and a jump of the auction's clock shows here. */
    seen(serverMs) {
      const chosen = best();
      const estimate = chosen === undefined ? undefined : performance.now() + chosen.offset;
      if (estimate !== undefined && serverMs <= estimate + chosen.error + 20) return;
      samples = [{ offset: serverMs - performance.now(), error: 1_000, at: performance.now() }];
      void measure();
    },
  };
}
