import type { Context } from '../../context';
import type { Locale } from '../../http/access';
import type { NoticeMessage } from '../contacts';
import { unicodeOf } from './input';
import type { CheckedSite, HostnameRow } from './queries';
import { longTime } from '../../kit/longTime';

type Messages = {
  readonly attention: (host: string) => { readonly subject: string; readonly text: string };
  readonly lapsed: (host: string) => { readonly subject: string; readonly text: string };
  readonly certificate: (host: string, days: number, at: string) => { readonly subject: string; readonly text: string };
  readonly site: string;
  readonly action: string;
};

const messages: Readonly<Record<Locale, Messages>> = {
  'zh-CN': {
    attention: (host) => ({ subject: `域名 ${host} 的解析有问题`, text: `连续三次检查发现 ${host} 没有指向本系统，访客可能打不开网站。请核对 DNS 记录。` }),
    lapsed: (host) => ({
      subject: `域名 ${host} 已停用`,
      text: `${host} 连续 30 天没有指向本系统，访客已不能通过它打开网站。设置仍然保留，解析恢复后会自动重新启用。`,
    }),
    certificate: (host, days, at) => ({
      subject: `${host} 的 HTTPS 证书将在 ${days} 天内到期`,
      text: `${host} 的 HTTPS 证书将于 ${at} 到期。到期后，浏览器会拦截访问，请及时续期。`,
    }),
    site: '站点',
    action: '查看域名',
  },
  en: {
    attention: (host) => ({
      subject: `The DNS of ${host} has a problem`,
      text: `Three checks in a row found that ${host} does not lead here, so visitors may not be able to open the site. Check its DNS records.`,
    }),
    lapsed: (host) => ({
      subject: `${host} no longer serves the site`,
      text: `${host} has led elsewhere for 30 days, so the site is no longer served under it. Its settings remain, and it works again once its DNS is right.`,
    }),
    certificate: (host, days, at) => ({
      subject: `The HTTPS certificate of ${host} expires within ${days === 1 ? 'a day' : `${days} days`}`,
      text: `The HTTPS certificate of ${host} expires on ${at}. From then on browsers will refuse to open the site. Renew it in time.`,
    }),
    site: 'Site',
    action: 'Open the hostnames',
  },
};

type About = { readonly site: CheckedSite; readonly row: Pick<HostnameRow, 'host'> };

function messageOf(
  ctx: Pick<Context, 'config'>,
  { site }: About,
  locale: Locale,
  { subject, text }: { readonly subject: string; readonly text: string },
): NoticeMessage {
  const { action, site: label } = messages[locale];
  return {
    subject,
    paragraphs: [text],
    facts: [{ label, value: site.name }],
    action: { label: action, url: `${ctx.config.publicUrl}/site/${site.id}/setting/hostname` },
  };
}

export const dnsNotice =
  (ctx: Pick<Context, 'config'>, about: About, kind: 'attention' | 'lapsed') =>
  (locale: Locale): NoticeMessage =>
    messageOf(ctx, about, locale, messages[locale][kind](unicodeOf(about.row.host)));

export const expiryNotice =
  (ctx: Pick<Context, 'config'>, about: About, { days, expiresAt }: { readonly days: number; readonly expiresAt: Date }) =>
  (locale: Locale): NoticeMessage =>
    messageOf(ctx, about, locale, messages[locale].certificate(unicodeOf(about.row.host), days, longTime(expiresAt, locale, about.site.timeZone)));
