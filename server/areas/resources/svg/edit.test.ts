import { colorsOf, sizeOf, textOf, withCurrentColor, withText, withViewBox } from './edit';
import { spriteOf, symbolIds } from './sprite';
import { clean, problemsIn } from './svgTestSupport';
import { writeSvg } from './tree';
import type { SvgElement } from './tree';

const namespace = 'xmlns="http://www.w3.org/2000/svg"';
const root = (content: string, attributes = ''): SvgElement => clean(`<svg ${namespace} ${attributes}>${content}</svg>`).root;

test.each([
  ['width="24" height="12"', { width: 24, height: 12 }],
  ['width="1in" height="2.54cm" viewBox="0 0 5 5"', { width: 96, height: 96 }],
  ['width="72pt" height="25.4mm"', { width: 96, height: 96 }],
  ['viewBox="-10 -10 640.4,480"', { width: 640, height: 480 }],
  ['width="100%" height="100%" viewBox="0 0 30 20"', { width: 30, height: 20 }],
  ['width="60" viewBox="0 0 30 20"', { width: 60, height: 40 }],
  ['height="10" viewBox="0 0 30 20"', { width: 15, height: 10 }],
  ['width="0" height="-4"', null],
  ['width="1e99" height="1" viewBox="0 0 NaN 1"', null],
  ['viewBox="0 0 10"', null],
  ['', null],
])('the size of an SVG with %s', (attributes, size) => {
  expect(sizeOf(root('', attributes))).toEqual(size);
});

test('title and description are changed, added in front and removed', () => {
  const before = root('<path d="M0"/><desc>old</desc>');
  const changed = withText(withText(before, 'desc', 'A < B'), 'title', 'Tea');
  expect(writeSvg(changed)).toBe(`<svg ${namespace}><title>Tea</title><desc>A &lt; B</desc><path d="M0"/></svg>`);
  expect([textOf(changed, 'title'), textOf(changed, 'desc')]).toEqual(['Tea', 'A < B']);
  expect(writeSvg(withText(withText(changed, 'title', ''), 'desc', ''))).toBe(`<svg ${namespace}><path d="M0"/></svg>`);
});

test('a view box is added or replaced', () => {
  expect(writeSvg(withViewBox(root('', 'viewBox="0 0 1 1"'), [-1, 0.5, 24, 12]))).toBe(`<svg ${namespace} viewBox="-1 0.5 24 12"/>`);
});

test('colours become the colour of the text, except in masks and gradients', () => {
  const before = root(
    [
      '<style>.a{fill:#F00;stroke:none;stroke-width:2}\n.b{stroke:red !important}</style>',
      '<mask id="m"><path fill="#fff"/></mask><linearGradient id="g"><stop stop-color="#00f"/></linearGradient>',
      '<path fill="#123"/><path fill="none" stroke="rgb(1,2,3)"/><path fill="url(#g)" style="stroke:teal;opacity:1"/>',
    ].join(''),
  );
  expect(colorsOf(before)).toEqual(['#f00', 'red', '#fff', '#123', 'rgb(1,2,3)', 'teal']);
  const source = writeSvg(withCurrentColor(before));
  expect(source).toBe(
    [
      `<svg ${namespace} fill="currentColor"><style>.a{fill:currentColor;stroke:none;stroke-width:2}\n.b{stroke:currentColor !important}</style>`,
      '<mask id="m"><path fill="#fff"/></mask><linearGradient id="g"><stop stop-color="#00f"/></linearGradient>',
      '<path fill="currentColor"/><path fill="none" stroke="currentColor"/><path fill="url(#g)" style="stroke:currentColor;opacity:1"/></svg>',
    ].join(''),
  );
  expect(clean(source)).toMatchObject({ source, removedCount: 0 });
});

test('names of icons become ids that differ', () => {
  expect(symbolIds(['Arrow Left.svg', 'arrow_left.SVG', '24px.svg', '茶叶 1.svg', '"><script>.svg', '….svg'])).toEqual([
    'arrow-left',
    'arrow-left-2',
    'icon-24px',
    '茶叶-1',
    'script',
    'icon',
  ]);
});

test('icons become the symbols of a sprite', () => {
  const icons = [
    { id: 'home', root: root('<path id="home-a" d="M0"/>', 'width="24" height="12" fill="none" class="x"') },
    { id: 'tea', root: root('<circle r="1"/>', 'viewBox="0 0 2 2" width="9" style="stroke:red"') },
  ];
  const source = writeSvg(spriteOf(icons));
  expect(source).toBe(
    `<svg ${namespace}><symbol id="home" viewBox="0 0 24 12" fill="none"><path id="home-a" d="M0"/></symbol><symbol id="tea" viewBox="0 0 2 2" style="stroke:red"><circle r="1"/></symbol></svg>`,
  );
  expect([problemsIn(source), clean(source).source]).toEqual([[], source]);
});

test('styles of one icon in a sprite do not change the others', () => {
  const icon = root(
    '<style>path,.a:hover{fill:red}\n@media print{g path{fill:blue}}\n@keyframes k{from{opacity:0}}</style><path d="M0"/>',
    'viewBox="0 0 1 1"',
  );
  const source = writeSvg(spriteOf([{ id: '茶', root: icon }]));
  expect(source).toContain('<style>#茶 path,#茶 .a:hover{fill:red}\n@media print{#茶 g path{fill:blue}}\n@keyframes k{from{opacity:0}}</style>');
  expect(clean(source).source).toBe(source);
});
