import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT, readText } from './deploy/repository.ts';
import {
  buildImages,
  canBuildImages,
  packChart,
  packPackage,
  playStories,
  writeChecksums,
  writePackageList,
} from './release/artefacts.ts';
import { changelogSection, wrongVersions } from './release/readiness.ts';

const USAGE = `npm run release -- <version> [--registry <registry/path>] [--publish]

Makes the files of a release in dist/release/<version>, and plays the procedures of READMEs and guides with the packed packages:
  procurement-client-<version>.tgz, procurement-cli-<version>.tgz   for npm
  procurement-<version>.tgz                                         the chart, for helm
  images.txt                                                        images with their digests, where a Docker engine is
  sbom.cdx.json, CHANGES.txt, SHA256SUMS

Without --publish it is a trial: what is not ready is printed, images stay on this machine. With --publish, from the commit of the
tag v<version>, images are pushed to the registry. .github/workflows/release.yml does it, and publishes the other files.`;

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
}

/** What a release must be and is not. */
function findFaults(version: string, changes: string): readonly string[] {
  const paths = git('ls-files', '*package.json', '*compose.yml', 'deploy/*.yaml').split('\n');
  return [
    ...wrongVersions(new Map(paths.map((path) => [path, readText(path)])), version),
    ...(changes.startsWith(`[${version}] - `) ? [] : [`CHANGELOG.md has no section "## [${version}] - <date>"`]),
    ...['packages/client/README.md', 'packages/cli/README.md']
      .filter((path) => readText(path).includes('not published yet'))
      .map((path) => `${path} says that the package is not published yet`),
    ...(git('status', '--porcelain') === '' ? [] : ['there are changes that are not committed']),
    ...(git('tag', '--points-at', 'HEAD').split('\n').includes(`v${version}`)
      ? []
      : [`this commit has no tag v${version}`]),
  ];
}

/** Undefined for wrong usage. */
function readArguments() {
  try {
    const options = { registry: { type: 'string' }, publish: { type: 'boolean' } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const [version = '', ...others] = positionals;
    if (!/^\d+\.\d+\.\d+$/.test(version) || others.length > 0) return undefined;
    return {
      version,
      registry: values.registry ?? 'images.example.org/procurement',
      isPublished: values.publish === true,
    };
  } catch {
    return undefined;
  }
}

const given = readArguments();
if (given === undefined) {
  console.error(USAGE);
  process.exit(2);
}
const { version, registry, isPublished } = given;
const changes = changelogSection(readText('CHANGELOG.md'), version);
const hasEngine = canBuildImages();
const faults = [
  ...findFaults(version, changes.title),
  ...(hasEngine ? [] : ['no Docker engine with buildx answers here: no images']),
];
for (const fault of faults) console.error(`not ready: ${fault}`);
if (isPublished && faults.length > 0) process.exit(1);

const hosted = process.env['GITHUB_REPOSITORY'];
const release = {
  version,
  registry,
  folder: join(ROOT, 'dist/release', version),
  commit: git('rev-parse', 'HEAD'),
  repository: hosted === undefined ? undefined : `https://github.com/${hosted}`,
};
rmSync(release.folder, { recursive: true, force: true });
mkdirSync(release.folder, { recursive: true });
for (const path of ['packages/client', 'packages/cli']) packPackage(release, path);
playStories(release);
packChart(release);
writePackageList(release);
writeFileSync(join(release.folder, 'CHANGES.txt'), `${changes.text}\n`);
if (hasEngine) buildImages(release, isPublished);
writeChecksums(release);
console.log(release.folder);
