import { failureText } from './failure';

test('the text of the program is the message of a failed call', () => {
  expect(failureText({ kind: 'api', status: 409, message: '网址已被使用' })).toEqual({ text: '网址已被使用' });
});

test.each([
  ['http', 502, 'Bad Gateway', 'ui:unavailable'],
  ['html', 504, '504 Gateway Time-out', 'ui:unavailable'],
  ['http', 500, 'Internal Server Error', 'ui:unexpected'],
] as const)('a foreign %s answer with status %i becomes a sentence with the status', (kind, status, message, key) => {
  expect(failureText({ kind, status, message })).toEqual({ key, values: { status } });
});

test.each([
  ['network', 'ui:offline'],
  ['aborted', 'ui:offline'],
  ['timeout', 'ui:timeout'],
] as const)('no answer because of %s says what to do', (kind, key) => {
  expect(failureText({ kind, status: 0, message: '' })).toEqual({ key, values: { status: 0 } });
});
