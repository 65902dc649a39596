import type { Actor } from '@procurement/contracts/actor';
import type { BodyReading } from '@procurement/contracts/body-reading';
import type { Instant } from '@procurement/contracts/instant';
import type { StoredTender } from '@procurement/contracts/resources/tender';

/** A tender as this service stores it. */
export interface TenderState {
  readonly id: string;
  /** Counts the accepted commands. */
  readonly version: number;
  readonly owner: string;
  readonly ownerTokenHash: string;
  readonly transferHash: string;
  readonly document: StoredTender;
}

export interface TenderCreated {
  readonly type: 'TenderCreated';
  readonly id: string;
  readonly owner: string;
  readonly ownerTokenHash: string;
  readonly transferHash: string;
  readonly document: StoredTender;
}

/** Carries the whole document: what siblings build from it needs no earlier event. */
export interface TenderChanged {
  readonly type: 'TenderChanged';
  readonly document: StoredTender;
}

export type TenderEvent = TenderCreated | TenderChanged;

export interface TenderSettings {
  /** Acceleration is understood (tenders.md 7.3). */
  readonly sandbox: boolean;
  /** Acceleration is refused outside test mode. */
  readonly strictTestMode: boolean;
}

export interface TenderMeta {
  /** The one time of the request: every date that it sets. */
  readonly now: Instant;
  readonly actor: Actor;
  readonly settings: TenderSettings;
  /** Gives ids for items, features and lots that came without. */
  readonly mintId: () => string;
}

export interface CreateTender {
  readonly type: 'CreateTender';
  readonly body: BodyReading;
  readonly meta: TenderMeta & {
    readonly id: string;
    readonly ownerTokenHash: string;
    readonly transferHash: string;
  };
}

export interface ChangeTender {
  readonly type: 'PatchTender' | 'PutTender';
  readonly body: BodyReading;
  readonly meta: TenderMeta;
}

export type TenderCommand = CreateTender | ChangeTender;
