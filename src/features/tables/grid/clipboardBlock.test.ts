import fc from 'fast-check';
import { gridColumn as column } from '../../../../test/support/gridScreen';
import { pasteRequest } from './clipboardBlock';

test('a pasted block is rectangular and fits the columns', () => {
  const columns = ['a', 'b', 'c'].map((id) => column(id));
  fc.assert(
    fc.property(fc.array(fc.array(fc.string(), { maxLength: 5 }), { maxLength: 5 }), fc.nat(2), fc.nat(3), (texts, left, more) => {
      const request = pasteRequest(texts, null, { top: 0, bottom: more, left, right: left }, columns, (count) =>
        Array.from({ length: count }, (_, place) => place),
      );
      for (const row of request?.texts ?? []) expect(row).toHaveLength(request?.columns.length ?? -1);
      expect((request?.columns.length ?? 0) + left).toBeLessThanOrEqual(3);
      expect(request === null).toBe(texts.every((row) => row.length === 0));
    }),
  );
});
