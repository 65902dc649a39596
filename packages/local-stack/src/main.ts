import { buildWithProgress, hasFlag, print, restartOnExit, runLocalStack } from './local-run.ts';

const HELP = `npm start                 the whole system in sandbox mode
npm start -- --reset      the same, with all its data deleted first
PORT=9000 npm start       the gateway on 9000, the seven other services on 9001 to 9007, PostgreSQL on 9011, NATS on 9012,
                          the portal on 9008, npm run auction on 9009 and 9010; /live, /ready and /metrics of the gateway on
                          9013, with /health, and of the portal on 9014
PORTAL=off npm start      without the pages for people
HOST=0.0.0.0 npm start    the gateway open to other machines
PUBLIC_BASE_URL=...       the address in links, for example http://192.168.1.5:8080; http://127.0.0.1:8080 by default
NATS_SERVER_BIN=...       the nats-server to run, instead of the one found or downloaded
DATA_DIR=...              the folder for data, logs and secrets; .local/ by default`;

if (hasFlag('--help')) print(HELP);
else {
  await runLocalStack({ prepare: buildWithProgress }, (stack, stopSignal) => {
    for (const part of Object.values(stack.parts)) restartOnExit(part, stopSignal);
  });
}
