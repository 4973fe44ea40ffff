import type { FieldModel } from '../model';
import { fieldOperand } from './operand';
import { isReadable } from './readContext';
import type { ReadContext } from './readContext';

/** The name of a record: SQL of a text at its row, and how that text is shown. */
export type Label = { readonly sql: string; readonly show: (text: string | null) => string };

const namable = new Set<FieldModel['yields']>(['text', 'number', 'boolean', 'date', 'datetime', 'time']);
/** Characters of a name; a cell may hold a megabyte. */
const longest = 200;

/** By the primary field, where the reader may read it; else by the number (`#12`). */
export function labelAt(scope: ReadContext): Label {
  const field = scope.table.fields.find((one) => one.id === scope.table.primaryField);
  if (!field || field.problem !== null || field.type === 'password' || !namable.has(field.yields) || !isReadable(scope, field))
    return { sql: `${scope.row}.n::text`, show: (text) => `#${text ?? ''}` };
  const { sql } = fieldOperand(scope, field);
  return { sql: field.yields === 'text' ? `left(${sql}, ${longest * 4})` : `${sql}::text`, show: (text) => shown(field, text ?? '') };
}

function shown(field: FieldModel, text: string): string {
  const { choices, prefix = '', pad = 0 } = field.options;
  if (field.type === 'select') return choices?.find((choice) => choice.id === text)?.title ?? '';
  if (field.type === 'autonumber' && text !== '') return `${prefix}${text.padStart(pad, '0')}`;
  const plain =
    field.type === 'richText'
      ? text
          .replaceAll(/<[^>]*>?/g, ' ')
          .replaceAll(/\s+/g, ' ')
          .trim()
      : text;
  return plain.length > longest ? Array.from(plain).slice(0, longest).join('') : plain;
}
