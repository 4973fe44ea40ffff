import type { TextKey, TextPlace } from '../../../../contract/languages/translations';
import type { MarkedState } from '../../../../contract/languages/translationTerms';
import type { BatchOrigin } from '../../../../contract/tables/terms';
import type { Context } from '../../../context';
import { Failure } from '../../../http/failure';
import { Clashed, inWrite, writeTexts } from '../../tables';
import type { WriteTx } from '../../tables';
import type { PastMark } from '../schema';
import { grouped } from './grouped';
import { putMarks } from './marks';
import type { NewMark } from './marks';
import { textKey } from './states';
import { textsByKey } from './texts';
import type { FoundText } from './texts';
import type { Translator } from './translator';
import { writePartTexts } from './writeParts';

/** A translation to write. `before`: the one that it replaces; null: there was none. An empty text removes it. */
export type TextItem = { readonly key: TextKey; readonly before: string | null; readonly text: string; readonly state: MarkedState };
/** `stale`: others have changed it since. `mark`: the mark of the text before. */
export type TextOutcome<T extends TextItem = TextItem> = {
  readonly item: T;
  readonly result: 'changed' | 'unchanged' | 'stale' | 'refused' | 'unknown';
  readonly mark: PastMark | null;
  /** The text as stored: rich text is cleaned. */
  readonly stored: string;
};
type Db = Pick<Context['postgres']['db'], 'insert' | 'update' | 'select' | 'delete'>;
export type Writing<T extends TextItem> = {
  readonly tag: string;
  readonly batchId: string;
  readonly origin: BatchOrigin;
  /** Runs in the transaction that writes records. Menus, settings and the theme are written before it. */
  readonly note?: (db: Db, outcomes: readonly TextOutcome<T>[]) => Promise<void>;
};

type Found<T extends TextItem> = { readonly item: T; readonly text: FoundText };
type Outcomes<T extends TextItem> = TextOutcome<T>[];

const pastMark = ({ mark }: FoundText): PastMark | null =>
  mark && { state: mark.state, sourceHash: mark.sourceHash, textHash: mark.textHash, source: mark.source };
const outcome = <T extends TextItem>({ item, text }: Found<T>, result: TextOutcome['result'], stored = item.text): TextOutcome<T> => ({
  item,
  result,
  mark: pastMark(text),
  stored,
});
const newMark = <T extends TextItem>({ item, text }: Found<T>, tag: string, stored = item.text): NewMark[] =>
  stored === '' ? [] : [{ key: item.key, language: tag, source: text.source.text, text: stored, state: item.state }];
const placeName = ({ entity, group }: TextPlace): string => `${entity}:${group}`;

async function noteAll<T extends TextItem>(
  ctx: Context,
  who: Translator,
  db: Db,
  { note }: Writing<T>,
  marks: readonly NewMark[],
  done: Outcomes<T>,
): Promise<void> {
  await putMarks(db, who.site.id, marks, who.userId, new Date(ctx.now()));
  await note?.(db, done);
}

/** Records of one table. If one of them makes all fail, halves are tried until it is alone. */
async function writeRecords<T extends TextItem>(ctx: Context, who: Translator, some: readonly Found<T>[], writing: Writing<T>): Promise<Outcomes<T>> {
  const { tag, batchId, origin } = writing;
  const byRecord = grouped(some, ({ item }) => item.key.id);
  const changes = [...byRecord].map(([id, texts]) => ({
    id,
    revision: texts[0]?.text.place.revision ?? 0,
    values: Object.fromEntries(texts.map(({ item }) => [item.key.field, item.text === '' ? null : item.text])),
  }));
  const work = async (w: WriteTx): Promise<Outcomes<T>> => {
    const { refused, stored } = await writeTexts(w, who.reader, { tableId: some[0]?.item.key.group ?? '', locale: tag, changes, batchId, origin });
    const storedText = ({ id, field }: TextKey): string => stored.get(id)?.[field] ?? '';
    const done = some.map((one) => (refused.has(one.item.key.id) ? outcome(one, 'refused') : outcome(one, 'changed', storedText(one.item.key))));
    const marks = some.flatMap((one) => (refused.has(one.item.key.id) ? [] : newMark(one, tag, storedText(one.item.key))));
    await noteAll(ctx, who, w.tx, writing, marks, done);
    return done;
  };
  try {
    return await inWrite(ctx, null, work);
  } catch (error) {
    if (!(error instanceof Failure || error instanceof Clashed)) throw error;
    if (byRecord.size === 1 || (error instanceof Failure && error.code === 'forbidden')) {
      const done = some.map((one) => outcome(one, error instanceof Clashed ? 'stale' : 'refused'));
      await writing.note?.(ctx.postgres.db, done);
      return done;
    }
    const groups = [...byRecord.values()];
    const half = Math.ceil(groups.length / 2);
    return [...(await writeRecords(ctx, who, groups.slice(0, half).flat(), writing)), ...(await writeRecords(ctx, who, groups.slice(half).flat(), writing))];
  }
}

async function writePlace<T extends TextItem>(ctx: Context, who: Translator, some: readonly Found<T>[], writing: Writing<T>): Promise<Outcomes<T>> {
  const [first] = some;
  if (!first) return [];
  const { entity, group } = first.item.key;
  if (entity === 'record') return writeRecords(ctx, who, some, writing);
  const texts = some.map(({ item }) => ({ field: item.key.field, before: item.before, text: item.text }));
  const stale = await writePartTexts(ctx, who, { entity, group, tag: writing.tag }, texts);
  // One text that a part refuses makes it refuse all of them.
  if (stale === null && some.length > 1) return eachAlone(ctx, who, some, writing);
  const done = some.map((one) => outcome(one, stale === null ? 'refused' : stale.has(one.item.key.field) ? 'stale' : 'changed'));
  const marks = some.flatMap((one, at) => (done[at]?.result === 'changed' ? newMark(one, writing.tag) : []));
  await ctx.postgres.db.transaction((tx) => noteAll(ctx, who, tx, writing, marks, done));
  return done;
}
async function eachAlone<T extends TextItem>(ctx: Context, who: Translator, some: readonly Found<T>[], writing: Writing<T>): Promise<Outcomes<T>> {
  const done: Outcomes<T> = [];
  for (const one of some) done.push(...(await writePlace(ctx, who, [one], writing)));
  return done;
}

/**
 * Writes translations where they are: records through the write engine with the rights of the person, menus, titles and settings in the working copy, texts of the
 * theme in its files. Marks are written with them. Texts that others have changed since, or that may not be changed, stay as they are.
 */
export async function writeTranslations<T extends TextItem>(ctx: Context, who: Translator, items: readonly T[], writing: Writing<T>): Promise<Outcomes<T>> {
  const found = await textsByKey(
    ctx,
    who,
    items.map(({ key }) => key),
    writing.tag,
  );
  const done: Outcomes<T> = [];
  const rest: Found<T>[] = [];
  const same: Found<T>[] = [];
  for (const item of items) {
    const text = found.get(textKey(item.key));
    if (!text) done.push({ item, result: 'unknown', mark: null, stored: item.text });
    else if (text.locked !== null) done.push(outcome({ item, text }, 'refused'));
    else if ((text.text ?? '') === item.text) same.push({ item, text });
    else if ((text.text ?? '') !== (item.before ?? '')) done.push(outcome({ item, text }, 'stale'));
    else rest.push({ item, text });
  }
  const unchanged = same.map((one) => outcome(one, 'unchanged'));
  const marks = same.flatMap((one) => newMark(one, writing.tag));
  if (done.length + same.length > 0) await ctx.postgres.db.transaction((tx) => noteAll(ctx, who, tx, writing, marks, [...done, ...unchanged]));
  done.push(...unchanged);
  for (const some of grouped(rest, ({ item }) => placeName(item.key)).values()) done.push(...(await writePlace(ctx, who, some, writing)));
  if (done.some(({ result }) => result === 'changed' || result === 'unchanged')) ctx.live.publish({ type: 'intl', siteId: who.site.id });
  return done;
}
