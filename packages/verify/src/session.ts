import { parseVkey, type Verifier } from '@procurement/proof/notes';
import type { Policy } from '@procurement/proof/policy';
import type { Context, Equivocation } from './checkpoint.ts';
import type { VerifyEnvironment } from './environment.ts';
import type { KeptState, Trust } from './kept-state.ts';
import { CannotCheckError, Report } from './report.ts';
import { HttpSource, readWhole, RecordingSource, TEXT_BYTES_MAX, parseBaseAddress, type Source } from './source.ts';
import { requirePolicy, readReceiptKeys } from './trust.ts';

export interface SessionOptions {
  readonly log?: string;
  readonly policy?: string;
}

/** Holds what a command trusts, its connection, its report, and its evidence. */
export class Session {
  readonly environment: VerifyEnvironment;
  readonly policy: Policy;
  readonly #state: KeptState;
  readonly #trust: Trust;
  readonly #http: HttpSource;
  #recording: RecordingSource;
  #equivocation: Equivocation | undefined;
  report = new Report();

  constructor(environment: VerifyEnvironment, state: KeptState, trust: Trust) {
    this.environment = environment;
    this.policy = requirePolicy(trust.policy, 'the trusted policy');
    this.#state = state;
    this.#trust = trust;
    this.#http = new HttpSource(environment, trust.url);
    this.#recording = new RecordingSource(this.#http);
  }

  /** Name of the log. */
  get origin(): string {
    return this.policy.logs[0]?.name ?? '';
  }

  /** Begins a check with an empty report. Answers of the source are kept as evidence. */
  context(source: Source = this.#http): Context {
    this.report = new Report();
    this.#recording = new RecordingSource(source);
    const { environment, policy, report } = this;
    return { source: this.#recording, policy, report, nowSeconds: () => environment.nowSeconds() };
  }

  async keptCheckpoint(): Promise<string | undefined> {
    return this.#state.checkpoint(this.#trust.url);
  }

  keepCheckpoint(note: string): void {
    this.#state.keepCheckpoint(this.#trust.url, note);
  }

  keepEquivocation(evidence: Equivocation): void {
    this.#equivocation = evidence;
  }

  /** Returns the keys that sign receipts: those that are trusted, else those that the log names. */
  async receiptKeys(): Promise<readonly Verifier[]> {
    const trusted = this.#trust.receipts.flatMap((vkey) => parseVkey(vkey) ?? []);
    const keys = trusted.length > 0 ? trusted : await readReceiptKeys(this.#http, this.policy);
    if (keys.length === 0) throw new CannotCheckError(`${this.#trust.url}: the log names no key of receipts`);
    return keys;
  }

  async readFile(path: string): Promise<Buffer> {
    const bytes = await readWhole(path, TEXT_BYTES_MAX);
    if (bytes === undefined) throw new CannotCheckError(`there is no file ${path}`);
    return bytes;
  }

  /** Writes the evidence of a contradiction: two checkpoints, or the findings with the answers that they are about. Returns the path. */
  keepEvidence(command: string): string {
    const time = this.environment.nowSeconds();
    const { url, policy } = this.#trust;
    if (this.#equivocation !== undefined)
      return this.#state.keepEvidence(url, `equivocation-${time}.json`, this.#equivocation);
    const files = [...this.#recording.answers].map(([path, bytes]) => [path, asText(bytes)] as const);
    const { findings } = this.report;
    const evidence = { command, base: url, now: time, policy, findings, files: Object.fromEntries(files) };
    return this.#state.keepEvidence(url, `evidence-${time}.json`, evidence);
  }
}

/** Writes bytes as in docs/spec/proof/mirrors: text as text, other bytes in base64. */
function asText(bytes: Buffer): string | { readonly base64: string } {
  const text = bytes.toString();
  return Buffer.from(text).equals(bytes) ? text : { base64: bytes.toString('base64') };
}

/** Begins a session with the log that is trusted, or with a policy that the reader has in a file. */
export async function openSession(
  environment: VerifyEnvironment,
  state: KeptState,
  { log, policy }: SessionOptions,
): Promise<Session> {
  const url = log === undefined ? await state.currentUrl() : parseBaseAddress(log);
  if (url === undefined) throw new CannotCheckError('no log is trusted yet: verify-procurement trust <address>');
  const trust = await state.trust(url);
  if (policy === undefined) {
    if (trust === undefined)
      throw new CannotCheckError(`${url} is not trusted yet: verify-procurement trust ${url}/log`);
    return new Session(environment, state, trust);
  }
  const text = (await readWhole(policy, TEXT_BYTES_MAX))?.toString();
  if (text === undefined) throw new CannotCheckError(`there is no file ${policy}`);
  return new Session(environment, state, { url, policy: text, receipts: trust?.policy === text ? trust.receipts : [] });
}
