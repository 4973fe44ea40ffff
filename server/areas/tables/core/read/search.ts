import { columnOf, isSearchable } from '../../../../../contract/tables/terms';
import { columnName } from '../ids';
import type { FieldModel } from '../model';
import { inlineTags, searchCondition } from '../search';
import type { SearchTerm } from '../search';
import { isReadable } from './readContext';
import type { ReadContext } from './readContext';
import { containing } from '../../../../stores/postgres/like';

/**
 * Condition that a row contains all words of the search text. The index finds candidates, and where it is not exact the texts are checked. The index covers all
 * searchable fields, so for readers who may not read all of them the texts decide.
 */
export function searchSql(scope: ReadContext, searchText: string): string {
  const searched = scope.table.fields.filter((field) => field.searchable && isSearchable(field.type));
  const visible = searched.filter((field) => isReadable(scope, field));
  const condition = searchCondition(searchText, visible);
  if (!condition) return 'TRUE';
  if (visible.length === 0) return 'FALSE';
  const inTexts = (terms: readonly SearchTerm[]): string => (terms.length === 0 ? 'TRUE' : terms.map((term) => termSql(scope, visible, term)).join(' AND '));
  // The index does not cover the term, or is being rebuilt.
  if (condition.query === null || scope.table.pending?.search !== undefined) return `(${inTexts(condition.terms)})`;
  const found = `${scope.row}.q @@ ${scope.params.bind(condition.query, 'tsquery')}`;
  if (visible.length < searched.length) return `(${found} AND ${inTexts(condition.terms)})`;
  const unsure = condition.terms.filter((term) => term.recheck);
  const sure = condition.terms.filter((term) => !term.recheck);
  const whole = sure.length === 0 ? '' : ` AND (NOT ${scope.row}.q @@ ${scope.params.bind(condition.more, 'tsquery')} OR (${inTexts(sure)}))`;
  return `(${found} AND ${inTexts(unsure)}${whole})`;
}

function termSql(scope: ReadContext, fields: readonly FieldModel[], term: SearchTerm): string {
  const alternatives = fields.flatMap((field) => {
    const column = `${scope.row}.${columnName(field.id)}`;
    if (field.type === 'select' || field.type === 'multiSelect') {
      const ids = term.choices.get(field.id);
      if (!ids) return [];
      const bound = scope.params.bind(ids, 'text[]');
      return [field.type === 'select' ? `${column} = ANY(${bound})` : `${column} && ${bound}`];
    }
    const texts = columnOf[field.type] === 'text[]' ? [`array_to_string(${column}, E'\\n')`] : [column];
    if (field.localized)
      for (const locale of scope.table.locales.slice(1)) texts.push(`${scope.row}.tr->${scope.params.bind(locale, 'text')}->>'${columnName(field.id)}'`);
    return texts.flatMap((text) => {
      const like = term.texts.map((one) => `${folded(field, text, term)} LIKE ${scope.params.bind(containing(one), 'text')}`);
      const digits = field.type === 'phone' && term.texts.every((one) => /^\d+$/.test(one));
      const dialled = digits ? [`regexp_replace(${text}, '\\D', '', 'g') LIKE ${scope.params.bind(`%${term.texts.join('')}%`, 'text')}`] : [];
      return [`(${like.join(' AND ')})`, ...dialled];
    });
  });
  return alternatives.length === 0 ? 'FALSE' : `coalesce(${alternatives.join(' OR ')}, FALSE)`;
}

/** A text, folded as in `search.ts`. */
function folded(field: FieldModel, text: string, term: SearchTerm): string {
  const read =
    field.type === 'richText'
      ? `regexp_replace(regexp_replace(${text}, '${inlineTags.replaceAll("'", "''")}', '', 'gi'), '<[^>]*>|&#?\\w{1,10};', ' ', 'g')`
      : text;
  const plain = term.plain ? `normalize(regexp_replace(normalize(${read}, NFKD), '[\\u0300-\\u036f]', '', 'g'), NFKC)` : `normalize(${read}, NFKC)`;
  return `lower(${plain})`;
}
