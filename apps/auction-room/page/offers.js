// Sends offers until they are answered (auction-room.md 11.4). An offer that is sent again has the same id, and counts once.

const ANSWER_MS_MAX = 3_000;
const PAUSES_MS = [500, 1_000, 2_000];
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Sends until it is answered: also after the end of the turn, which a room that was away has moved, and because the offer may have
 * been taken before its answer was lost. `onAttempt` is called before each attempt. Resolves with the answer, or undefined when `isOver` became true first.
 */
export async function sendOffer({ auctionId, csrf, offerId, amount, isOver, onAttempt }) {
  for (let attempt = 1; !isOver(); attempt += 1) {
    onAttempt(attempt);
    const answer = await attemptOnce({ auctionId, csrf, offerId, amount });
    if (answer !== undefined) return answer;
    await pause(PAUSES_MS[Math.min(attempt, PAUSES_MS.length) - 1]);
  }
  return undefined;
}

async function attemptOnce({ auctionId, csrf, offerId, amount }) {
  try {
    const response = await fetch(`/tenders/${auctionId}/offers`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-room-csrf': csrf },
      body: JSON.stringify({ offerId, amount }),
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    // The server could not say: the same request finds out.
    if (response.status >= 500 || response.status === 429) return undefined;
    return { isAccepted: response.ok, body: await response.json() };
  } catch {
    return undefined;
  }
}

/** Kept until it is answered, so that a reload goes on sending. */
export function pendingOffers(auctionId) {
  const key = `offer-${auctionId}`;
  return {
    keep: (offer) => sessionStorage.setItem(key, JSON.stringify(offer)),
    take: () => JSON.parse(sessionStorage.getItem(key) ?? 'null'),
    drop: () => sessionStorage.removeItem(key),
  };
}
