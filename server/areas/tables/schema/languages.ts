import type { Context } from '../../../context';
import type { Actor } from '../../audit';
import { siteModel } from '../core/model';
import type { TableModel } from '../core/model';
import { designing } from './design';
import { designerBy } from './designer';
import { applyTableParts } from './tables';
import { dropTranslations } from './translations';

/** Languages of one table at most. */
const mostLocales = 20;

type Author = { readonly lang: string; readonly userId: string; readonly actor: Actor };

/**
 * Tables with localized fields that have all languages of their site get the new ones too, so that their records can be translated at once. Tables that somebody left
 * with fewer languages stay as they are.
 */
export async function followLanguages(ctx: Context, siteId: string, by: Author, before: readonly string[], after: readonly string[]): Promise<void> {
  const added = after.filter((tag) => !before.includes(tag));
  if (added.length === 0) return;
  const follows = (table: TableModel): boolean => table.fields.some(({ localized }) => localized) && before.every((tag) => table.locales.includes(tag));
  if (!(await siteModel(ctx, siteId)).tables.some(follows)) return;
  await designing(ctx, designerBy(siteId, { ...by, locale: 'en' }, 'admin'), async (design) => {
    const { tables } = await design.model();
    for (const table of tables.filter(follows)) {
      const locales = [...new Set([...table.locales, ...added])].slice(0, mostLocales);
      await applyTableParts(design, table, { locales });
    }
  });
}

/**
 * Deletes the translations of all tables into a language, which is no longer one of their languages afterwards. `by`: null if the account of the person is gone; then
 * it stays in their list. `step` is called before each table.
 */
export async function purgeLanguage(
  ctx: Context,
  siteId: string,
  by: Author | null,
  language: string,
  step: (done: number, total: number) => Promise<void>,
): Promise<void> {
  const translated = (table: TableModel): boolean => table.locales.slice(1).includes(language);
  const concerned = (await siteModel(ctx, siteId)).tables.filter(translated);
  for (const [done, table] of concerned.entries()) {
    await step(done, concerned.length);
    // First, so that an interrupted job finds the table again.
    await dropTranslations(ctx, siteId, table, { locales: [language] });
    if (by === null) continue;
    await designing(ctx, designerBy(siteId, { ...by, locale: 'en' }, 'admin'), async (design) => {
      const current = (await design.model()).tables.find(({ id }) => id === table.id);
      if (current && translated(current)) await applyTableParts(design, current, { locales: current.locales.filter((tag) => tag !== language) });
    });
  }
}
