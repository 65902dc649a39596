import type { ApiResponse, Broker, Json } from './broker.ts';

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
