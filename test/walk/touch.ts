import type { Page } from '@playwright/test';

/**
 * Finds touch targets that are too small. Measures the area in which each control is really hit, including its label and enlarged hit areas, and excluding
 * whatever covers it. Links within a sentence are exempt, as in WCAG 2.5.5.
 */
function readSmallTargets(least: number): string[] {
  const roles = ['button', 'tab', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'option', 'combobox', 'checkbox', 'radio', 'switch'];
  const pressed = ['a[href]', 'button', 'input:not([type="hidden"])', 'select', 'textarea', 'summary', ...roles.map((role) => `[role="${role}"]`)].join();
  const isShown = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect();
    return width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true }) && !element.closest('[inert], [aria-hidden="true"], :disabled');
  };
  /** Whether it is a link with text beside it on its line. */
  const isInText = (element: Element): boolean => {
    const [line] = element.getClientRects();
    if (getComputedStyle(element).display !== 'inline' || !line) return false;
    const range = document.createRange();
    return [...(element.parentElement?.childNodes ?? [])].some((node) => {
      if (node.nodeType !== Node.TEXT_NODE || (node.textContent ?? '').trim() === '') return false;
      range.selectNodeContents(node);
      return [...range.getClientRects()].some(({ top, bottom }) => top < line.bottom && bottom > line.top);
    });
  };
  const isHit = (element: HTMLElement, x: number, y: number): boolean => {
    const hit = document.elementFromPoint(x, y);
    if (!hit) return false;
    if (element.contains(hit)) return true;
    const label = hit.closest('label');
    if (label !== null && (label.control === element || label.contains(element))) return true;
    // A field focuses its input wherever it is pressed, and a row that leads somewhere is pressed anywhere.
    if (element.matches('input, textarea') && hit.closest('.MuiInputBase-root')?.contains(element) === true) return true;
    const row = element.closest('tr');
    return (
      element.matches('[data-row], a') && row !== null && hit.closest('tr') === row && !hit.closest('a, button') && getComputedStyle(row).cursor === 'pointer'
    );
  };
  /** How far it is hit from a point in one direction, at most `least` px. */
  const reach = (element: HTMLElement, x: number, y: number, [dx, dy]: readonly [number, number]): number => {
    for (let far = 1; far <= least; far++) if (!isHit(element, x + dx * far, y + dy * far)) return far - 1;
    return least;
  };
  const describe = (element: HTMLElement): string => {
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : element.textContent;
    const name = (element.getAttribute('aria-label') ?? label ?? '').trim().replaceAll(/\s+/g, ' ').slice(0, 40);
    const classes = [...element.classList].filter((one) => !one.startsWith('c-')).slice(0, 3);
    return `${[element.tagName.toLowerCase(), ...classes].join('.')} “${name}”`;
  };

  const found: string[] = [];
  for (const element of document.querySelectorAll<HTMLElement>(pressed)) {
    if (!isShown(element) || isInText(element)) continue;
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const [line = element.getBoundingClientRect()] = element.getClientRects();
    const [x, y] = [line.left + line.width / 2, line.top + line.height / 2];
    // Something lies over it, or it is outside of what can be seen: nothing to measure.
    if (!isHit(element, x, y)) continue;
    const height = reach(element, x, y, [0, -1]) + reach(element, x, y, [0, 1]) + 1;
    const width = reach(element, x, y, [-1, 0]) + reach(element, x, y, [1, 0]) + 1;
    if (Math.min(height, width) < least) found.push(`a touch target of ${String(width)} × ${String(height)} px: ${describe(element)}`);
  }
  scrollTo(0, 0);
  return [...new Set(found)];
}

/** Least height and width in px. Targets are 44 px high, but neighbours may cover a few of them. */
const leastSize = 36;

export const smallTargets = (page: Page): Promise<string[]> => page.evaluate(readSmallTargets, leastSize);
