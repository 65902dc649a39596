import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium, startBrowser } from '../test/support/chromium.ts';
import { IMAGES, isManifestOld, writeManifest } from './screenshots/manifest.ts';
import { startShowcase } from './screenshots/portal-pictures.ts';
import { shoot, type Picture } from './screenshots/shoot.ts';
import { stackPictures } from './screenshots/stack-pictures.ts';

// `npm run screenshots`: writes the pictures of docs/images (portal.md 14). Needs a Chromium. `-- portal`: those of the portal only, which are
// the same to the pixel while their sources are. `tools/screenshots.ts check`: fails when views or sheets have changed since.

/**
 * Letters with grey edges at their exact places look the same with other settings of fonts. What scrolls or sticks is drawn whole and in
 * one thread: otherwise its edges differ from run to run.
 */
const CHROMIUM_OPTIONS = [
  '--disable-lcd-text',
  '--font-render-hinting=none',
  '--disable-partial-raster',
  '--disable-threaded-scrolling',
];

const [command] = process.argv.slice(2);
if (command === 'check') {
  if (isManifestOld()) {
    console.error('docs/images is older than the views and sheets of the pages');
    process.exitCode = 1;
  }
} else await takeAll(command === 'portal');

async function takeAll(isPortalOnly: boolean): Promise<void> {
  const chromium = findChromium();
  if (chromium === undefined) {
    process.exitCode = 1;
    return;
  }
  mkdirSync(IMAGES, { recursive: true });
  const browser = await startBrowser(chromium, CHROMIUM_OPTIONS);
  try {
    const take = async (picture: Picture): Promise<void> => {
      const image = await shoot(browser, picture);
      writeFileSync(join(IMAGES, `${picture.name}.png`), image);
      console.log(`docs/images/${picture.name}.png  ${Math.ceil(image.length / 1000)} kB`);
    };
    const showcase = await startShowcase();
    for (const picture of showcase.pictures) await take(picture);
    showcase.stop();
    if (isPortalOnly) return;
    await stackPictures(take);
    writeManifest();
  } finally {
    await browser.close();
  }
}
