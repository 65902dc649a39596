import type { Page } from 'playwright-core';

/** Colours of elements that are no colour of the tokens; Swagger UI has some of its own. */
const FOREIGN_COLOURS = `(() => {
  const names = [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .filter((rule) => rule.selectorText === ':root')
    .flatMap((rule) => [...rule.style].filter((name) => name.startsWith('--')));
  const probe = document.body.appendChild(document.createElement('i'));
  const tokens = new Set(['rgba(0, 0, 0, 0)', 'none']);
  for (const name of names) {
    probe.style.color = '';
    probe.style.color = 'var(' + name + ')';
    tokens.add(getComputedStyle(probe).color);
  }
  probe.remove();
  const found = [...document.querySelectorAll('body, body *')]
    .filter((element) => element.closest('#swagger-ui, head, script, noscript') === null && element.checkVisibility())
    .flatMap((element) => {
      const style = getComputedStyle(element);
      const sides = ['top', 'right', 'bottom', 'left'].filter((side) => style['border-' + side + '-width'] !== '0px');
      const drawn = element.closest('svg') === null ? [] : [style.stroke];
      return [style.color, style.backgroundColor, ...sides.map((side) => style['border-' + side + '-color']), ...drawn]
        .filter((colour) => !tokens.has(colour))
        .map((colour) => colour + ' of ' + element.outerHTML.slice(0, 80));
    });
  return { tokens: tokens.size, found: [...new Set(found)].slice(0, 5) };
})()`;

/** Fewer say that the sheet was not read. */
const TOKENS_MIN = 20;

/** What the pages have in common. */
const COMMON_LOOK = `(() => {
  const of = (selector, name) => getComputedStyle(document.querySelector(selector))[name];
  return [of('.site-header', 'backgroundColor'), of('body', 'fontFamily'), of('.site-footer a', 'color'), of('h1', 'color')];
})()`;

const FONT = '-apple-system, "Segoe UI", Roboto, Inter, "Noto Sans", "Open Sans", "Liberation Sans", Arial, sans-serif';
/** The same on every page of the system, by colour scheme. */
export const LOOKS = {
  light: ['rgb(15, 39, 66)', FONT, 'rgb(11, 83, 148)', 'rgb(20, 24, 31)'],
  dark: ['rgb(10, 27, 48)', FONT, 'rgb(140, 192, 255)', 'rgb(232, 236, 241)'],
};

/** Colours of a page that are none of the tokens, with the elements that have them. */
export async function foreignColours(page: Page): Promise<readonly string[]> {
  // Safe cast: what the text above answers.
  const { tokens, found } = (await page.evaluate(FOREIGN_COLOURS)) as { tokens: number; found: string[] };
  if (tokens < TOKENS_MIN) throw new Error(`${page.url()} has ${tokens} tokens`);
  return found;
}

export const commonLook = async (page: Page): Promise<unknown> => page.evaluate(COMMON_LOOK);
