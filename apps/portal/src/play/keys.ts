/**
 * Who plays, with the public keys of every sandbox (rulings R14). Constants: no setting can make the portal write with another key.
 * `anyone` has none.
 */
export const KEYS = {
  buyer: 'broker1',
  seller1: 'broker2',
  seller2: 'broker3',
  auction: 'auction',
  anyone: undefined,
} as const;

export type Player = keyof typeof KEYS;
