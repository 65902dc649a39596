interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
}

/** A list of packages by CycloneDX, as far as this reads it. */
export interface PackageList {
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** Each entry of `licenceTexts` begins with a rule and this line. */
const TITLE = /^-{80}\n(\S+ \S+) \(/gm;

/** Leaves, of a list of everything that is installed, the packages whose licences stand in the images. Throws if one of them is not in the list. */
export function packagesInImages<T extends PackageList>(installed: T, licences: readonly string[]): T {
  const wanted = new Set(licences.flatMap((text) => [...text.matchAll(TITLE)].map(([, title = '']) => title)));
  const components = installed.components.filter(({ name, version }) => wanted.has(`${name} ${version}`));
  const listed = new Set(components.map(({ name, version }) => `${name} ${version}`));
  const missing = [...wanted].filter((title) => !listed.has(title));
  if (missing.length > 0) throw new Error(`the list of packages lacks ${missing.join(', ')}`);
  const refs = new Set(components.map((component) => component['bom-ref']));
  const dependencies = installed.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((needed) => refs.has(needed)) }));
  return { ...installed, components, dependencies };
}
