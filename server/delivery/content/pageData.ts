import { dateText } from '../../../contract/languages/formats.mjs';
import type { PageFacts as RuleFacts } from '../../../contract/seo/pageRules';
import { directionOf, nameOfLanguage } from '../../areas/languages/list';
import type { PageContext } from '../edition';
import { canonicalAddress, listPagePath, pathIn } from '../paths';
import { recordPath } from '../router';
import { collectionTitle, titleOfSite, withActive } from './globals';
import type { Globals } from './globals';
import { formatsOf, languagesOfRecord, textFor } from './languages';
import { machineLanguages } from './machineTexts';
import { TemplateRecords } from './records';
import type { TemplateRecord } from './records';
import { excerptOf, resultsPerPage, searchRecords, titleOf } from './search';
import type { Target } from './target';

type Fields = Readonly<Record<string, unknown>>;
export type Breadcrumb = { readonly title: string; readonly url: string };

/** What the program inserts into the head of a page depends on this. */
export type PageFacts = RuleFacts & {
  /** Canonical address; null for pages that have none. */
  readonly canonical: string | null;
  /** The language of its content: another one where it does not exist in the language that was requested. */
  readonly contentLanguage: string;
  /** Canonical addresses by language, if the page exists in several. */
  readonly alternates: ReadonlyMap<string, string>;
  /** Languages in which a machine translated it and nobody has reviewed that, so that search engines may not index it in them. */
  readonly machineLanguages: ReadonlySet<string>;
  readonly isHome: boolean;
  readonly indexed: boolean;
  readonly breadcrumbs: readonly Breadcrumb[];
  readonly record: TemplateRecord | null;
  /** Whether the record is an article of a feed. */
  readonly isArticle: boolean;
};
export type PageData = { readonly template: string; readonly data: Fields; readonly facts: PageFacts };

/** Paths of a page by language, without their prefix, in the languages in which it exists. */
async function pathsByLanguage(context: PageContext, target: Target): Promise<ReadonlyMap<string, string>> {
  const { languages } = context.release;
  if (target.kind === 'not_found') return new Map();
  if (target.kind !== 'record') return new Map(languages.map((language) => [language, target.path]));
  const { route, record } = target.found;
  const here = languagesOfRecord(context.release, record);
  if (route.slug === null || here.length < 2 || !context.content.isLocalized(route.table, route.slug))
    return new Map(here.map((language) => [language, target.path]));
  const { slug } = route;
  const paths = await Promise.all(
    here.map(async (language): Promise<[string, string | null]> => {
      if (language === target.found.language) return [language, target.path];
      const { rows } = await context.content.records({ table: route.table, fields: { slug }, locale: language, ids: [record.id], limit: 1 });
      const value = rows[0]?.values.slug;
      return [language, value?.kind === 'plain' && typeof value.value === 'string' ? recordPath(route, value.value) : null];
    }),
  );
  return new Map(paths.filter((pair): pair is [string, string] => pair[1] !== null));
}

async function machineLanguagesOf(context: PageContext, target: Target): Promise<ReadonlySet<string>> {
  if (target.kind !== 'record') return new Set();
  const { route, record } = target.found;
  return (await machineLanguages(context, route, [record.id])).get(record.id) ?? new Set();
}

function titleOfTarget(context: PageContext, target: Target, globals: Globals): string | null {
  switch (target.kind) {
    case 'record':
      return titleOf(context, target.found);
    case 'list':
      return target.path === '/' || target.template === 'home' ? null : collectionTitle(context, target.route.collection);
    case 'template': {
      const label = context.release.theme?.manifest.templates[target.template]?.label;
      return textFor(context, target.route?.title ?? {}) ?? (target.path === '/' ? null : (textFor(context, label ?? {}) ?? null));
    }
    case 'search':
      return globals.texts.search ?? null;
    case 'not_found':
      return globals.texts.not_found_title ?? null;
  }
}

/** The way to a page: home first, the page itself last. The home page has none. */
function breadcrumbsOf(context: PageContext, target: Target, title: string | null): Breadcrumb[] {
  if (target.kind === 'not_found' || target.path === '/' || title === null) return [];
  const at = (path: string): string => pathIn(context, path, context.language);
  const route = target.kind === 'record' ? target.found.route : null;
  const list = route?.listPath && route.listPath !== '/' ? [{ title: collectionTitle(context, route.collection), url: at(route.listPath) }] : [];
  return [{ title: titleOfSite(context), url: at('/') }, ...list, { title, url: at(target.path) }];
}

type PageContent = { readonly record: TemplateRecord | null; readonly values: Fields; readonly paging: Fields };
const onePage = { number: 1, pages: 1, total: 0, previous: null, next: null };

/** Numbers and neighbours of a page of a list. `addressOf`: of its other pages. */
function pagingOf(number: number, perPage: number, total: number, addressOf: (page: number) => string): Fields {
  const pages = Math.max(1, Math.ceil(total / perPage));
  return { number, pages, total, previous: number > 1 ? addressOf(number - 1) : null, next: number < pages ? addressOf(number + 1) : null };
}

async function contentOf(context: PageContext, target: Target, records: TemplateRecords): Promise<PageContent> {
  switch (target.kind) {
    case 'record': {
      const [record = null] = await records.of([target.found], 'all');
      return { record, values: { record }, paging: onePage };
    }
    case 'list': {
      const rows = await records.of(target.records.rows, { fields: undefined });
      const { listPath, perPage } = target.route;
      const addressOf = (page: number): string => pathIn(context, listPagePath(listPath ?? target.path, page), context.language);
      const total = listPath === null ? rows.length : target.records.total;
      return { record: null, values: { records: rows }, paging: pagingOf(target.page, perPage, total, addressOf) };
    }
    case 'search': {
      const results = await searchRecords(context, target.query);
      const first = (target.page - 1) * resultsPerPage;
      const address = pathIn(context, target.path, context.language);
      const addressOf = (page: number): string => `${address}?q=${encodeURIComponent(target.query)}${page > 1 ? `&page=${String(page)}` : ''}`;
      return {
        record: null,
        values: { records: results.slice(first, first + resultsPerPage) },
        paging: pagingOf(target.page, resultsPerPage, results.length, addressOf),
      };
    }
    case 'template':
    case 'not_found':
      return { record: null, values: {}, paging: onePage };
  }
}

function descriptionOf(context: PageContext, target: Target, globals: Globals): string | null {
  if (target.kind === 'record') return excerptOf(context, target.found);
  if (target.kind === 'not_found' || target.kind === 'search' || (target.kind === 'list' && target.page > 1)) return null;
  return target.path === '/' ? (globals.site.description ?? globals.site.tagline) : null;
}

/** Pages of other languages: the page itself where it exists, else the home page. */
const languagesOf = (context: PageContext, paths: ReadonlyMap<string, string>): object[] =>
  context.release.languages.map((language) => ({
    language,
    name: nameOfLanguage(language),
    dir: directionOf(language),
    url: pathIn(context, paths.get(language) ?? '/', language, context.language),
    active: language === context.language,
  }));

/** The day of a record as people read it in the language of the page. */
const dayOf = (context: PageContext, moment: string): string => dateText(moment, formatsOf(context, context.language), 'medium');

function collectionOfTarget(target: Target): string | null {
  if (target.kind === 'record') return target.found.route.collection;
  return target.kind === 'list' ? target.route.collection : null;
}

/** What the rules of search engines depend on. */
function ruleFacts(context: PageContext, target: Target, page: { readonly title: string | null; readonly description: string | null }): RuleFacts {
  const collection = collectionOfTarget(target);
  const path = target.kind === 'not_found' ? '' : target.path;
  return {
    ...page,
    kind: path === '/' ? 'home' : target.kind,
    collection,
    collectionTitle: collection === null ? null : collectionTitle(context, collection),
    path,
    language: context.language,
    page: target.kind === 'list' || target.kind === 'search' ? target.page : 1,
    date: target.kind === 'record' ? dayOf(context, target.found.record.publishedAt ?? target.found.record.createdAt) : null,
  };
}

/** Everything that the template of a page receives, and what its head depends on. */
export async function pageData(context: PageContext, target: Target, globals: Globals): Promise<PageData> {
  const { language, release } = context;
  const { template } = target;
  const records = new TemplateRecords(context);
  const current = target.kind === 'record' ? target.found : null;
  const declared = Object.entries(release.theme?.manifest.templates[template]?.data ?? {});
  const [paths, machine, pageContent, ...lists] = await Promise.all([
    pathsByLanguage(context, target),
    machineLanguagesOf(context, target),
    contentOf(context, target, records),
    ...declared.map(async ([key, list]) => [key, await records.list(list, current)] as const),
  ]);
  const title = titleOfTarget(context, target, globals);
  const description = descriptionOf(context, target, globals);
  const path = target.kind === 'not_found' ? null : pathIn(context, target.path, language);
  const breadcrumbs = breadcrumbsOf(context, target, title);
  // A page that does not exist in this language shows another one, which search engines should know instead.
  const known = target.kind === 'record' && !paths.has(language) ? target.found.language : language;
  const canonical = target.kind === 'not_found' ? null : canonicalAddress(context, paths.get(known) ?? target.path, known);
  const home = pathIn(context, '/', language);
  const formats = formatsOf(context, known);
  return {
    template,
    data: {
      ...Object.fromEntries(lists),
      ...pageContent.values,
      site: { ...globals.site, languages: languagesOf(context, paths) },
      page: {
        title,
        description,
        path,
        url: canonical,
        language: known,
        dir: directionOf(known),
        time_zone: formats.timeZone,
        date_style: formats.dateStyle,
        currency: formats.currency,
        template,
        breadcrumbs,
        query: target.kind === 'search' ? target.query : null,
        ...pageContent.paging,
      },
      settings: globals.settings,
      menus: Object.fromEntries(Object.entries(globals.menus).map(([key, items]) => [key, withActive(items, path, home)])),
      collections: globals.collections,
      texts: globals.texts,
      assets: globals.assets,
    },
    facts: {
      ...ruleFacts(context, target, { title, description }),
      canonical,
      contentLanguage: known,
      alternates: new Map(known === language ? [...paths].map(([one, at]) => [one, canonicalAddress(context, at, one)]) : []),
      machineLanguages: machine,
      isHome: target.kind !== 'not_found' && target.path === '/',
      indexed: target.kind !== 'not_found' && target.kind !== 'search',
      breadcrumbs,
      record: pageContent.record,
      isArticle: target.kind === 'record' && target.found.route.feed,
    },
  };
}
