import { until, type Broker, type Json } from '../../support/broker.ts';

/** Polls the tender until the condition holds. The client must not be recorded: the number of polls differs from run to run. */
export async function untilTender(
  operator: Broker,
  path: string,
  what: string,
  condition: (tender: Json) => boolean,
): Promise<Json> {
  return until(what, async () => {
    const { data } = (await operator.get(path)).body;
    return condition(data) && data;
  });
}

/** Waits until every auction has its planned start, so that later answers do not depend on the speed of the planner. */
export async function untilAuctionsPlanned(operator: Broker, path: string): Promise<Json> {
  return untilTender(operator, path, 'a place in the plan for every auction', ({ auctionPeriod, lots }) =>
    (lots ?? [{ auctionPeriod }]).every((one: Json) => one.auctionPeriod?.startDate !== undefined),
  );
}
