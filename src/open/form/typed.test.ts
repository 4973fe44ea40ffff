import { testField } from '../../../test/support/openField';
import type { OpenField } from '@contract/tables/forms';
import { prefilled, readTyped, typedOf } from './typed';

const field = (id: string, more: Partial<OpenField> = {}): OpenField => testField(id, { id: `f_${id}`, names: [id, `old_${id}`], ...more });
const choices = [
  { id: 'g', title: '绿茶', color: 'green' as const },
  { id: 'b', title: '红茶, 滇红', color: 'red' as const },
];
const fields = [
  field('name'),
  field('kind', { type: 'select', options: { choices } }),
  field('teas', { type: 'multiSelect', options: { choices } }),
  field('seats', { type: 'integer', yields: 'number' }),
  field('agree', { type: 'switch', yields: 'boolean' }),
  field('at', { type: 'datetime', yields: 'datetime' }),
  field('day', { type: 'date', yields: 'date' }),
];
const form = {
  timeZone: 'Asia/Shanghai',
  sections: [{ title: '', note: '', collapsed: false, fields: fields.map((one) => ({ field: one, width: 'full' as const })) }],
};

test('address parameters fill in and hide form fields by name', () => {
  const { typed, hidden } = prefilled(
    form,
    '?name=%E7%8E%8B%E8%8A%B3&old_kind=红茶, 滇红&teas=绿茶&teas=b&seats=二&agree=yes&at=2026-11-20 17:05&day=2026/11/20&secret=x&hide_name=1&hide_seats=1&hide_day=0&hide_secret=1',
  );
  expect(typed).toEqual({
    f_name: '王芳',
    f_kind: 'b',
    f_teas: ['g', 'b'],
    // Not a number: not hidden, so that the visitor can correct it.
    f_seats: '二',
    f_agree: true,
    f_at: '2026-11-20T17:05',
    f_day: '2026-11-20',
  });
  expect(hidden).toEqual(['f_name']);
  expect(prefilled(form, '?kind=黑茶&agree=maybe&day=soon').typed).toEqual({});
});

test("input converts to a field value and back in the site's zone", () => {
  const read = (name: string, typed: Parameters<typeof readTyped>[1]) => {
    const one = fields.find(({ names }) => names[0] === name);
    return one ? readTyped(one, typed, form.timeZone) : null;
  };
  expect(read('seats', '１２')).toEqual({ value: 12 });
  expect(read('seats', '12.5')).toEqual({ error: 'wrong_type' });
  expect(read('at', '2026-11-20T17:05')).toEqual({ value: '2026-11-20T09:05:00.000Z' });
  expect(read('agree', false)).toEqual({ value: false });
  expect(readTyped(field('must', { type: 'switch', required: true }), false, 'UTC')).toEqual({ value: null });
  expect(typedOf(field('x', { type: 'datetime' }), '2026-11-20T09:05:00.000Z', form.timeZone)).toBe('2026-11-20T17:05');
  expect(typedOf(field('x', { type: 'percent' }), '12.5', 'UTC')).toBe('12.5%');
  expect(typedOf(field('x', { type: 'time' }), '09:05:00', 'UTC')).toBe('09:05');
});
