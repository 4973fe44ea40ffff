import type { MenuItem } from '../../../../contract/publishing/parts';
import type { SiteParts } from '../../../../contract/publishing/schemas';
import { isByLanguage } from '../../../../contract/publishing/themeTexts';

/** Parts that have texts by language. */
export const partsWithTexts = ['settings', 'menus', 'routes', 'seo'] as const satisfies readonly (keyof SiteParts)[];
type Texts = Readonly<Record<string, string>>;
export type TextParts = { readonly [P in (typeof partsWithTexts)[number]]: SiteParts[P]['content'] };

/** Parts with all of their texts by language changed. */
export function mapTexts({ settings, menus, routes, seo }: TextParts, change: (texts: Texts) => Texts): TextParts {
  const item = (one: MenuItem): MenuItem => ({ ...one, label: change(one.label), items: one.items.map(item) });
  const page = <T extends { readonly title: Texts; readonly description: Texts }>(one: T): T => ({
    ...one,
    title: change(one.title),
    description: change(one.description),
  });
  // A setting of the theme without any text has its default.
  const theme = Object.entries(settings.theme).flatMap(([key, value]) => {
    const changed = isByLanguage(value) ? change(value) : value;
    return isByLanguage(changed) && Object.keys(changed).length === 0 ? [] : [[key, changed] as const];
  });
  return {
    settings: { ...page(settings), tagline: change(settings.tagline), theme: Object.fromEntries(theme) },
    menus: Object.fromEntries(Object.entries(menus).map(([key, items]) => [key, items.map(item)])),
    routes: routes.map((route) => (route.kind === 'template' ? { ...route, title: change(route.title) } : route)),
    seo: { ...seo, templates: seo.templates.map(page), overrides: seo.overrides.map(page) },
  };
}

export function withoutLanguage(texts: Texts, tag: string): Texts {
  const { [tag]: _removed, ...others } = texts;
  return others;
}

/** How many texts of the parts are in a language. */
export function countTexts(parts: TextParts, tag: string): number {
  let count = 0;
  mapTexts(parts, (texts) => {
    if ((texts[tag] ?? '') !== '') count++;
    return texts;
  });
  return count;
}
