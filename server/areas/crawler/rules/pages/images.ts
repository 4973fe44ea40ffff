import type { PageRuleGroup } from './group';

/** Pictures smaller than this are icons, which nobody waits for. */
const iconPixels = 100;

export const imageRules: PageRuleGroup = ({ page, facts, rules, isPage, report }) => {
  if (page.internal && page.status === 200 && page.mime.startsWith('image/')) {
    const limit = rules.parameter('image_large', 'kilobytes');
    if (page.bytes > limit * 1024) report('image_large', { kilobytes: Math.round(page.bytes / 1024), limit });
  }
  if (!isPage) return;
  const without = facts.images.filter(({ alt }) => alt === null);
  if (without[0]) report('image_alt', { count: without.length, url: without[0].url });
  const unsized = facts.images.filter(({ width, height }) => width === null || height === null);
  if (unsized[0]) report('image_dimensions', { count: unsized.length, url: unsized[0].url });
  const main = facts.images.find(({ position, width }) => position === 'main' && (width === null || width >= iconPixels));
  if (main?.lazy === true) report('image_lazy', { url: main.url });
};
