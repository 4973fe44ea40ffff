import type { Context } from '../../context';
import type { Locale } from '../../http/access';
import { labelAt } from '../../zone';
import * as queries from './queries';
import type { ConversationRow, MessageRow } from './queries';
import { supportTexts as texts } from './texts';

const batch = 500;

function lineOf({ message, file, agentName }: MessageRow, visitorName: string, locale: Locale, zone: string): string {
  const t = texts[locale];
  const who = message.author === 'visitor' ? visitorName || t.visitor : message.author === 'agent' ? (agentName ?? t.agent) : '—';
  const text =
    message.kind === 'event'
      ? t.event[message.event ?? 'assigned']
      : message.deletedAt
        ? t.deleted
        : message.kind === 'file'
          ? `[${file?.name ?? t.deleted}]`
          : message.body;
  return `[${labelAt(message.at.getTime(), zone).replace('T', ' ')}] ${who}${message.kind === 'note' ? ` (${t.note})` : ''}: ${text}`;
}

/** The messages of a conversation as plain text, oldest first. */
export async function transcriptOf(
  ctx: Pick<Context, 'postgres'>,
  conversation: ConversationRow,
  { visitorName, siteName, locale, timeZone }: { visitorName: string; siteName: string; locale: Locale; timeZone: string },
): Promise<string> {
  const rows: MessageRow[] = [];
  for (let before: number | null = null; ;) {
    const found: MessageRow[] = await queries.messagesBefore(ctx.postgres.db, conversation.id, before, batch);
    rows.push(...found);
    before = found.at(-1)?.message.seq ?? null;
    if (found.length < batch) break;
  }
  const lines = rows.toReversed().map((row) => lineOf(row, visitorName, locale, timeZone));
  return `${siteName} · #${conversation.number} (${timeZone})\n\n${lines.join('\n')}\n`;
}
