import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** A picture of docs/images: the file `<name>.png`, and what is in it. */
export interface Picture {
  readonly name: string;
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly isDark?: boolean;
  /** What is done on the page before its picture is taken. */
  readonly first?: (page: Page) => Promise<void>;
  /** The page down to its end, at least `height`. */
  readonly isWhole?: boolean;
}

/** Takes the picture of a page at its width, as it is at first: nothing is open, nothing has the focus. */
export async function shoot(browser: Browser, picture: Picture): Promise<Buffer> {
  const { url, width, height, isDark = false, isWhole = false, first } = picture;
  const options: BrowserContextOptions = {
    viewport: { width, height },
    colorScheme: isDark ? 'dark' : 'light',
    locale: 'en-GB',
    timezoneId: 'Europe/Kyiv',
  };
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const answer = await page.goto(url, { waitUntil: 'networkidle' });
  if (answer?.ok() !== true) throw new Error(`${url} answered ${answer?.status()}`);
  await first?.(page);
  const image = await page.screenshot({ fullPage: isWhole });
  await context.close();
  return image;
}
