/**
 * What search engines require of structured data, for the types that pages have: the documentation of Google's rich results, of which other engines read a part. A type
 * without a required property is not shown by them.
 */
type Rules = { readonly required: readonly string[]; readonly recommended: readonly string[] };

export const structuredRules: Readonly<Record<string, Rules>> = {
  Article: { required: ['headline'], recommended: ['image', 'datePublished', 'dateModified', 'author'] },
  // A product needs an offer, a review or a rating; pages have offers only.
  Product: { required: ['name', 'offers'], recommended: ['image', 'description', 'sku', 'brand'] },
  Offer: { required: ['price', 'priceCurrency'], recommended: ['url'] },
  Brand: { required: ['name'], recommended: [] },
  BreadcrumbList: { required: ['itemListElement'], recommended: [] },
  ListItem: { required: ['position', 'name', 'item'], recommended: [] },
  Organization: { required: ['name'], recommended: ['url', 'logo'] },
  Person: { required: ['name'], recommended: [] },
  WebSite: { required: ['name', 'url'], recommended: [] },
  SearchAction: { required: ['target', 'query-input'], recommended: [] },
};

/** `path`: of the object that lacks the property, such as `offers`; empty for the outermost. */
export type StructuredProblem = { readonly path: string; readonly type: string; readonly property: string; readonly isRequired: boolean };

const isMissing = (value: unknown): boolean => value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** What an object, and those in it, lack. Types without rules lack nothing. */
export function structuredProblems(value: unknown, path = ''): StructuredProblem[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((one, at) => structuredProblems(one, `${path}[${String(at)}]`));
  const entries = Object.entries(value);
  const type = String((value as Readonly<Record<string, unknown>>)['@type'] ?? '');
  const rules = structuredRules[type] ?? { required: [], recommended: [] };
  const values = new Map(entries);
  const lacking = (names: readonly string[], isRequired: boolean) =>
    names.filter((property) => isMissing(values.get(property))).map((property) => ({ path, type, property, isRequired }));
  return [
    ...lacking(rules.required, true),
    ...lacking(rules.recommended, false),
    ...entries.flatMap(([key, one]) => structuredProblems(one, path === '' ? key : `${path}.${key}`)),
  ];
}
