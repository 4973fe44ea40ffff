import { tableOf, fieldOf } from '../../../../test/support/recordsScreen';
import { basisFields, newViewName, newViewQuery } from './newView';
import { groupable } from './panels';

test('a new view is named after its kind, numbered where needed', () => {
  expect(newViewName('grid', 'Grid', [])).toBe('Grid 2');
  expect(newViewName('calendar', 'Calendar', ['News'])).toBe('Calendar');
  expect(newViewName('calendar', 'Calendar', ['Calendar', 'Calendar 2'])).toBe('Calendar 3');
});

test('a calendar can be based on each of the date fields', () => {
  const end = fieldOf({ id: 'f_endaaaaaaaaa', key: 'end', type: 'datetime', title: 'End' });
  const table = tableOf({ fields: [...tableOf().fields, end] });
  expect(basisFields(table, 'calendar').map(({ id }) => id)).toEqual(['f_dayaaaaaaaaa', end.id]);
  expect(newViewQuery(table, 'calendar', end.id).date).toBe(end.id);
  expect(basisFields(table, 'grid')).toEqual([]);
});

test('grouping proposes choices first and text last', () => {
  const ids = groupable(tableOf())
    .filter(({ field }) => field !== null)
    .map(({ id }) => id);
  expect(ids[0]).toBe('f_statusaaaaaa');
  expect(ids.at(-1)).toBe('f_titleaaaaaaa');
});
