import { stdin } from 'node:process';
import { buildApp } from '../src/app.ts';
import { doubleDeps } from './api-double.ts';
import { sandboxFetch, showcaseApi } from './showcase/api.ts';

// Serves the pages of the pictures (`npm run screenshots`): fixed data at a fixed time, on the ports that are the arguments; the second
// is that of a sandbox, which has `/play`. Ends with its standard input.
const NOW = '2026-11-25T10:23:40+02:00';
let ms = 0;
for (const [n, port] of process.argv.slice(2, 4).entries()) {
  const isSandbox = n === 1;
  const deps = doubleDeps(showcaseApi, { isSandbox, now: NOW, publicUrl: `http://127.0.0.1:${port}` });
  await buildApp({
    ...deps,
    fetch: sandboxFetch,
    // What the pages say of the time of requests is fixed as well.
    monotonicMs: () => (ms += 7),
    siteOf: (...site) => ({ ...deps.siteOf(...site), auctionsUrl: 'https://auction.example' }),
  }).listen({ host: '127.0.0.1', port: Number(port) });
}
process.stdout.write('ready\n');
stdin.resume().on('end', () => process.exit());
