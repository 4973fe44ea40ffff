import { prettyJson } from './prettyJson';

test('JSON is indented', () => {
  expect(prettyJson('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
});

test('text that is not JSON is unchanged', () => {
  expect(prettyJson('<p>no</p>')).toBe('<p>no</p>');
});
