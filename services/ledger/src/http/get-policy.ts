import { keysText } from '@procurement/proof/checkpoints';
import { signNote } from '@procurement/proof/notes';
import { writePolicy } from '@procurement/proof/policy';
import { textAnswer, type LogAnswer, type ReadDeps } from './log-answer.ts';

const SECONDS = 300;
/** Witnesses that a reader should ask for: more than one that the operator could run. */
const NEEDED_MAX = 2;

/** The suggested policy: keys and witnesses of the log (C2SP tlog-policy). Readers pin theirs. */
export async function getPolicy({ signers, witnesses }: ReadDeps): Promise<LogAnswer> {
  const named = witnesses.map(({ name, verifier, url }) => ({ name, verifier, url }));
  const needed = Math.min(NEEDED_MAX, named.length);
  return textAnswer(
    writePolicy(
      signers.map(({ verifier }) => verifier),
      named,
      needed,
    ),
    SECONDS,
  );
}

/** The keys of this installation, signed by the log. */
export async function getKeys({ signers, receiptKeys }: ReadDeps): Promise<LogAnswer> {
  const keys = signers.map(({ verifier }) => verifier);
  return textAnswer(signNote(keysText(keys, receiptKeys), signers), SECONDS);
}
