import type { Page } from '@playwright/test';

/**
 * Places for a finger that are too small: what can be pressed, with the height and width in which it is really hit, its label and what is drawn over it
 * included. Links within a sentence are as high as its lines (WCAG 2.5.5 excepts them as well).
 */
function readSmallTargets(least: number): string[] {
  const pressed = 'a[href], button, input:not([type="hidden"]), select, textarea, summary, [role="button"], [role="tab"], [role="menuitem"], [role="option"]';
  const isShown = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect();
    return width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true }) && !element.closest('[inert], [aria-hidden="true"], :disabled');
  };
  /** Whether text stands beside it in the same line box: a link of a sentence. */
  const isInText = (element: Element): boolean => {
    if (getComputedStyle(element).display !== 'inline') return false;
    const block = element.parentElement;
    return block !== null && [...block.childNodes].some((node) => node !== element && (node.textContent ?? '').trim().length > 1);
  };
  const isHit = (element: HTMLElement, x: number, y: number): boolean => {
    const hit = document.elementFromPoint(x, y);
    if (!hit) return false;
    if (element.contains(hit)) return true;
    const label = hit.closest('label');
    if (label !== null && (label.control === element || label.contains(element))) return true;
    // A field focuses its input wherever it is pressed, and a row that leads somewhere is pressed anywhere.
    if (hit.closest('.MuiInputBase-root')?.contains(element) === true) return true;
    const row = hit.closest('tr');
    return row !== null && hit.closest('a, button') === null && row === element.closest('tr') && getComputedStyle(row).cursor === 'pointer';
  };
  /** How far it is hit from its middle in one direction, at most `least` px. */
  const reach = (element: HTMLElement, x: number, y: number, [dx, dy]: readonly [number, number]): number => {
    for (let far = 1; far <= least; far++) if (!isHit(element, x + dx * far, y + dy * far)) return far - 1;
    return least;
  };
  const describe = (element: HTMLElement): string => {
    const name = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().replaceAll(/\s+/g, ' ').slice(0, 40);
    const classes =
      typeof element.className === 'string'
        ? element.className
            .split(' ')
            .filter((one) => !one.startsWith('css-'))
            .slice(0, 3)
            .join('.')
        : '';
    return `${element.tagName.toLowerCase()}${classes === '' ? '' : `.${classes}`} “${name}”`;
  };

  const found: string[] = [];
  for (const element of document.querySelectorAll<HTMLElement>(pressed)) {
    if (!isShown(element) || isInText(element)) continue;
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const box = element.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    // Something lies over it, or it is outside of what can be seen: nothing to measure.
    if (!isHit(element, x, y)) continue;
    const height = reach(element, x, y, [0, -1]) + reach(element, x, y, [0, 1]) + 1;
    const width = reach(element, x, y, [-1, 0]) + reach(element, x, y, [1, 0]) + 1;
    if (Math.min(height, width) < least) found.push(`a place for a finger of ${String(width)} × ${String(height)} px: ${describe(element)}`);
  }
  scrollTo(0, 0);
  return [...new Set(found)];
}

/** Least height and width in px. Parts are 44 px high; the neighbours of some cover a few of them. */
const least = 36;

export const smallTargets = (page: Page): Promise<string[]> => page.evaluate(readSmallTargets, least);
