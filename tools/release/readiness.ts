/** A part of CHANGELOG.md. */
interface Section {
  /** `[0.1.0] - 2026-12-01`, or `[Unreleased]` before it is dated. */
  readonly title: string;
  readonly text: string;
}

/** What a changelog says about a version, or about the next one before it has its date. */
export function changelogSection(changelog: string, version: string): Section {
  const sections = changelog
    .split(/^## /m)
    .slice(1)
    .map((part) => ({ title: part.slice(0, part.indexOf('\n')), text: part.slice(part.indexOf('\n')).trim() }));
  const titled = (name: string): Section | undefined => sections.find(({ title }) => title.startsWith(`[${name}]`));
  const section = titled(version) ?? titled('Unreleased');
  if (section === undefined) throw new Error(`CHANGELOG.md has neither a section [${version}] nor [Unreleased]`);
  return section;
}

const IMAGE_VERSIONS = /(?:procurement\/[a-z-]+:(?:\$\{VERSION:-)?|newTag: )(\d+\.\d+\.\d+)/g;
const PACKAGE_VERSIONS = /"(?:version|@procurement\/[a-z-]+)": "(\d+\.\d+\.\d+)"/g;

/** The files that name another version of the project than the one that is released, each with what it names. */
export function wrongVersions(files: ReadonlyMap<string, string>, version: string): readonly string[] {
  return [...files].flatMap(([path, text]) => {
    const found = text.matchAll(path.endsWith('package.json') ? PACKAGE_VERSIONS : IMAGE_VERSIONS);
    const others = new Set([...found].map((match) => match[1]).filter((one) => one !== version));
    return [...others].map((other) => `${path} names ${other}`);
  });
}

/** The programs with an image, as the Dockerfile names their stages. */
export function imageNames(dockerfile: string): readonly string[] {
  return [...dockerfile.matchAll(/^FROM runtime AS ([a-z-]+)$/gm)].flatMap((match) => match[1] ?? []);
}
