import { properties } from './allowed';
import { scopedSheet } from './css';
import { viewBoxOf, sizeOf } from './edit';
import { mapElements } from './tree';
import type { SvgElement } from './tree';

/** An id for each name, without its extension: unique, and a valid id in HTML, CSS and addresses. */
export function symbolIds(names: readonly string[]): string[] {
  const used = new Set<string>();
  return names.map((name) => {
    const plain = name
      .replace(/\.svg$/i, '')
      .normalize('NFC')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 60)
      .replace(/\p{Surrogate}$/u, '');
    const base = /^\p{L}/u.test(plain) ? plain : `icon-${plain}`.replace(/-$/, '');
    let id = base;
    for (let count = 2; used.has(id); count++) id = `${base}-${count}`;
    used.add(id);
    return id;
  });
}

const scoped = (element: SvgElement, id: string): SvgElement =>
  element.name === 'style' ? { ...element, children: element.children.map((child) => (typeof child === 'string' ? scopedSheet(child, id) : child)) } : element;

/**
 * A sprite: one SVG with a `symbol` for each icon, used as `<use href="sprite.svg#id">`. Ids inside an icon must already differ from those of others (the
 * optimiser prefixes them); its style sheets apply only to itself.
 */
export function spriteOf(icons: readonly { readonly id: string; readonly root: SvgElement }[]): SvgElement {
  const symbols = icons.map(({ id, root }): SvgElement => {
    const size = sizeOf(root);
    const box = viewBoxOf(root) ?? (size && [0, 0, size.width, size.height]);
    const attributes = new Map([['id', id]]);
    if (box) attributes.set('viewBox', box.join(' '));
    // What the root says about all that it contains, such as `fill="none"`; not its size and position.
    const own = ['width', 'height', 'x', 'y', 'overflow', 'transform'];
    for (const [name, value] of root.attributes)
      if (name === 'preserveAspectRatio' || name === 'style' || (properties.has(name) && !own.includes(name))) attributes.set(name, value);
    return { name: 'symbol', attributes, children: mapElements(root, (element) => scoped(element, id)).children };
  });
  return { name: 'svg', attributes: new Map(), children: symbols };
}
