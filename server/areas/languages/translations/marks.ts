import { and, eq, inArray, sql } from 'drizzle-orm';
import type { TextKey, TextPlace } from '../../../../contract/languages/translations';
import type { MarkedState } from '../../../../contract/languages/translationTerms';
import type { Context } from '../../../context';
import { translationMarks } from '../schema';
import type { MarkRow, PastMark } from '../schema';
import { placeKey, textHash } from './states';
import type { Mark } from './states';

type Db = Pick<Context['postgres']['db'], 'select' | 'insert' | 'delete'>;
/** Rows per statement: PostgreSQL takes at most 65 535 parameters. */
const atOnce = 2000;

/** Marks by place (`entity:group:id`), then by `language:field`. */
export type Marks = ReadonlyMap<string, ReadonlyMap<string, Mark>>;
export const markOf = (marks: Marks, place: TextPlace, language: string, field: string): Mark | undefined =>
  marks.get(placeKey(place))?.get(`${language}:${field}`);

/** All marks of a site, without the source texts that they remember. */
export async function marksOf(db: Db, siteId: string): Promise<Marks> {
  const { entity, group, id, field, language, state, sourceHash, textHash: hash } = translationMarks;
  const rows = await db
    .select({ entity, group, id, field, language, state, sourceHash, textHash: hash })
    .from(translationMarks)
    .where(eq(translationMarks.siteId, siteId));
  const marks = new Map<string, Map<string, Mark>>();
  for (const row of rows) {
    const key = placeKey(row);
    const byText = marks.get(key) ?? new Map<string, Mark>();
    byText.set(`${row.language}:${row.field}`, row);
    marks.set(key, byText);
  }
  return marks;
}

/** Marks of texts of places in one language, with the source texts. `ids`: of records; empty for what there is only one of. */
export async function marksOfPlaces(db: Db, siteId: string, ids: readonly string[], language: string): Promise<MarkRow[]> {
  return db
    .select()
    .from(translationMarks)
    .where(and(eq(translationMarks.siteId, siteId), eq(translationMarks.language, language), inArray(translationMarks.id, [...new Set(ids)])));
}

export type MachineMark = Pick<MarkRow, 'id' | 'field' | 'language' | 'textHash'>;
/** Marks of texts of some records that a machine translated and that nobody has reviewed. A mark counts only for the text whose hash it has. */
export const machineMarks = (db: Pick<Db, 'select'>, siteId: string, table: string, ids: readonly string[]): Promise<MachineMark[]> => {
  const { id, field, language, textHash: hash } = translationMarks;
  return db
    .select({ id, field, language, textHash: hash })
    .from(translationMarks)
    .where(
      and(
        eq(translationMarks.siteId, siteId),
        eq(translationMarks.entity, 'record'),
        eq(translationMarks.group, table),
        inArray(id, [...ids]),
        eq(translationMarks.state, 'machine'),
      ),
    );
};

export type NewMark = { readonly key: TextKey; readonly language: string; readonly source: string; readonly text: string; readonly state: MarkedState };

/** Marks translations; the state of a source and a translation as they are now. */
export async function putMarks(db: Db, siteId: string, marks: readonly NewMark[], by: string, at: Date): Promise<void> {
  const rows = marks.map(({ key, language, source, text, state }): MarkRow => ({
    siteId,
    ...key,
    language,
    state,
    sourceHash: textHash(source),
    textHash: textHash(text),
    source,
    by,
    at,
  }));
  await upsert(db, rows);
}

/** Puts marks back as they were before a run; null removes one. */
export async function restoreMarks(
  db: Db,
  siteId: string,
  marks: readonly { readonly key: TextKey; readonly language: string; readonly mark: PastMark | null }[],
  by: string,
  at: Date,
): Promise<void> {
  await upsert(
    db,
    marks.flatMap(({ key, language, mark }) => (mark ? [{ siteId, ...key, language, ...mark, by, at }] : [])),
  );
  for (const { key, language, mark } of marks)
    if (mark === null)
      await db
        .delete(translationMarks)
        .where(
          and(
            eq(translationMarks.siteId, siteId),
            eq(translationMarks.entity, key.entity),
            eq(translationMarks.group, key.group),
            eq(translationMarks.id, key.id),
            eq(translationMarks.field, key.field),
            eq(translationMarks.language, language),
          ),
        );
}

async function upsert(db: Db, rows: readonly MarkRow[]): Promise<void> {
  const { siteId, entity, group, id, field, language } = translationMarks;
  for (let from = 0; from < rows.length; from += atOnce)
    await db
      .insert(translationMarks)
      .values(rows.slice(from, from + atOnce))
      .onConflictDoUpdate({
        target: [siteId, entity, group, id, field, language],
        set: {
          state: sql`excluded.state`,
          sourceHash: sql`excluded.source_hash`,
          textHash: sql`excluded.text_hash`,
          source: sql`excluded.source`,
          by: sql`excluded.marked_by`,
          at: sql`excluded.marked_at`,
        },
      });
}
