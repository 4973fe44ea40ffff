import type { RefObject } from 'react';
import type { ColumnLayout } from './columnLayout';
import type { DisplayRows } from './displayRows';
import type { Bounds } from './selection';
import type { GridProps } from './types';
import type { GridLabels } from './useGridLabels';
import type { Viewport } from './useViewport';

/** State of one render of the grid, shared by its hooks and parts. `keyField` is the focused field that receives typing. */
export type GridModel = {
  readonly id: string;
  readonly props: GridProps;
  readonly labels: GridLabels;
  readonly displayRows: DisplayRows;
  readonly layout: ColumnLayout;
  readonly bounds: Bounds;
  readonly viewport: Viewport;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly keyField: RefObject<HTMLTextAreaElement | null>;
};
