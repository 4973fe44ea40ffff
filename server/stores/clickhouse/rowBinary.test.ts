import fc from 'fast-check';
import { createRowReader, createRowWriter } from './rowBinary';

test('every written value is read back, whatever its size', () => {
  const id = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((n) => n.toString(16).padStart(16, '0'));
  const row = fc.record({
    text: fc.oneof(fc.string({ maxLength: 300 }), fc.string({ unit: 'grapheme', maxLength: 300 }), fc.string({ minLength: 60, maxLength: 130 })),
    id,
    u8: fc.nat(255),
    u16: fc.nat(65_535),
    u32: fc.nat(2 ** 32 - 1),
    i64: fc.integer({ min: -(2 ** 50), max: Number.MAX_SAFE_INTEGER }),
    count: fc.nat(2 ** 31 - 1),
  });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 30 }), (rows) => {
      const out = createRowWriter(16);
      for (const one of rows) {
        out.text(one.text);
        out.id(one.id);
        out.u8(one.u8);
        out.u16(one.u16);
        out.u32(one.u32);
        out.i64(one.i64);
        out.count(one.count);
      }
      const from = createRowReader(out.take());
      expect(
        rows.map(() => ({ text: from.text(), id: from.id(), u8: from.u8(), u16: from.u16(), u32: from.u32(), i64: from.i64(), count: from.count() })),
      ).toEqual(rows);
      expect(from.ended()).toBe(true);
    }),
  );
});

test('a response that ends within a row is refused', () => {
  const out = createRowWriter();
  out.text('tea');
  expect(() => createRowReader(out.take().subarray(0, 3)).text()).toThrow(RangeError);
});
