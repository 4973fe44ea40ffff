import { listOrder, questionOf } from './question';
import { plainQuery } from './viewState';

const by = (field: string, descending = false) => ({ field, descending });

test("rows of one group are together, in the view's sort direction", () => {
  expect(listOrder({ group: ['b', 'a'], sort: [by('c'), by('a', true)] })).toEqual([by('b'), by('a', true), by('c')]);
});

test('at most five fields sort', () => {
  expect(listOrder({ group: ['a'], sort: ['b', 'c', 'd', 'e', 'f'].map((field) => by(field)) })).toHaveLength(5);
});

test('a plain view sends no parameters', () => {
  expect(questionOf(plainQuery, { q: '', trash: false }, undefined)).toEqual({});
});

test('search, bin and language are part of the query', () => {
  expect(questionOf({ ...plainQuery, sort: [by('a', true)] }, { q: 'x', trash: true }, 'en')).toEqual({ q: 'x', trash: 'true', locale: 'en', sort: '-a' });
});
