import type { MenuItem } from '../../../contract/publishing/parts';
import type { EditedPart, SiteParts } from '../../../contract/publishing/schemas';
import { publishingLimits } from '../../../contract/publishing/terms';
import type { ImportCollection } from '../../../contract/siteImport/schemas';
import { seoLimits } from '../../../contract/seo/terms';
import type { Context } from '../../context';
import { canonical } from '../../kit/canonical';
import { putPart, workingParts } from '../publishing';
import { mayRedirect } from './content/paths';
import { textOf } from './content/values';
import { messageOf } from './messages';
import * as queries from './queries';
import type { ImportRow } from './queries';
import type { Written } from './schema';
import { emptyWritten, routesFor } from './structure';
import type { ImportTables } from './structure';
import type { Receiver } from './target';

type Parts = { readonly [P in EditedPart]?: SiteParts[P]['content'] };
const mostMenu = 7;

/** Writes parts again until nobody else has changed them meanwhile. */
async function changeParts(ctx: Context, by: Receiver, change: (parts: SiteParts) => Parts): Promise<{ readonly before: SiteParts; readonly after: Parts }> {
  for (;;) {
    const before = await workingParts(ctx.postgres.db, by.site);
    const after = change(before);
    let clashed = false;
    for (const [part, content] of Object.entries(after) as [EditedPart, unknown][])
      if (canonical(content) !== canonical(before[part].content) && !(await putPart(ctx, by, part, content, before[part].revision))) clashed = true;
    if (!clashed) return { before, after };
  }
}

/** Redirects from the addresses of the source to those of the site. A rule that exists stays. */
async function redirectsFor(ctx: Context, row: ImportRow): Promise<{ from: string; to: string }[]> {
  if (row.mapping?.redirects === false) return [];
  const all = new Map<string, string>();
  const heads = await queries.itemHeads(ctx.postgres.db, row.id);
  const skipped = new Set(row.mapping?.collections.filter(({ include }) => !include).map(({ key }) => key));
  const used = new Set(heads.map(({ newPath }) => newPath));
  for (const { oldPath, newPath, aliases, collection } of heads)
    if (newPath !== null && !skipped.has(collection))
      for (const from of [oldPath, ...aliases]) if (from !== null && mayRedirect(from) && from !== newPath && !used.has(from)) all.set(from, newPath);
  return [...all].map(([from, to]) => ({ from, to }));
}

function menuFor(
  lang: string,
  heads: readonly queries.ItemHead[],
  routes: SiteParts['routes']['content'],
  collections: readonly ImportCollection[],
): MenuItem[] {
  const lists = routes.flatMap((route) =>
    route.kind === 'collection' && route.listPath !== null && !['authors', 'topics'].includes(route.collection) ? [route] : [],
  );
  const pages = heads.filter(({ collection, published }) => collection === 'pages' && published).slice(0, Math.max(0, mostMenu - lists.length));
  return [
    ...lists.map(({ collection, listPath }) => ({ label: collections.find(({ key }) => key === collection)?.title ?? collection, path: listPath ?? '/' })),
    ...pages.map(({ title, newPath }) => ({ label: title, path: newPath ?? '/' })),
  ].map(({ label, path }, at) => ({ id: `import-${at + 1}`, label: { [lang]: textOf(label, 100) }, target: { path }, items: [] }));
}

/** Addresses, menu, redirects, and titles and descriptions for search engines. What exists in the site stays. */
export async function writeSettings(
  ctx: Context,
  row: ImportRow,
  by: Receiver,
  collections: readonly ImportCollection[],
  tables: ImportTables,
): Promise<Written> {
  const { db } = ctx.postgres;
  const lang = by.site.defaultLang;
  const heads = await queries.itemHeads(db, row.id);
  const rules = await redirectsFor(ctx, row);
  const texts = await queries.seoTexts(db, row.id);
  const title = row.plan?.site.title ?? '';
  const fresh = routesFor(collections, tables, new Set(heads.flatMap(({ newPath }) => newPath ?? [])), { [lang]: messageOf(by.locale, 'home') ?? '' });
  let written = row.written ?? emptyWritten;
  const { before, after } = await changeParts(ctx, by, (parts) => {
    const { settings, menus, routes, redirects, seo } = parts;
    const pathsOf = (route: (typeof fresh)[number]): (string | null)[] => (route.kind === 'template' ? [route.path] : [route.listPath, route.recordPath]);
    const usedPaths = new Set(routes.content.flatMap(pathsOf));
    const tablesUsed = new Set(routes.content.flatMap((route) => (route.kind === 'collection' ? [route.table] : [])));
    const added = fresh
      .filter((route) =>
        route.kind === 'template'
          ? !usedPaths.has(route.path)
          : !tablesUsed.has(route.table) && !(route.recordPath !== null && usedPaths.has(route.recordPath)),
      )
      .map((route) => (route.kind === 'collection' && route.listPath !== null && usedPaths.has(route.listPath) ? { ...route, listPath: null } : route));
    const from = new Set(redirects.content.map((one) => one.from));
    const overridden = new Set(seo.content.overrides.map(({ path }) => path));
    const overrides = texts
      .filter(({ path }) => !overridden.has(path))
      .map((one) => ({
        path: one.path,
        title: one.title === '' ? {} : { [lang]: one.title },
        description: one.description === '' ? {} : { [lang]: one.description },
        indexing: null,
        image: null,
        canonical: '',
      }));
    const nextRoutes = [...routes.content, ...added].slice(0, publishingLimits.routes);
    return {
      ...(settings.revision === 0 && {
        settings: {
          ...settings.content,
          title: { [lang]: (title || by.site.name).slice(0, 120) },
          ...(row.plan?.site.description ? { description: { [lang]: row.plan.site.description } } : {}),
        },
      }),
      routes: nextRoutes,
      ...(menus.revision === 0 && { menus: { main: menuFor(lang, heads, nextRoutes, collections) } }),
      redirects: [
        ...redirects.content,
        ...rules.filter((one) => !from.has(one.from)).map((one) => ({ ...one, status: 301 as const, origin: 'import' as const, note: '', expiresOn: null })),
      ].slice(0, publishingLimits.redirects),
      seo: { ...seo.content, overrides: [...seo.content.overrides, ...overrides].slice(0, seoLimits.overrides) },
    };
  });
  const fromBefore = new Set(before.redirects.content.map(({ from }) => from));
  const pathsBefore = new Set(before.seo.content.overrides.map(({ path }) => path));
  written = {
    ...written,
    redirects: [...new Set([...written.redirects, ...(after.redirects ?? []).flatMap(({ from }) => (fromBefore.has(from) ? [] : [from]))])],
    overrides: [...new Set([...written.overrides, ...(after.seo?.overrides ?? []).flatMap(({ path }) => (pathsBefore.has(path) ? [] : [path]))])],
    parts: {
      ...Object.fromEntries(
        (['settings', 'menus'] as const).flatMap((part) => (after[part] === undefined ? [] : [[part, { before: before[part].content, after: after[part] }]])),
      ),
      ...written.parts,
    },
  };
  await queries.changeImport(db, row.id, { written });
  return written;
}

/** Takes back what an import has written into parts: its redirects, search texts and addresses of its tables; settings and menu if nobody has changed them. */
export async function removeSettings(ctx: Context, by: Receiver, written: Written, tables: ReadonlySet<string>): Promise<void> {
  const redirects = new Set(written.redirects);
  const overrides = new Set(written.overrides);
  await changeParts(ctx, by, (parts) => {
    const restored = Object.fromEntries(
      Object.entries(written.parts).flatMap(([part, { before, after }]) =>
        canonical(parts[part as EditedPart].content) === canonical(after) ? [[part, before]] : [],
      ),
    );
    const routes = parts.routes.content.filter((route) => route.kind !== 'collection' || !tables.has(route.table));
    return {
      routes: written.createdSite && routes.every(({ kind }) => kind === 'template') ? [] : routes,
      redirects: parts.redirects.content.filter(({ from, origin }) => !(origin === 'import' && redirects.has(from))),
      seo: { ...parts.seo.content, overrides: parts.seo.content.overrides.filter(({ path }) => !overrides.has(path)) },
      ...restored,
    };
  });
}
