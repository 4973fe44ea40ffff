import { Readable } from 'node:stream';
import { sql } from 'drizzle-orm';
import type { FastifyReply } from 'fastify';
import type { supportEndpoints as endpoints } from '../../../contract/support/schemas';
import type { Context } from '../../context';
import { byteOrderMark, csvLine } from '../../csv';
import { asDownload } from '../../http/download';
import type { downloadPlaces } from '../../http/download';
import type { CallOf } from '../../http/route';
import { labelAt } from '../../zone';
import { users } from '../account/schema';
import { actorOf, record } from '../audit';
import type { Db } from './queries';
import { supportConversations, supportVisitors } from './schema';
import { periodOf, rowsOf, started } from './statistics';
import type { Period } from './statistics';
import { csvColumns, supportTexts } from './texts';

type Column = (typeof csvColumns)[number];
type Row = Readonly<Record<Column, string | number | null>>;
/** Conversations of one statement. */
const batch = 1000;
const times: ReadonlySet<Column> = new Set(['started', 'firstReply', 'resolved']);

const nextRows = (db: Db, period: Period, after: number): Promise<Row[]> =>
  rowsOf<Row>(
    db,
    sql`select c.number, c.kind, c.state, c.subject, array_to_string(c.tags, ', ') as tags, v.name as visitor, v.email, v.phone, v.company, v.country, c.page->>'url' as page,
      coalesce(u.display_name, '') as agent, extract(epoch from c.started_at) * 1000 as started, extract(epoch from c.first_reply_at) * 1000 as "firstReply",
      extract(epoch from c.resolved_at) * 1000 as resolved, round(extract(epoch from c.first_reply_at - c.started_at))::int as "firstReplySeconds", c.messages, c.rating, c.rating_comment as "ratingComment"
      from ${supportConversations} c join ${supportVisitors} v on v.id = c.visitor_id left join ${users} u on u.id = c.assignee_id
      where ${started(period)} and c.number > ${after} order by c.number limit ${batch}`,
  );

/** All conversations of a period as CSV, in the language of the reader and the time of the site, read while they are sent. Texts cannot become formulas. */
export async function exportConversations(
  ctx: Context,
  call: CallOf<typeof endpoints.exportSupport>,
  place: ReturnType<typeof downloadPlaces>,
): Promise<FastifyReply> {
  const { site, query, locale, reply } = call;
  const { db } = ctx.postgres;
  const period = periodOf(call);
  const left = place(reply, site.id);
  await record(ctx, db, actorOf(call), { action: 'support.exported', siteId: site.id, after: { from: query.from, to: query.to } });
  const cell = (column: Column, value: string | number | null) =>
    value !== null && times.has(column) ? labelAt(Number(value), period.zone).replace('T', ' ') : value;
  async function* lines(): AsyncGenerator<string> {
    yield byteOrderMark + csvLine(csvColumns.map((column) => supportTexts[locale].csv[column]));
    for (let after = 0, rows = batch; rows === batch && !left.aborted;) {
      const found = await nextRows(db, period, after);
      if (found.length > 0) yield found.map((row) => csvLine(csvColumns.map((column) => cell(column, row[column])))).join('');
      after = Number(found.at(-1)?.number ?? after);
      rows = found.length;
    }
  }
  return asDownload(reply, `support-${query.from}-${query.to}.csv`, 'text/csv; charset=utf-8').send(Readable.from(lines(), { objectMode: false }));
}
