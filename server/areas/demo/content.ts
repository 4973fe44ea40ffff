import { z } from 'zod';
import { FilingInput } from '../../../contract/filings/schemas';
import { GoalInput, FunnelInput } from '../../../contract/insights/schemas';
import type { AlertRule } from '../../../contract/digests/schemas';
import { NewPublicLink } from '../../../contract/publicLinks/schemas';
import { ViewQuery } from '../../../contract/tables/views';
import type { Context } from '../../context';
import type { Locale } from '../../http/access';
import { addDays, dayAt } from '../../zone';
import { defineJob, enqueue } from '../../worker';
import { systemActor } from '../audit';
import { changeDigests } from '../digests';
import { installFiling } from '../filings';
import { createFunnel, createGoal, createNote, createSegment } from '../insights';
import { createPublicLink } from '../publicLinks';
import { putPart } from '../publishing';
import { installTable } from '../tables';
import type { Installer } from '../tables';
import { blogSteps } from './blog';
import { addConversations } from './conversations';
import { findDemoSite, firstOwner, hasDemoJob } from './queries';
import { articles, authors, bodyOf, inLocale, tagsOf } from './records';
import type { Bilingual } from './records';
import { demoHost } from './audience';
import { addDemoFiles, coverOf, portraitOf } from './resources';
import { outageDay, sharedDay } from './traffic';

type Demo = Installer & {
  readonly site: Installer['site'] & { readonly name: string };
  readonly say: (zh: string, en: string) => string;
  readonly today: string;
};

/**
 * A schedule: queues the content of the demo site once, as soon as there is an owner, who becomes its author: public links work only while their creator may
 * create them. Without `--demo` it does nothing.
 */
export async function ensureContent(ctx: Context): Promise<void> {
  if (!ctx.config.demo) return;
  const { db } = ctx.postgres;
  const site = await findDemoSite(db);
  if (!site || (await hasDemoJob(db, 'demo.content', site.id))) return;
  const owner = await firstOwner(db);
  if (owner) await enqueue(ctx, 'demo.content', { siteId: site.id, label: site.name, input: { userId: owner.id, locale: owner.locale }, once: true });
}

const Input = z.object({ userId: z.string(), locale: z.enum(['zh-CN', 'en']) });
const Saved = z.object({ step: z.int(), authors: z.array(z.string()), files: z.record(z.string(), z.string()).default({}), blog: z.unknown() });

/** Fills the demo site in the language of its owner. Progress is in steps; each is written once, and an interrupted job continues after the last. */
export const demoContent = defineJob('demo.content', async (job, ctx) => {
  const { userId, locale } = Input.parse(job.input);
  const site = await findDemoSite(ctx.postgres.db);
  if (site === null || site.id !== job.siteId) return;
  const demo: Demo = {
    site,
    userId,
    role: 'admin',
    locale,
    actor: systemActor,
    say: (zh, en) => (locale === 'en' ? en : zh),
    today: dayAt(ctx.now(), site.timeZone),
  };
  const saved = Saved.safeParse(job.saved).data ?? { step: 0, authors: [], files: {}, blog: null };
  let { authors: authorIds, files, blog } = saved;
  const save = (step: number) => job.save({ step, authors: authorIds, files, blog });
  let current = saved.step;
  const saveBlog = (state: unknown) => {
    blog = state;
    return save(current);
  };
  const steps: readonly ((at: number) => Promise<unknown>)[] = [
    () => addGoals(ctx, demo),
    () => addFunnel(ctx, demo),
    () => addSegments(ctx, demo),
    () => addNotes(ctx, demo),
    () => addAlert(ctx, demo),
    () => addReportLink(ctx, demo),
    (at) =>
      addDemoFiles(ctx, { siteId: site.id, userId, locale }, files, (stored) => {
        files = stored;
        return save(at);
      }),
    async () => (authorIds = [...(await installTable(ctx, demo, authorsTable(demo, files))).records]),
    () => installTable(ctx, demo, articlesTable(demo, authorIds, files)),
    () => addFilings(ctx, demo),
    () => putPart(ctx, { site, userId, actor: systemActor }, 'languages', { languages: ['zh-Hans', 'en', 'zh-Hant'] }, 0),
    () => addConversations(ctx, demo),
    ...blogSteps(ctx, { userId, locale }, { saved: blog, save: saveBlog }),
  ];
  for (const [at, step] of steps.entries()) {
    if (at < saved.step) continue;
    current = at;
    await job.progress(at, steps.length);
    await step(at);
    await save(at + 1);
  }
  await job.progress(steps.length, steps.length);
});

const authorOf = ({ site, userId, actor }: Demo) => ({ siteId: site.id, timeZone: site.timeZone, userId, actor });
const download = { kind: 'event', event: 'download', property: null } as const;
const page = (path: string) => ({ kind: 'page', match: 'is', path }) as const;

async function addGoals(ctx: Context, demo: Demo): Promise<void> {
  const by = authorOf(demo);
  await createGoal(ctx, by, GoalInput.parse({ name: demo.say('下载客户端', 'Download'), condition: download, worth: { kind: 'none' } }));
  const signup = { kind: 'event', event: 'signup', property: null };
  await createGoal(ctx, by, GoalInput.parse({ name: demo.say('订阅专业版', 'Professional plan'), condition: signup, worth: { kind: 'fixed', amount: 98 } }));
}

const addFunnel = (ctx: Context, demo: Demo) =>
  createFunnel(
    ctx,
    authorOf(demo),
    FunnelInput.parse({
      name: demo.say('从首页到下载', 'From home to download'),
      steps: [page('/'), page('/download'), download],
      within: 7 * 24 * 60,
      scope: 'visitor',
    }),
  );

async function addSegments(ctx: Context, demo: Demo): Promise<void> {
  const by = authorOf(demo);
  await createSegment(ctx, by, { name: demo.say('手机访客', 'Visitors on phones'), filters: ['deviceType:is:mobile'], shared: true });
  await createSegment(ctx, by, { name: demo.say('从搜索引擎来', 'From search engines'), filters: ['sourceType:is:search'], shared: true });
}

async function addFilings(ctx: Context, { site, userId, say, today }: Demo): Promise<void> {
  const approvedOn = addDays(today, -100);
  const shared = { province: 'BJ', serviceName: say('演示站点', 'Demo site'), domains: [demoHost], approvedOn };
  await installFiling(ctx, site.id, userId, FilingInput.parse({ ...shared, kind: 'icp', number: '京ICP备00000000号-1' }));
  await installFiling(ctx, site.id, userId, FilingInput.parse({ ...shared, kind: 'mps', number: '京公网安备11000002000001号' }));
}

async function addNotes(ctx: Context, demo: Demo): Promise<void> {
  const by = authorOf(demo);
  await createNote(ctx, by, {
    day: addDays(demo.today, -outageDay),
    time: '09:00',
    text: demo.say('机房故障，九点到十八点无法访问', 'Hosting failure, down from nine to six'),
  });
  await createNote(ctx, by, {
    day: addDays(demo.today, -sharedDay),
    time: null,
    text: demo.say('《为什么笔记应该先存在本地》上了知乎热榜', 'The article on local notes trended on Zhihu'),
  });
}

/** Visits that arrive while the program runs are more than the generated ones, but are no spike: see `demoVisits`. */
export const demoRules: readonly AlertRule[] = [
  { measure: 'visits', window: 'hour', direction: 'drop', percent: 90, least: 20 },
  { measure: 'visitors', window: 'day', direction: 'spike', percent: 150, least: 100 },
];

const addAlert = (ctx: Context, { site, actor }: Demo) =>
  changeDigests(ctx, { id: site.id, name: site.name }, { weekly: false, monthly: false, hour: 8, rules: [...demoRules] }, 0, actor);

const addReportLink = (ctx: Context, demo: Demo) =>
  createPublicLink(
    ctx,
    { siteId: demo.site.id, userId: demo.userId, actor: demo.actor },
    NewPublicLink.parse({ name: demo.say('给合作伙伴看的报表', 'Reports for partners'), screens: ['overview', 'source', 'path', 'device'], preset: 'last30' }),
  );

/** The reader's language comes first; the other one is the translation. */
const localesOf = (locale: Locale): [string, string] => (locale === 'en' ? ['en', 'zh-Hans'] : ['zh-Hans', 'en']);
const other = (locale: Locale): Locale => (locale === 'en' ? 'zh-CN' : 'en');
const view = (query: Partial<ViewQuery>): ViewQuery => ViewQuery.parse(query);

type Files = Readonly<Record<string, string>>;

function authorsTable({ locale, say }: Demo, files: Files): Parameters<typeof installTable>[2] {
  const localized = (in_: Locale, role: Bilingual) => ({ about: inLocale(in_, role) });
  return {
    table: {
      key: 'authors',
      title: say('作者', 'Authors'),
      icon: 'team',
      locales: localesOf(locale),
      fields: [
        { key: 'name', type: 'text', title: say('姓名', 'Name'), required: true },
        { key: 'portrait', type: 'image', title: say('头像', 'Portrait'), options: { most: 1 } },
        {
          key: 'team',
          type: 'select',
          title: say('团队', 'Team'),
          options: {
            choices: [
              { id: 'writing', title: say('编辑部', 'Editors'), color: 'blue' },
              { id: 'product', title: say('产品组', 'Product'), color: 'teal' },
              { id: 'guest', title: say('特约', 'Guests'), color: 'orange' },
            ],
          },
        },
        { key: 'joined', type: 'date', title: say('加入日期', 'Joined on') },
        { key: 'about', type: 'longText', title: say('简介', 'About'), localized: true },
      ],
    },
    records: authors.map(({ name, role, team, joined }, at) => ({
      values: { name: inLocale(locale, name), portrait: portraitOf(files, at), team, joined, ...localized(locale, role) },
      translations: localized(other(locale), role),
    })),
    views: [{ view: { title: say('头像', 'Portraits'), kind: 'gallery', query: view({ cover: 'portrait' }) } }],
  };
}

function articlesTable({ locale, say, today }: Demo, authorIds: readonly string[], files: Files): Parameters<typeof installTable>[2] {
  const localized = (in_: Locale, article: (typeof articles)[number]) => ({
    title: inLocale(in_, article.title),
    summary: inLocale(in_, article.summary),
    body: inLocale(in_, bodyOf(article)),
  });
  return {
    table: {
      key: 'articles',
      title: say('文章', 'Articles'),
      icon: 'articles',
      drafts: true,
      locales: localesOf(locale),
      fields: [
        { key: 'title', type: 'text', title: say('标题', 'Title'), required: true, localized: true, options: { maxLength: 200 } },
        { key: 'cover', type: 'image', title: say('封面', 'Cover'), options: { most: 1 } },
        { key: 'author', type: 'relation', title: say('作者', 'Author'), options: { to: 'authors' }, inverseTitle: say('文章', 'Articles') },
        {
          key: 'category',
          type: 'select',
          title: say('分类', 'Category'),
          indexed: true,
          options: {
            choices: [
              { id: 'guide', title: say('教程', 'Guide'), color: 'teal' },
              { id: 'story', title: say('专题', 'Feature'), color: 'purple' },
              { id: 'news', title: say('新闻', 'News'), color: 'blue' },
              { id: 'notice', title: say('公告', 'Notice'), color: 'orange' },
            ],
          },
        },
        { key: 'published_on', type: 'date', title: say('发布日期', 'Published on'), indexed: true },
        { key: 'tags', type: 'tags', title: say('标签', 'Tags') },
        { key: 'summary', type: 'longText', title: say('摘要', 'Summary'), localized: true },
        { key: 'body', type: 'longText', title: say('正文', 'Body'), localized: true },
      ],
    },
    // Created after the authors, whom its field links to.
    first: true,
    records: articles.map((article, at) => ({
      values: {
        ...localized(locale, article),
        cover: coverOf(files, at),
        author: authorIds[article.author],
        category: article.category,
        published_on: addDays(today, -article.daysAgo),
        tags: tagsOf[article.category].map((tag) => inLocale(locale, tag)),
      },
      translations: localized(other(locale), article),
      publish: article.draft !== true,
    })),
    views: articleViews(say),
  };
}

const articleViews = (say: Demo['say']): Parameters<typeof installTable>[2]['views'] => [
  { view: { title: say('画廊', 'Gallery'), kind: 'gallery', query: view({ cover: 'cover' }) } },
  { view: { title: say('按分类', 'By category'), kind: 'kanban', query: view({ stack: 'category', cover: 'cover' }) } },
  { view: { title: say('发布日历', 'Publishing calendar'), kind: 'calendar', query: view({ date: 'published_on' }) } },
  {
    view: {
      title: say('投稿', 'Contribute'),
      kind: 'form',
      query: view({
        columns: [{ field: 'title' }, { field: 'category' }, { field: 'summary' }, { field: 'cover' }],
        formTitle: say('给云杉笔记投稿', 'Write for Yunshan Notes'),
        formNote: say(
          '写下标题和一两句摘要，有图就附一张，编辑会在三天内回复。',
          'A title, a sentence or two and, if you have one, a picture; an editor answers within three days.',
        ),
        formThanks: say('已收到投稿。', 'Your idea has arrived.'),
      }),
    },
    link: { name: say('投稿入口', 'Contributions'), form: { files: { maxBytes: 10 * 2 ** 20, most: 1, types: ['image'] } } },
  },
];
