import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { supportLimits } from '../../../contract/support/terms';
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

/** Two characters that follow each other, as the indexes have them. */
const hasPair = (q: string): boolean => /\S{2}/u.test(q);
/** Nearly every text of their language has these: all but the characters of scripts with thousands of them, and symbols. */
const isEverywhere = (q: string): boolean => !/[\p{Script=Han}\p{Script=Hangul}\p{S}]/u.test(q);
/** The number of conversations, those that began last, to which the search for a text is limited: single letters lead an index to every row. null: all. */
export const searchedOf = (q: string): number | null => (!hasPair(q) && isEverywhere(q) ? supportLimits.searched : null);

/**
 * Conversations of a site whose number, subject, visitor or messages contain a text. The indexes hold characters and pairs of characters with the site before
 * them (`support_grams` of the migration): these find Chinese words of two characters and parts of words, and read nothing of other sites. What has all pairs is
 * compared with the text itself. `indexed`: whether the indexes are there; without them the texts of the site are read.
 */
export function contains(siteId: string, q: string, indexed: boolean): SQL {
  const pattern = containing(q);
  const number = /^#?(\d{1,9})$/.exec(q)?.[1];
  const searched = searchedOf(q);
  const has = (site: SQL, text: SQL): SQL =>
    indexed && searched === null
      ? sql`support_grams(${site}, ${text}, 1) @> support_grams(${siteId}::text, ${q}::text, ${hasPair(q) ? 2 : 1}::int) and`
      : sql``;
  const latest = (id: SQL): SQL =>
    searched === null
      ? sql``
      : sql`${id} = any(array(select l.id from ${c} l where l.site_id = ${siteId} order by l.started_at desc limit ${searched}::int)) and`;
  const found = [
    sql`select m.conversation_id from ${supportMessages} m
      where ${latest(sql`m.conversation_id`)} ${has(sql`m.site_id`, sql`m.body`)} m.site_id = ${siteId} and m.body <> '' and m.deleted_at is null and m.body ilike ${pattern}`,
    sql`select o.id from ${c} o where ${latest(sql`o.id`)} ${has(sql`o.site_id`, sql`o.subject`)} o.site_id = ${siteId} and o.subject <> '' and o.subject ilike ${pattern}`,
    sql`select o.id from ${supportVisitors} v join ${c} o on o.visitor_id = v.id
      where ${latest(sql`o.id`)} ${has(sql`v.site_id`, visitorText)} v.site_id = ${siteId} and ${visitorText} <> E'\n\n\n\n' and ${visitorText} ilike ${pattern}`,
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
