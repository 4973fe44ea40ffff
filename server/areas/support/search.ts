import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { fail } from '../../http/failure';
import { containing } from '../../stores/postgres/like';
import { sqlState } from '../../stores/postgres/sqlState';
import { searchTooSlow } from './texts';
import { supportConversations as c, supportMessages, supportVisitors } from './schema';

/** Longest time of a search, and the state of a statement that exceeds it. */
const longest = '5s';
const cancelled = '57014';

/** As the index of visitors has it. */
const visitorText = sql`(v.name || E'\n' || v.email || E'\n' || v.phone || E'\n' || v.company || E'\n' || v.wechat)`;

/**
 * Conversations of a site whose number, subject, visitor or messages contain a text. The indexes hold pairs of characters with the site before them
 * (`support_grams` of the migration): these find Chinese words of two characters and parts of words, and read nothing of other sites. What has all pairs is
 * compared with the text itself.
 */
export function contains(siteId: string, q: string): SQL {
  const pattern = containing(q);
  const number = /^#?(\d{1,9})$/.exec(q)?.[1];
  const pairs = sql`support_grams(${siteId}::text, ${q}::text, ${[...q].length === 1 ? 1 : 2}::int)`;
  const found = [
    sql`select m.conversation_id from ${supportMessages} m
      where m.site_id = ${siteId} and support_grams(m.site_id, m.body, 1) @> ${pairs} and m.body <> '' and m.deleted_at is null and m.body ilike ${pattern}`,
    sql`select o.id from ${c} o where o.site_id = ${siteId} and o.subject <> '' and support_grams(o.site_id, o.subject, 1) @> ${pairs} and o.subject ilike ${pattern}`,
    sql`select o.id from ${supportVisitors} v join ${c} o on o.visitor_id = v.id
      where v.site_id = ${siteId} and ${visitorText} <> E'\n\n\n\n' and support_grams(v.site_id, ${visitorText}, 1) @> ${pairs} and ${visitorText} ilike ${pattern}`,
    ...(number === undefined ? [] : [sql`select o.id from ${c} o where o.site_id = ${siteId} and o.number = ${Number(number)}`]),
  ];
  // An array, which is read once: a condition on the rows could be evaluated for each conversation.
  return sql`${c.id} = any(array(${sql.join(found, sql` union `)}))`;
}

/** Runs a search, which may not take longer than five seconds. Throws `too_slow`. */
export async function withinTime<T>(db: NodePgDatabase, search: (tx: Pick<NodePgDatabase, 'select'>) => Promise<T>): Promise<T> {
  try {
    return await db.transaction(async (tx) => {
      await tx.execute(sql`select set_config('statement_timeout', ${longest}, true)`);
      return await search(tx);
    });
  } catch (error) {
    if (sqlState(error) !== cancelled) throw error;
    return fail('too_slow', { cause: error, message: searchTooSlow });
  }
}
