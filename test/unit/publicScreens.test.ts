import { publicScreens } from '../../contract/publicLinks/schemas';
import type { PublicScreen } from '../../contract/publicLinks/schemas';
import { changedDimensions, dimensionsOf, mayAsk, reachOf } from '../../server/areas/publicLinks/screens';
import { screens } from '../../src/features/analytics/sections';
import type { Block } from '../../src/features/analytics/sections';

/** A link made with this version. */
const linkTo = (...chosen: PublicScreen[]) => ({ screens: chosen, dimensions: dimensionsOf(chosen) });

/** The queries of a block of a screen: rows and filters by dimensions, or another endpoint. */
function questionsOf(block: Block): { endpoint: string; by?: readonly string[]; filters?: readonly string[] }[] {
  switch (block.kind) {
    case 'lists':
    case 'sides':
      return block.lists.flatMap((list) => list.tabs.map(({ by, filters = [] }) => ({ endpoint: 'report', by: [by], filters })));
    case 'rows':
    case 'topLines':
      return [{ endpoint: 'report', by: block.by }];
    case 'histogram':
      return block.of.map((one) => ('by' in one ? { endpoint: 'report', by: [one.by] } : { endpoint: 'distribution' }));
    case 'series':
      return [{ endpoint: 'report' }, { endpoint: 'outlook' }];
    case 'map':
      return [{ endpoint: 'report', by: [block.by] }];
    case 'movers':
      return [{ endpoint: 'movers', by: [block.by] }];
    case 'pageTabs':
      return block.tabs.flatMap((tab) => [{ endpoint: 'report', filters: tab.filters ?? [] }, ...tab.blocks.flatMap(questionsOf)]);
    case 'flow':
    case 'tree':
    case 'coverage':
      return [{ endpoint: block.kind }];
    default:
      return [{ endpoint: 'report' }];
  }
}

test.each(publicScreens)('a link to the screen %s may query what it shows', (id) => {
  const screen = screens.find((one) => one.id === id.replace('/', '.'));
  const questions = screen ? [{ endpoint: 'report', filters: screen.filters ?? [] }, ...screen.blocks.flatMap(questionsOf)] : [];
  expect(questions.length).toBeGreaterThan(1);
  const refused = questions.flatMap(
    ({ endpoint, by = [undefined], filters = [] }: { endpoint: string; by?: readonly (string | undefined)[]; filters?: readonly string[] }) =>
      by
        .filter((one) => !mayAsk(linkTo(id), endpoint, { ...(one === undefined ? {} : { by: one }), filter: filters }))
        .map((one) => `${endpoint} by ${one ?? 'nothing'} ${filters.join(' ')}`),
  );
  expect(refused).toEqual([]);
});

test('a link may not query screens that it does not show', () => {
  expect(mayAsk(linkTo('trend'), 'report', { by: 'city' })).toBe(false);
  expect(mayAsk(linkTo('trend'), 'flow', {})).toBe(false);
});

describe('a link made before the overview showed browsers', () => {
  const old = { screens: ['overview'] as const, dimensions: dimensionsOf(['overview']).filter((one) => one !== 'browser') };

  test('shows only what the overview showed then', () => {
    expect(mayAsk(old, 'report', { by: 'path' })).toBe(true);
    expect(mayAsk(old, 'report', { by: 'browser' })).toBe(false);
    expect(mayAsk(old, 'report', { filter: 'browser:is:Firefox' })).toBe(false);
  });

  test('opens no more when it is saved with the same screens', () => {
    expect(changedDimensions(old, ['overview'])).not.toContain('browser');
    expect(changedDimensions(old, ['overview', 'source'])).not.toContain('browser');
  });

  test('opens what an added screen shows now', () => {
    const without = { screens: ['source'] as const, dimensions: changedDimensions(old, ['source']) };
    expect(changedDimensions(without, ['source', 'overview'])).toContain('browser');
  });

  test('never opens what its screens no longer show', () =>
    expect(reachOf({ screens: ['trend'], dimensions: dimensionsOf(['overview']) })).toEqual(['newReturning']));
});
