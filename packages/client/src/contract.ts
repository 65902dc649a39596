import { isProblem } from './problem.ts';
import {
  below,
  callAt,
  collectionAt,
  documentsAt,
  itemAt,
  type Collection,
  type Documents,
  type Item,
  type ResourcePath,
} from './resources.ts';
import type {
  ContractChange,
  ContractChangeInput,
  ContractChangePatch,
  ContractDocumentInput,
  ContractDocumentPatch,
  Ownership,
  StandaloneContract,
  StandaloneContractPatch,
  Transaction,
  TransactionInput,
  Transfer,
} from './resources.golden.ts';
import type { RequestOptions, Send, TransportSettings } from './transport.ts';

/** A change of a signed contract. */
export type ContractChangeItem = Item<ContractChange, ContractChangePatch>;

/** Documents of a contract. One that belongs to a change is registered with `documentOf: 'change'`, or bound to it by `patch`. */
export type ContractDocuments = Documents<ContractDocumentInput, ContractDocumentPatch>;

/** A payment under a contract. */
export interface TransactionItem {
  get(options?: RequestOptions): Promise<Transaction>;
  /** Reports it, or its new status. May be repeated. The answer is the contract. */
  put(data: TransactionInput, options?: RequestOptions): Promise<StandaloneContract>;
}

/** The contract as a resource of its own, from its creation to its last payment. Making one sends nothing. */
export interface ContractAtItsAddress extends Item<StandaloneContract, StandaloneContractPatch> {
  readonly changes: Collection<ContractChange, ContractChangeInput>;
  change(id: string): ContractChangeItem;
  transaction(id: string): TransactionItem;
  /** Documents of the contract, also after its tender is complete. */
  readonly documents: ContractDocuments;
  /** Exchanges the token of the tender, `as`, for a token of the contract, which is kept in `tokens`. */
  credentials(options: RequestOptions & { readonly as: string }): Promise<StandaloneContract>;
  /**
   * Takes the contract over from a broker that has left, by `transfer`: the second secret of the contract's token. The new tokens are kept
   * in `tokens`: first under the id of the transfer that is made for it, then under that of the contract, also when nobody knows whether
   * it was taken over.
   */
  takeOver(transfer: string, options?: Pick<RequestOptions, 'signal'>): Promise<Ownership>;
}

export function contractAtItsAddress(send: Send, settings: TransportSettings, id: string): ContractAtItsAddress {
  const root: ResourcePath = { path: '', owners: [] };
  const place = below(root, 'contracts', id);
  return {
    ...itemAt(send, place),
    documents: documentsAt(send, settings, place),
    changes: collectionAt(send, below(place, 'changes')),
    change: (change) => itemAt(send, below(place, 'changes', change)),
    transaction(transaction) {
      const call = callAt(send, below(place, 'transactions', transaction));
      return {
        get: async (options = {}) => call<Transaction>('GET', { options }),
        put: async (data, options = {}) => call<StandaloneContract>('PUT', { data, options }),
      };
    },
    credentials: async (options) =>
      callAt(send, below(place, 'credentials'))<StandaloneContract>('PATCH', { data: {}, options }),
    async takeOver(transfer, options = {}) {
      const made = await callAt(send, below(root, 'transfers'))<Transfer>('POST', { data: {}, options });
      const call = callAt(send, { path: `${place.path}/ownership`, owners: [] });
      const keepTokens = async (): Promise<void> => {
        const access = await settings.tokens.get(made.id);
        if (access !== undefined) await settings.tokens.set(id, access);
      };
      try {
        const taken = await call<Ownership>('POST', { data: { id: made.id, transfer }, options });
        await keepTokens();
        return taken;
      } catch (error) {
        // Without an answer the contract may be taken over, and these are its only tokens.
        if (!isProblem(error) || isProblem(error, 'unavailable')) await keepTokens();
        throw error;
      }
    },
  };
}
