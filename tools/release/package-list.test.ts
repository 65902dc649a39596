import { describe, expect, it } from 'vitest';
import { packagesInImages } from './package-list.ts';

const component = (name: string) => ({ 'bom-ref': `${name}@1.0.0`, name, version: '1.0.0' });
const installed = {
  bomFormat: 'CycloneDX',
  components: ['@a/served', 'needed', 'of-tests'].map(component),
  dependencies: [
    { ref: '@a/served@1.0.0', dependsOn: ['needed@1.0.0', 'of-tests@1.0.0'] },
    { ref: 'needed@1.0.0', dependsOn: [] },
    { ref: 'of-tests@1.0.0', dependsOn: ['needed@1.0.0'] },
  ],
};
const RULE = '-'.repeat(80);
const writeLicence = (title: string): string => `Licences.\n\n${RULE}\n${title}\n${RULE}\n\nthe text of MIT 1 (x)\n`;

describe('packagesInImages', () => {
  it('leaves what the licences of the images name, each once', () => {
    const images = ['@a/served 1.0.0 (MIT)', 'needed 1.0.0 (see text)', 'needed 1.0.0 (see text)'].map(writeLicence);
    expect(packagesInImages(installed, images)).toEqual({
      bomFormat: 'CycloneDX',
      components: ['@a/served', 'needed'].map(component),
      dependencies: [
        { ref: '@a/served@1.0.0', dependsOn: ['needed@1.0.0'] },
        { ref: 'needed@1.0.0', dependsOn: [] },
      ],
    });
  });

  it('refuses an image with a package that the list lacks', () => {
    expect(() => packagesInImages(installed, [writeLicence('needed 2.0.0 (MIT)')])).toThrow('lacks needed 2.0.0');
  });
});
