/** Scripts for a page that answer what readers cannot see, as texts of elements. */

/** Faults of the element with the focus: no outline, outside of the window, or covered by another one. */
export const focusFaults = `(() => {
  const it = document.activeElement;
  if (it === null || it === document.body) return [];
  const name = it.outerHTML.slice(0, 100);
  const { outlineStyle, outlineWidth } = getComputedStyle(it);
  const rects = [...it.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
  const isIn = ({ left, top, right, bottom }) => right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
  const isOnTop = ({ left, top, right, bottom }) => {
    const x = Math.min(Math.max((left + right) / 2, 1), innerWidth - 1);
    const y = Math.min(Math.max((top + bottom) / 2, 1), innerHeight - 1);
    const found = document.elementFromPoint(x, y);
    return found !== null && (it.contains(found) || found.contains(it));
  };
  return [
    ...(outlineStyle === 'none' || parseFloat(outlineWidth) < 2 ? ['no outline: ' + name] : []),
    ...(rects.some(isIn) ? [] : ['out of sight: ' + name]),
    ...(rects.some((rect) => isIn(rect) && isOnTop(rect)) ? [] : ['covered: ' + name]),
  ];
})()`;

/** Texts that reach out of an element that hides what does not fit, out of the window, or out of their control. */
export const cutTexts = `(() => {
  const found = [];
  const edge = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > edge) found.push('the page scrolls sideways: ' + document.documentElement.scrollWidth);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node.data.trim() === '' || !node.parentElement.checkVisibility()) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()].filter(({ width }) => width > 0);
    if (rects.length === 0) continue;
    const [left, right] = [Math.min(...rects.map((it) => it.left)), Math.max(...rects.map((it) => it.right))];
    const [top, bottom] = [Math.min(...rects.map((it) => it.top)), Math.max(...rects.map((it) => it.bottom))];
    let scrolls = false;
    for (let it = node.parentElement; it !== null; it = it.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(it);
      const box = it.getBoundingClientRect();
      // For programs that read aloud only.
      if (box.width <= 1 && box.height <= 1) { scrolls = true; break; }
      if (overflowX === 'auto' || overflowX === 'scroll') scrolls = true;
      const isCut = (!scrolls && /hidden|clip/.test(overflowX) && (right > box.right + 1 || left < box.left - 1)) ||
        (/hidden|clip/.test(overflowY) && (bottom > box.bottom + 1 || top < box.top - 1));
      if (isCut) { found.push('cut: ' + node.data.trim().slice(0, 60)); break; }
      if (/^(?:BUTTON|SUMMARY|TH|TD)$/.test(it.tagName) || it.matches('.tag, .button, .chips a'))
        if (!scrolls && (right > box.right + 1 || bottom > box.bottom + 2 || top < box.top - 2))
          found.push('spills out of its control: ' + node.data.trim().slice(0, 60));
    }
    if (!scrolls && (right > edge + 1 || left < -1) && node.parentElement.closest('.skip-link') === null)
      found.push('beyond the window: ' + node.data.trim().slice(0, 60));
  }
  return [...new Set(found)];
})()`;
