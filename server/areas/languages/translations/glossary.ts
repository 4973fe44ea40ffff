import { and, eq } from 'drizzle-orm';
import type { GlossaryEntry } from '../../../../contract/languages/translations';
import type { Context } from '../../../context';
import { canonical } from '../../../kit/canonical';
import { siteGlossaries } from '../schema';

type Db = Pick<Context['postgres']['db'], 'select' | 'insert' | 'update' | 'delete'>;
export type Glossary = { readonly rows: GlossaryEntry[]; readonly revision: number };

/** Terms of a site; none have the revision 0. */
export async function glossaryOf(db: Db, siteId: string): Promise<Glossary> {
  const [row] = await db.select().from(siteGlossaries).where(eq(siteGlossaries.siteId, siteId));
  return row ? { rows: [...row.rows], revision: row.revision } : { rows: [], revision: 0 };
}

/** Replaces the glossary; false if it has another revision by now. */
export async function putGlossary(db: Db, siteId: string, rows: readonly GlossaryEntry[], revision: number, by: string, at: Date): Promise<boolean> {
  const values = { rows, revision: revision + 1, updatedBy: by, updatedAt: at };
  const written =
    revision === 0
      ? await db
          .insert(siteGlossaries)
          .values({ siteId, ...values })
          .onConflictDoNothing()
          .returning({ revision: siteGlossaries.revision })
      : await db
          .update(siteGlossaries)
          .set(values)
          .where(and(eq(siteGlossaries.siteId, siteId), eq(siteGlossaries.revision, revision)))
          .returning({ revision: siteGlossaries.revision });
  return written.length > 0;
}

/** Deletes the glossary that an import installed, unless somebody has changed it since. */
export async function removeInstalledGlossary(db: Db, siteId: string, installed: readonly GlossaryEntry[]): Promise<void> {
  const { rows, revision } = await glossaryOf(db, siteId);
  if (revision !== 1 || canonical(rows) !== canonical(installed)) return;
  await db.delete(siteGlossaries).where(and(eq(siteGlossaries.siteId, siteId), eq(siteGlossaries.revision, revision)));
}
