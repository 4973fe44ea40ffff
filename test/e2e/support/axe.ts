import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';

/** For `addInitScript`: axe runs in the page. */
export const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const standard = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** What axe finds wrong on the page as it is shown now, as sentences. */
export async function violations(page: Page): Promise<string[]> {
  // What is still fading in has other colours than what a reader gets to see.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((one) => one.effect?.getTiming().iterations !== Infinity)
        // One that is called off has no end; what it belonged to is gone.
        .map((one) => one.finished.catch(() => undefined)),
    ),
  );
  const found = await page.evaluate(
    (tags) => (globalThis as unknown as { axe: { run: (options: object) => Promise<AxeResults> } }).axe.run({ runOnly: tags, resultTypes: ['violations'] }),
    standard,
  );
  return found.violations.flatMap((one) => one.nodes.map((node) => `${page.url()} ${one.id}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`));
}
