import { CountryRule } from '../../../../contract/countryBlock/schemas';
import { defaultConfig } from '../../../../contract/crawler/config';
import type { Context } from '../../../context';
import type { Locale } from '../../../http/access';
import type { RunningJob } from '../../../worker';
import { addDays, dayAt } from '../../../zone';
import { systemActor } from '../../audit';
import { installRule } from '../../countryBlock';
import { installCrawler } from '../../crawler';
import { installRelease, putPart, workingParts } from '../../publishing';
import { installRobots } from '../../seo';
import { createSite, freeSlugs, systemHostFor } from '../../sites';
import { installContent } from '../../starters';
import { findDemoBlog } from '../queries';
import { demoZone } from '../traffic';
import { blogAbout, blogContent, blogLanguages, blogPages, blogTagline, blogTitle } from './content';
import { storeBlogTraffic } from './traffic';

/** The second site of the demo: a blog that this program delivers, released in two languages. */

type Owner = { readonly userId: string; readonly locale: Locale };
type BlogSite = NonNullable<Awaited<ReturnType<typeof findDemoBlog>>>;
export type Step = () => Promise<unknown>;

const redirects = [
  { from: '/blog/*', to: '/posts/:splat', status: 301, note: '' },
  { from: '/weixin', to: '/about', status: 302, note: '' },
  { from: '/2024/05/bookshelf.html', to: '/posts/bookshelf', status: 301, note: '' },
  { from: '/old-newsletter', to: '', status: 410, note: '' },
];
/** Some of the countries that generated visitors come from. */
const rule = CountryRule.parse({ enabled: true, mode: 'deny_listed', countries: ['US', 'DE', 'FR', 'KR'], action: 'log_only' });
const formats: Readonly<Record<string, object>> = { 'zh-Hans': { currency: 'CNY', dateStyle: 'long' }, en: { currency: 'USD', dateStyle: 'medium' } };
const robots = 'User-agent: *\nDisallow: /search\n\nUser-agent: AhrefsBot\nDisallow: /\n';

async function findOrCreate(ctx: Context, { locale }: Owner): Promise<BlogSite> {
  const found = await findDemoBlog(ctx.postgres.db);
  if (found) return found;
  const [defaultLang] = blogLanguages(locale);
  const [slug] = await freeSlugs(ctx, 'demo-blog', 1);
  const site = { name: '演示博客 Demo', slug, purpose: 'built', url: null, defaultLang, timeZone: demoZone, identity: 'first_party' } as const;
  return createSite(ctx, site, { actor: systemActor, demo: true });
}

/** Parts that the starter leaves as they are. */
async function completeParts(ctx: Context, site: BlogSite, { userId, locale }: Owner): Promise<void> {
  const by = { site, userId, actor: systemActor };
  const { settings } = await workingParts(ctx.postgres.db, site);
  const bilingual = ({ zh, en }: typeof blogTitle) => ({ 'zh-Hans': zh, en });
  const theme = { ...settings.content.theme, about: bilingual(blogAbout.summary) };
  await putPart(ctx, by, 'settings', { ...settings.content, title: bilingual(blogTitle), tagline: bilingual(blogTagline), theme }, settings.revision);
  await putPart(ctx, by, 'languages', { languages: blogLanguages(locale).map((tag) => ({ tag, path: tag, ...formats[tag] })), suggestion: 'banner' }, 0);
  await putPart(ctx, by, 'redirects', redirects, 0);
  const overrides = [{ path: '/about', description: bilingual({ zh: '云杉手记是谁写的，多久更新一次。', en: 'Who writes the Yunshan blog, and how often.' }) }];
  const entities = [{ collection: 'posts', type: 'Article', properties: {} }];
  await putPart(
    ctx,
    by,
    'seo',
    {
      templates: [{ kind: 'record', title: { 'zh-Hans': '{title} {sep} {site}', en: '{title} {sep} {site}' } }],
      overrides,
      entities,
      agents: { llms: 'auto' },
    },
    0,
  );
}

/** Steps that create the blog. Each may run again after an interruption. `saved` and `save`: progress of its content. */
export function blogSteps(ctx: Context, owner: Owner, job: Pick<RunningJob, 'saved' | 'save'>): readonly Step[] {
  const { userId, locale } = owner;
  const site = () => findOrCreate(ctx, owner);
  return [
    async () => {
      const by = { site: await site(), userId, locale, actor: systemActor };
      const today = dayAt(ctx.now(), demoZone);
      await installContent(
        ctx,
        { ...job, progress: () => Promise.resolve() },
        by,
        blogContent(locale, (ago) => addDays(today, -ago)),
      );
    },
    async () => {
      const blog = await site();
      await completeParts(ctx, blog, owner);
      await installRelease(ctx, { site: blog, userId, actor: systemActor });
      await installRobots(ctx, blog.id, userId, robots);
      await installRule(ctx, blog.id, userId, rule);
    },
    async () => {
      const { id: siteId, slug } = await site();
      const address = { siteId, host: new URL(systemHostFor(slug, ctx.config)).hostname, pages: blogPages(locale) };
      const { countries, logDays } = rule;
      await storeBlogTraffic(
        ctx,
        address,
        ctx.now(),
        { version: 1, countries, logDays },
        redirects.map(({ from }) => from),
      );
    },
    async () => {
      const blog = await site();
      const config = { ...defaultConfig([`${systemHostFor(blog.slug, ctx.config)}/`]), fetch: { ...defaultConfig([]).fetch, external: false } };
      const name = locale === 'en' ? 'Audit of the blog' : '博客体检';
      await installCrawler(ctx, { siteId: blog.id, timeZone: demoZone, name, config, userId });
    },
  ];
}
