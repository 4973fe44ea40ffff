import fc from 'fast-check';
import type { FormLayout } from '@contract/tables/schemas';
import { mergedLayout } from './layoutMerge';

const fields = ['a', 'b', 'c', 'd', 'e'];
/** Any layout of these fields: each in a section, without a section, or hidden. */
const anyLayout = fc
  .record({
    style: fc.constantFrom('groups' as const, 'tabs' as const),
    titles: fc.uniqueArray(fc.constantFrom('', 'One', 'Two', 'Three'), { minLength: 1, maxLength: 4 }),
    collapsed: fc.boolean(),
    order: fc.shuffledSubarray(fields, { minLength: fields.length }),
    places: fc.array(fc.nat(5), { minLength: fields.length, maxLength: fields.length }),
    half: fc.subarray(fields),
  })
  .map(({ style, titles, collapsed, order, places, half }): FormLayout => {
    const placeOf = (field: string): number => places[fields.indexOf(field)] ?? 0;
    return {
      style,
      sections: titles.map((title, at) => ({
        title,
        note: '',
        collapsed,
        fields: order.filter((field) => placeOf(field) === at).map((field) => ({ field, width: half.includes(field) ? ('half' as const) : ('full' as const) })),
      })),
      hidden: fields.filter((field) => placeOf(field) === 5),
    };
  });

test('a form changed by one person is merged without a conflict', () => {
  fc.assert(
    fc.property(anyLayout, anyLayout, (before, after) => {
      for (const merge of [mergedLayout(before, after, before, fields), mergedLayout(before, before, after, fields)]) {
        expect(merge.merged).toEqual(after);
        expect(merge.differences.filter(({ clash }) => clash)).toEqual([]);
      }
    }),
  );
});

test('merging layouts is symmetric and ignores identical changes', () => {
  fc.assert(
    fc.property(anyLayout, anyLayout, anyLayout, (before, one, two) => {
      const [first, second] = [mergedLayout(before, one, two, fields), mergedLayout(before, two, one, fields)];
      expect(first.merged === null).toBe(second.merged === null);
      expect(mergedLayout(before, one, one, fields)).toEqual({ differences: [], merged: one });
    }),
  );
});
