import { textHash } from '../../areas/languages';
import type { PageContext } from '../edition';
import { collectionOf } from './records';
import type { CollectionRoute } from './records';

type ByRecord = ReadonlyMap<string, ReadonlySet<string>>;

/** Fields of the table that pages of a collection show, by the key of the theme. */
function shownFields(context: PageContext, { collection, fields }: CollectionRoute): Record<string, string> {
  const declared = collectionOf(context, collection)?.fields ?? {};
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key in declared));
}

/**
 * Languages by record in which it shows a text that a machine translated and that nobody has reviewed: search engines may not index its page in them. Empty if the
 * site lets them. Costs one query, and another one for each language in which there are such texts.
 */
export async function machineLanguages(context: PageContext, route: CollectionRoute, ids: readonly string[]): Promise<ByRecord> {
  const { content, release } = context;
  const table = content.tableId(route.table);
  if (!release.languageRules.noindexMachine || release.languages.length < 2 || table === null || ids.length === 0) return new Map();
  const marks = await context.machineMarks(table, ids);
  const fields = shownFields(context, route);
  const found = new Map<string, Set<string>>();
  for (const language of release.languages) {
    const texts = new Set(marks.filter((mark) => mark.language === language).map((mark) => `${mark.id} ${mark.field} ${mark.textHash}`));
    const marked = [...new Set(marks.filter((mark) => mark.language === language).map(({ id }) => id))];
    if (marked.length === 0) continue;
    const { rows } = await content.records({ table: route.table, fields, locale: language, ids: marked, limit: marked.length });
    for (const { id, stored } of rows) {
      const isMachine = Object.entries(fields).some(([key, name]) => {
        const text = stored[key];
        return typeof text === 'string' && texts.has(`${id} ${content.fieldId(route.table, name) ?? ''} ${textHash(text)}`);
      });
      if (isMachine) found.set(id, (found.get(id) ?? new Set()).add(language));
    }
  }
  return found;
}
