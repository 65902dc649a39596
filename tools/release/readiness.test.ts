import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { SERVICES, readText, readYaml } from '../deploy/repository.ts';
import { changelogSection, imageNames, wrongVersions } from './readiness.ts';

const CHANGELOG = `# Changelog

## [Unreleased]

- next

## [0.2.0] - 2027-01-01

### For brokers

- second

## [0.1.0] - 2026-12-01

- first
`;

describe('the section of the changelog', () => {
  it('is that of the version, without its neighbours', () => {
    expect(changelogSection(CHANGELOG, '0.2.0')).toEqual({
      title: '[0.2.0] - 2027-01-01',
      text: '### For brokers\n\n- second',
    });
    expect(changelogSection(CHANGELOG, '0.1.0').text).toBe('- first');
  });

  it('is what is unreleased for a version without a date', () => {
    expect(changelogSection(CHANGELOG, '0.3.0')).toEqual({ title: '[Unreleased]', text: '- next' });
    expect(() => changelogSection('# Changelog\n', '0.3.0')).toThrow('neither a section [0.3.0] nor [Unreleased]');
  });
});

describe('versions', () => {
  it.each([
    ['packages/client/package.json', '{"version": "0.1.0"}', ['packages/client/package.json names 0.1.0']],
    [
      'tools/package.json',
      '{"dependencies": {"@procurement/kit": "0.1.0", "pg": "8.23.1"}}',
      ['tools/package.json names 0.1.0'],
    ],
    ['docker-compose.yml', 'image: procurement/bids:${VERSION:-0.1.0}', ['docker-compose.yml names 0.1.0']],
    ['base/bids.yaml', 'image: procurement/bids:0.2.0\nimage: postgres:18.1.0', []],
    ['kustomization.yaml', '    newTag: 0.1.9', ['kustomization.yaml names 0.1.9']],
  ])('of another release are found: %s', (path, text, wrong) => {
    expect(wrongVersions(new Map([[path, text]]), '0.2.0')).toEqual(wrong);
  });
});

describe('the workflow', () => {
  it('takes the host of the registry from a variable of the repository', () => {
    const workflow = readText('.github/workflows/release.yml');
    expect(workflow.match(/\b[\w-]+\.(?:com|io|org)\b/g)).toBeNull();
    expect(workflow).toContain('REGISTRY: ${{ vars.REGISTRY }}');
  });

  it.each([
    ['v0.1.0\nv0.2.0', 1],
    ['v0.2.0.1\nv0.1.0', 0],
    ['', 0],
  ])('stops where the releases of GitHub are %j and the tag is v0.2.0: %d', (published, status) => {
    const Workflow = z.object({ jobs: z.object({ release: z.object({ steps: z.array(z.looseObject({})) }) }) });
    const { steps } = Workflow.parse(readYaml('.github/workflows/release.yml')[0]).jobs.release;
    const script = z.string().parse(steps[1]?.['run']);
    // As a runner does it, with releases in the place of GitHub's.
    const answer = spawnSync('bash', ['-e', '-c', `gh() { printf '%s' "$PUBLISHED"; }\n${script}`], {
      env: { PATH: process.env['PATH'], GITHUB_REF_NAME: 'v0.2.0', PUBLISHED: published },
    });
    expect(answer.status).toBe(status);
  });
});

describe('images', () => {
  it('are those of services, apps and commands', () => {
    const names = imageNames(readText('Dockerfile'));
    expect(names).toEqual(
      expect.arrayContaining([...SERVICES, 'auction-room', 'portal', 'nats-certificates', 'verify']),
    );
  });
});
