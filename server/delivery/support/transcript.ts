import type { FastifyReply } from 'fastify';
import { supportLimits } from '../../../contract/support/terms';
import { readBefore } from '../../areas/support';
import type { ConversationRow } from '../../areas/support';
import type { IndexedSite } from '../../areas/sites';
import type { Context } from '../../context';
import { asDownload } from '../../http/download';
import { labelAt } from '../../zone';
import { widgetTexts } from './texts';
import { messageView } from './views';

type Of = { readonly site: IndexedSite; readonly conversation: ConversationRow };

/** The conversation as its visitor has seen it, as a text file. Times are those of the site. */
export async function transcriptOf(ctx: Context, reply: FastifyReply, { site, conversation }: Of): Promise<FastifyReply> {
  const { texts } = widgetTexts([conversation.language]);
  const { rows } = await readBefore(ctx.postgres.db, conversation, null, supportLimits.messages);
  const entries = rows.toReversed().flatMap((row) => {
    const message = messageView(ctx, row);
    if (message === null || message.event !== null) return [];
    const author = message.from === 'visitor' ? texts.you : site.name;
    const content = message.isDeleted ? `(${texts.deleted})` : message.file ? `[${message.file.name}]` : message.text;
    return [`[${labelAt(row.message.at.getTime(), site.timeZone)}] ${author}: ${content}`];
  });
  const head = [`${site.name}  #${String(conversation.number)}`, site.timeZone, ''];
  // A byte order mark, so that editors of every system read it as UTF-8.
  return asDownload(reply, `${site.name} ${String(conversation.number)}.txt`, 'text/plain; charset=utf-8').send(
    `\uFEFF${[...head, ...entries].join('\r\n')}\r\n`,
  );
}
