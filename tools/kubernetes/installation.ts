import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { chartFiles, writeChart } from '../deploy/chart.ts';
import { ROOT, readText } from '../deploy/repository.ts';
import type { Cluster, Printed } from './cluster.ts';
import { moduleFolder } from './programs.ts';

export const NAMESPACE = 'procurement';
/** Kinds that the manifests and the chart use and Kubernetes does not have: folders of Go modules. */
const CUSTOM_KINDS: Readonly<Record<string, string>> = {
  [`github.com/cert-manager/cert-manager@${certManagerVersion()}`]: 'deploy/crds',
  'github.com/prometheus-operator/prometheus-operator@v0.85.0': 'example/prometheus-operator-crd',
  'sigs.k8s.io/gateway-api@v1.6.0': 'config/crd/standard',
};

/** The release that deploy/README.md tells to install. */
function certManagerVersion(): string {
  const [, version] = /cert-manager\/releases\/download\/(v[\d.]+)\//.exec(readText('deploy/README.md')) ?? [];
  if (version === undefined) throw new Error('deploy/README.md names no release of cert-manager');
  return version;
}

/**
 * A copy of deploy/ with an overlay of an installation, as deploy/README.md tells to make one: the example with the auction room and the
 * portal.
 */
export interface Installation {
  readonly overlay: string;
  readonly chart: string;
  readonly version: string;
  apply(): Promise<Printed>;
  /** Changes the tag of all images and one setting of all services. */
  change(tag: string): void;
}

export function makeInstallation({ folder, run }: Cluster): Installation {
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(readText('package.json')));
  cpSync(join(ROOT, 'deploy'), join(folder, 'deploy'), { recursive: true });
  const overlays = join(folder, 'deploy/kubernetes/overlays');
  const overlay = join(overlays, 'own');
  cpSync(join(overlays, 'example'), overlay, { recursive: true });
  const kustomization = join(overlay, 'kustomization.yaml');
  const rewrite = (change: (text: string) => string): void =>
    writeFileSync(kustomization, change(readFileSync(kustomization, 'utf8')));
  const apps = ['../../../auction-room/kubernetes', '../../../portal/kubernetes'];
  rewrite((text) => text.replace(/^components: \[(.*)\]$/m, (_, own) => `components: [${[own, ...apps].join(', ')}]`));
  const chart = join(folder, 'chart');
  writeChart(chart, chartFiles(version));
  return {
    overlay,
    chart,
    version,
    apply: async () => run('kubectl', ['apply', '--server-side', '--validate=strict', '-k', overlay]),
    change(tag) {
      rewrite((text) => text.replaceAll(/newTag: .*/g, `newTag: ${tag}`));
      appendFileSync(join(overlay, 'settings.env'), 'LOG_LEVEL=warn\n');
    },
  };
}

/** Adds the custom kinds, step 1 of deploy/README.md. Their controllers do not run. */
export async function addCustomKinds({ run }: Cluster): Promise<void> {
  for (const [module, path] of Object.entries(CUSTOM_KINDS)) {
    const kinds = join(moduleFolder(module), path);
    const files = readdirSync(kinds).filter((file) => file.endsWith('.yaml') && file !== 'kustomization.yaml');
    const words = files.flatMap((file) => ['-f', join(kinds, file)]);
    await run('kubectl', ['apply', '--server-side', ...words]);
  }
  await run('kubectl', ['wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s']);
}

/** Makes the namespace with its Secrets, steps 2 and 3 of deploy/README.md. */
export async function makeNamespace({ folder, run }: Cluster): Promise<void> {
  const deploy = join(ROOT, 'deploy');
  await run('kubectl', ['apply', '--server-side', '-f', join(deploy, 'kubernetes/overlays/example/namespace.yaml')]);
  const env = join(folder, 'env');
  if (!existsSync(env)) writeFileSync(env, execFileSync('sh', [join(deploy, 'compose/make-env.sh')]), { mode: 0o600 });
  const secrets = execFileSync('sh', [join(deploy, 'kubernetes/make-secrets.sh'), env], { encoding: 'utf8' });
  await run('kubectl', ['--namespace', NAMESPACE, 'apply', '--server-side', '-f', '-'], secrets);
}
