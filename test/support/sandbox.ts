import type { ApiResponse, Broker, Json } from './broker.ts';

/** Moves the time in which one tender lives; answers the tender after what was due has happened (rulings R18). */
export async function moveClock(client: Broker, tenderId: string, data: unknown): Promise<ApiResponse> {
  return client.post(`/sandbox/tenders/${tenderId}/clock`, data);
}

/** To the moment at which its clock acts next. */
export async function moveToNextCheck(client: Broker, tenderId: string): Promise<Json> {
  const answer = await moveClock(client, tenderId, { to: 'next_check' });
  if (answer.status !== 200) throw new Error(`the clock did not move: ${answer.text}`);
  return answer.body.data;
}
