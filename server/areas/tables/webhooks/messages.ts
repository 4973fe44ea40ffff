import { webhookLimits } from '../../../../contract/tables/webhooks';
import type { Context } from '../../../context';
import type { Locale } from '../../../http/access';
import type { NoticeMessage } from '../../contacts/notify';

type Off = { readonly id: string; readonly name: string; readonly reason: 'gone' | 'failing' };

const messages: Readonly<
  Record<Locale, { subject: (site: string, name: string) => string; reason: Record<Off['reason'], string>; then: string; action: string }>
> = {
  'zh-CN': {
    subject: (site, name) => `${site}的 Webhook“${name}”已停用`,
    reason: {
      gone: '接收地址返回 410，表示它不再接收消息，系统因此停用了这个 Webhook。',
      failing: `接收地址连续 ${webhookLimits.failingDays} 天没有成功收到任何消息，系统因此停用了这个 Webhook。`,
    },
    then: '停用期间，记录的变更不会再发往该地址。修复接收端后，请重新启用它，并重发失败的消息。',
    action: '查看 Webhook',
  },
  en: {
    subject: (site, name) => `${site}: the webhook “${name}” was switched off`,
    reason: {
      gone: 'The receiver answered 410, which means that it accepts no more messages, so the webhook was switched off.',
      failing: `Nothing has reached the receiver for ${webhookLimits.failingDays} days, so the webhook was switched off.`,
    },
    then: 'Changes of records are not sent there any more. Once the receiver works again, switch the webhook on and replay what failed.',
    action: 'See the webhook',
  },
};

/** Notice to contacts that a webhook was disabled automatically. */
export const disabledNotice =
  (ctx: Pick<Context, 'config'>, site: { readonly id: string; readonly name: string }, { id, name, reason }: Off) =>
  (locale: Locale): NoticeMessage => {
    const w = messages[locale];
    return {
      subject: w.subject(site.name, name),
      paragraphs: [w.reason[reason], w.then],
      action: { label: w.action, url: `${ctx.config.publicUrl}/site/${site.id}/table/admin?part=webhooks&hook=${id}` },
    };
  };
