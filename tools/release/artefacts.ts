import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chartFiles, writeChart } from '../deploy/chart.ts';
import { ROOT, readText } from '../deploy/repository.ts';
import { packagesInImages, type PackageList } from './package-list.ts';
import { imageNames } from './readiness.ts';

export interface Release {
  readonly version: string;
  /** Where its files are made. */
  readonly folder: string;
  /** Registry and path before the names of images. */
  readonly registry: string;
  readonly commit: string;
  /** `https://github.com/owner/name`, where CI knows it. Provenance of npm demands it in the packages. */
  readonly repository: string | undefined;
}

/** Runs a program in the repository, and shows what it prints. Throws when it fails. */
function run(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}, cwd = ROOT): void {
  execFileSync(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'inherit', 'inherit'] });
}

function inScratchFolder(use: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'procurement-release-'));
  try {
    use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Packs the built package of a folder, with the address of the repository in it. */
export function packPackage(release: Release, path: string): void {
  inScratchFolder((copy) => {
    const from = join(ROOT, path);
    cpSync(from, copy, { recursive: true, filter: (file) => file !== join(from, 'node_modules') });
    const manifest = JSON.parse(readText(`${path}/package.json`)) as object;
    const { repository } = release;
    const source = repository === undefined ? {} : { type: 'git', url: `git+${repository}.git`, directory: path };
    writeFileSync(
      join(copy, 'package.json'),
      JSON.stringify(repository === undefined ? manifest : { ...manifest, repository: source }, null, 2),
    );
    run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', release.folder], {}, copy);
  });
}

/** Packs the chart, which takes the images of this release. Equal sources make equal bytes. */
export function packChart({ version, folder, registry }: Release): void {
  inScratchFolder((scratch) => {
    const files = chartFiles(version);
    const values = files['values.yaml']?.replace(/^( +repository: ).*$/m, `$1${registry}`) ?? '';
    writeChart(join(scratch, 'procurement'), { ...files, 'values.yaml': values });
    const sameEverywhere = [
      '--sort=name',
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      '--mode=u=rwX,go=rX',
      '--mtime=@0',
    ];
    run('tar', [...sameEverywhere, '-C', scratch, '-czf', join(folder, `procurement-${version}.tgz`), 'procurement']);
  });
}

/** Lists the packages that are in the images, by CycloneDX. npm knows of all that are installed only: those of tests and of the sandbox too. */
export function writePackageList({ folder }: Release): void {
  run('npm', ['run', '--silent', 'bundle']);
  const licences = imageNames(readText('Dockerfile')).map((name) =>
    readText(`dist/images/${name}/THIRD-PARTY-LICENCES.txt`),
  );
  const options = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
  const installed = JSON.parse(execFileSync('npm', options, { cwd: ROOT, encoding: 'utf8' })) as PackageList;
  writeFileSync(join(folder, 'sbom.cdx.json'), JSON.stringify(packagesInImages(installed, licences), null, 2));
}

/** Whether a Docker engine with buildx answers. */
export function canBuildImages(): boolean {
  return [['buildx', 'version'], ['info']].every((args) => spawnSync('docker', args, { stdio: 'ignore' }).status === 0);
}

/** Builds all images and writes their digests: pushed ones with the list of their packages and their provenance, others for this machine's engine. */
export function buildImages(release: Release, isPushed: boolean): void {
  const { version, folder, registry, commit, repository } = release;
  const labels = { version, revision: commit, licenses: 'Apache-2.0', ...(repository && { source: repository }) };
  const options = [
    ...Object.entries(labels).map(([name, value]) => `--label=org.opencontainers.image.${name}=${value}`),
    ...(isPushed ? ['--push', '--sbom=true', '--provenance=mode=max'] : ['--load', '--provenance=false']),
  ];
  const lines = imageNames(readText('Dockerfile')).map((name) => {
    const image = `${registry}/${name}:${version}`;
    const metadata = join(folder, 'metadata.json');
    run('docker', [
      'buildx',
      'build',
      ...options,
      `--target=${name}`,
      `--tag=${image}`,
      `--metadata-file=${metadata}`,
      '.',
    ]);
    const made = JSON.parse(readFileSync(metadata, 'utf8')) as Readonly<Record<string, unknown>>;
    rmSync(metadata);
    return `${image}@${String(made['containerimage.digest'])}\n`;
  });
  writeFileSync(join(folder, 'images.txt'), lines.join(''));
}

/** Installs the packed packages in an empty folder, and plays the procedures of READMEs and guides with what is there. */
export function playStories({ folder, version }: Release): void {
  inScratchFolder((empty) => {
    writeFileSync(join(empty, 'package.json'), '{"private": true}');
    const tarballs = ['client', 'cli'].map((name) => join(folder, `procurement-${name}-${version}.tgz`));
    run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...tarballs], {}, empty);
    const installed = join(empty, 'node_modules');
    if (!existsSync(join(installed, '.bin/procurement'))) throw new Error('the package has no program "procurement"');
    run('npx', ['vitest', 'run', '--project', 'e2e', 'test/e2e/code-blocks.test.ts'], {
      INSTALLED_PACKAGES: installed,
    });
  });
}

/** Writes the SHA-256 of all files of the release, as `sha256sum --check` reads them. */
export function writeChecksums({ folder }: Release): void {
  const lines = readdirSync(folder)
    .toSorted()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}\n`,
    );
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''));
}
