import { ensureCertificateFiles } from './certificate-files.ts';

// Volumes of docker-compose.yml.
const FOLDERS = { authority: '/authority', server: '/server' };
const USAGE = 'usage: NATS_HOSTS=<names, separated by commas> node dist/main.js [renew]\n';
/** EX_USAGE of sysexits.h. */
const EXIT_USAGE = 64;

const [command, ...rest] = process.argv.slice(2);
const hosts = (process.env['NATS_HOSTS'] ?? '').split(',').filter((host) => host !== '');
if (hosts.length === 0 || rest.length > 0 || (command !== undefined && command !== 'renew')) {
  process.stderr.write(USAGE);
  process.exit(EXIT_USAGE);
}
const result = await ensureCertificateFiles(FOLDERS, { hosts, renew: command === 'renew', now: new Date() });
process.stdout.write(
  result === 'made'
    ? 'made certificates of NATS; servers that run read them at SIGHUP\n'
    : 'the certificates of NATS are good\n',
);
