type Respond = (request: unknown) => Promise<unknown>;

/** A service that has frozen its decisions about a tender, and the outcome of the cancellation. */
export interface FrozenTender {
  /** Lifts the freeze. `version`: of the tender after it. */
  lift(version: number): Promise<void>;
}

let freezes = 0;

/** Freezes the decisions of a service about a tender, as the tenders service does. Throws when it does not freeze. */
export async function freezeTender(respond: Respond, id: string): Promise<FrozenTender> {
  freezes += 1;
  const number = freezes;
  const response = await respond({ act: 'freeze', id, number });
  if ((response as { readonly frozen?: boolean }).frozen !== true) throw new Error('not frozen');
  return {
    async lift(version) {
      await respond({ act: 'lift', id, number, version });
    },
  };
}
