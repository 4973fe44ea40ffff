import { textHash } from '../languages';
import type { MachineMark } from '../languages';
import type { SiteContent } from '../tables';
import type { CollectionRoute } from './sitemapFiles';

type ByRecord = ReadonlyMap<string, ReadonlySet<string>>;

/** What decides whether search engines may index machine translations of a site; `fields`: keys of the theme that pages of the collection show. */
export type MachineTexts = {
  readonly content: SiteContent;
  readonly languages: readonly string[];
  readonly noindexMachine: boolean;
  readonly machineMarks: (table: string, ids: readonly string[]) => Promise<readonly MachineMark[]>;
};

/**
 * Languages by record in which it shows a text that a machine translated and that nobody has reviewed: search engines may not index its page in them. Empty if the
 * site lets them. Costs one query, and another one for each language in which there are such texts.
 */
export async function machineLanguages(
  { content, languages, noindexMachine, machineMarks }: MachineTexts,
  route: CollectionRoute,
  declared: Readonly<Record<string, unknown>>,
  ids: readonly string[],
): Promise<ByRecord> {
  const table = content.tableId(route.table);
  if (!noindexMachine || languages.length < 2 || table === null || ids.length === 0) return new Map();
  const marks = await machineMarks(table, ids);
  const fields = Object.fromEntries(Object.entries(route.fields).filter(([key]) => key in declared));
  const found = new Map<string, Set<string>>();
  for (const language of languages) {
    const own = marks.filter((mark) => mark.language === language);
    if (own.length === 0) continue;
    const texts = new Set(own.map((mark) => `${mark.id} ${mark.field} ${mark.textHash}`));
    const marked = [...new Set(own.map(({ id }) => id))];
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
