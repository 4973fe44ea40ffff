import type { LazyExoticComponent } from 'react';
import type { LateBlock, LateKind } from './blocks';

/** One line a block: `map: lazy(() => import(/* webpackChunkName: "block-map" *\/ './MapBlock'))`. A kind without a line is not drawn. */
export const lateBlocks: { readonly [K in LateKind]?: LazyExoticComponent<LateBlock<K>> } = {};
