import { setAllowedDimensions } from '@/lib/publicLink';
import { allowedBlocks } from './allowedBlocks';
import { type Block, screenOf, screens } from './sections';

/** Dimensions of the rows and lists of these blocks. */
const dimensionsIn = (blocks: readonly Block[]): string[] =>
  blocks.flatMap((block) => ('lists' in block ? block.lists.flatMap((list) => list.tabs.map(({ by }) => by)) : 'by' in block ? [block.by].flat() : []));

test('the console shows every block', () => {
  for (const { blocks } of screens) expect(allowedBlocks(blocks)).toEqual(blocks);
});

test('a link to an older overview shows the lists of that time', () => {
  setAllowedDimensions(['newReturning', 'sourceName', 'sourceType', 'path', 'entryPath', 'country', 'province', 'city']);
  const blocks = allowedBlocks(screenOf('overview')?.blocks ?? []);
  expect([...new Set(dimensionsIn(blocks))].toSorted()).toEqual(['city', 'country', 'entryPath', 'path', 'province', 'sourceName', 'sourceType']);
  const lists = blocks.flatMap((block) => (block.kind === 'lists' ? block.lists : []));
  expect(lists.map(({ id, tabs }) => [id, tabs.length])).toEqual([
    ['source', 2],
    ['path', 2],
    ['place', 3],
  ]);
});

test('tabs of a page whose filter is closed are left out', () => {
  setAllowedDimensions(['utmSource', 'campaign']);
  const [block] = allowedBlocks(screenOf('campaign')?.blocks ?? []);
  expect(block?.kind === 'pageTabs' && block.tabs.map(({ id }) => id)).toEqual(['utmSource', 'campaign']);
});
