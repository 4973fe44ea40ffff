import { machineMarks } from '../areas/languages';
import { pageChanges } from '../areas/seo';
import { openSiteContent } from '../areas/tables';
import type { Context } from '../context';
import { createMarks, insertAtMarks } from '../kit/templates/marks';
import { readGlobals } from './content/globals';
import type { Globals } from './content/globals';
import { pageData } from './content/pageData';
import type { Target } from './content/target';
import type { Edition, PageContext } from './edition';
import { footerOf, headOf } from './head';
import type { CompiledRelease } from './release';
import { cardImage } from './seo/card';
import { pageSeo } from './seo/pageSeo';
import type { Services } from './services';
import { hasExternalSupport } from './support/onPages';

/** `robotsHeader`: value of `X-Robots-Tag`; null: none. `language`: of the content. `hasExternalCode`: whether it contains the code of an external service. */
export type RenderedPage = { readonly html: string; readonly robotsHeader: string | null; readonly language: string; readonly hasExternalCode: boolean };

export async function openPageContext({ ctx }: { readonly ctx: Context }, edition: Edition, language: string): Promise<PageContext> {
  const { id, timeZone } = edition.site;
  return {
    ...edition,
    language,
    content: await openSiteContent(ctx, { id, timeZone, working: edition.preview }),
    machineMarks: (table, ids) => machineMarks(ctx.postgres.db, id, table, ids),
    pageChanges: (addresses) => pageChanges(ctx.postgres.db, id, addresses),
  };
}

type Known = { readonly version: number; readonly site: Edition['site']; readonly globals: Promise<Globals> };
const known = new WeakMap<CompiledRelease, Map<string, Known>>();

/** Globals of a release in a language, read once for each version of the content. */
export function globalsOf({ versions }: Services, context: PageContext): Promise<Globals> {
  if (context.preview) return readGlobals(context);
  const { release, language, site } = context;
  const byLanguage = known.get(release) ?? new Map<string, Known>();
  known.set(release, byLanguage);
  const version = versions.of(site.id);
  const stored = byLanguage.get(language);
  if (stored?.version === version && stored.site === site) return stored.globals;
  const globals = readGlobals(context);
  byLanguage.set(language, { version, site, globals });
  globals.catch(() => byLanguage.delete(language));
  return globals;
}

/** Renders the template of a page and inserts what belongs to the program. Throws `TemplateError` or `RenderingBusy`. */
export async function renderPage(services: Services, context: PageContext, target: Target): Promise<RenderedPage> {
  const { theme } = context.release;
  if (!theme) throw new Error('the release has no theme');
  const globals = await globalsOf(services, context);
  const { template, data, facts } = await pageData(context, target, globals);
  const marks = createMarks();
  const html = await services.pool.render({
    theme: theme.name,
    files: () => Promise.resolve(theme.files),
    template: `templates/${template}`,
    data: { ...data, ...marks },
  });
  const seo = pageSeo(context, facts, globals);
  const chosen = seo.image === null ? undefined : (await context.content.resources([seo.image]))[seo.image];
  const proofs = context.preview ? '' : (await services.proofs.of(context.site.id)).head;
  const head = [proofs, headOf(context, facts, globals, seo, cardImage(context, facts, globals, seo, chosen))].filter((part) => part !== '').join('\n');
  return {
    html: insertAtMarks(html, marks, { head, footer: footerOf(context, facts) }),
    robotsHeader: seo.robotsHeader,
    language: facts.contentLanguage,
    hasExternalCode: hasExternalSupport(context, facts),
  };
}

/** Renders a style sheet of the theme with the settings of the site. */
export async function renderStyles(services: Services, context: PageContext, path: string): Promise<string> {
  const { theme } = context.release;
  if (!theme) throw new Error('the release has no theme');
  const { settings, site } = await globalsOf(services, context);
  return services.pool.render({
    theme: theme.name,
    files: () => Promise.resolve(theme.files),
    template: path.replace(/\.liquid$/, ''),
    data: { settings, site },
  });
}
