import type { ApiResponse, Broker, Json } from './broker.ts';
import type { PublishedTender } from './published-tender.ts';

/** Moves the sandbox clock of one tender. The answer is the tender after all transitions that were due (rulings R18). */
export async function moveClock(client: Broker, tenderId: string, data: unknown): Promise<ApiResponse> {
  return client.post(`/sandbox/tenders/${tenderId}/clock`, data);
}

/** Moves the clock of a tender to its `next_check`. */
export async function moveToNextCheck(client: Broker, tenderId: string): Promise<Json> {
  const answer = await moveClock(client, tenderId, { to: 'next_check' });
  if (answer.status !== 200) throw new Error(`POST of the clock failed: ${answer.text}`);
  return answer.body.data;
}

/**
 * Moves the clock of a new tender to about a second before the end of its enquiries, which then comes by itself. A period of a second
 * in the body would have ended before a slow machine has read it.
 */
export async function moveToEndOfEnquiries(client: Broker, { id, data }: PublishedTender): Promise<void> {
  const leftSeconds = Math.floor((Date.parse(data.enquiryPeriod.endDate) - Date.now()) / 1_000);
  const moved = await moveClock(client, id, { advance: `PT${leftSeconds - 1}S` });
  if (moved.status !== 200) throw new Error(`POST of the clock failed: ${moved.text}`);
}
