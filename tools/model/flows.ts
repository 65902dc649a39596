import { NEXT_PHASE, type PhaseCommand } from '../../services/bids/src/domain/bidding.phases.ts';
import type { AwardingState } from '../../services/awards/src/domain/awarding.ts';
import { repeatedRequest, waitsOf, type RepeatedRequest } from '../../services/tenders/src/domain/tender.waits.ts';
import type { TenderEvent, TenderState } from '../../services/tenders/src/domain/tender.ts';
import { applyToTender, DECIDED_AT, factsOf, openAwards, publicAwards, SETTINGS, tickTender } from './deciders.ts';
import type { Step } from './explore.ts';
import { mayDecide } from './freezes.ts';
import { numberPart, withMessage, type Event, type Fix, type World } from './world.ts';

// Events, clocks and repetitions: what consumers, schedulers and the worker of decision 0062 do with the deciders.

/** The events of a tender that ask another service for something. */
function findRequest(event: TenderEvent | RepeatedRequest): Event | undefined {
  switch (event.type) {
    case 'TenderingEnded':
      return { name: 'tendering-ended', type: 'tendering-ended' };
    case 'QualificationDue':
      return { name: 'qualification-due', type: 'qualification-due' };
    case 'TenderCancelled':
      return event.erasesBids ? { name: 'tender-cancelled', type: 'tender-cancelled' } : undefined;
    default:
      return undefined;
  }
}

function publish(world: World, event: Event | undefined): World {
  return event === undefined ? world : { ...world, events: withMessage(world.events, event) };
}

/** The world after tenders stored these events: state and messages in one transaction. */
export function saveTender(world: World, tender: TenderState, events: readonly TenderEvent[]): World {
  if (events.length === 0) return world;
  const isErasing = world.isErasing || events.some((event) => event.type === 'TenderCancelled' && event.erasesBids);
  const facts = factsOf(tender);
  // An older one that is still on its way could have arrived before: the runs in which it did show what it can do.
  const others = world.events.filter(({ type }) => type !== 'tender-changed');
  let next: World = { ...world, tender, isErasing, events: others };
  if (world.copy !== undefined)
    next = publish(next, { name: `tender-changed ${facts.version}`, type: 'tender-changed', facts });
  for (const event of events) next = publish(next, findRequest(event));
  return next;
}

/** The world after awards stored a state. */
export function saveAwarding(world: World, awarding: AwardingState): World {
  return publish({ ...world, awarding }, awardChanged(awarding));
}

export function awardChanged(awarding: AwardingState): Event {
  const facts = publicAwards(awarding);
  return { name: `award-changed ${facts.version} ${numberPart(facts)}`, type: 'award-changed', facts };
}

/** Every event may arrive, and stays, so that it may arrive again; or it is lost. */
export function eventSteps(world: World, removed?: Fix): readonly Step<World>[] {
  return world.events.flatMap((event) => {
    const lost = { ...world, events: world.events.filter(({ name }) => name !== event.name) };
    const arrivals = receive(world, event, removed).filter(({ next }) => next !== world);
    return [...arrivals, { name: `${event.name} is lost`, next: lost, isFair: false }];
  });
}

function receive(world: World, event: Event, removed: Fix | undefined): readonly Step<World>[] {
  const at = (service: string, next: World): Step<World> => ({
    name: `${event.name} at ${service}`,
    next,
    isFair: true,
  });
  switch (event.type) {
    case 'tendering-ended':
      // The event is redelivered until the period has ended by the clock of bids (decision 0051).
      if (!world.ended.bids && removed !== 'seal by the clock of bids') return [];
      return [at('bids', changePhase(world, 'seal', 'set-sealed'))];
    case 'qualification-due':
      return [at('bids', changePhase(world, 'open', 'bids-opened'))];
    case 'tender-cancelled':
      return [at('bids', changePhase(world, 'erase', 'set-erased'))];
    case 'set-sealed':
      return [at('tenders', applyInput(world, { type: 'SealBids', bids: event.bids.map((id) => ({ id, lots: [] })) }))];
    case 'set-erased':
      return [at('tenders', world.isErasing ? { ...world, isErasing: false } : world)];
    case 'bids-opened': {
      const input = { type: 'OpenBids', bids: event.bids.map((id) => ({ id })) } as const;
      return [at('tenders', applyInput(world, input)), at('awards', openBids(world, event.bids, removed))];
    }
    case 'award-changed': {
      const facts =
        removed === 'apply each version of awards once'
          ? { ...event.facts, version: Math.max(event.facts.version, (world.tender.awards?.version ?? 0) + 1) }
          : event.facts;
      // Repeats of the mutation would raise the version for ever.
      if (facts.version > world.awarding.version + 1) return [];
      return [at('tenders', applyInput(world, { type: 'ReplaceAwards', facts }))];
    }
    case 'tender-changed':
      return [at('the copy', { ...world, copy: event.facts })];
    default:
      return event satisfies never;
  }
}

function applyInput(world: World, input: Parameters<typeof applyToTender>[1]): World {
  const { state, events } = applyToTender(world.tender, input);
  return saveTender(world, state, events);
}

/** Changes the phase and publishes the answer, also for a repeated event. */
function changePhase(world: World, command: PhaseCommand, answer: 'set-sealed' | 'bids-opened' | 'set-erased'): World {
  const { bidding } = world;
  const phase = NEXT_PHASE[command][bidding.phase];
  if (phase === undefined) return world;
  const ids = command === 'erase' ? [] : bidding.ids;
  const answered = bidding.answered ?? (command === 'seal' ? ids : undefined);
  const isSame = phase === bidding.phase && ids.length === bidding.ids.length;
  const next = isSame ? world : { ...world, bidding: { phase, ids, ...(answered === undefined ? {} : { answered }) } };
  if (answer === 'set-erased') return publish(next, { name: answer, type: answer });
  return publish(next, { name: `${answer} ${ids.map((id) => id.slice(-2)).join()}`, type: answer, bids: ids });
}

/** Decides by the tender as its owner has it now. A repeated event is answered again with the same version. */
function openBids(world: World, ids: readonly string[], removed: Fix | undefined): World {
  const { awarding } = world;
  const tender = factsOf(world.tender);
  if (awarding.bids !== undefined) return publish(world, awardChanged(awarding));
  return mayDecide(world, 'awards', tender.version, removed)
    ? saveAwarding(world, openAwards(awarding, tender, ids))
    : world;
}

/** The end of the period comes at different times by different clocks. The scheduler of tenders then ticks the tender. */
export function clockSteps(world: World): readonly Step<World>[] {
  const { ended, tender } = world;
  if (!world.mayEnd) return [];
  const ends = (['tenders', 'bids'] as const).flatMap((service) =>
    ended[service]
      ? []
      : [
          {
            name: `the period ends for ${service}`,
            next: { ...world, ended: { ...ended, [service]: true } },
            isFair: true,
          },
        ],
  );
  if (!ended.tenders || tender.document.status !== 'active.tendering') return ends;
  const { state, events } = tickTender(tender);
  return events.length === 0 ? ends : [...ends, { name: 'tick', next: saveTender(world, state, events), isFair: true }];
}

/** The worker of decision 0062: publishes the request of each wait again, and the facts that their owner does not have yet. */
export function repeatSteps(world: World, removed?: Fix): readonly Step<World>[] {
  if (removed === 'ask again') return [];
  const { tender, awarding, isErasing } = world;
  const flows = [...waitsOf(tender, DECIDED_AT, SETTINGS), ...(isErasing ? (['erasure'] as const) : [])];
  const requests = flows.flatMap((flow) => {
    const request = repeatedRequest(tender, flow, DECIDED_AT, SETTINGS);
    return request === undefined ? [] : [findRequest(request)];
  });
  const facts = awarding.version > (tender.awards?.version ?? 0) ? [awardChanged(awarding)] : [];
  return [...requests, ...facts].flatMap((event) => {
    const next = publish(world, event);
    return next.events === world.events ? [] : [{ name: `${event?.name} again`, next, isFair: true }];
  });
}

/** A service that is behind the owner of its copies requests what it missed (decision 0059). */
export function copySteps(world: World, removed?: Fix): readonly Step<World>[] {
  const copy = factsOf(world.tender);
  if (removed === 'follow the owner' || (world.copy?.version ?? copy.version) === copy.version) return [];
  return [{ name: `tender ${copy.version} is requested`, next: { ...world, copy }, isFair: true }];
}

/** Removes the events that have no effect any more, also if they arrive again. They only multiply states. */
export function withoutSpentEvents(world: World, removed?: Fix): World {
  const events = world.events.filter((event) => !isSpent(world, event, removed));
  return events.length === world.events.length ? world : { ...world, events };
}

function isSpent(
  { tender, awarding, bidding, copy, isErasing }: World,
  event: Event,
  removed: Fix | undefined,
): boolean {
  const { phase } = tender.bidding;
  const isOver = tender.document.status === 'cancelled';
  switch (event.type) {
    case 'tendering-ended':
      return bidding.phase !== 'open' && (phase !== 'closing' || isOver);
    case 'set-sealed':
      return phase !== 'closing' || isOver;
    case 'qualification-due':
      return bidding.phase !== 'open' && bidding.phase !== 'sealed' && (phase !== 'opening' || isOver);
    case 'bids-opened':
      return tender.bids !== undefined && awarding.bids !== undefined && tender.awards !== undefined;
    case 'tender-cancelled':
      return bidding.phase === 'erased' && !isErasing;
    case 'set-erased':
      return !isErasing;
    case 'award-changed':
      return removed !== 'apply each version of awards once' && event.facts.version <= (tender.awards?.version ?? 0);
    case 'tender-changed':
      return event.facts.version <= (copy?.version ?? Infinity);
    default:
      return event satisfies never;
  }
}
