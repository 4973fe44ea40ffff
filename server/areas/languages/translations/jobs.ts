import { z } from 'zod';
import { TextPlace } from '../../../../contract/languages/translations';
import { engineKinds, translatedEntities, translationLimits } from '../../../../contract/languages/translationTerms';
import type { Context } from '../../../context';
import { defineJob } from '../../../worker';
import type { RunningJob } from '../../../worker';
import { batchesOf, translateAll } from './engines/engine';
import type { Engine, Term } from './engines/engine';
import { countUse, openEngine } from './engines/store';
import { glossaryOf } from './glossary';
import { grouped } from './grouped';
import { restoreMarks } from './marks';
import { openPlaces } from './openPlaces';
import { findPlaces } from './places';
import { changeRun, countItems, findRun, itemsAfter, noteOutcomes } from './runs';
import type { RunItem } from './runs';
import { machineTexts } from './texts';
import type { FoundText } from './texts';
import { translatorNow } from './translator';
import type { StoredTranslator, Translator } from './translator';
import { writeTranslations } from './write';
import type { RunRow } from '../schema';

/** Places whose texts are read, and texts that are written, at once. */
const placesAtOnce = 50;
const textsAtOnce = 500;

export const storedSelection = z.object({
  engine: z.enum(engineKinds),
  tag: z.string(),
  places: z.array(TextPlace).optional(),
  entity: z.enum(translatedEntities).optional(),
  group: z.string().optional(),
  outdated: z.boolean(),
});
const Stored = z.object({ runId: z.uuid(), who: z.custom<StoredTranslator>((value) => typeof value === 'object' && value !== null) });
const TranslateJob = Stored.extend({ selection: storedSelection });

type Work = { readonly who: Translator; readonly run: RunRow; readonly engine: Engine; readonly glossary: (from: string) => readonly Term[] };

const length = ({ source }: FoundText): number => source.text.length;

/** Translates the open texts of some places. Returns how many there were, and the number of the next item. */
async function translatePlaces(ctx: Context, job: RunningJob, work: Work, texts: readonly FoundText[], next: number): Promise<number> {
  const { who, run, engine, glossary } = work;
  const items: RunItem[] = [];
  let n = next;
  for (const group of grouped(texts, ({ source, format }) => `${source.tag} ${format}`).values()) {
    const [first] = group;
    if (!first) continue;
    const { source, format } = first;
    for (const some of batchesOf(group, length, engine.most)) {
      await countUse(
        ctx,
        who.site.id,
        engine.kind,
        some.reduce((sum, text) => sum + length(text), 0),
      );
      const batch = { from: source.tag, to: run.language, format, texts: some.map((text) => text.source.text), signal: job.signal };
      const translations = await translateAll(engine, batch, glossary(source.tag));
      const refused: RunItem[] = [];
      for (const [at, text] of some.entries()) {
        const translation = translations[at] ?? null;
        const item: RunItem = { n: n++, key: text.key, before: text.text, text: translation ?? '', state: 'machine' };
        (translation === null ? refused : items).push(item);
      }
      await noteOutcomes(
        ctx.postgres.db,
        run.id,
        refused.map((item) => ({ item, result: 'refused' as const, mark: null, stored: '' })),
      );
    }
  }
  await writeTranslations(ctx, who, items, { tag: run.language, batchId: run.batchId, origin: 'bulk', note: (db, done) => noteOutcomes(db, run.id, done) });
  return n;
}

/**
 * Translates by machine what is open, with the rights that the person has at every step. What is written is no longer open, so an interrupted run goes on where
 * it was. It ends early at the limit of characters of a job, or of the service for the day.
 */
export const translateJob = defineJob('languages.translate', async (job, ctx) => {
  const { runId, who: stored, selection } = TranslateJob.parse(job.input);
  const siteId = job.siteId ?? '';
  const found = await findRun(ctx.postgres.db, siteId, runId);
  if (!found || found.row.jobId !== job.id) return;
  const { engine, remaining } = await openEngine(ctx, siteId, selection.engine);
  const glossary = await glossaryOf(ctx.postgres.db, siteId);
  const terms = (from: string) => glossary.rows.filter((entry) => entry.from === from && entry.to === selection.tag);
  const places = await openPlaces(ctx, await translatorNow(ctx, siteId, stored), selection);
  let left = Math.min(translationLimits.characters, remaining ?? Infinity);
  let next = (await countItems(ctx.postgres.db, runId, 'all')).last + 1;
  for (let from = 0; from < places.length && left > 0; from += placesAtOnce) {
    await job.progress(from, places.length);
    const who = await translatorNow(ctx, siteId, stored);
    const texts = await machineTexts(ctx, who, await findPlaces(ctx, who, places.slice(from, from + placesAtOnce)), { ...selection, engine });
    const fitting = texts.filter((text) => (left -= length(text)) >= 0);
    next = await translatePlaces(ctx, job, { who, run: found.row, engine, glossary: terms }, fitting, next);
  }
  await job.progress(places.length, places.length);
});

/** Writes what an import has stored, and what was not written before an interruption. */
export const importJob = defineJob('languages.import', async (job, ctx) => {
  const { runId, who: stored } = Stored.parse(job.input);
  const siteId = job.siteId ?? '';
  const found = await findRun(ctx.postgres.db, siteId, runId);
  if (!found || found.row.jobId !== job.id) return;
  const { row: run } = found;
  const { count } = await countItems(ctx.postgres.db, runId, 'all');
  for (let done = 0; ;) {
    await job.progress(done, count);
    const rows = await itemsAfter(ctx.postgres.db, runId, -1, 'waiting', textsAtOnce);
    if (rows.length === 0) return;
    const who = await translatorNow(ctx, siteId, stored);
    const items = rows.map(({ n, entity, group, id, field, before, after, state }): RunItem => ({
      n,
      key: { entity, group, id, field },
      before,
      text: after,
      state,
    }));
    await writeTranslations(ctx, who, items, { tag: run.language, batchId: run.batchId, origin: 'import', note: (db, all) => noteOutcomes(db, runId, all) });
    done += rows.length;
  }
});

/** Takes a run back: every text that nobody has changed since gets its earlier value and its earlier mark. */
export const undoJob = defineJob('languages.undo', async (job, ctx) => {
  const { runId, who: stored } = Stored.parse(job.input);
  const siteId = job.siteId ?? '';
  const found = await findRun(ctx.postgres.db, siteId, runId);
  if (!found || found.row.jobId !== job.id) return;
  const { row: run } = found;
  const { count } = await countItems(ctx.postgres.db, runId, 'changed');
  let after = -1;
  for (let done = 0; ;) {
    await job.progress(done, count);
    const rows = await itemsAfter(ctx.postgres.db, runId, after, 'changed', textsAtOnce);
    const last = rows.at(-1);
    if (!last) break;
    const who = await translatorNow(ctx, siteId, stored);
    const items = rows.map(({ n, entity, group, id, field, before, after: text, mark }) => ({
      n,
      key: { entity, group, id, field },
      before: text,
      text: before ?? '',
      mark,
      state: mark?.state ?? ('reviewed' as const),
    }));
    await writeTranslations(ctx, who, items, {
      tag: run.language,
      batchId: run.undoBatchId,
      origin: 'undo',
      note: (db, all) =>
        restoreMarks(
          db,
          siteId,
          all
            .filter(({ result }) => result === 'changed' || result === 'unchanged')
            .map(({ item }) => ({ key: item.key, language: run.language, mark: item.mark })),
          who.userId,
          new Date(ctx.now()),
        ),
    });
    after = last.n;
    done += rows.length;
  }
  await changeRun(ctx.postgres.db, runId, { undoneAt: new Date(ctx.now()) });
  ctx.live.publish({ type: 'intl', siteId });
});
