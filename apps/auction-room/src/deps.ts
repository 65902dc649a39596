import type { Instant } from '@procurement/contracts/reading/instant';
import type { Metrics } from '@procurement/kit/runtime/metrics';
import type { Logger } from '@procurement/kit/runtime/log';
import type { Config } from './config.ts';
import type { HandOff } from './hand-off.ts';
import type { Page } from './http/page.ts';
import type { Room } from './room.ts';
import type { RateLimit } from './session/rates.ts';
import type { TenderService } from './tender-service/client.ts';
import type { Hub } from './watch/hub.ts';

/** What requests need. */
export interface Deps {
  readonly settings: Pick<
    Config,
    | 'PUBLIC_URL'
    | 'API_URL'
    | 'ROOM_SECRETS'
    | 'RETURN_HOSTS'
    | 'COMPAT_API'
    | 'STREAMS_MAX'
    | 'STREAMS_PER_ADDRESS_MAX'
    | 'SANDBOX_MODE'
    | 'TRUSTED_PROXIES'
    | 'OPERATOR_KEYS'
  >;
  readonly room: Room;
  readonly hub: Hub;
  readonly handOff: Pick<HandOff, 'lagSeconds' | 'wake'>;
  readonly service: TenderService;
  readonly page: Page;
  readonly limits: Readonly<Record<'offers' | 'entries' | 'logins' | 'loginsOfAuction' | 'reads', RateLimit>>;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly now: () => Instant;
  readonly newId: () => string;
  /** True from the signal to end on. */
  readonly isEnding: () => boolean;
}
