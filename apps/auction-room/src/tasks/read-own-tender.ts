import { TenderShape } from '../follow/tender-record.ts';
import { readTender } from '../tender-service/requests.ts';
import { failure, isDone, type Outcome, type TaskContext } from './outcome.ts';

/** The tender of the auction, or what to do when it was not read. */
export async function readOwnTender(
  context: TaskContext,
): Promise<{ readonly tender: TenderShape } | { readonly outcome: Outcome }> {
  const answer = await context.service.send(readTender(context.auction.plan.tenderId));
  const tender = TenderShape.safeParse(answer.body['data']);
  return isDone(answer) && tender.success ? { tender: tender.data } : { outcome: failure(answer, context) };
}
