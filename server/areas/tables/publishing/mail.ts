import { eq, inArray } from 'drizzle-orm';
import type { Locale } from '../../../http/access';
import { queueMail } from '../../../mail';
import { users } from '../../account/schema';
import { sites } from '../../sites/schema';
import { grantOf } from '../core/access';
import { roleNow } from '../core/write/lookups';
import type { TableContext } from '../core/tableContext';
import type { WriteTx } from '../core/write/types';

const messages = {
  'zh-CN': {
    subject: (site: string) => `${site}：定时发布失败`,
    text: (count: number, table: string) => `“${table}”中有 ${count} 条记录没有按时发布，仍保持原来的内容。可以在控制台查看原因，修改后重试，或放弃发布。`,
    action: '查看失败的发布',
    footer: '收到此邮件，是因为你设置了这些记录的发布时间。',
  },
  en: {
    subject: (site: string) => `${site}: a scheduled publication failed`,
    text: (count: number, table: string) =>
      `${count === 1 ? 'One record' : `${count} records`} of “${table}” could not be published at the scheduled time. The console shows why; correct what is wrong and try again, or discard the publication.`,
    action: 'Show failed publications',
    footer: 'You get this because you scheduled the publication.',
  },
} as const satisfies Record<Locale, unknown>;

/**
 * Notifies people whose scheduled publications failed, in the transaction that records the failures. People who may no longer read the table are not
 * notified.
 */
export async function mailSchedulers(
  w: WriteTx,
  { model, table }: Pick<TableContext, 'model' | 'table'>,
  failures: readonly { readonly scheduledBy: string | null }[],
): Promise<void> {
  const counts = new Map<string, number>();
  for (const { scheduledBy } of failures) if (scheduledBy !== null) counts.set(scheduledBy, (counts.get(scheduledBy) ?? 0) + 1);
  if (counts.size === 0) return;
  const people = await w.tx
    .select({ id: users.id, email: users.email, emailVerifiedAt: users.emailVerifiedAt, locale: users.locale })
    .from(users)
    .where(inArray(users.id, [...counts.keys()]));
  const [site] = await w.tx.select({ name: sites.name }).from(sites).where(eq(sites.id, model.siteId));
  for (const { id, email, emailVerifiedAt, locale } of people) {
    const role = await roleNow(w.tx, model.siteId, id);
    if (email === null || emailVerifiedAt === null || role === null || !grantOf(table, { role, userId: id }, 'read').allowed) continue;
    const { subject, text, action, footer } = messages[locale];
    const letter = {
      to: email,
      locale,
      subject: subject(site?.name ?? ''),
      paragraphs: [text(counts.get(id) ?? 0, table.title)],
      action: { label: action, url: `${w.ctx.config.publicUrl}/site/${model.siteId}/table/records?table=${table.id}` },
      footer,
    };
    await queueMail(w.ctx, w.tx, letter, { kind: 'tables.publication_failed' });
  }
}
