import { testField } from '../../../test/support/openField';
import { fillState } from './fillState';

const at = { now: Date.UTC(2026, 10, 20), timeZone: 'Asia/Shanghai' };
const fields = [
  testField('name', { id: 'name', required: true }),
  testField('note', { id: 'note', start: 'hello' }),
  testField('seats', { id: 'seats', type: 'integer', yields: 'number' }),
];

test('an emptied field is sent only if it had a default', () => {
  expect(fillState(fields, { name: '王芳', note: '', seats: '' }, at).values()).toEqual({ name: '王芳', note: null });
});

test('required fields without input and unreadable input are errors', () => {
  expect(fillState(fields, { name: ' ', note: 'x', seats: 'two' }, at).missing()).toEqual({ name: { code: 'required' }, seats: { code: 'wrong_type' } });
});
