import { z } from 'zod';
import { ContactInput } from '@contract/contacts/schemas';
import { LoginName, NewPassword } from '@contract/session/schemas';
import { SiteUrl } from '@contract/sites/schemas';
import { changes, conflicts } from './conflicts';
import { decodeFieldError, encodeFieldError, fieldErrorOf } from './fieldError';

const fieldErrorFor = (schema: z.ZodType, value: unknown) => {
  const issue = schema.safeParse(value, { error: (found) => encodeFieldError(fieldErrorOf(found)) }).error?.issues[0];
  return issue && decodeFieldError(issue.message);
};

test.each([
  [LoginName, '', { code: 'required' }],
  [LoginName, 'ab', { code: 'too_short', min: 3 }],
  [LoginName, 'x'.repeat(33), { code: 'too_long', max: 32 }],
  [LoginName, '-abc', { code: 'pattern' }],
  [NewPassword, 'fourteen chars', { code: 'too_short', min: 15 }],
  [ContactInput.shape.email, 'x', { code: 'not_an_email' }],
  [ContactInput.shape.phone, 'call me', { code: 'pattern' }],
  [SiteUrl, 'javascript:alert(1)', { code: 'not_a_url' }],
  [SiteUrl, 'https://me:secret@example.com', { code: 'not_a_url' }],
  [z.number(), 'x', { code: 'wrong_type' }],
  [z.number().max(9), 12, { code: 'out_of_range', max: 9 }],
] as const)("a value refused by the contract has the server's error code", (schema, value, expectedError) => {
  expect(fieldErrorFor(schema, value)).toEqual(expectedError);
});

test('two changes conflict only where both sides changed the same field differently', () => {
  const base = { a: 1, b: ['x'], c: 'same' };
  expect(conflicts(base, { ...base, a: 2 }, { ...base, b: ['y'] })).toEqual([]);
  expect(conflicts(base, { ...base, a: 2 }, { ...base, a: 2 })).toEqual([]);
  expect(conflicts(base, { ...base, a: 2, b: ['z'] }, { ...base, a: 3, b: ['z'] })).toEqual(['a']);
  expect(changes(base, { a: 1, b: ['x', 'y'], c: '' })).toEqual({ b: ['x', 'y'], c: '' });
});
