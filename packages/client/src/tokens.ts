import type { Access } from './resources.golden.ts';

/**
 * Keeps the tokens of objects by the id of the object: `token` of the owner, and `transfer`, by which another broker may take the
 * object over. Replace it to keep them in a database: they are answered once and never again.
 */
export interface TokenStore {
  get(objectId: string): Access | undefined | Promise<Access | undefined>;
  set(objectId: string, access: Access): void | Promise<void>;
}

/** Tokens of this process. */
export function memoryTokens(initial: Readonly<Record<string, Access>> = {}): TokenStore {
  const accesses = new Map(Object.entries(initial));
  return {
    get: (objectId) => accesses.get(objectId),
    set: (objectId, access) => {
      accesses.set(objectId, access);
    },
  };
}

/** The token of the first object that has one. */
export async function firstToken(tokens: TokenStore, objectIds: readonly string[]): Promise<string | undefined> {
  for (const id of objectIds) {
    const access = await tokens.get(id);
    if (access !== undefined) return access.token;
  }
  return undefined;
}
