import { mapElements, withAttribute } from './tree';
import type { SvgElement } from './tree';

export type ViewBox = readonly [x: number, y: number, width: number, height: number];

/** CSS pixels of each unit. */
const units: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 9.6 / 2.54,
  q: 2.4 / 2.54,
  em: 16,
  rem: 16,
  ex: 8,
};
const mostPixels = 1_000_000;

/** A length in CSS pixels; null if it is none or relative to what surrounds the image. */
function pixelsOf(length: string | undefined): number | null {
  const [, number = '', unit = ''] = /^\s*([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?)([a-z]*)\s*$/i.exec(length ?? '') ?? [];
  const pixels = Number(number) * (units[unit.toLowerCase()] ?? NaN);
  return number !== '' && pixels > 0 && pixels <= mostPixels ? pixels : null;
}

export function viewBoxOf({ attributes }: SvgElement): ViewBox | null {
  const numbers = (attributes.get('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const [x = NaN, y = NaN, width = NaN, height = NaN] = numbers;
  return numbers.length === 4 && Number.isFinite(x) && Number.isFinite(y) && width > 0 && height > 0 && width <= mostPixels && height <= mostPixels
    ? [x, y, width, height]
    : null;
}

/** Width and height in CSS pixels: those of the root; a missing one follows from the proportions of the view box. Null if neither states them. */
export function sizeOf(root: SvgElement): { width: number; height: number } | null {
  const box = viewBoxOf(root);
  const width = pixelsOf(root.attributes.get('width'));
  const height = pixelsOf(root.attributes.get('height'));
  const ratio = box ? box[2] / box[3] : null;
  const size = [
    width ?? (height !== null && ratio !== null ? height * ratio : box?.[2]),
    height ?? (width !== null && ratio !== null ? width / ratio : box?.[3]),
  ];
  const [w, h] = size.map((side) => (side === undefined ? null : Math.max(1, Math.round(side))));
  return w && h && w <= mostPixels && h <= mostPixels ? { width: w, height: h } : null;
}

/** The SVG with another view box. One without had the coordinates of its width and height. */
export const withViewBox = (root: SvgElement, box: ViewBox): SvgElement => withAttribute(root, 'viewBox', box.join(' '));

export const textOf = (root: SvgElement, name: 'title' | 'desc'): string => {
  const found = root.children.find((child): child is SvgElement => typeof child !== 'string' && child.name === name);
  return (
    found?.children
      .filter((child) => typeof child === 'string')
      .join('')
      .trim() ?? ''
  );
};

/** The SVG with another title or description, which screen readers read; an empty one is removed. */
export function withText(root: SvgElement, name: 'title' | 'desc', text: string): SvgElement {
  const others = root.children.filter((child) => typeof child === 'string' || child.name !== name);
  if (text === '') return { ...root, children: others };
  // Browsers read only a title that comes first; the description follows it.
  const at = name === 'title' ? 0 : others.findIndex((child) => typeof child !== 'string' && child.name === 'title') + 1;
  const old = root.children.find((child): child is SvgElement => typeof child !== 'string' && child.name === name);
  return { ...root, children: others.toSpliced(at, 0, { name, attributes: old?.attributes ?? new Map(), children: [text] }) };
}

const notColors = /^(?:none|inherit|initial|unset|transparent|currentcolor|context-fill|context-stroke)$|^(?:url|var)\(/i;
const isColor = (value: string): boolean => !notColors.test(value);
const painted = /(^|[{;])(fill|stroke|color):([^;}]+)/g;

/** Colours of fills and strokes, as written, in the order of their first use. */
export function colorsOf(root: SvgElement): string[] {
  const colors = new Set<string>();
  mapElements(root, (element) => {
    for (const name of ['fill', 'stroke', 'color']) {
      const value = element.attributes.get(name);
      if (value !== undefined && isColor(value)) colors.add(value.toLowerCase());
    }
    const styles = element.name === 'style' ? element.children.filter((child) => typeof child === 'string').join('') : (element.attributes.get('style') ?? '');
    for (const [, , , value = ''] of styles.matchAll(painted)) {
      const color = value.replace('!important', '').trim();
      if (isColor(color)) colors.add(color.toLowerCase());
    }
    return element;
  });
  return [...colors];
}

/**
 * The SVG with `currentColor` instead of each colour of a fill or stroke, so that it has the colour of the text around it. Colours of gradients stay, and those
 * inside masks, which mean brightness.
 */
export function withCurrentColor(root: SvgElement): SvgElement {
  const inStyle = (text: string): string =>
    text.replaceAll(painted, (declaration, before: string, name: string, value: string) =>
      isColor(value.trim()) ? `${before}${name}:currentColor${value.includes('!important') ? ' !important' : ''}` : declaration,
    );
  function changed(element: SvgElement): SvgElement {
    if (element.name === 'mask') return element;
    const attributes = new Map(element.attributes);
    for (const name of ['fill', 'stroke']) if (isColor(attributes.get(name) ?? 'none')) attributes.set(name, 'currentColor');
    attributes.delete('color');
    const style = attributes.get('style');
    if (style !== undefined) attributes.set('style', inStyle(style));
    const children = element.children.map((child) => (typeof child !== 'string' ? changed(child) : element.name === 'style' ? inStyle(child) : child));
    return { ...element, attributes, children };
  }
  const result = changed(root);
  const hasFill = result.attributes.has('fill') || /(?:^|;)fill:/.test(result.attributes.get('style') ?? '');
  // Without a fill, shapes are black.
  return hasFill ? result : withAttribute(result, 'fill', 'currentColor');
}
