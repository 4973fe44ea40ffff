import type { Page } from '@playwright/test';

/**
 * Texts that an ancestor cuts off where they cannot be scrolled into view, without an ellipsis; and those with an ellipsis whose whole text is nowhere:
 * neither in a tooltip nor in an accessible name.
 */
function readCutTexts(): string[] {
  const styles = new Map<Element, CSSStyleDeclaration>();
  const styleOf = (element: Element): CSSStyleDeclaration => {
    const style = styles.get(element) ?? getComputedStyle(element);
    styles.set(element, style);
    return style;
  };
  const hides = (overflow: string): boolean => overflow === 'hidden' || overflow === 'clip';
  const scrolls = (overflow: string): boolean => overflow === 'auto' || overflow === 'scroll';
  const shortens = (style: CSSStyleDeclaration): boolean => style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none';
  const describe = (element: Element, text: string): string =>
    `“${text.slice(0, 80)}” in ${element.tagName.toLowerCase()}${typeof element.className === 'string' && element.className !== '' ? `.${element.className.split(' ').slice(0, 2).join('.')}` : ''}`;

  /** Why the text is cut; null when it can be read. */
  const reasonOf = (parent: Element, text: string, lines: readonly DOMRect[], box: DOMRect): string | null => {
    const lineHeight = Math.max(...lines.map(({ height }) => height));
    let [canScrollX, canScrollY] = [false, false];
    for (let element: Element | null = parent; element && element !== document.body; element = element.parentElement) {
      const style = styleOf(element);
      const frame = element.getBoundingClientRect();
      const isInline = style.display === 'inline' || style.display === 'contents';
      if (!isInline && (frame.width <= 1 || frame.height <= 1)) return null;
      const isOutside = box.right <= frame.left || box.left >= frame.right || box.bottom <= frame.top || box.top >= frame.bottom;
      canScrollX ||= scrolls(style.overflowX);
      canScrollY ||= scrolls(style.overflowY);
      if (!isInline && !canScrollX && hides(style.overflowX)) {
        if (isOutside) return null;
        if (Math.max(box.right - frame.right, frame.left - box.left) > 1.5 && !shortens(style)) return 'is cut at its side';
        if (shortens(style) && element.scrollWidth > element.clientWidth + 1) {
          const named = element.closest('[title], [aria-label], [aria-labelledby], [data-tooltip]');
          const whole = `${named?.getAttribute('title') ?? ''} ${named?.getAttribute('aria-label') ?? ''} ${named?.getAttribute('data-tooltip') ?? ''}`;
          return whole.includes(text) ? null : 'is shortened without a tooltip';
        }
      }
      if (!isInline && !canScrollY && hides(style.overflowY) && !isOutside && style.webkitLineClamp === 'none' && box.bottom - frame.bottom > lineHeight / 4)
        return 'is cut at its bottom';
      if (style.position === 'fixed') return null;
    }
    return null;
  };

  const found = new Set<string>();
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    const parent = node.parentElement;
    const text = node.textContent?.trim() ?? '';
    if (text === '' || !parent || !parent.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || parent.closest('[inert], noscript')) continue;
    range.selectNodeContents(node);
    const lines = [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
    const reason = lines.length === 0 ? null : reasonOf(parent, text, lines, range.getBoundingClientRect());
    if (reason !== null) found.add(`${reason}: ${describe(parent, text)}`);
  }
  const pen = document.createElement('canvas').getContext('2d');
  for (const field of document.querySelectorAll<HTMLInputElement>('input[placeholder]')) {
    const { font, paddingLeft, paddingRight, textOverflow } = getComputedStyle(field);
    if (!pen || field.value !== '' || textOverflow === 'ellipsis' || !field.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    pen.font = font;
    const space = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    if (space > 1 && pen.measureText(field.placeholder).width > space + 1) found.add(`the placeholder is cut: ${describe(field, field.placeholder)}`);
  }
  return [...found];
}

export const cutTexts = (page: Page): Promise<string[]> => page.evaluate(readCutTexts);

/** By how many pixels the page can be scrolled sideways, with the elements that stick out; empty when it fits. `innerWidth` does not tell: on phones it grows with overflowing content. */
export const sideways = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const excess = scrollWidth - clientWidth;
    if (excess <= 0) return [];
    const outside = [...document.querySelectorAll('body *')].filter((element) => element.getBoundingClientRect().right > clientWidth + 1);
    const outermost = outside.filter((element) => !outside.includes(element.parentElement ?? document.body));
    return [
      `the page is ${excess} px too wide: ${outermost
        .slice(0, 3)
        .map((element) => element.outerHTML.slice(0, 120))
        .join(' · ')}`,
    ];
  });
