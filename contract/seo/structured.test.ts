import { structuredProblems, structuredRules } from './structured';

const complete: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  Article: { headline: 'Tea', image: ['/a.jpg'], datePublished: '2026-01-01', dateModified: '2026-01-02', author: 'Leaf' },
  Product: {
    name: 'Tea',
    offers: { '@type': 'Offer', price: 0, priceCurrency: 'CNY', url: '/' },
    image: ['/a.jpg'],
    description: 'Green',
    sku: '1',
    brand: 'Leaf',
  },
  Offer: { price: 0, priceCurrency: 'CNY', url: '/' },
  Brand: { name: 'Leaf' },
  BreadcrumbList: { itemListElement: [{ '@type': 'ListItem', position: 1, name: 'Home', item: '/' }] },
  ListItem: { position: 1, name: 'Home', item: '/' },
  Organization: { name: 'Leaf', url: '/', logo: '/l.png' },
  Person: { name: 'Li' },
  WebSite: { name: 'Leaf', url: '/' },
  SearchAction: { target: '/search?q={q}', 'query-input': 'required name=q' },
};

test.each(Object.keys(structuredRules))('every property of %s in the table is looked for', (type) => {
  const { required, recommended } = structuredRules[type] ?? { required: [], recommended: [] };
  const whole = { '@type': type, ...complete[type] };
  expect(structuredProblems(whole)).toEqual([]);
  for (const property of [...required, ...recommended])
    for (const nothing of [undefined, null, '', []])
      expect(structuredProblems({ ...whole, [property]: nothing })).toEqual([{ path: '', type, property, isRequired: required.includes(property) }]);
});

test('objects within others are checked, with their path', () => {
  const product = { '@type': 'Product', ...complete['Product'], offers: [{ '@type': 'Offer', price: 10, url: '/' }] };
  expect(structuredProblems(product)).toEqual([{ path: 'offers[0]', type: 'Offer', property: 'priceCurrency', isRequired: true }]);
});

test('an unknown type lacks nothing', () => {
  expect(structuredProblems({ '@type': 'Recipe' })).toEqual([]);
});
