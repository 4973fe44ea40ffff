import type { Import } from '@contract/imports/schemas';
import { inOrderOf } from './importFiles';

const file = (name: string, size: number): File => new File(['x'.repeat(size)], name);

test('only the same files resume an upload, in any order', () => {
  const begun: Pick<Import, 'files'> = {
    files: [
      { name: '0.log', size: 4, stored: 1 },
      { name: '1.log', size: 5, stored: 0 },
    ],
  };
  expect(inOrderOf(begun, [file('1.log', 5), file('0.log', 4)])?.map((one) => one.name)).toEqual(['0.log', '1.log']);
  expect(inOrderOf(begun, [file('1.log', 5), file('0.log', 3)])).toBeNull();
});
