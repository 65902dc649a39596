import type { Bus } from '@procurement/kit/messaging/bus';
import type { Clock } from '@procurement/kit/runtime/clock';
import type pg from 'pg';
import { makeFreshness, type Freshness } from '../revisions/freshness.ts';
import { askPublicView, type AskPublic } from '../revisions/tender-owner.ts';
import type { OcdsAccess } from './domain/ocds-access.ts';
import { ocdsStore, type OcdsStore } from './ocds.store.ts';

/** What answers with releases need. */
export interface OcdsDeps {
  readonly config: {
    readonly ocds: OcdsAccess;
    readonly OCDS_PAGE_SIZE: number;
    readonly OCDS_BULK_MAX_CONCURRENT: number;
    readonly OCDS_HEAD_MAX_AGE: number;
  };
  readonly clock: Clock;
  readonly ocds: OcdsStore;
  /** How far releases were made. */
  readonly projected: Freshness;
  readonly askPublic: AskPublic;
}

export function makeOcds(pool: pg.Pool, bus: Bus): Pick<OcdsDeps, 'ocds' | 'projected' | 'askPublic'> {
  const ocds = ocdsStore(pool);
  return { ocds, projected: makeFreshness(async () => ocds.position()), askPublic: askPublicView(bus) };
}
