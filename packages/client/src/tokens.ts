/** Keeps owner tokens by the id of their object. Replace it to keep them in a database: a token is answered once and never again. */
export interface TokenStore {
  get(objectId: string): string | undefined | Promise<string | undefined>;
  set(objectId: string, token: string): void | Promise<void>;
}

/** Tokens of this process. */
export function memoryTokens(initial: Readonly<Record<string, string>> = {}): TokenStore {
  const tokens = new Map(Object.entries(initial));
  return {
    get: (objectId) => tokens.get(objectId),
    set: (objectId, token) => {
      tokens.set(objectId, token);
    },
  };
}

/** The token of the first object that has one. */
export async function firstToken(tokens: TokenStore, objectIds: readonly string[]): Promise<string | undefined> {
  for (const id of objectIds) {
    const token = await tokens.get(id);
    if (token !== undefined && token !== '') return token;
  }
  return undefined;
}
