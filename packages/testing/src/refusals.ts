import type { Problem } from '@procurement/contracts/problems/problems';

/** Status, name and description of the first error; undefined when the command was accepted. */
export function refusalOf({ refused }: { readonly refused: Problem | undefined }): readonly unknown[] | undefined {
  const [error] = refused?.errors ?? [];
  return refused === undefined ? undefined : [refused.status, error?.name, error?.description];
}

// Results of `refusalOf`.
export const FORBIDDEN = [403, 'permission', 'Forbidden'] as const;
export const ROLE_FORBIDDEN = [403, 'role', 'Forbidden'] as const;
export const UNAUTHORIZED = [401, 'Authorization', 'Broker API key required'] as const;

/** Description of the error for an absent member. */
export const REQUIRED = ['This field is required.'] as const;
