import { type ComponentType, type LazyExoticComponent, type ReactElement, Suspense, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import { Bone } from '@/ui/skeletons';
import { TabLinks } from '@/ui/TabLinks';
import type { BlockProps, LazyKind } from './blocks';
import { BucketsBlock } from './BucketsBlock';
import { FiguresBlock } from './FiguresBlock';
import { withFilters, withoutFilters } from './filters';
import { lazyBlocks } from './lazyBlocks';
import { ListsBlock } from './ListsBlock';
import { RowsBlock } from './RowsBlock';
import type { Block, BlockOf, PageTab } from './sections';
import { type Reading, SeriesBlock } from './SeriesBlock';
import { NewAndReturningBlock } from './NewAndReturningBlock';
import { TopLinesBlock } from './TopLinesBlock';
import { writeState } from './urlState';
import { useLabels } from './useLabels';

type Props = BlockProps & { readonly reading: Reading };

/** Blocks that mostly have nothing to show take no space while their part loads, so that what is below stays where it is. */
const mostlyEmpty: ReadonlySet<LazyKind> = new Set(['imported', 'reportedKeywords']);

const Late = ({ block, ...props }: BlockProps & { readonly block: BlockOf<LazyKind> }): ReactElement | null => {
  // The list of blocks checks which component fits which block; here only their pairing is known.
  const View = lazyBlocks[block.kind] as LazyExoticComponent<ComponentType<BlockProps & { block: BlockOf<LazyKind> }>> | undefined;
  return View === undefined ? null : (
    <Suspense fallback={mostlyEmpty.has(block.kind) ? null : <Bone h={200} style={{ opacity: 0.5, marginBottom: 24 }} />}>
      <View {...props} block={block} />
    </Suspense>
  );
};

/** Tabs within a page: each has its address; rows, order and page of another tab are dropped. */
const PageTabs = ({ tabs, ...props }: Props & { readonly tabs: readonly PageTab[] }): ReactElement => {
  const { t } = useLabels();
  const [params] = useSearchParams();
  const open = tabs.find((tab) => tab.id === props.state.view) ?? tabs[0];
  const filters = open?.filters;
  const { state, change } = props;
  // Like a screen's own filters: applied to every call and not part of the address.
  const inside: Props = useMemo(
    () =>
      filters === undefined
        ? props
        : {
            ...props,
            state: { ...state, filters: withFilters(state.filters, filters) },
            change: (values, how) => change(values.filters === undefined ? values : { ...values, filters: withoutFilters(values.filters, filters) }, how),
          },
    // The parts that matter of the props.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [filters, state, change, props.own, props.reading, props.today],
  );
  return (
    <>
      <TabLinks
        label={t('block.views')}
        current={open?.id ?? ''}
        tabs={tabs.map(({ id }, at) => ({
          id,
          name: t(`tab.${id}`),
          to: `?${writeState({ ...props.state, filters: props.own, view: at === 0 ? null : id, by: null, sort: null, page: 1, columns: null, at: null }, params).toString()}`,
        }))}
      />
      {open !== undefined && <Blocks key={open.id} {...inside} blocks={open.blocks} />}
    </>
  );
};

const BlockView = ({ block, reading, ...props }: Props & { readonly block: Block }): ReactElement | null => {
  switch (block.kind) {
    case 'figures':
      return <FiguresBlock {...props} measures={block.measures} drives={block.drives === true} />;
    case 'series':
      return <SeriesBlock {...props} measures={block.measures} reading={reading} driven={block.driven === true} />;
    case 'buckets':
      return <BucketsBlock {...props} measures={block.measures} charted={block.charted} more={block.more} reading={reading} />;
    case 'rows':
      return <RowsBlock {...props} block={block} />;
    case 'lists':
      return props.state.by === null ? <ListsBlock {...props} lists={block.lists} /> : null;
    case 'pageTabs':
      return <PageTabs {...props} tabs={block.tabs} reading={reading} />;
    case 'topLines':
      return <TopLinesBlock {...props} block={block} />;
    case 'sides':
      return <NewAndReturningBlock {...props} block={block} />;
    default:
      return <Late {...props} block={block} />;
  }
};

/** The blocks of a screen, or of one of its tabs, in order. */
export const Blocks = ({ blocks, ...props }: Props & { readonly blocks: readonly Block[] }): ReactElement => (
  <>
    {blocks.map((block, at) => (
      // Blocks of one screen never change places.
      // oxlint-disable-next-line react/no-array-index-key
      <BlockView key={at} {...props} block={block} />
    ))}
  </>
);
