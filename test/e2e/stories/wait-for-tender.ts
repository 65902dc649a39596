import { until, type Broker, type Json } from '../../support/broker.ts';

/** Waits until the tender shows it; for a client that is not recorded, since how often it asks differs from run to run. */
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

/** Until the planner has given every auction of the tender its start: whether it does so before or after what follows, shows. */
export async function untilAuctionsPlanned(operator: Broker, path: string): Promise<Json> {
  return untilTender(operator, path, 'a place in the plan for every auction', ({ auctionPeriod, lots }) =>
    (lots ?? [{ auctionPeriod }]).every((one: Json) => one.auctionPeriod?.startDate !== undefined),
  );
}
