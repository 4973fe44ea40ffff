import { serverFieldTypeOf } from '../fieldTypes';
import type { FieldModel } from '../model';
import { fieldOperand } from './operand';
import { isReadable } from './readContext';
import type { ReadContext } from './readContext';

/** The name of a record: a SQL text expression on its row, and how that text is displayed. */
export type Label = { readonly sql: string; readonly show: (text: string | null) => string };

const namable = new Set<FieldModel['yields']>(['text', 'number', 'boolean', 'date', 'datetime', 'time']);
/** Maximum length of a name in characters; a cell may hold a megabyte. */
const longest = 200;

/** The primary field if the reader may read it, else the number (`#12`). */
export function labelAt(scope: ReadContext): Label {
  const field = scope.table.fields.find((one) => one.id === scope.table.primaryField);
  if (!field || field.problem !== null || field.type === 'password' || !namable.has(field.yields) || !isReadable(scope, field))
    return { sql: `${scope.row}.n::text`, show: (text) => `#${text ?? ''}` };
  const { sql } = fieldOperand(scope, field);
  return { sql: field.yields === 'text' ? `left(${sql}, ${longest * 4})` : `${sql}::text`, show: (text) => displayName(field, text ?? '') };
}

function displayName(field: FieldModel, text: string): string {
  const plain = serverFieldTypeOf(field.type).label?.(text, field.options) ?? text;
  return plain.length > longest ? Array.from(plain).slice(0, longest).join('') : plain;
}
