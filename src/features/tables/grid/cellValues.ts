import type { CellWrite, GridColumn, GridRow } from './types';

export const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
export const mayWrite = (column: GridColumn, row: GridRow | undefined): boolean => column.edit !== 'none' && row?.locked !== true;
export const sameValue = (a: unknown, b: unknown): boolean => (isEmpty(a) && isEmpty(b)) || JSON.stringify(a) === JSON.stringify(b);

/** The write of one cell, with the revision of the row on screen. */
export const writeTo = (row: GridRow, index: number, column: Pick<GridColumn, 'id'>, value: unknown): CellWrite => ({
  rowId: row.id,
  index,
  column: column.id,
  value,
  ...(row.revision === undefined ? {} : { revision: row.revision }),
});
