import { svgLimits } from './allowed';
import { urlsIn } from './css';
import { elementsOf } from './tree';
import type { SvgElement } from './tree';

/** Ids that an element refers to: by `href`, by its attributes, and by the rules of style sheets for its classes, id and name. */
function targetsOf({ name, attributes }: SvgElement, styles: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const targets = new Set<string>();
  const href = attributes.get('href');
  if (href?.startsWith('#')) targets.add(href.slice(1));
  for (const value of attributes.values()) if (value.includes('url(#')) for (const id of urlsIn(value)) targets.add(id);
  if (styles.size === 0) return targets;
  const classes = (attributes.get('class') ?? '').split(/\s+/).map((one) => `.${one}`);
  for (const key of [...classes, `#${attributes.get('id') ?? ''}`, name, '*']) for (const id of styles.get(key) ?? []) targets.add(id);
  return targets;
}

/**
 * Whether an SVG is too large once each reference is replaced by what it refers to. Ten elements that each use the next one ten times are ten thousand million.
 * Browsers ignore references in a circle, and so does this. `styles`: references of style sheets, as `cleanSheet` returns them.
 */
export function isTooComplex(root: SvgElement, styles: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const byId = new Map<string, SvgElement>();
  for (const element of elementsOf(root)) {
    const id = element.attributes.get('id');
    if (id !== undefined && !byId.has(id)) byId.set(id, element);
  }
  const costs = new Map<SvgElement, number>();

  /** Elements after replacement; Infinity beyond a limit. */
  function costOf(element: SvgElement, depth: number): number {
    const known = costs.get(element);
    if (known !== undefined) return known;
    if (depth > svgLimits.chain) return Infinity;
    // While it is computed: a circle adds nothing.
    costs.set(element, 0);
    let cost = 1;
    for (const child of element.children) {
      if (typeof child !== 'string') cost += costOf(child, depth + 1);
      if (cost > svgLimits.expanded) return Infinity;
    }
    for (const id of targetsOf(element, styles)) {
      const target = byId.get(id);
      cost += target ? costOf(target, depth + 1) : 1;
      if (cost > svgLimits.expanded) return Infinity;
    }
    costs.set(element, cost);
    return cost;
  }
  return costOf(root, 0) > svgLimits.expanded;
}
