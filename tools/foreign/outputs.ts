import { join } from 'node:path';
import { patientBroker } from '../../test/support/broker.ts';
import { publish } from '../../test/support/published-tender.ts';
import { minimalTender } from '../../test/support/request-bodies.ts';
import { ROOT } from '../deploy/repository.ts';
import { expectSuccess, startListener } from './listener.ts';
import { playStories } from './stories.ts';
import { PYTHON, PYTHON_PROGRAMS, run } from './toolsets.ts';

// Programs that read what the register gives: webhooks and Open Contracting.

/** Stories of processes with all that OCDS shows. */
const OCDS_STORIES = ['register/ocds', 'contract', 'below-threshold'];

export async function receiveWebhook(url: string, command: string, ...words: readonly string[]): Promise<void> {
  const receiver = await startListener(command, words);
  try {
    const client = patientBroker(url, 'broker1', '2.5');
    const { id } = await publish(client, minimalTender({ mode: 'test' }));
    const subscription = {
      url: `http://127.0.0.1:${receiver.address}/`,
      filter: { mode: 'test', ids: [id] },
      from: '0',
    };
    const made = await client.post('/webhooks', subscription);
    if (made.status !== 201) throw new Error(`no webhook: ${made.text}`);
    receiver.program.stdin.write(`${made.body.data.secret}\n`);
    await expectSuccess(receiver);
  } finally {
    receiver.program.kill();
  }
}

export async function checkOcds(url: string): Promise<void> {
  const began = new Date().toISOString();
  playStories(url, OCDS_STORIES);
  run(PYTHON, [join(PYTHON_PROGRAMS, 'check_ocds.py'), join(ROOT, 'packages/ocds'), url, began]);
}
