/** Icons of 24 × 24 px, drawn as lines: the value of `d` of their path. Colour never stands alone (portal.md 2.1). */
export const ICONS = {
  tick: 'M4 12.5l5.5 5.5L20 6.5',
  cross: 'M5 5l14 14M19 5L5 19',
  dot: 'M12 12h.01M12 4a8 8 0 100 16 8 8 0 000-16z',
  clock: 'M12 7v5l3.5 2M12 3a9 9 0 100 18 9 9 0 000-18z',
  warn: 'M12 4L2.5 20h19L12 4zM12 10v4.5M12 17.2v.1',
  info: 'M12 11v6M12 7.3v.1M12 3a9 9 0 100 18 9 9 0 000-18z',
  seal: 'M6 11V8a6 6 0 0112 0v3M5 11h14v10H5zM12 15v2',
  file: 'M6 3h8l5 5v13H6zM14 3v5h5',
  next: 'M9 5l7 7-7 7',
} as const;

export type IconName = keyof typeof ICONS;

/** The icon of each tone of a tag or notice. */
export const TONE_ICON = { good: 'tick', warn: 'warn', bad: 'cross', info: 'info', neutral: 'dot' } as const;

export type Tone = keyof typeof TONE_ICON;

/** The emblem of the site: 26 × 26 px, `rect` in the colour of the mark. */
export const EMBLEM_PATH = 'M7 13.5l4 4 8-9';

/** `/favicon.svg` of every server. */
export const FAVICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 26 26"><rect width="26" height="26" rx="6" fill="#0f2742"/><rect x="1" y="1" width="24" height="24" rx="5" fill="none" stroke="#ffcf24" stroke-width="2"/><path d="${EMBLEM_PATH}" fill="none" stroke="#fff" stroke-width="2.5"/></svg>`;
