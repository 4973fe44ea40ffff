import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CellWrite, GridColumn, GridRow, PasteRequest } from '../grid/types';
import type { Paste } from './PasteDialog';
import type { RowPages } from './rowPages';
import { isSystem } from './viewState';

/** Larger pastes are checked by the server before they are written. */
const maxDirectCells = 2000;

/** The request without system columns, which are read-only. */
export function withoutSystemColumns(request: PasteRequest): Pick<PasteRequest, 'columns' | 'texts' | 'values' | 'kinds'> {
  const places = request.columns.flatMap((name, place) => (isSystem(name) ? [] : [place]));
  const pick = <T>(row: readonly T[]): T[] => places.flatMap((place) => row.slice(place, place + 1));
  return {
    columns: pick(request.columns),
    texts: request.texts.map(pick),
    values: request.values?.map(pick) ?? null,
    kinds: request.kinds && pick(request.kinds),
  };
}

/** Pastes into the grid: values copied from cells of the same kind are written directly; anything else is previewed first (`pasting`). */
export function useGridPaste({
  pages,
  columns,
  locale,
  onWrite,
  onNotice,
}: {
  readonly pages: RowPages;
  readonly columns: readonly GridColumn[];
  readonly locale: string | undefined;
  readonly onWrite: (writes: readonly CellWrite[]) => void;
  readonly onNotice: (text: string) => void;
}) {
  const { t } = useTranslation('tables');
  const [pasting, setPasting] = useState<Paste | null>(null);

  const loadRows = async (indexes: readonly number[]): Promise<readonly (GridRow | undefined)[]> => {
    if (indexes.length === 0) return [];
    const first = Math.min(...indexes);
    const rows = await pages.source.load(first, Math.max(...indexes) + 1, new AbortController().signal);
    return indexes.map((index) => rows[index - first]);
  };
  const paste = async (request: PasteRequest): Promise<void> => {
    const { columns: names, texts, values, kinds } = withoutSystemColumns(request);
    let rows: readonly (GridRow | undefined)[];
    try {
      rows = await loadRows(request.rows);
    } catch (error) {
      return onNotice(error instanceof Error && error.message !== '' ? error.message : t('failed'));
    }
    const targetKinds = names.map((name) => columns.find(({ id }) => id === name)?.kind);
    const hasSameKinds = kinds?.every((kind, at) => kind === targetKinds[at]) === true;
    if (values && hasSameKinds && texts.length === rows.length && texts.length * names.length <= maxDirectCells)
      return onWrite(
        rows.flatMap((row, at) =>
          row ? names.map((column, inside) => ({ rowId: row.id, index: request.rows[at] ?? 0, column, value: values[at]?.[inside] ?? null })) : [],
        ),
      );
    const cells = texts.map((row, at) => ({ id: rows[at]?.id ?? null, cells: row.map((text): string | null => text) }));
    setPasting({ fields: [...names], rows: cells, extra: request.extra, ...(locale === undefined ? {} : { locale }) });
  };
  return { pasting, paste, closePaste: () => setPasting(null) };
}
