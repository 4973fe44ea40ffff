import { resultWidth } from '../../../../../contract/seo/textWidth';
import type { PageFacts } from '../../../../../contract/crawler/facts';
import { shortened } from './group';
import type { PageRuleGroup, PageRuleInput } from './group';

function texts({ facts, rules, report }: PageRuleInput, part: 'title' | 'description'): void {
  const all = (part === 'title' ? facts.titles : facts.descriptions).map((text) => text.trim());
  const first = all.find((text) => text !== '');
  if (first === undefined) {
    report(`${part}_missing`);
    return;
  }
  if (part === 'title' && all.length > 1) report('title_multiple', { count: all.length });
  const { pixels } = resultWidth(first, part, 'desktop');
  const min = rules.parameter(`${part}_length`, 'minPixels');
  const max = rules.parameter(`${part}_length`, 'maxPixels');
  if (pixels < min || pixels > max) report(`${part}_length`, { kind: pixels < min ? 'short' : 'long', pixels, min, max, text: shortened(first) });
}

/** The first heading that is more than one level below the one before it. */
function skipped(headings: PageFacts['headings']): { readonly from: number; readonly to: number; readonly text: string } | null {
  let before = 0;
  for (const { level, text } of headings) {
    if (before > 0 && level > before + 1) return { from: before, to: level, text: shortened(text, 80) };
    before = level;
  }
  return null;
}

export const titleRules: PageRuleGroup = (input) => {
  if (!input.isListed) return;
  const { facts, report } = input;
  texts(input, 'title');
  texts(input, 'description');
  const main = facts.headings.filter(({ level }) => level === 1);
  if (!main.some(({ text }) => text.trim() !== '')) report('heading_missing');
  if (main.length > 1) report('heading_multiple', { count: main.length });
  const gap = skipped(facts.headings);
  if (gap) report('heading_order', gap);
};
