import { transfersApi } from '@procurement/contracts/api/transfers.api';
import type { Actor } from '@procurement/contracts/api/actor';
import { invalid, type Problem } from '@procurement/contracts/problems/problems';
import type { BodyResult } from '@procurement/contracts/reading/body-result';
import { parseWith } from '@procurement/contracts/reading/parse-with';
import { admitWrite } from '@procurement/domain/admission';

/** Why a broker may not make a transfer; undefined when it may. Every broker may: levels are checked at its use. */
export function transferRefusal(body: BodyResult, actor: Actor): Problem | undefined {
  const admission = admitWrite(body, actor, actor.group === 'brokers');
  if ('refused' in admission) return admission.refused;
  const reading = parseWith(transfersApi.createTransfer.body, admission.data);
  return reading.ok ? undefined : invalid(reading.errors);
}
