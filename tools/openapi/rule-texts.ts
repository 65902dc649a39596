import type { Actor } from '@procurement/contracts/api/actor';
import { TENDER_STATUSES } from '@procurement/contracts/resources/tender';
import { accreditationProblem } from '@procurement/domain/admission';
import { COMPLAINT_TRANSITIONS, type ComplaintRole } from '@procurement/domain/complaints';
import { GROUPS } from '../../services/gateway/src/auth/broker.ts';
import { TENDER_TRANSITIONS, type Trigger } from '../../services/tenders/src/domain/tender.transitions.ts';

export type Statuses = readonly string[];

/** Roles and groups in the words of a reader. */
export const CALLERS: Readonly<Record<string, string>> = {
  brokers: 'brokers',
  admins: 'administrators of the service (`admins`)',
  Administrator: 'the Administrator',
  chronograph: 'the chronograph',
  auction: 'the auction component',
  bots: 'bots',
  reviewers: 'reviewers',
  tender_owner: 'the owner of the tender',
  contract_owner: 'the owner of the contract',
  bid_owner: 'the owner of the bid',
  complaint_owner: 'the complainant',
};

/** What may become of complaints where both claims and complaints are accepted. */
export const COMPLAINT_MOVES = COMPLAINT_TRANSITIONS.filter(({ mode = 'full' }) => mode === 'full');
/** What may become of a new claim. */
export const CLAIM_MOVES = arrowsText(COMPLAINT_MOVES.filter(({ from }) => from === 'claim'));
export const COMPLAINT_ROLES: readonly ComplaintRole[] = ['complaint_owner', 'tender_owner', 'reviewers'];

export const EVERYBODY = 'everybody, also without a key';

export function buildActor(group: string, levels = '1234'): Actor {
  return { broker: 'broker', group, levels, segment: '2.5' };
}

export function groupsThat(may: (actor: Actor) => boolean): readonly string[] {
  return GROUPS.filter((group) => may(buildActor(group))).map((group) => CALLERS[group] ?? group);
}

/** `brokers with level 2, administrators`: the level that every broker needs. */
export function withLevel(groups: readonly string[], isRefused: (actor: Actor) => boolean): readonly string[] {
  const levels = ['1', '2', '3', '4'].filter((level) => !isRefused(buildActor('brokers', level)));
  return groups.map((group) => (group === 'brokers' ? `brokers with level ${levels.join(' and ')}` : group));
}

/** Whether a caller lacks the level for such an object. */
export const hasNoLevel = (subject: 'bid' | 'question' | 'complaint') => (actor: Actor) =>
  accreditationProblem(actor, 'test', subject) !== undefined;

export function listText(items: readonly string[], lastWord: 'and' | 'or' = 'and'): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${lastWord} ${items.at(-1)}`;
}

/** Members; translations are named once. */
export function codes(names: readonly string[]): string {
  const own = names.filter((name) => !/_(en|ru)$/.test(name));
  const list = listText(own.map((name) => `\`${name}\``));
  return own.length === names.length ? list : `${list}, with their translations`;
}

export function whileIn(statuses: Statuses): string {
  if (statuses.length === TENDER_STATUSES.length) return 'in every status of the tender';
  const names = statuses.map((name) => `\`${name}\``);
  return `while the tender is in ${listText(names, 'or')}`;
}

interface Arrow {
  readonly from: string;
  readonly to: string;
}

/** `draft` or `claim` → `cancelled`; ... */
export function arrowsText(arrows: readonly Arrow[]): string {
  const changes = arrows.filter(({ from, to }) => from !== to);
  return [...new Set(changes.map(({ to }) => to))]
    .map((to) => {
      const sources = new Set(changes.filter((arrow) => arrow.to === to).map(({ from }) => `\`${from}\``));
      return `${listText([...sources], 'or')} → \`${to}\``;
    })
    .join('; ');
}

/** What a trigger does to the tender, or to a tender in one status. */
export function transitionsBy(trigger: Trigger, status?: string): string {
  const arrows = TENDER_TRANSITIONS.filter(({ on }) => on === trigger).flatMap(({ from, to }) =>
    from.map((one) => ({ from: one, to })),
  );
  return arrowsText(arrows.filter(({ from }) => status === undefined || from === status));
}

export function whileContractIn(statuses: Statuses): string {
  const names = statuses.map((status) => `\`${status}\``);
  return `while the contract is ${listText(names, 'or')}`;
}
