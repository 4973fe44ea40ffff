import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';

/** For `addInitScript`: axe runs in the page. */
export const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const standard = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** How often a page that keeps changing is checked at most. */
const mostLooks = 5;

/** Which rules are checked: those of WCAG and that visible labels are part of the accessible name, or only the contrast of colours. */
type Rules = 'all' | 'colours';

/** The violations that axe finds on the page as currently shown, as sentences. */
export async function violations(page: Page, rules: Rules = 'all'): Promise<string[]> {
  for (let look = 1; ; look++) {
    const { found, moved } = await axeOnce(page, rules);
    // Violations found while content was loading may not occur in any settled state.
    if (found.length === 0 || !moved || look === mostLooks) return found;
  }
}

const optionsOf = (rules: Rules): object => ({
  resultTypes: ['violations'],
  ...(rules === 'all'
    ? { runOnly: standard, rules: { 'label-content-name-mismatch': { enabled: true } } }
    : { runOnly: { type: 'rule', values: ['color-contrast'] } }),
});

async function axeOnce(page: Page, rules: Rules): Promise<{ readonly found: string[]; readonly moved: boolean }> {
  const { violations: all, moved } = await page.evaluate(async (options) => {
    const moving = () => document.getAnimations().filter((one) => one.effect?.getTiming().iterations !== Infinity);
    // Elements that are still fading in have other colours than at the end.
    // A cancelled animation rejects; its element is gone.
    await Promise.all(moving().map((one) => one.finished.catch(() => undefined)));
    let changed = false;
    const watch = new MutationObserver(() => (changed = true));
    watch.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
    const { axe: run } = globalThis as unknown as { axe: { run: (options: object) => Promise<AxeResults> } };
    const { violations: some } = await run.run(options);
    watch.disconnect();
    return { violations: some, moved: changed || moving().length > 0 };
  }, optionsOf(rules));
  const found = all.flatMap((one) => one.nodes.map((node) => `${page.url()} ${one.id}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`));
  return { found, moved };
}
