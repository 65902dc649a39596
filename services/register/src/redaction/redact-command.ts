import { isJsonObject } from '@procurement/contracts/reading/json-object';
import { commandLine, RefusedCommandError, runCommandLine, UsageError } from '@procurement/kit/runtime/command-line';
import type { Logger } from '@procurement/kit/runtime/log';
import { makeSignal } from '@procurement/kit/runtime/signal';
import type pg from 'pg';
import { readPointer } from '../revisions/domain/redact-text.ts';
import { openRedactions } from './redaction-files.store.ts';
import { redactRevisions, releasesWith, type RedactionRequest } from './redaction.store.ts';

export interface RedactDeps {
  readonly pool: pg.Pool;
  readonly log: Logger;
  /** Wakes the ledger, after the commit. */
  readonly signalRedacted: () => void;
}

type Print = (line: string) => void;

interface Options {
  readonly pointer: string;
  readonly rev?: string;
  readonly reason: string;
}

/** An entry of the public log says the pointer (proof.md 3.1), with other escapes that are not longer. */
const ESCAPED_POINTER_MAX = 3_000;
const REVS = /^([1-9]\d{0,8})\.\.([1-9]\d{0,8})$/;
const POLL_MS = 500;
/** Shorter ones are in many texts by chance. */
const VALUE_CHARACTERS_MIN = 4;

/**
 * The command `redact`: removes a member from public texts of a tender by law (register.md 11.5), asks the running service to write export files
 * again, and waits for it. It may be killed at any point and repeated. Returns the exit code.
 */
export async function redactCommand(args: readonly string[], deps: RedactDeps, print: Print): Promise<number> {
  const program = commandLine('node dist/main.js redact', print)
    .argument('<tender>', 'id of the tender: 32 hex characters')
    .description('remove a member from the public texts of a tender; change the tender itself first')
    .requiredOption('--pointer <pointer>', 'the member, for example /questions/0/author/contactPoint')
    .option('--rev <first..last>', 'revisions, both included; without it all')
    .requiredOption('--reason <text>', 'why; it is not public')
    .action(async (tender: string, options: Options) => redact(deps, parseRequest(tender, options), print));
  return runCommandLine(program, args, print);
}

function parseRequest(tender: string, { pointer, rev, reason }: Options): RedactionRequest {
  if (!/^[0-9a-f]{32}$/.test(tender)) throw new UsageError(`not an id of a tender: ${tender}`);
  const path = readPointer(pointer);
  if (path === undefined) throw new UsageError(`no JSON Pointer to a member that may be removed: ${pointer}`);
  if (encodeURIComponent(pointer).length > ESCAPED_POINTER_MAX) throw new UsageError('the pointer is too long');
  const [, first, last] = REVS.exec(rev ?? '') ?? [];
  if (rev !== undefined && !(Number(first) <= Number(last)))
    throw new UsageError(`--rev is <first>..<last>, not ${rev}`);
  return {
    tender,
    pointer,
    path,
    reason,
    revs: rev === undefined ? undefined : { first: Number(first), last: Number(last) },
  };
}

async function redact(deps: RedactDeps, request: RedactionRequest, print: Print): Promise<void> {
  const { tender, pointer } = request;
  const result = await redactRevisions(deps, request);
  if (result.kind === 'refused') throw new RefusedCommandError(result.because);
  if (result.kind === 'nothing' && !result.isRepeated)
    throw new RefusedCommandError(`no text of these revisions has ${pointer}`);
  deps.signalRedacted();
  print(`${result.kind === 'redacted' ? result.revisions : 'no more'} revisions redacted`);
  if (result.kind === 'redacted') await announceReleases(deps, tender, result.removed, print);
  await waitForFiles(deps, { tender, pointer }, print);
}

/** Releases are permanent; whether one yields to law is decided by people (register.md 11.5). */
async function announceReleases(
  { pool }: RedactDeps,
  tender: string,
  removed: readonly string[],
  print: Print,
): Promise<void> {
  const values = removed.flatMap((text) => textsIn(JSON.parse(text)));
  const count = await releasesWith(pool, tender, values);
  if (count > 0) print(`${count} releases of OCDS have a text that was removed: they stay as they are`);
}

/** Returns the texts in a value as they stand in a JSON text. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.length < VALUE_CHARACTERS_MIN ? [] : [JSON.stringify(value).slice(1, -1)];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

async function waitForFiles(
  { pool }: RedactDeps,
  { tender, pointer }: Pick<RedactionRequest, 'tender' | 'pointer'>,
  print: Print,
): Promise<void> {
  const pause = makeSignal();
  let isTold = false;
  for (;;) {
    const { open, error } = await openRedactions(pool, tender, pointer);
    if (open === 0) return print('no file of an export has it');
    if (error !== undefined) throw new RefusedCommandError(`files of exports: ${error}; the service tries again`);
    if (!isTold) print('waiting for the service to write files of exports again');
    isTold = true;
    await pause.wait(POLL_MS);
  }
}
