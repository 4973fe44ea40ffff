import type { TemplateVariable } from './terms';

/** Titles and descriptions from templates such as `{title} {sep} {site}`. */

export type TemplateValues = Partial<Readonly<Record<TemplateVariable, string | null>>>;

const variable = /\{([a-z]+)\}/g;

/**
 * Fills in a template. A variable without a value takes its separator with it, so `{title} {sep} {tagline} {sep} {site}` never begins or ends with one, nor has two in a row. Text that is no variable stays
 * as it is.
 */
export function fillTemplate(template: string, values: TemplateValues): string {
  const separator = values.sep ?? '';
  const [first = '', ...others] = template.split('{sep}').map((section) => {
    const names = Array.from(section.matchAll(variable), ([, name = '']) => name as TemplateVariable);
    const filled = section.replaceAll(variable, (_, name: string) => values[name as TemplateVariable] ?? '').replaceAll(/\s+/g, ' ');
    // A section that has variables and none of their values says nothing: `Page {page}` on the first page.
    return names.length > 0 && names.every((name) => !values[name]) ? '' : filled;
  });
  const sections = [first, ...others].map((section) => section.trim()).filter((section) => section !== '');
  return sections.join(separator === '' ? ' ' : ` ${separator.trim()} `);
}
