/** Bytes that the gateway may keep at the same time for requests and answers. */
export interface ByteBudgetSettings {
  readonly bytesMax: number;
  readonly bytesPerAddressMax: number;
}

/** What one request takes from a budget. */
export interface ByteLease {
  /** Takes more bytes. False, without taking any, when the budget of all or of the address is used up. */
  take(bytes: number): boolean;
  /** Gives everything back. May be called again. */
  release(): void;
}

export interface ByteBudget {
  lease(address: string): ByteLease;
  /** Bytes that are taken. */
  readonly bytes: number;
}

/**
 * A budget of bytes, in total and per address. The address bounds what one client can take from the others; addresses without a
 * lease are not remembered.
 */
export function makeByteBudget({ bytesMax, bytesPerAddressMax }: ByteBudgetSettings): ByteBudget {
  const byAddress = new Map<string, number>();
  let total = 0;
  const add = (address: string, bytes: number): void => {
    const taken = (byAddress.get(address) ?? 0) + bytes;
    total += bytes;
    if (taken === 0) byAddress.delete(address);
    else byAddress.set(address, taken);
  };
  return {
    lease: (address) => {
      let taken = 0;
      return {
        take: (bytes) => {
          if (total + bytes > bytesMax || (byAddress.get(address) ?? 0) + bytes > bytesPerAddressMax) return false;
          taken += bytes;
          add(address, bytes);
          return true;
        },
        release: () => {
          if (taken > 0) add(address, -taken);
          taken = 0;
        },
      };
    },
    get bytes() {
      return total;
    },
  };
}
