import { stdin } from 'node:process';
import { buildApp } from '../src/app.ts';
import { doubleDeps } from './api-double.ts';
import { hostileApi } from './hostile-api.ts';

// Serves pages of a tender that attacks its readers (P9), on the port that is the argument. Ends with its standard input.
const [, , port] = process.argv;
await buildApp(doubleDeps(hostileApi, { publicUrl: `http://127.0.0.1:${port}` })).listen({
  host: '127.0.0.1',
  port: Number(port),
});
process.stdout.write('ready\n');
stdin.resume().on('end', () => process.exit());
