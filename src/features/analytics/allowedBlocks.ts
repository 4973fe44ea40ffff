import { isAllowedDimension } from '@/lib/publicLink';
import type { Block, ListSpec, ListTab } from './sections';

const isFilled = <T>(list: readonly T[]): list is readonly [T, ...T[]] => list.length > 0;
const mayFilter = (filters: readonly string[] = []): boolean => filters.every((filter) => isAllowedDimension(filter.split(':', 1)[0] ?? ''));
const mayList = ({ by, filters }: ListTab): boolean => isAllowedDimension(by) && mayFilter(filters);

const allowedLists = (lists: readonly ListSpec[]): ListSpec[] =>
  lists.flatMap((list) => {
    const tabs = list.tabs.filter(mayList);
    return isFilled(tabs) ? [{ ...list, tabs }] : [];
  });

function allowedBlock(block: Block): readonly Block[] {
  switch (block.kind) {
    case 'lists':
    case 'sides':
      return [{ ...block, lists: allowedLists(block.lists) }];
    case 'rows':
    case 'topLines': {
      const by = block.by.filter(isAllowedDimension);
      return isFilled(by) ? [{ ...block, by }] : [];
    }
    case 'histogram': {
      const of = block.of.filter((one) => !('by' in one) || isAllowedDimension(one.by));
      return isFilled(of) ? [{ ...block, of }] : [];
    }
    case 'map':
    case 'movers':
      return isAllowedDimension(block.by) ? [block] : [];
    case 'pageTabs':
      return [{ ...block, tabs: block.tabs.filter(({ filters }) => mayFilter(filters)).map((tab) => ({ ...tab, blocks: allowedBlocks(tab.blocks) })) }];
    default:
      return [block];
  }
}

/** The blocks without what a public link does not show: a link opens what its screens showed when they were chosen. All blocks in the console. */
export const allowedBlocks = (blocks: readonly Block[]): readonly Block[] => blocks.flatMap(allowedBlock);
