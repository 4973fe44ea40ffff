import { selectAll } from 'css-select';
import fc from 'fast-check';
import { parseDocument } from 'htmlparser2';
import type { AnyNode } from 'domhandler';
import { isTag, isText } from 'domhandler';
import type { Element } from 'domhandler';
import type { PageSample } from '@contract/crawler/schemas';
import { nameFor, typeOf } from './guess';
import { isStable } from './names';
import { viewOf } from './pageView';
import { pick, withRows } from './picking';
import type { Choices } from './picking';
import { likelyRows, rowChoices, rowsOfPair } from './rows';
import { ancestorsOf, childrenOf, find, pageOf, textOf } from './samplePage';
import type { SamplePage } from './samplePage';
import { selectorOf, selectorWithin } from './selectors';

const usual = { title: 'title', image: 'image', link: 'link', date: 'date', price: 'price', text: 'text' };
const none: Choices = { rows: '', columns: [] };

/** A sample as the server makes it of a short page. */
function samplePage(html: string): SamplePage {
  const nodes: PageSample['nodes'] = [];
  const add = (node: AnyNode, parent: number): void => {
    if (isText(node) && node.data.trim() !== '') nodes.push({ parent, text: node.data });
    if (!isTag(node)) return;
    const at = nodes.push({ parent, name: node.name, attributes: { ...node.attribs } }) - 1;
    for (const child of node.children) add(child, at);
  };
  for (const node of parseDocument(html).children) add(node, -1);
  return pageOf(nodes);
}
const one = ({ document }: SamplePage, selector: string): Element => find(selector, document)[0] as Element;

const shop = samplePage(`<html><head><title>Shop</title></head><body>
  <nav><ul><li><a href="/">Home</a></li><li><a href="/tea">Tea</a></li><li><a href="/cups">Cups</a></li></ul></nav>
  <div id="root-8123"><h1 class="css-1q2w3e">All teas</h1>
  <ul class="products grid">${['Green', 'Black', 'White', 'Oolong']
    .map(
      (
        name,
        at,
      ) => `<li class="product col-6 ${at === 0 ? 'first' : ''}" id="p${String(at)}"><a href="/p/${String(at)}"><img src="/i/${String(at)}.jpg" alt="${name}"><h3 class="product__title">${name}</h3></a>
        ${at === 1 ? '<span class="badge">Sale</span>' : ''}<span class="price">€ ${String(at + 1)},50</span><time datetime="2026-01-0${String(at + 1)}">yesterday</time>
        <ul class="tags"><li>a</li><li>b</li><li>c</li></ul></li>`,
    )
    .join('')}</ul></div>
  <table><tr><th>City</th><th>Sales</th></tr><tr><td>Paris</td><td>10</td></tr><tr><td>Rome</td><td>20</td></tr><tr><td>Oslo</td><td>30</td></tr></table></body></html>`);

test('names that programs make are not used', () => {
  const generated = ['css-1q2w3e', 'sc-bdVaJa', 'Card_title__xYzAb', 'xkcdq', 'post-12', 'is-active', 'col-6', 'jsx-12'];
  expect(generated.filter(isStable)).toEqual([]);
  expect(['product-card__price', 'productTitle', 'price', '商品', 'js_title'].filter((name) => !isStable(name))).toEqual([]);
});

test('a selector is short and tells what it reads', () => {
  expect(selectorOf(one(shop, 'h1'), shop.document)).toBe('h1');
  expect(selectorOf(one(shop, '#p1 .badge'), shop.document)).toBe('.badge');
});

test('one product leads to all products, and a second one makes them rows', () => {
  const first = pick(none, one(shop, '#p0 h3'), shop.document, usual);
  expect(first).toMatchObject({ outcome: { kind: 'added', name: 'title' }, choices: { columns: [{ type: 'text', attribute: '' }] } });
  const choices = rowChoices(one(shop, '#p0 h3'), shop.document);
  expect(likelyRows(one(shop, '#p0 h3'), choices)).toMatchObject({ selector: 'li.product', elements: { length: 4 } });
  // A tag of a product is a list of its own, but not the one that is meant.
  const tag = one(shop, '#p2 .tags li');
  expect(likelyRows(tag, rowChoices(tag, shop.document))?.selector).toBe('li.product');
  const second = pick(first.choices, one(shop, '#p2 h3'), shop.document, usual);
  expect(second).toMatchObject({
    choices: { rows: 'li.product', columns: [{ name: 'title', expression: '.product__title' }] },
    outcome: { kind: 'rows', count: 4 },
  });
  const third = pick(second.choices, one(shop, '#p3 .price'), shop.document, usual);
  const fourth = pick(third.choices, one(shop, '#p1 img'), shop.document, usual);
  const fifth = pick(fourth.choices, one(shop, '#p1 time'), shop.document, usual);
  expect(fifth.choices.columns.map(({ name, type, expression, attribute }) => [name, type, expression, attribute])).toEqual([
    ['title', 'text', '.product__title', ''],
    ['price', 'number', '.price', ''],
    ['image', 'url', 'img', 'src'],
    ['date', 'date', 'time', 'datetime'],
  ]);
  expect(pick(fifth.choices, one(shop, '#p0 .price'), shop.document, usual).outcome).toEqual({ kind: 'present', name: 'price' });
  expect(pick(fifth.choices, one(shop, 'h1'), shop.document, usual).outcome).toEqual({ kind: 'outside' });
});

test('rows of a table are without its head, which names the columns', () => {
  const cell = (text: string): Element => find('td', shop.document).find((td) => textOf(td) === text) as Element;
  const rows = likelyRows(cell('Rome'), rowChoices(cell('Rome'), shop.document));
  expect([rows?.selector, rows?.elements.length]).toEqual(['tr:has(td)', 3]);
  expect(nameFor(cell('20'), '', usual, ['Sales'])).toBe('Sales 2');
  const picked = pick({ rows: rows?.selector ?? '', columns: [] }, cell('20'), shop.document, usual).choices;
  expect(picked.columns).toMatchObject([{ name: 'Sales', type: 'number', expression: 'td:nth-of-type(2)' }]);
});

test('items in several lines of a grid are one list', () => {
  const grid = samplePage(`<div>${'<div class="line"><div class="item"><b>x</b><i>1</i></div><div class="item"><b>y</b><i>2</i></div></div>'.repeat(3)}</div>`);
  const [first, , , last] = find('b', grid.document);
  expect(rowsOfPair(first as Element, last as Element, grid.document)).toMatchObject({ selector: 'div.item', elements: { length: 6 } });
});

test('a row that no element contains is not taken for an element inside it', () => {
  const fragment = samplePage('<div class="card"><b>1</b><div class="card"><b>2</b></div></div>'.repeat(2));
  const [first, second] = childrenOf(fragment.document);
  const inner = find('b', first as Element)[1] as Element;
  expect(selectorWithin(inner, first as Element, [first as Element, second as Element])).toBe(':scope > .card > b');
});

test('columns outside a row are removed and named, and restored for whole pages', () => {
  const start = pick(pick(none, one(shop, 'h1'), shop.document, usual).choices, one(shop, '#p0 .price'), shop.document, usual).choices;
  const rows = rowChoices(one(shop, '#p0 .price'), shop.document)[0] ?? null;
  const listed = withRows(start, rows, shop.document);
  expect(listed).toMatchObject({ outcome: { kind: 'rows', count: 4, removed: ['title'] }, choices: { columns: [{ name: 'price', expression: '.price' }] } });
  const back = withRows(listed.choices, null, shop.document).choices;
  expect(find(back.columns[0]?.expression ?? '', shop.document)).toEqual([one(shop, '#p0 .price')]);
});

test('a type is that of most values', () => {
  expect([typeOf(['¥ 1,299.00', '¥68', ''], ''), typeOf(['128 条评论'], ''), typeOf(['+49 30 123456', '030 1234'], '')]).toEqual(['number', 'number', 'text']);
  expect([typeOf(['2026年3月5日', '2026-01-02'], ''), typeOf(['5 March 2026'], ''), typeOf(['Tea 3'], ''), typeOf(['/a'], 'href')]).toEqual([
    'date',
    'date',
    'text',
    'url',
  ]);
});

test('names of elements may be those of properties of objects', () => {
  const page = samplePage('<constructor>Tea</constructor>');
  expect(viewOf(page).roots).toMatchObject([{ look: 'block', children: ['Tea'] }]);
});

test('a page that is nested without end is shown flat', () => {
  const depth = 3000;
  const nodes: PageSample['nodes'] = Array.from({ length: depth }, (_, at) => ({ parent: at - 1, name: at % 2 ? 'div' : 'b', attributes: { class: 'x' } }));
  nodes.push({ parent: depth - 1, text: 'deep' }, { parent: 80, text: 'also' });
  const { valued } = viewOf(pageOf(nodes));
  expect(valued).toEqual([80, depth - 1]);
});

describe('in random pages', () => {
  const tag = fc.constantFrom('div', 'p', 'ul', 'li', 'span', 'section', 'html', 'o:p', 'a', 'tr', 'td');
  const attributes = fc.constantFrom(
    '',
    '',
    ' class="card"',
    ' class="card price"',
    ' class="a1 card"',
    ' id="main"',
    ' itemprop="name"',
    ' class="price" id="x7"',
  );
  const { tree } = fc.letrec<{ tree: string }>((tie) => ({
    tree: fc
      .tuple(tag, attributes, fc.array(fc.oneof({ depthSize: 'small' }, fc.constant('x'), tie('tree')), { maxLength: 4 }))
      .map(([name, extra, inner]) => `<${name}${extra}>${inner.join('')}</${name}>`),
  }));
  // Something repeats in every page.
  const pages = fc.tuple(fc.array(tree, { maxLength: 4 }), tree).map(([parts, item]) => samplePage(parts.join('') + item.repeat(3)));

  test('a selector finds exactly the element that was chosen', () => {
    let checked = 0;
    fc.assert(
      fc.property(pages, fc.nat(), (page, seed) => {
        const all = find('*', page.document);
        const element = all[seed % all.length] as Element;
        const selector = selectorOf(element, page.document);
        if (selector === null) return;
        checked += 1;
        expect(find(selector, page.document)).toEqual([element]);
        // As the crawler searches.
        expect(selectAll(selector, page.document)).toEqual([element]);
      }),
    );
    expect(checked).toBeGreaterThan(80);
  });

  test('rows are exactly the alike siblings, and columns find what was chosen', () => {
    let checked = 0;
    fc.assert(
      fc.property(pages, fc.nat(), (page, seed) => {
        const all = find('*', page.document);
        const element = all[seed % all.length] as Element;
        for (const { selector, elements } of rowChoices(element, page.document)) {
          expect(find(selector, page.document)).toEqual(elements);
          expect(new Set(elements.map(({ name }) => name)).size).toBe(1);
          const row = elements.find((item) => [element, ...ancestorsOf(element)].includes(item)) as Element;
          const within = selectorWithin(element, row, elements);
          if (within === null) continue;
          checked += 1;
          expect(within === '' ? [row] : find(within, row)).toEqual([element]);
          expect(elements.length).toBeGreaterThan(1);
          expect(row.parent === null ? [] : childrenOf(row.parent)).toContain(row);
        }
      }),
    );
    expect(checked).toBeGreaterThan(20);
  });
});
