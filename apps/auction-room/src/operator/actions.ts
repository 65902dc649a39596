import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import type { Command } from '../domain/commands.ts';
import type { OperatorNote } from '../domain/events.ts';
import { formBody } from '../http/request.ts';
import { evidenceStore } from '../store/evidence.store.ts';
import { SHARDS } from '../store/leases.store.ts';
import { auctionForOperator, forOperators } from './access.ts';
import { reasonOf, refuse } from './forms.ts';

/** Commands by the last part of the path. */
const COMMANDS: Readonly<Record<string, (form: URLSearchParams, by: OperatorNote) => Command>> = {
  void: (_form, by) => ({ type: 'Void', by }),
  'renew-link': (form, by) => ({ type: 'RenewLink', bid: form.get('bid') ?? '', by }),
  'try-again': (_form, by) => ({ type: 'TryAgain', by }),
};

/** `POST /auctions/{id}/{action}` (auction-room.md 13.3): an event of the log, with the operator and the reason. */
export function act(deps: Deps): Handler {
  const { room, log } = deps;
  const evidence = evidenceStore(room.pool);
  return forOperators(deps, async (request, reply, operator) => {
    // Safe cast: the route has the parameter.
    const { action } = request.params as { readonly action: string };
    const command = Object.hasOwn(COMMANDS, action) ? COMMANDS[action] : undefined;
    const seen = await auctionForOperator(deps, request);
    if (seen === undefined || command === undefined) return reply.code(404).send();
    const form = formBody(request);
    const reason = reasonOf(form);
    const { id, tender } = seen.auction.plan;
    if (reason === undefined) return refuse(reply, 422, 'Give a reason');
    if (form.get('number') !== tender.tenderID) return refuse(reply, 422, 'The number is not that of the tender');
    if (action === 'try-again' && (await evidence.failedTasks(id)).length === 0)
      return refuse(reply, 409, 'No request has failed');
    const result = await room.run(id, command(form, { operator, reason }), 'operator');
    if (result?.refused !== undefined) return refuse(reply, result.refused.status, result.refused.description);
    if (action === 'try-again') await evidence.expedite(id);
    deps.handOff.wake();
    log.warn({ auctionId: id, action, operator, reason }, 'operator acted');
    return reply.redirect(`/auctions/${id}`, 303);
  });
}

/** `POST /shards/{shard}/hand-over`: another replica may lead its auctions. Offers go on meanwhile. */
export function handOver(deps: Deps): Handler {
  const evidence = evidenceStore(deps.room.pool);
  return forOperators(deps, async (request, reply, operator) => {
    // Safe cast: the route has the parameter.
    const shard = Number((request.params as { readonly shard: string }).shard);
    const reason = reasonOf(formBody(request));
    if (!Number.isInteger(shard) || shard < 0 || shard >= SHARDS) return reply.code(404).send();
    if (reason === undefined) return refuse(reply, 422, 'Give a reason');
    if (!(await evidence.handOver(shard))) return refuse(reply, 409, 'Nobody leads this shard');
    deps.log.warn({ shard, operator, reason }, 'shard handed over by an operator');
    return reply.redirect('/', 303);
  });
}
