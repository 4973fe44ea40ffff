import type { TemplateVariable } from './terms';

/** Titles and descriptions from templates such as `{title} {sep} {site}`. */

export type TemplateValues = Partial<Readonly<Record<TemplateVariable, string | null>>>;

const variable = /\{([a-z]+)\}/g;

/** A separator that somebody typed instead of `{sep}`: one sign between spaces. */
const typedSeparator = /\s([|·•–—-])\s/;

/** A section that has variables and none of their values says nothing: `Page {page}` on the first page. */
function fillSection(section: string, values: TemplateValues): string {
  const names = Array.from(section.matchAll(variable), ([, name = '']) => name as TemplateVariable);
  if (names.length > 0 && names.every((name) => !values[name])) return '';
  return section
    .replaceAll(variable, (_, name: string) => values[name as TemplateVariable] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/**
 * Fills in a template. A variable without a value takes its separator with it, so neither `{title} {sep} {tagline} {sep} {site}` nor `{title} | {site}` ever begins or ends with one, or has two in a row.
 * All other text is copied unchanged.
 */
export function fillTemplate(template: string, values: TemplateValues): string {
  const separator = values.sep?.trim() ?? '';
  const between = separator === '' ? ' ' : ` ${separator} `;
  return template
    .split('{sep}')
    .map((part) => {
      const [first = '', ...others] = part.split(typedSeparator);
      let text = fillSection(first, values);
      for (let at = 0; at < others.length; at += 2) {
        const next = fillSection(others[at + 1] ?? '', values);
        text = text === '' || next === '' ? text + next : `${text} ${others[at] ?? ''} ${next}`;
      }
      return text;
    })
    .filter((text) => text !== '')
    .join(between);
}
