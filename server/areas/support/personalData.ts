import { asc, eq } from 'drizzle-orm';
import type { Area } from '../area';
import { supportAgents, supportCanned } from './schema';

/** Own canned replies. What a person wrote to visitors belongs to the conversations of the site. */
export const exportPerson: NonNullable<Area['exportPerson']> = async (db, userId) => {
  const k = supportCanned;
  const rows = await db
    .select({ siteId: k.siteId, shortcut: k.shortcut, title: k.title, body: k.body, createdAt: k.createdAt })
    .from(k)
    .where(eq(k.ownerId, userId))
    .orderBy(asc(k.createdAt), asc(k.id));
  return { cannedReplies: rows };
};

/** People stay as rows without a name, so nothing is deleted with the row. */
export const erasePerson: NonNullable<Area['erasePerson']> = async (tx, userId) => {
  await tx.delete(supportCanned).where(eq(supportCanned.ownerId, userId));
  await tx.delete(supportAgents).where(eq(supportAgents.userId, userId));
};
