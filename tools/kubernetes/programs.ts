import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';
import { ROOT } from '../deploy/repository.ts';

/** Where the programs are built. */
export const PROGRAMS = join(ROOT, '.local/kubernetes');
/** Modules and versions are in `go.mod` there. The program of etcd is in no module, so it is one line of ours. */
const SOURCES = join(ROOT, 'tools/kubernetes/programs');
const BUILD_ENV = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false -trimpath' };

/**
 * Builds the control plane of Kubernetes, etcd, kwok, kubectl and Helm: a quarter of an hour once on two cores, seconds after that.
 * Returns why that is impossible here.
 */
export function buildPrograms(): string | undefined {
  if (process.platform === 'win32') return 'no Kubernetes on Windows';
  if (runGo('mod', 'download', 'k8s.io/kubernetes') !== 0) return 'no Go, or no module proxy';
  const flags = ['-s', '-w', ...versionFlags(readVersion('k8s.io/kubernetes'))].join(' ');
  const words = ['-ldflags', flags, '-o', `${PROGRAMS}/`, 'tool', './etcd'];
  if (runGo('build', ...words) !== 0) throw new Error('the programs of Kubernetes do not compile');
  return undefined;
}

/**
 * Releases of these programs have the version of Kubernetes in variables: what they are, and for which one Helm renders and checks
 * charts.
 */
function versionFlags(version: string): readonly string[] {
  const [major = '', minor = ''] = version.slice(1).split('.');
  const own = { gitVersion: version, gitMajor: major, gitMinor: minor, gitTreeState: 'clean' };
  const ofCharts = { k8sVersionMajor: major, k8sVersionMinor: minor };
  const variables = {
    'k8s.io/client-go/pkg/version': own,
    'k8s.io/component-base/version': own,
    'helm.sh/helm/v3/pkg/chartutil': ofCharts,
    'helm.sh/helm/v3/pkg/lint/rules': ofCharts,
  };
  return Object.entries(variables).flatMap(([path, values]) =>
    Object.entries(values).map(([name, value]) => `-X ${path}.${name}=${value}`),
  );
}

/** The folder of a Go module, as `path@version`, or `path` if go.mod has the version. */
export function moduleFolder(module: string): string {
  const named = module.includes('@') ? module : `${module}@${readVersion(module)}`;
  return z.object({ Dir: z.string() }).parse(JSON.parse(askGo('mod', 'download', '-json', named))).Dir;
}

function readVersion(module: string): string {
  return askGo('list', '-m', '-f', '{{.Version}}', module).trim();
}

function runGo(...words: readonly string[]): number | null {
  return spawnSync('go', ['-C', SOURCES, ...words], { stdio: ['ignore', 'inherit', 'inherit'], env: BUILD_ENV }).status;
}

function askGo(...words: readonly string[]): string {
  return execFileSync('go', ['-C', SOURCES, ...words], { encoding: 'utf8', env: BUILD_ENV });
}
