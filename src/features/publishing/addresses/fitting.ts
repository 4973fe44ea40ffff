import type { ThemeFieldType, ThemeManifest } from '@contract/publishing/theme';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import type { FieldType } from '@contract/tables/terms';

const texts = ['text', 'longText', 'select', 'email', 'url', 'phone', 'slug', 'barcode'] as const satisfies readonly FieldType[];
const numbers = ['integer', 'number', 'currency', 'percent', 'rating', 'duration', 'autonumber'] as const satisfies readonly FieldType[];
const links = ['relation', 'relations', 'inverse'] as const satisfies readonly FieldType[];

/** Types of fields whose values a theme's field can show (`server/delivery/content/values.ts`), the best first. */
const fittingTypes: Readonly<Record<ThemeFieldType, readonly FieldType[]>> = {
  text: [...texts, 'multiSelect', 'tags', ...numbers, 'date', 'datetime', 'formula', 'lookup', 'rollup', ...links],
  rich_text: ['richText', 'markdown', 'longText'],
  image: ['image', 'svg', 'file'],
  date: ['date', 'datetime'],
  number: [...numbers, 'formula', 'rollup'],
  money: ['currency', 'number', 'integer', 'formula', 'rollup'],
  link: ['url', 'email', 'phone', 'text'],
  record: ['relation', 'relations', 'inverse'],
  records: ['relations', 'relation', 'inverse'],
  tags: ['tags', 'multiSelect', 'select', ...links],
  boolean: ['switch'],
};

type Collection = ThemeManifest['collections'][string];

/** Fields of a table that a field of the theme can show, the best fitting first. Secrets are never among them. */
export const fittingFields = (table: ContentTable, type: ThemeFieldType): TableField[] =>
  fittingTypes[type].flatMap((fieldType) => table.fields.filter((field) => field.type === fieldType && !field.sensitive));

export const slugFields = (table: ContentTable): TableField[] => table.fields.filter(({ type }) => type === 'slug');

const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Suggests a field of the table for each field of a collection: one with the same name, else the title for a required text, else the only one that fits. */
export function suggestFields(table: ContentTable, { fields }: Collection): Record<string, string> {
  const suggested = new Map<string, string>();
  const take = (key: string, field: TableField | undefined): void => {
    if (field && !suggested.has(key) && ![...suggested.values()].includes(field.id)) suggested.set(key, field.id);
  };
  for (const [key, { type, label }] of Object.entries(fields)) {
    const names = [key, ...Object.values(label)].map(plain);
    take(
      key,
      fittingFields(table, type).find((field) => names.includes(plain(field.key)) || names.includes(plain(field.title))),
    );
  }
  for (const [key, { type, required }] of Object.entries(fields)) {
    const fitting = fittingFields(table, type);
    if (required && type === 'text')
      take(
        key,
        fitting.find(({ id }) => id === table.primaryField),
      );
    if (type !== 'text' && fitting.length === 1) take(key, fitting[0]);
  }
  return Object.fromEntries(suggested);
}
