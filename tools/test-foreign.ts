import { join } from 'node:path';
import { sendSpans } from './foreign/collector.ts';
import { playGoClient, playPythonClient, runSchemathesis, validateStories } from './foreign/document.ts';
import { checkOcds, receiveWebhook } from './foreign/outputs.ts';
import { BIN, INSTALL, PYTHON, PYTHON_PROGRAMS, type Toolset } from './foreign/toolsets.ts';
import { onSandbox } from './own-sandbox.ts';

// `npm run test:foreign [-- names]`: the running sandbox, or one of its own, before programs of others. Each needs Python or Go with
// its registry of packages, and is skipped without. The programs stand in test/foreign, with their versions.

/** Programs of others. Each throws when the system is not as it expects. */
const PROGRAMS: Readonly<Record<string, readonly [Toolset, (url: string) => Promise<void>]>> = {
  'a client generated in Python plays a procedure': ['python', playPythonClient],
  'a client generated in Go plays a procedure': ['go client', playGoClient],
  'a receiver of Standard Webhooks in Python': [
    'python',
    async (url) => receiveWebhook(url, PYTHON, join(PYTHON_PROGRAMS, 'receive_webhook.py')),
  ],
  'a receiver of Standard Webhooks in Go': ['go', async (url) => receiveWebhook(url, join(BIN, 'receive'))],
  'libraries of Open Contracting read the register': ['python', checkOcds],
  'an OpenTelemetry Collector receives spans': [
    'go collector',
    // Of a system of its own, whose settings name the collector.
    async () => sendSpans(join(BIN, 'foreign-collector')),
  ],
  'a validator of Go between stories and gateway': ['go', validateStories],
  'schemathesis makes requests of the OpenAPI document': ['python', runSchemathesis],
};

const chosen = process.argv.slice(2);
const isChosen = (name: string): boolean => chosen.length === 0 || chosen.some((word) => name.includes(word));
const programs = Object.entries(PROGRAMS).filter(([name]) => isChosen(name));
const toolsets = [...new Set(programs.map(([, [toolset]]) => toolset))];
const obstacles = new Map(toolsets.map((toolset) => [toolset, INSTALL[toolset]()]));

await onSandbox(async (url) => {
  for (const [name, [toolset, play]] of programs) {
    const why = obstacles.get(toolset);
    console.log(`== ${name}${why === undefined ? '' : `: skipped, ${why}`}`);
    if (why !== undefined) continue;
    try {
      await play(url);
    } catch (error) {
      console.log(`== ${name}: FAILED, ${String(error)}`);
      process.exitCode = 1;
    }
  }
});
