import { Readable } from 'node:stream';
import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { translationEndpoints as endpoints } from '../../../../contract/languages/translations';
import type { Context } from '../../../context';
import { asDownload } from '../../../http/download';
import { fail } from '../../../http/failure';
import { route } from '../../../http/route';
import type { CallOf, ResponseOf } from '../../../http/route';
import { enqueue } from '../../../worker';
import type { JobKind } from '../../../worker';
import { findJob } from '../../../worker/queries';
import { record } from '../../audit';
import { recordTitles } from '../../tables';
import { listEngines, openEngine, putEngine, removeEngine } from './engines/store';
import { checkResponse, checkTexts, exportFile, readFile } from './exchange';
import { formats } from './formats';
import { glossaryOf, putGlossary } from './glossary';
import { putMarks } from './marks';
import { costOf } from './openPlaces';
import { findPlaces } from './places';
import { changeRun, findRun, insertItems, insertRun, listRuns, runResponse } from './runs';
import { completenessOf, selected, surveyOf } from './survey';
import type { SurveyedPlace, Survey } from './survey';
import { textResponse, textsByKey, textsOf } from './texts';
import { requireLanguage, storedTranslator, translatorOf } from './translator';
import type { Translator } from './translator';
import { browsersOf } from './visits';
import { writeTranslations } from './write';

export { importJob, translateJob, undoJob } from './jobs';

type Response<K extends keyof typeof endpoints> = Promise<ResponseOf<(typeof endpoints)[K]>>;
type Call<K extends keyof typeof endpoints> = CallOf<(typeof endpoints)[K]>;

/** Texts of a site that have no translation, by language; those of records only as far as the caller may read them. One language has none. */
export async function missingTexts(ctx: Context, call: Parameters<typeof translatorOf>[1]): Promise<{ readonly tag: string; readonly texts: number }[]> {
  const who = await translatorOf(ctx, call);
  const [, ...others] = who.languages;
  if (others.length === 0) return [];
  return completenessOf(await surveyOf(ctx, { ...who, visitors: false }), others).map(({ tag, missing }) => ({ tag, texts: missing }));
}

async function overview(ctx: Context, call: Call<'translationOverview'>): Response<'translationOverview'> {
  const who = await translatorOf(ctx, call);
  const [survey, browsers] = await Promise.all([surveyOf(ctx, who), browsersOf(ctx, who)]);
  return { languages: completenessOf(survey, who.languages), browsers, groups: [...survey.groups] };
}

/** Titles of places by `entity:group:id`. */
async function titlesOf(ctx: Context, who: Translator, survey: Survey, places: readonly SurveyedPlace[]): Promise<Map<string, string>> {
  const titles = new Map<string, string>();
  for (const table of survey.tables) {
    const ids = places.filter(({ place }) => place.entity === 'record' && place.group === table.id).map(({ place }) => place.id);
    if (ids.length > 0) for (const [id, title] of Object.entries(await recordTitles(ctx, who.reader, table.id, ids))) titles.set(id, title);
  }
  return titles;
}

async function matrix(ctx: Context, call: Call<'translationMatrix'>): Response<'translationMatrix'> {
  const { page, size, ...selection } = call.query;
  const who = await translatorOf(ctx, call);
  const survey = await surveyOf(ctx, who, selection);
  const all = selected(survey, selection);
  const some = all.slice((page - 1) * size, page * size);
  const titles = await titlesOf(ctx, who, survey, some);
  const rows = some.map(({ place, path, visitors, states }) => ({
    place,
    title: place.entity === 'record' ? (titles.get(place.id) ?? '') : place.group,
    groupName: survey.tables.find(({ id }) => id === place.group)?.title ?? '',
    path,
    visitors,
    states: Object.fromEntries(states),
  }));
  return { rows, total: all.length };
}

async function texts(ctx: Context, call: Call<'translationTexts'>): Response<'translationTexts'> {
  const { page, size, ...selection } = call.query;
  const who = await translatorOf(ctx, call);
  requireLanguage(who, selection.tag);
  const all = selected(await surveyOf(ctx, who, selection), selection);
  const places = await findPlaces(
    ctx,
    who,
    all.slice((page - 1) * size, page * size).map(({ place }) => place),
  );
  return { rows: (await textsOf(ctx, who, places, selection.tag, selection.state)).map(textResponse), total: all.length };
}

async function change(ctx: Context, call: Call<'changeTranslations'>): Response<'changeTranslations'> {
  const who = await translatorOf(ctx, call);
  const { tag, texts: items } = call.body;
  requireLanguage(who, tag);
  const done = await writeTranslations(ctx, who, items, { tag, batchId: randomUUID(), origin: call.session.token ? 'api' : 'console' });
  const present = await textsByKey(
    ctx,
    who,
    items.map(({ key }) => key),
    tag,
  );
  const rows = [...present.values()].map(textResponse);
  if (done.some(({ result }) => result === 'stale')) fail('stale_revision', { current: { rows } });
  if (done.some(({ result }) => result === 'unknown')) fail('not_found');
  const refused = done.find(({ result }) => result === 'refused');
  if (refused) {
    const isLocked = rows.some(({ key, locked }) => locked !== null && key.field === refused.item.key.field);
    fail(isLocked ? 'forbidden' : 'invalid_fields', isLocked ? {} : { fields: { text: { code: 'pattern' } } });
  }
  return { rows };
}

async function mark(ctx: Context, call: Call<'markTranslations'>): Response<'markTranslations'> {
  const who = await translatorOf(ctx, call);
  const { tag, state, keys } = call.body;
  requireLanguage(who, tag);
  const found = [...(await textsByKey(ctx, who, keys, tag)).values()];
  const marks = found.flatMap(({ key, text, source, locked }) =>
    text === null || locked !== null ? [] : [{ key, language: tag, source: source.text, text, state }],
  );
  await putMarks(ctx.postgres.db, call.site.id, marks, call.session.userId, new Date(ctx.now()));
  ctx.live.publish({ type: 'intl', siteId: call.site.id });
  return { marked: marks.length };
}

async function cost(ctx: Context, call: Call<'translationCost'>): Response<'translationCost'> {
  const who = await translatorOf(ctx, call);
  requireLanguage(who, call.body.tag);
  const { engine, remaining } = await openEngine(ctx, call.site.id, call.body.engine);
  return { ...(await costOf(ctx, who, call.body, engine)), remaining };
}

type Starting = { readonly who: Translator; readonly runId: string; readonly kind: JobKind; readonly input?: object };
/** Queues the job of a run in the transaction that stores it, so that a worker finds both. */
async function start(
  ctx: Context,
  tx: Parameters<typeof changeRun>[0] & NonNullable<Parameters<typeof enqueue>[3]>,
  { who, runId, kind, input }: Starting,
): Promise<void> {
  const { site, userId } = who;
  const job = await enqueue(ctx, kind, { siteId: site.id, label: site.name, createdBy: userId, input: { runId, who: storedTranslator(who), ...input } }, tx);
  await changeRun(tx, runId, { jobId: job.id });
}
async function startedRun(ctx: Context, siteId: string, id: string): Promise<ReturnType<typeof runResponse>> {
  ctx.live.publish({ type: 'intl', siteId });
  const run = (await findRun(ctx.postgres.db, siteId, id)) ?? fail('not_found');
  if (run.row.jobId !== null) ctx.live.publish({ type: 'job', jobId: run.row.jobId });
  return runResponse(run);
}

async function translate(ctx: Context, call: Call<'translateTexts'>): Response<'translateTexts'> {
  const who = await translatorOf(ctx, call);
  const { body, site, session } = call;
  requireLanguage(who, body.tag);
  await openEngine(ctx, site.id, body.engine);
  const id = await ctx.postgres.db.transaction(async (tx) => {
    const run = { siteId: site.id, kind: 'machine', language: body.tag, label: body.engine, by: session.userId, at: new Date(ctx.now()) } as const;
    const { id: runId } = await insertRun(tx, run);
    await record(ctx, tx, who.actor, {
      action: 'languages.translated',
      siteId: site.id,
      target: { kind: 'site', id: site.id, name: site.row.name },
      after: { language: body.tag, engine: body.engine },
    });
    await start(ctx, tx, { who, runId, kind: 'languages.translate', input: { selection: body } });
    return runId;
  });
  return startedRun(ctx, site.id, id);
}

async function sendFile(ctx: Context, call: Call<'exportTranslations'>) {
  const who = await translatorOf(ctx, call);
  const { format, ...selection } = call.query;
  requireLanguage(who, selection.tag);
  const { mime, extension } = formats[format];
  return asDownload(call.reply, `${call.site.row.slug}-${selection.tag}.${extension}`, mime).send(Readable.from(exportFile(ctx, who, format, selection)));
}

async function check(ctx: Context, call: Call<'checkTranslations'>): Response<'checkTranslations'> {
  const who = await translatorOf(ctx, call);
  requireLanguage(who, call.body.tag);
  const { texts: found, encoding } = readFile(call.body.content, call.body.format);
  return { encoding, ...checkResponse(await checkTexts(ctx, who, call.body, found)) };
}

async function importFile(ctx: Context, call: Call<'importTranslations'>): Response<'importTranslations'> {
  const { body, site, session } = call;
  const who = await translatorOf(ctx, call);
  requireLanguage(who, body.tag);
  const checked = await checkTexts(ctx, who, body, readFile(body.content, body.format).texts);
  const writable = checked.filter(({ result }) => result === 'changed' || (body.outdated && result === 'outdated'));
  const id = await ctx.postgres.db.transaction(async (tx) => {
    const run = { siteId: site.id, kind: 'import', language: body.tag, label: body.format, by: session.userId, at: new Date(ctx.now()) } as const;
    const { id: runId } = await insertRun(tx, run);
    const items = writable.flatMap(({ key, found, after, result }, n) =>
      key ? [{ runId, n, ...key, before: found?.text ?? null, after, state: result === 'outdated' ? ('draft' as const) : body.state }] : [],
    );
    await insertItems(tx, items);
    await record(ctx, tx, who.actor, {
      action: 'languages.imported',
      siteId: site.id,
      target: { kind: 'site', id: site.id, name: site.row.name },
      after: { language: body.tag, format: body.format, texts: items.length },
    });
    await start(ctx, tx, { who, runId, kind: 'languages.import' });
    return runId;
  });
  return startedRun(ctx, site.id, id);
}

async function undo(ctx: Context, call: Call<'undoTranslationRun'>): Response<'undoTranslationRun'> {
  const { site, params } = call;
  const who = await translatorOf(ctx, call);
  const found = (await findRun(ctx.postgres.db, site.id, params.runId)) ?? fail('not_found');
  const job = found.row.jobId === null ? null : await findJob(ctx.postgres.db, found.row.jobId);
  // What it writes after the undo could not be taken back any more.
  if (found.row.undoneAt !== null || job?.state === 'queued' || job?.state === 'running') fail('bad_transition');
  await ctx.postgres.db.transaction(async (tx) => {
    await record(ctx, tx, who.actor, {
      action: 'languages.run_undone',
      siteId: site.id,
      target: { kind: 'site', id: site.id, name: site.row.name },
      after: { language: found.row.language, texts: found.row.changed },
    });
    await start(ctx, tx, { who, runId: found.row.id, kind: 'languages.undo' });
  });
  return startedRun(ctx, site.id, found.row.id);
}

function registerEngines(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;
  route(app, ctx, endpoints.translationEngines, async ({ site }) => ({ rows: await listEngines(ctx, site.id) }));
  route(app, ctx, endpoints.changeTranslationEngine, async (call) => {
    const { site, params, body, session } = call;
    const engine = await putEngine(ctx, site.id, params.kind, body, session.userId);
    const { actor } = await translatorOf(ctx, call);
    const after = { engine: params.kind, url: engine.url, dailyLimit: engine.dailyLimit };
    await record(ctx, db, actor, { action: 'languages.engine_changed', siteId: site.id, target: { kind: 'site', id: site.id, name: site.row.name }, after });
    return engine;
  });
  route(app, ctx, endpoints.removeTranslationEngine, async (call) => {
    const { site, params } = call;
    if (!(await removeEngine(db, site.id, params.kind))) fail('not_found');
    const { actor } = await translatorOf(ctx, call);
    const before = { engine: params.kind };
    await record(ctx, db, actor, { action: 'languages.engine_removed', siteId: site.id, target: { kind: 'site', id: site.id, name: site.row.name }, before });
    return null;
  });
  route(app, ctx, endpoints.translationGlossary, ({ site }) => glossaryOf(db, site.id));
  route(app, ctx, endpoints.changeTranslationGlossary, async (call) => {
    const { site, body, session } = call;
    const isWritten = await putGlossary(db, site.id, body.rows, call.ifMatch(), session.userId, new Date(ctx.now()));
    const present = await glossaryOf(db, site.id);
    if (!isWritten) fail('stale_revision', { current: present });
    const { actor } = await translatorOf(ctx, call);
    const after = { terms: body.rows.length };
    await record(ctx, db, actor, { action: 'languages.glossary_changed', siteId: site.id, target: { kind: 'site', id: site.id, name: site.row.name }, after });
    return present;
  });
}

/** Registers the calls of the screen of translations. */
export function registerTranslations(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.translationOverview, (call) => overview(ctx, call));
  route(app, ctx, endpoints.translationMatrix, (call) => matrix(ctx, call));
  route(app, ctx, endpoints.translationTexts, (call) => texts(ctx, call));
  route(app, ctx, endpoints.changeTranslations, (call) => change(ctx, call));
  route(app, ctx, endpoints.markTranslations, (call) => mark(ctx, call));
  route(app, ctx, endpoints.translationCost, (call) => cost(ctx, call));
  route(app, ctx, endpoints.translateTexts, (call) => translate(ctx, call));
  route(app, ctx, endpoints.exportTranslations, (call) => sendFile(ctx, call));
  route(app, ctx, endpoints.checkTranslations, (call) => check(ctx, call));
  route(app, ctx, endpoints.importTranslations, (call) => importFile(ctx, call));
  route(app, ctx, endpoints.translationRuns, async ({ site }) => ({ rows: (await listRuns(ctx.postgres.db, site.id)).map(runResponse) }));
  route(app, ctx, endpoints.undoTranslationRun, (call) => undo(ctx, call));
  registerEngines(app, ctx);
}
