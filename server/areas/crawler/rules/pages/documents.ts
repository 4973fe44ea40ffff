import type { PageRuleGroup } from './group';

/** Whether a viewport forbids magnifying: WCAG 2.2, 1.4.4 needs twice the size. */
const forbidsZoom = (viewport: string): boolean => {
  const value = (name: string): string | null => new RegExp(String.raw`(?:^|[,;\s])${name}\s*=\s*([\w.]+)`, 'i').exec(viewport)?.[1] ?? null;
  const scale = value('maximum-scale');
  return ['no', '0'].includes(value('user-scalable')?.toLowerCase() ?? '') || (scale !== null && Number(scale) < 2);
};

export const mobileRules: PageRuleGroup = ({ facts, isPage, report }) => {
  if (!isPage) return;
  if (facts.viewport === null || facts.viewport.trim() === '') report('mobile_viewport', { kind: 'missing', value: '–' });
  else if (forbidsZoom(facts.viewport)) report('mobile_viewport', { kind: 'zoom', value: facts.viewport });
};

export const domRules: PageRuleGroup = ({ facts, rules, isPage, report }) => {
  if (!isPage) return;
  const elements = rules.parameter('dom_large', 'elements');
  const depth = rules.parameter('dom_large', 'depth');
  if (facts.elements > elements || facts.depth > depth) report('dom_large', { elements: facts.elements, depth: facts.depth });
  if (facts.duplicateIds[0] !== undefined) report('dom_duplicate_id', { count: facts.duplicateIds.length, id: facts.duplicateIds[0] });
  if (facts.metaInBody || facts.canonicals.some(({ inBody }) => inBody)) report('dom_meta_in_body');
};

export const accessibilityRules: PageRuleGroup = ({ facts, isPage, report }) => {
  if (!isPage) return;
  if (facts.unlabelledFields > 0) report('accessibility_label', { count: facts.unlabelledFields });
  if (facts.unnamedControls > 0) report('accessibility_name', { count: facts.unnamedControls });
  if (!facts.landmarks.main) report('accessibility_landmark');
};
