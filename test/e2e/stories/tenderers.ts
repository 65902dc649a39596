import { TENDERER } from '../../support/published-tender.ts';

/** Two bidders with different identifiers. */
export const [TENDERER_X, TENDERER_Y] = [
  TENDERER,
  {
    ...TENDERER,
    name: 'ТОВ Скриня',
    identifier: { scheme: 'UA-EDR', id: '3112345679' },
    contactPoint: { name: 'Олена Скрипка', email: 'skrypka@example.com' },
  },
] as const;
