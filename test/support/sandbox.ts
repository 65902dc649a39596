import type { Answer, Broker, Json } from './broker.ts';

/** Moves the time in which one tender lives; answers the tender after what was due has happened (rulings R18). */
export async function moveClock(anyone: Broker, tender: string, data: unknown): Promise<Answer> {
  return anyone.post(`/sandbox/tenders/${tender}/clock`, data);
}

/** To the moment at which its clock acts next. */
export async function toNextCheck(anyone: Broker, tender: string): Promise<Json> {
  const answer = await moveClock(anyone, tender, { to: 'next_check' });
  if (answer.status !== 200) throw new Error(`the clock did not move: ${answer.text}`);
  return answer.body.data;
}
