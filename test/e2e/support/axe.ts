import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';

/** For `addInitScript`: axe runs in the page. */
export const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const standard = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Looks at a page that goes on changing this often at most. */
const mostLooks = 5;

/** What axe finds wrong on the page as it is shown now, as sentences. */
export async function violations(page: Page): Promise<string[]> {
  for (let look = 1; ; look++) {
    const { found, moved } = await axeOnce(page);
    // What was found while parts came and went may be in none of the states that a reader gets to see.
    if (found.length === 0 || !moved || look === mostLooks) return found;
  }
}

async function axeOnce(page: Page): Promise<{ readonly found: string[]; readonly moved: boolean }> {
  const { violations: all, moved } = await page.evaluate(async (tags) => {
    const moving = () => document.getAnimations().filter((one) => one.effect?.getTiming().iterations !== Infinity);
    // What is still fading in has other colours than what a reader gets to see.
    // One that is called off has no end; what it belonged to is gone.
    await Promise.all(moving().map((one) => one.finished.catch(() => undefined)));
    let changed = false;
    const watch = new MutationObserver(() => (changed = true));
    watch.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
    const { axe: run } = globalThis as unknown as { axe: { run: (options: object) => Promise<AxeResults> } };
    const { violations: some } = await run.run({ runOnly: tags, resultTypes: ['violations'] });
    watch.disconnect();
    return { violations: some, moved: changed || moving().length > 0 };
  }, standard);
  const found = all.flatMap((one) => one.nodes.map((node) => `${page.url()} ${one.id}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`));
  return { found, moved };
}
