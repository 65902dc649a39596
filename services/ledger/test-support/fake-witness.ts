import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openCheckpoint } from '@procurement/proof/checkpoints';
import { signatureLine, makeSigner, type Verifier } from '@procurement/proof/notes';
import { verifyConsistency } from '@procurement/proof/tree';
import type { Witness } from '../src/config.ts';
import { newKey } from './running-ledger.ts';

/** A witness that checks what it signs, as C2SP tlog-witness says. Tests change how it answers. */
export interface FakeWitness {
  readonly witness: Witness;
  /** What it has signed last. */
  seen: { size: number; root: Buffer };
  /** Instead of its answer. */
  answer: { readonly status: number; readonly body: string } | 'nothing' | undefined;
  readonly requests: string[];
  stop(): Promise<void>;
}

/** `log`: the key that it knows. */
export async function fakeWitness(log: Verifier, name = 'w1'): Promise<FakeWitness> {
  const signer = makeSigner(`${name}.example/w`, newKey(), 4);
  const state: Pick<FakeWitness, 'seen' | 'answer' | 'requests'> = {
    seen: { size: 0, root: Buffer.alloc(0) },
    answer: undefined,
    requests: [],
  };

  function judge(body: string): { readonly status: number; readonly body: string } {
    const end = body.indexOf('\n\n');
    const [old = '', ...proofLines] = body.slice(0, end).split('\n');
    const opened = openCheckpoint(body.slice(end + 2), [log]);
    if (opened === undefined) return { status: 403, body: '' };
    const { size, root } = opened.checkpoint;
    const first = Number(old.replace('old ', ''));
    if (first !== state.seen.size) return { status: 409, body: `${state.seen.size}\n` };
    const proof = proofLines.filter((line) => line !== '').map((line) => Buffer.from(line, 'base64'));
    const isSame = first === size ? root.equals(state.seen.root) : true;
    const isConsistent =
      first === 0
        ? proof.length === 0
        : isSame && verifyConsistency({ first, second: size, firstRoot: state.seen.root, secondRoot: root, proof });
    if (!isConsistent) return { status: 422, body: '' };
    state.seen = { size, root };
    return { status: 200, body: `— unknown.example/x AAAAAAAA\n${signatureLine(opened.text, signer, 1_778_603_539)}` };
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      state.requests.push(body);
      const answer = state.answer ?? judge(body);
      if (answer === 'nothing') return;
      response.writeHead(answer.status).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Safe cast: it listens on a port.
  const { port } = server.address() as AddressInfo;
  return Object.assign(state, {
    witness: { name, verifier: signer.verifier, url: `http://127.0.0.1:${port}` },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
