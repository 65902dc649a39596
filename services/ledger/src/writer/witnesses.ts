import { toError } from '@procurement/kit/runtime/to-error';
import { addCheckpointBody, parseCheckpoint } from '@procurement/proof/checkpoints';
import { verifyCosignature } from '@procurement/proof/notes';
import { consistencyRanges } from '@procurement/proof/tree';
import type { Witness } from '../config.ts';
import { lastCosigned, saveCosignature } from '../store/checkpoints.store.ts';
import type { WriterDeps } from './deps.ts';

const ANSWER_MS_MAX = 2_000;
const ANSWER_BYTES_MAX = 64 * 1024;

/** What a witness said to a checkpoint. */
export type WitnessAnswer =
  | { readonly kind: 'cosigned' }
  /** Nothing that counts; it is asked again with the next checkpoint. */
  | { readonly kind: 'failed'; readonly why: string }
  /** It has seen another log, or a longer one: nothing more may be signed. */
  | { readonly kind: 'contradiction'; readonly why: string };

type Deps = Pick<WriterDeps, 'pool' | 'nodes'>;

/** Asks a witness to sign a checkpoint (C2SP tlog-witness), and stores its line. */
export async function askWitness(deps: Deps, witness: Witness, note: string): Promise<WitnessAnswer> {
  const checkpoint = parseCheckpoint(note);
  if (checkpoint === undefined) throw new Error('the log has signed no checkpoint');
  const { size } = checkpoint;
  let old = await lastCosigned(deps.pool, witness.verifier.name, size);
  for (let attempt = 1; ; attempt += 1) {
    const answer = await post(deps, witness, { old, size, note });
    if ('error' in answer) return { kind: 'failed', why: answer.error };
    if (answer.status === 200) return keepLine(deps, witness, { size, note, body: answer.body });
    if (answer.status === 422) return { kind: 'contradiction', why: `witness ${witness.name} has seen another log` };
    const known = answer.status === 409 ? sizeIn(answer.body) : undefined;
    if (known !== undefined && known > size)
      return {
        kind: 'contradiction',
        why: `witness ${witness.name} has seen a log of size ${known}, this one has ${size}`,
      };
    if (known === undefined || attempt > 1 || known === old)
      return { kind: 'failed', why: `it answered ${answer.status}` };
    old = known;
  }
}

function sizeIn(body: string): number | undefined {
  const text = body.trim();
  return /^(?:0|[1-9]\d{0,15})$/.test(text) ? Number(text) : undefined;
}

type Posted = { readonly status: number; readonly body: string } | { readonly error: string };

async function post(
  { pool, nodes }: Deps,
  { url }: Witness,
  { old, size, note }: { readonly old: number; readonly size: number; readonly note: string },
): Promise<Posted> {
  const proof = await nodes.ofRanges(pool, consistencyRanges(old, size), size);
  try {
    const response = await fetch(`${url}/add-checkpoint`, {
      method: 'POST',
      body: addCheckpointBody(old, proof, note),
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    return { status: response.status, body: await limitedText(response) };
  } catch (error) {
    return { error: toError(error).message };
  }
}

async function limitedText({ body }: Response): Promise<string> {
  if (body === null) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Lines of unknown keys are dropped. */
async function keepLine(
  { pool }: Deps,
  { verifier }: Witness,
  { size, note, body }: { readonly size: number; readonly note: string; readonly body: string },
): Promise<WitnessAnswer> {
  const text = note.slice(0, note.indexOf('\n\n') + 1);
  const line = body.split('\n').find((one) => verifyCosignature(text, one, verifier) !== undefined);
  if (line === undefined) return { kind: 'failed', why: 'its answer has no valid line' };
  await saveCosignature(pool, size, verifier.name, line);
  return { kind: 'cosigned' };
}
