import { getConfig } from '@testing-library/react';
import { run } from 'axe-core';
import type { AxeResults } from 'axe-core';

/** axe violations of an element, as sentences. Colours and rendered text need a real browser and are checked there. */
export async function violationsOf(element: Element): Promise<readonly string[]> {
  const rules = { 'color-contrast': { enabled: false }, 'label-content-name-mismatch': { enabled: false }, region: { enabled: false } };
  // It takes a while, during which answers arrive and timers run, as during `waitFor`.
  const { violations }: AxeResults = await getConfig().asyncWrapper(() => run(element as HTMLElement, { rules }));
  return violations.map((one) => `${one.id}: ${one.help} (${one.nodes.map((node) => node.html.slice(0, 160)).join(' | ')})`);
}
