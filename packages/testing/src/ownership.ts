import {
  BrokerLevelsRequest,
  ClaimTransferRequest,
  TransferRequest,
  type TransferRecord,
} from '@procurement/contracts/events/ownership';
import { rpcSubjects } from '@procurement/contracts/events/subjects';
import type { Bus } from '@procurement/kit/messaging/bus';
import { respondTo } from '@procurement/kit/messaging/request/request';
import type { Logger } from '@procurement/kit/runtime/log';
import { sha256Hex } from '@procurement/kit/runtime/ids';

/** The test takes the place of the gateway, which has the levels of brokers. */
export interface PlayedGateway {
  /** Levels by broker. A broker without a row does not exist. */
  readonly levels: Map<string, string>;
  isSilent: boolean;
}

/** All brokers that tests use have left, unless a test says otherwise. */
export function playBrokerLevels(bus: Bus, log: Logger): PlayedGateway {
  const gateway: PlayedGateway = {
    levels: new Map([
      ['broker1', '1234x'],
      ['broker2', '1234x'],
      ['broker3', '1234'],
      ['seller', '1234x'],
    ]),
    isSilent: false,
  };
  respondTo(bus, rpcSubjects.brokerLevels, log, async (request) => {
    if (gateway.isSilent) throw new Error('unavailable');
    const levels = gateway.levels.get(BrokerLevelsRequest.parse(request).name);
    return levels === undefined ? undefined : { levels, hasKey: true };
  });
  return gateway;
}

/** The test takes the place of the tenders service, which has the transfers. */
export interface PlayedTransfers {
  /** Adds a transfer with the tokens `<id>-token` and `<id>-transfer`. */
  add(id: string, broker: string): void;
  usedFor(id: string): string | undefined;
}

export function playTransfers(bus: Bus, log: Logger): PlayedTransfers {
  const transfers = new Map<string, TransferRecord>();
  respondTo(bus, rpcSubjects.transfer, log, async (request) => transfers.get(TransferRequest.parse(request).id));
  respondTo(bus, rpcSubjects.claimTransfer, log, async (request) => {
    const { id, usedFor } = ClaimTransferRequest.parse(request);
    const transfer = transfers.get(id);
    if (transfer === undefined) return false;
    transfers.set(id, { usedFor, ...transfer });
    return (transfer.usedFor ?? usedFor) === usedFor;
  });
  return {
    add: (id, broker) => {
      const [tokenHash, transferHash] = [sha256Hex(`${id}-token`), sha256Hex(`${id}-transfer`)];
      transfers.set(id, { id, broker, tokenHash, transferHash });
    },
    usedFor: (id) => transfers.get(id)?.usedFor,
  };
}
