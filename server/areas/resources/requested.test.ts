import { deliveredVariants, resourceAddress } from '../../../contract/resources/addresses';
import { aliasAddress } from '../../../contract/resources/alias';
import { requestedResource } from './requested';

const tea = { id: '0198c0de-0000-7000-8000-000000000001', sha256: `0123456789abcdef${'0'.repeat(48)}`, name: '茶/#1 %.jpg' };

test.each(deliveredVariants)('an address of %s is read as it was built', (preset) => {
  const read = requestedResource(resourceAddress({ ...tea, focalX: 0.1, preset }));
  expect(read).toMatchObject({ id: tea.id, version: '01234567', variant: preset });
});

test.each(deliveredVariants)('an address of a turned and cropped %s is read as it was built', (preset) => {
  const edit = { rotation: 270, crop: { x: 0.125, y: 0, width: 0.75, height: 1 } };
  expect(requestedResource(resourceAddress({ ...tea, ...edit, preset }))).toMatchObject({
    variant: preset,
    segment: expect.stringMatching(/^[a-z]+\d?(-50-50)?-r270-c1250-0-7500-10000$/) as string,
  });
});

test('an alias names the current file', () => {
  expect(requestedResource(aliasAddress(tea))).toEqual({ id: tea.id, version: null, variant: 'original', segment: 'original' });
});

test.each([
  '/_r/',
  `/_r/${tea.id}`,
  `/_r/${tea.id}/`,
  `/_r/${tea.id}x/a.jpg`,
  `/_r/${tea.id}/0123456/original/a.jpg`,
  `/_r/${tea.id}/01234567/original/`,
  `/_r/${tea.id}/01234567/original/a/b.jpg`,
  `/_r/${tea.id}/01234567/w=9000/a.jpg`,
  `/_r/${tea.id}/01234567/constructor/a.jpg`,
  `/_r/${tea.id}/01234567/small-10-10/a.jpg`,
  `/_r/${tea.id}/01234567/original-10-10/a.jpg`,
  `/_r/${tea.id}/01234567/square-1000-10/a.jpg`,
  `/_r/${tea.id}/01234567/small-r45/a.jpg`,
  `/_r/${tea.id}/01234567/small-c1-2-3/a.jpg`,
  `/_r/${tea.id}/01234567/small-c1-2-3-4-5/a.jpg`,
  `/_r/${tea.id}/../01234567/a.jpg`,
])('%s is no address', (path) => expect(requestedResource(path)).toBeNull());
