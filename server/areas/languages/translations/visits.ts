import { ReportQuery } from '../../../../contract/analytics/report';
import { preferredLanguage } from '../../../../contract/languages/tags';
import type { TranslationOverview } from '../../../../contract/languages/translations';
import { normalizePath } from '../../../../contract/paths';
import type { Context } from '../../../context';
import { addDays, dayAt } from '../../../zone';
import { reportFor } from '../../analytics';
import type { Translator } from './translator';

const days = 30;
/** Pages, the most visited first, that weigh translations; and languages of browsers that are listed. */
const pages = { size: 500, count: 4 };
const browsersListed = 20;

/** Visitors of 30 days. `of`: of a path in any language of the site. */
export type Visits = { readonly total: number; readonly of: (path: string) => number };

const period = (ctx: Context, { site }: Translator): { readonly from: string; readonly to: string } => {
  const to = dayAt(ctx.now(), site.timeZone);
  return { from: addDays(to, 1 - days), to };
};

/** Visitors by path; null while the figures are away, or if the caller may not see them. */
export async function visitsOf(ctx: Context, who: Translator): Promise<Visits | null> {
  if (!who.visitors) return null;
  try {
    const byPath = new Map<string, number>();
    let total = 0;
    for (let page = 1; page <= pages.count; page++) {
      const query = { ...period(ctx, who), by: 'path', sort: 'visitors', measure: 'visitors', page, size: pages.size } as const;
      const { totals, rows } = await reportFor(ctx, who.site, ReportQuery.parse(query));
      total = totals.visitors ?? 0;
      for (const { key, values } of rows ?? []) byPath.set(key, values.visitors ?? 0);
      if ((rows?.length ?? 0) < pages.size) break;
    }
    const prefixes = ['', ...who.prefixes.map((prefix) => `/${prefix}`)];
    return {
      total,
      of: (path) => prefixes.reduce((sum, prefix) => sum + (byPath.get(normalizePath(prefix + (path === '/' && prefix !== '' ? '' : path))) ?? 0), 0),
    };
  } catch (error) {
    ctx.log.warn('Translations are listed without visitors', { error });
    return null;
  }
}

/** Languages of browsers, and the language of the site that each of them reads. Empty while the figures are away. */
export async function browsersOf(ctx: Context, who: Translator): Promise<TranslationOverview['browsers']> {
  if (!who.visitors) return [];
  try {
    const query = { ...period(ctx, who), by: 'language', sort: 'visitors', measure: 'visitors', size: browsersListed } as const;
    const { totals, rows } = await reportFor(ctx, who.site, ReportQuery.parse(query));
    const total = totals.visitors ?? 0;
    return (rows ?? [])
      .filter(({ key }) => key !== '')
      .map(({ key, values }) => ({
        language: key,
        tag: preferredLanguage(key, who.languages),
        visitors: values.visitors ?? 0,
        share: total === 0 ? 0 : Math.min(1, (values.visitors ?? 0) / total),
      }));
  } catch (error) {
    ctx.log.warn('Languages of browsers could not be read', { error });
    return [];
  }
}
