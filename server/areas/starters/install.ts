import { z } from 'zod';
import type { MenuItem } from '../../../contract/publishing/parts';
import type { Starter } from '../../../contract/sites/starters';
import type { Context } from '../../context';
import { encodeDrawing } from '../../kit/pictures/encode';
import type { RunningJob } from '../../worker';
import { addDays, dayAt } from '../../zone';
import { changeTheme, installShippedTheme, putPart, shippedManifest } from '../publishing';
import type { PartAuthor } from '../publishing';
import { installFile } from '../resources';
import { installTable } from '../tables';
import type { Installer } from '../tables';
import { blankTheme } from './blankTheme';
import { blog } from './content/blog';
import { company } from './content/company';
import { docsStarter } from './content/docs';
import type { StarterContent, StarterLink, Writing } from './content/types';
import { routeOf, tableOf } from './tables';

/** The new site and the person who created it. */
export type NewSiteOf = PartAuthor & {
  readonly userId: string;
  readonly site: Installer['site'] & { readonly name: string };
  readonly locale: Installer['locale'];
};

const contents: Readonly<Record<Exclude<Starter, 'blank'>, (writing: Writing) => StarterContent>> = { company, blog, docs: docsStarter };

/** Chinese for sites in any variety of Chinese, English for all others: the languages in which the starters are written. */
export function writingFor({ site }: Pick<NewSiteOf, 'site'>, now: number): Writing & { readonly chinese: boolean } {
  const chinese = site.defaultLang.split('-', 1)[0] === 'zh';
  const today = dayAt(now, site.timeZone);
  return { chinese, name: site.name, say: (zh, en) => (chinese ? zh : en), daysAgo: (days) => addDays(today, -days) };
}

/** A part that was edited in the meantime keeps its content. */
export const putNewPart = async (ctx: Context, author: PartAuthor, part: Parameters<typeof putPart>[2], content: unknown): Promise<void> =>
  void (await putPart(ctx, author, part, content, 0));

const Saved = z.object({
  step: z.int(),
  /** Collection whose table is being created. */
  installing: z.string().nullable().default(null),
  pictures: z.record(z.string(), z.string()),
  tables: z.record(z.string(), z.object({ table: z.string(), fields: z.record(z.string(), z.string()), records: z.array(z.string()) })),
});

const menuOf = (links: readonly StarterLink[], lang: string): MenuItem[] =>
  links.map(({ label, path }, at) => ({ id: `item-${at + 1}`, label: { [lang]: label }, target: { path }, items: [] }));

async function installBlank(ctx: Context, by: NewSiteOf): Promise<void> {
  const { say } = writingFor(by, ctx.now());
  const lang = by.site.defaultLang;
  const files = blankTheme();
  await changeTheme(ctx, by, (current) => ({ kind: 'install', base: null, files: current.last ? new Map() : files }));
  await putNewPart(ctx, by, 'settings', { title: { [lang]: by.site.name } });
  await putNewPart(ctx, by, 'routes', [{ kind: 'template', path: '/', template: 'home', title: { [lang]: say('首页', 'Home') } }]);
}

/** Fills a new site with a starter. */
export async function installStarter(ctx: Context, job: RunningJob, by: NewSiteOf, starter: Starter): Promise<void> {
  if (starter === 'blank') return installBlank(ctx, by);
  return installContent(ctx, job, by, contents[starter](writingFor(by, ctx.now())));
}

/**
 * Fills a new site: the shipped theme, pictures, tables with records, and the parts that bring them together. Progress is in steps; each is written once, and
 * an interrupted job continues after the last. A table that was created just before an interruption is completed.
 */
export async function installContent(
  ctx: Context,
  job: Pick<RunningJob, 'saved' | 'save' | 'progress'>,
  by: NewSiteOf,
  content: StarterContent,
): Promise<void> {
  const writing = writingFor(by, ctx.now());
  const manifest = await shippedManifest(content.theme);
  const lang = by.site.defaultLang;
  const labelOf = (label: Readonly<Record<string, string>>): string => label[writing.chinese ? 'zh-Hans' : 'en'] ?? Object.values(label)[0] ?? '';
  let { step: done, installing, pictures, tables } = Saved.safeParse(job.saved).data ?? { step: 0, installing: null, pictures: {}, tables: {} };
  const save = () => job.save({ step: done, installing, pictures, tables });
  const collectionOf = (key: string) => manifest.collections[key] ?? { title: {}, fields: {} };

  const steps: readonly (() => Promise<unknown>)[] = [
    () => installShippedTheme(ctx, by, content.theme),
    ...content.pictures.map(({ name, alt, svg }) => async () => {
      const bytes = await encodeDrawing(ctx, svg(), 'jpeg');
      const file = { siteId: by.site.id, createdBy: by.userId, name, bytes, folderId: null, tags: [], alt: { [lang]: alt } };
      pictures = { ...pictures, [name]: await installFile(ctx, file) };
    }),
    ...content.collections.map((one) => async () => {
      const input = tableOf(one, collectionOf(one.key), { pictures, tables }, { labelOf, slug: writing.say('网址标识', 'Slug') });
      const resumes = installing === one.key;
      installing = one.key;
      await save();
      const { records, ...rest } = await installTable(ctx, { ...by, role: 'admin' }, input, { resumes });
      tables = { ...tables, [one.key]: { ...rest, records: [...records] } };
      installing = null;
    }),
    async () => {
      const images = Object.fromEntries(Object.entries(content.images ?? {}).map(([key, name]) => [key, pictures[name] ?? null]));
      await putNewPart(ctx, by, 'settings', {
        title: { [lang]: by.site.name },
        tagline: { [lang]: content.tagline },
        theme: { ...content.settings, ...images },
      });
      await putNewPart(ctx, by, 'menus', Object.fromEntries(Object.entries(content.menus).map(([key, links]) => [key, menuOf(links, lang)])));
      await putNewPart(ctx, by, 'routes', [
        ...content.templates.map(({ path, template, title }) => ({ kind: 'template', path, template, title: { [lang]: title } })),
        ...content.collections.flatMap((one) => {
          const installed = tables[one.key];
          return installed ? [routeOf(one, collectionOf(one.key), installed)] : [];
        }),
      ]);
    },
  ];
  for (const [at, step] of steps.entries()) {
    if (at < done) continue;
    await job.progress(at, steps.length);
    await step();
    done = at + 1;
    await save();
  }
  await job.progress(steps.length, steps.length);
}
