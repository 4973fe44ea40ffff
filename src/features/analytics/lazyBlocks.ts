import { lazy, type LazyExoticComponent } from 'react';
import type { LazyBlock, LazyKind } from './blocks';

/** One line a block: `map: lazy(() => import(/* webpackChunkName: "block-overview" *\/ './MapBlock'))`. A kind without a line is not drawn. */
export const lazyBlocks: { readonly [K in LazyKind]?: LazyExoticComponent<LazyBlock<K>> } = {
  histogram: lazy(() => import(/* webpackChunkName: "block-histogram" */ './HistogramBlock')),
  tree: lazy(() => import(/* webpackChunkName: "block-pages" */ './TreeBlock')),
  flow: lazy(() => import(/* webpackChunkName: "block-pages" */ './FlowBlock')),
  map: lazy(() => import(/* webpackChunkName: "block-overview" */ './MapBlock')),
  coverage: lazy(() => import(/* webpackChunkName: "block-sources" */ './CoverageBlock')),
  movers: lazy(() => import(/* webpackChunkName: "block-sources" */ './MoversBlock')),
  imported: lazy(() => import(/* webpackChunkName: "block-overview" */ './ImportedBlock')),
  reportedKeywords: lazy(() => import(/* webpackChunkName: "block-overview" */ './ReportedKeywordsBlock')),
};
