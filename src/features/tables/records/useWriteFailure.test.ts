import { recordOf } from '../../../../test/support/recordsScreen';
import { conflictsIn, placeOf } from './useWriteFailure';

test('a refusal is assigned to its cell', () => {
  expect(placeOf('changes.3.values.f_titleaaaaaaa')).toEqual({ at: 3, name: 'f_titleaaaaaaa' });
  expect(placeOf('records.0.title@en')).toEqual({ at: 0, name: 'title' });
  expect(placeOf('price')).toEqual({ at: null, name: 'price' });
  const conflict = { revision: 2, record: recordOf(1), fields: {}, by: null };
  expect(conflictsIn([conflict])).toEqual([conflict]);
  expect(conflictsIn({ conflicts: [conflict] })).toEqual([conflict]);
  expect(conflictsIn('x')).toEqual([]);
});
