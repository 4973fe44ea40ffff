/** The column of the address of a page, beside those of an extraction. */
export const addressColumn = '@url';

type MappedField = { readonly id: string; readonly key: string; readonly title: string; readonly type: string; readonly isKey: boolean };

const plain = (text: string): string => text.normalize('NFKC').trim().toLowerCase();

/**
 * Fields of a content table by columns of extracted rows: those of the same key or title, and for the address one for addresses, preferably one that records can be
 * found by (`isKey`). No field has two columns.
 */
export function fieldsByColumn(columns: readonly string[], fields: readonly MappedField[]): Record<string, string> {
  const mapped: Record<string, string> = {};
  const free = new Set(fields);
  const take = (column: string, field: MappedField | undefined): void => {
    if (field === undefined) return;
    mapped[column] = field.id;
    free.delete(field);
  };
  for (const column of columns)
    take(
      column,
      [...free].find(({ key, title }) => plain(key) === plain(column) || plain(title) === plain(column)),
    );
  const addresses = [...free].filter(({ type }) => type === 'url');
  take(addressColumn, addresses.find(({ isKey }) => isKey) ?? addresses[0]);
  return mapped;
}
