import { admitWrite } from '@procurement/domain/admission';
import type { BodyResult } from '@procurement/contracts/reading/body-result';
import { formatServerDate } from '@procurement/contracts/reading/instant';
import { invalid } from '@procurement/contracts/problems/problems';
import { omitEmpty } from '@procurement/domain/omit-empty';
import { parseWith } from '@procurement/contracts/reading/parse-with';
import { contractsApi } from '@procurement/contracts/api/contracts.api';
import type { StoredContract } from '@procurement/contracts/resources/contract';
import type { Decision } from '@procurement/domain/decision';
import type { Awarding, AwardingEvent, CreationMeta } from './awarding.ts';
import { CONTRACT_MEMBERS } from './contract.change.ts';
import { selectItems, nextContractNumber } from './contract.create.ts';
import { awardingRefusal } from './awarding-status.ts';

/**
 * POST of a contract by administrators of the service (bids-awards-auction.md 4.2). It is pending; suppliers and items are
 * copied from the award and the tender, other members come from the body.
 */
export function postContract(awarding: Awarding, body: BodyResult, meta: CreationMeta): Decision<AwardingEvent> {
  const admission = admitWrite(body, meta.actor, meta.actor.group === 'admins');
  if ('refused' in admission) return admission;
  const { body: schema, bodyBySegment } = contractsApi.createContract;
  const reading = parseWith(meta.actor.segment === '2.5' ? schema : bodyBySegment['0'], admission.data);
  if (!reading.ok) return { refused: invalid(reading.errors) };
  const posted = reading.value;
  const award = awarding.awards.find((one) => one.id === posted.awardID);
  if (award === undefined) {
    const description = ['awardID should be one of awards'];
    return { refused: invalid([{ location: 'body', name: 'awardID', description }]) };
  }
  const { status } = awarding.tender;
  const notAwarding = awardingRefusal('contract.add-status', status);
  if (notAwarding !== undefined) return { refused: notAwarding };
  const date = formatServerDate(meta.now);
  const contract = omitEmpty<StoredContract>({
    ...Object.fromEntries(CONTRACT_MEMBERS.map((member) => [member, posted[member]])),
    id: meta.id,
    awardID: award.id,
    contractID: nextContractNumber(awarding, meta),
    status: 'pending',
    date,
    dateCreated: date,
    value: posted.value ?? award.value,
    suppliers: award.suppliers,
    items: selectItems(meta.items ?? [], award.lotID),
  });
  return { accepted: [{ type: 'AwardingChanged', parts: { contracts: [...awarding.contracts, contract] } }] };
}
