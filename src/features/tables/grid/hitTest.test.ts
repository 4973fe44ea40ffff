import { hitTest } from './hitTest';

const hitIn = (html: string, selector: string) => {
  document.body.innerHTML = html;
  return hitTest(document.querySelector(selector) as Element);
};

test('a cell is found by its row and column', () => {
  expect(hitIn('<div data-line="7"><div data-col="2"><i></i></div></div>', 'i')).toEqual({ area: 'cell', displayIndex: 7, col: 2 });
});

test("a row's head and its handle are distinguished", () => {
  const html = '<div data-line="3"><div data-rowhead><b></b><i data-grip></i></div></div>';
  expect(hitIn(html, 'b')).toEqual({ area: 'rowHead', displayIndex: 3, col: null });
  expect(hitIn(html, 'i')).toEqual({ area: 'rowGrip', displayIndex: 3, col: null });
});

test("a column's head and its edge are distinguished", () => {
  const html = '<div data-hcol="4"><b></b><i data-resize></i></div>';
  expect(hitIn(html, 'b')).toEqual({ area: 'columnHead', displayIndex: null, col: 4 });
  expect(hitIn(html, 'i').area).toBe('columnEdge');
});

test('the fill handle is not part of a cell', () => {
  expect(hitIn('<div><i data-handle></i></div>', 'i')).toEqual({ area: 'fillHandle', displayIndex: null, col: null });
});
