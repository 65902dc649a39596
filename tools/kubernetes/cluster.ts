import { execFile } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startChild, lastLoggedError, type Child } from '@procurement/local-stack/child';
import { freePort } from '@procurement/local-stack/ports';
import { waitFor } from '@procurement/testing/wait-for';
import { moduleFolder, PROGRAMS } from './programs.ts';

const START_MS_MAX = 120_000;
const NODES = 3;
/** Room for every autoscaler at its least and one pod more of each service. */
const NODE_RESOURCES = { cpu: '8', memory: '16Gi', pods: '110', 'ephemeral-storage': '100Gi' };
/** Addresses of documentation (RFC 5737): the API server does not advertise a loopback address, and nothing connects to these. */
const ADVERTISED = '192.0.2.1';
const NODE_ADDRESS = '192.0.2.2';
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/** A control plane of Kubernetes, whose nodes are played by kwok: pods are scheduled and become ready, but no container runs. */
export interface Cluster {
  /** Files of the run, removed when the cluster stops. */
  readonly folder: string;
  /** Runs a program of `PROGRAMS` against the cluster and returns what it printed. Throws with what it wrote to its error output. */
  run(program: 'kubectl' | 'helm', words: readonly string[], input?: string): Promise<Printed>;
  stop(): Promise<void>;
}

export interface Printed {
  readonly output: string;
  readonly warnings: string;
}

/** Starts it as processes of this user on the loopback interface, and waits until its nodes are ready. */
export async function startCluster(): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'procurement-kubernetes-'));
  const children: Child[] = [];
  const kubeconfig = join(folder, 'kubeconfig');
  const start = (name: string, args: readonly string[]): void => {
    const logFile = join(folder, `${name}.log`);
    children.push(startChild({ name, command: join(PROGRAMS, name), args, cwd: folder, logFile }));
  };
  const stop = async (): Promise<void> => {
    for (const child of children.splice(0).toReversed()) await child.stop('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      void stop().then(() => process.exit(1));
    });
  }
  const run: Cluster['run'] = async (program, words, input = '') => {
    const running = promisify(execFile)(join(PROGRAMS, program), [...words], {
      env: { ...process.env, KUBECONFIG: kubeconfig, HOME: folder },
      maxBuffer: OUTPUT_BYTES_MAX,
    });
    running.child.stdin?.end(input);
    const { stdout, stderr } = await running;
    return { output: stdout, warnings: stderr };
  };
  /** Waits until kubectl succeeds, or one of the processes has ended. */
  const succeeds = async (...words: readonly string[]): Promise<void> => {
    const findEnded = (): Child | undefined => children.find((child) => !child.isRunning());
    const isDone = async (): Promise<unknown> => findEnded() ?? run('kubectl', words);
    await waitFor(isDone, { what: words.join(' '), timeoutMs: START_MS_MAX, intervalMs: 300 });
    const ended = findEnded();
    if (ended !== undefined) throw new Error(`${ended.name} ended: ${lastLoggedError(ended.logFile)}`);
  };
  try {
    const ports = { client: await freePort(), peer: await freePort(), api: await freePort() };
    const key = writeSecrets(folder, kubeconfig, ports.api);
    start('etcd', etcdFlags(folder, ports));
    start('kube-apiserver', apiServerFlags(folder, key, ports));
    await succeeds('get', '--raw', '/readyz');
    const client = { kubeconfig, 'leader-elect': 'false', 'secure-port': '0' };
    const controllers = {
      'service-account-private-key-file': key,
      'root-ca-file': join(folder, 'apiserver.crt'),
      'horizontal-pod-autoscaler-sync-period': '5s',
    };
    start('kube-controller-manager', writeFlags({ ...client, ...controllers }));
    start('kube-scheduler', writeFlags(client));
    start('kwok', await kwokFlags(kubeconfig, folder, run));
    await run('kubectl', ['apply', '-f', '-'], JSON.stringify(nodeList()));
    await succeeds('wait', '--for=condition=Ready', 'node', '--all', '--timeout=60s');
    return { folder, run, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Writes the one key of accounts, and the one identity of everybody, an administrator. Returns the file of the key. */
function writeSecrets(folder: string, kubeconfig: string, port: number): string {
  const token = randomBytes(16).toString('hex');
  writeFileSync(join(folder, 'tokens.csv'), `${token},admin,admin,system:masters\n`, { mode: 0o600 });
  const cluster = { server: `https://127.0.0.1:${port}`, 'certificate-authority': join(folder, 'apiserver.crt') };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'here',
    clusters: [{ name: 'here', cluster }],
    users: [{ name: 'here', user: { token } }],
    contexts: [{ name: 'here', context: { cluster: 'here', user: 'here' } }],
  };
  writeFileSync(kubeconfig, JSON.stringify(config), { mode: 0o600 });
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = join(folder, 'accounts.key');
  writeFileSync(key, privateKey.export({ type: 'pkcs1', format: 'pem' }), { mode: 0o600 });
  return key;
}

function writeFlags(flags: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
}

interface EtcdPorts {
  readonly client: number;
  readonly peer: number;
}

function etcdFlags(folder: string, { client, peer }: EtcdPorts): readonly string[] {
  const address = `http://127.0.0.1:${client}`;
  const peers = `http://127.0.0.1:${peer}`;
  return writeFlags({
    'data-dir': join(folder, 'etcd'),
    // The cluster is thrown away, so nothing has to reach the disk.
    'unsafe-no-fsync': 'true',
    'listen-client-urls': address,
    'advertise-client-urls': address,
    'listen-peer-urls': peers,
    'initial-advertise-peer-urls': peers,
    'initial-cluster': `default=${peers}`,
  });
}

function apiServerFlags(
  folder: string,
  key: string,
  { client, api }: EtcdPorts & { readonly api: number },
): readonly string[] {
  return writeFlags({
    'etcd-servers': `http://127.0.0.1:${client}`,
    'bind-address': '127.0.0.1',
    'secure-port': String(api),
    // It makes its certificate, apiserver.crt, in this folder.
    'cert-dir': folder,
    'advertise-address': ADVERTISED,
    'service-cluster-ip-range': '10.96.0.0/16',
    'token-auth-file': join(folder, 'tokens.csv'),
    'authorization-mode': 'Node,RBAC',
    'service-account-issuer': 'https://kubernetes.default.svc',
    'service-account-key-file': key,
    'service-account-signing-key-file': key,
  });
}

/** kwok does with nodes and pods what its stages say: those of its module, where everything is ready at once. */
async function kwokFlags(kubeconfig: string, folder: string, run: Cluster['run']): Promise<readonly string[]> {
  const stages = join(folder, 'stages.yaml');
  const module = moduleFolder('sigs.k8s.io/kwok');
  writeFileSync(stages, (await run('kubectl', ['kustomize', join(module, 'kustomize/stage/fast')])).output);
  return writeFlags({
    kubeconfig,
    'manage-all-nodes': 'true',
    cidr: '10.245.0.0/16',
    'node-ip': NODE_ADDRESS,
    // Without leases nodes count as lost after 50 s, and their pods as not ready.
    'node-lease-duration-seconds': '40',
    config: stages,
  });
}

/** Nodes of different zones. */
function nodeList(): object {
  const items = Array.from({ length: NODES }, (_, n) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: `node-${n}`,
      labels: {
        'kubernetes.io/hostname': `node-${n}`,
        'kubernetes.io/os': 'linux',
        'topology.kubernetes.io/zone': `zone-${n}`,
      },
    },
    status: { allocatable: NODE_RESOURCES, capacity: NODE_RESOURCES },
  }));
  return { apiVersion: 'v1', kind: 'List', items };
}
