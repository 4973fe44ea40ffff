import { run } from 'axe-core';

/** What axe finds wrong in a piece of the page, as sentences. Colours and drawn letters need a real browser and are looked at there. */
export async function faultsOf(element: Element): Promise<readonly string[]> {
  const { violations } = await run(element as HTMLElement, {
    rules: { 'color-contrast': { enabled: false }, 'label-content-name-mismatch': { enabled: false }, region: { enabled: false } },
  });
  return violations.map((one) => `${one.id}: ${one.help} (${one.nodes.map((node) => node.html.slice(0, 160)).join(' | ')})`);
}
