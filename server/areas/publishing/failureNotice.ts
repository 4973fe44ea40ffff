import { eq } from 'drizzle-orm';
import { mayOnSite } from '../../../contract/permissions';
import type { Locale } from '../../http/access';
import { queueMail } from '../../mail';
import { users } from '../account/schema';
import type { NoticeMessage } from '../contacts';
import { notifyPerson, publishNotices } from '../notices';
import { roleNow } from '../tables';
import type { WriteTx } from '../tables';
import type { ReleaseRow } from './queries';
import type { ReleaseFailure } from './schema';

const messages = {
  'zh-CN': {
    subject: (site: string, number: number) => `${site}：第 ${number} 版没有按时发布`,
    reasons: {
      forbidden: '你已没有权限发布此站点，或其中的某些记录。',
      not_found: '要发布的记录或内容表已不存在。',
      invalid_fields: (records: number) => `有 ${records} 条记录不完整，无法发布。`,
      other: '发布时出现错误。',
    },
    text: '访客看到的仍是之前发布的内容。修改后可以再次发布。',
    action: '查看发布记录',
    footer: '收到此邮件，是因为你安排了这一版的发布时间。',
  },
  en: {
    subject: (site: string, number: number) => `${site}: release ${number} was not published`,
    reasons: {
      forbidden: 'You may no longer publish the site, or some of the records.',
      not_found: 'Records or content tables that it publishes no longer exist.',
      invalid_fields: (records: number) => (records === 1 ? 'One record is incomplete.' : `${records} records are incomplete.`),
      other: 'An error occurred.',
    },
    text: 'Visitors still get the release before. Correct what is wrong and publish again.',
    action: 'Show releases',
    footer: 'You get this because you scheduled the release.',
  },
} as const satisfies Record<Locale, unknown>;

function reasonOf(locale: Locale, { code, records }: ReleaseFailure): string {
  const { reasons } = messages[locale];
  if (code === 'invalid_fields') return reasons.invalid_fields(Math.max(1, records));
  return code === 'forbidden' || code === 'not_found' ? reasons[code] : reasons.other;
}

/**
 * Tells the author of a scheduled release that it failed: behind the bell, and by mail if the address is confirmed. In the transaction that records the failure.
 * Somebody without access to the site gets neither.
 */
export async function notifyAuthor(
  w: WriteTx,
  site: { readonly id: string; readonly name: string },
  release: ReleaseRow,
  failure: ReleaseFailure,
): Promise<void> {
  const { ctx, tx } = w;
  const userId = release.createdBy;
  const role = userId === null ? null : await roleNow(tx, site.id, userId);
  if (userId === null || role === null || !mayOnSite(role, 'site.read')) return;
  const url = `${ctx.config.publicUrl}/site/${site.id}/setting/base/releases`;
  const message = (locale: Locale): NoticeMessage => {
    const { subject, text, action } = messages[locale];
    return { subject: subject(site.name, release.number), paragraphs: [reasonOf(locale, failure), text], action: { label: action, url } };
  };
  await notifyPerson(ctx, tx, userId, { kind: 'release', siteId: site.id, message });
  w.after(() => publishNotices(ctx, [userId]));
  const [person] = await tx
    .select({ email: users.email, emailVerifiedAt: users.emailVerifiedAt, locale: users.locale })
    .from(users)
    .where(eq(users.id, userId));
  if (!person?.email || person.emailVerifiedAt === null) return;
  const letter = { to: person.email, locale: person.locale, ...message(person.locale), footer: messages[person.locale].footer };
  await queueMail(ctx, tx, letter, { kind: 'publishing.release_failed' });
}
