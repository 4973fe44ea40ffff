import { clipType, pasteRequest, readBlock } from './clipboardBlock';
import { maxGestureRows } from './gestureRows';
import type { GridModel } from './gridModel';
import type { Range } from './selection';
import { parseTsv } from './tsv';
import type { GridColumn, PasteRequest } from './types';

const firstCell: Range = { top: 0, bottom: 0, left: 0, right: 0 };

/** The target of a paste. An empty list has no cell to start at, so the paste becomes new rows in the writable columns. null: no target. */
export function pasteTarget(
  { props, layout, displayRows }: Pick<GridModel, 'props' | 'layout' | 'displayRows'>,
  selected: Range | null,
): { readonly range: Range; readonly columns: readonly GridColumn[]; readonly isEmptyList: boolean } | null {
  const isEmptyList = displayRows.count === 0 && props.onAddRow !== undefined;
  const range = isEmptyList ? firstCell : selected;
  if (!range || range.top < 0) return null;
  const columns = layout.all.map(({ column }) => column).filter((column) => !isEmptyList || column.edit !== 'none');
  return { range, columns, isEmptyList };
}

/** The paste request for the clipboard's content. null: it is empty; 'tooMany': more rows than one paste accepts. */
export function readPaste(
  clipboard: DataTransfer,
  range: Range,
  columns: readonly GridColumn[],
  displayRows: GridModel['displayRows'],
): PasteRequest | 'tooMany' | null {
  const texts = parseTsv(clipboard.getData('text/plain'));
  const width = Math.max(0, ...texts.map((row) => row.length));
  const indexesBelow = (count: number): number[] => {
    const found: number[] = [];
    for (let displayIndex = range.top; displayIndex < displayRows.count && found.length < count; displayIndex += 1) {
      const displayed = displayRows.at(displayIndex);
      if (displayed?.kind === 'row') found.push(displayed.index);
    }
    return found;
  };
  const request = pasteRequest(texts, readBlock(clipboard.getData(clipType), texts.length, width), range, columns, indexesBelow);
  return request && request.texts.length > maxGestureRows ? 'tooMany' : request;
}
