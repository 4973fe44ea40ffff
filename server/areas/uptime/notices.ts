import type { UptimeFailure } from '../../../contract/uptime/schemas';
import type { Context } from '../../context';
import type { Locale } from '../../http/access';
import { DAY, HOUR, MINUTE } from '../../zone';
import type { NoticeMessage } from '../contacts';
import type { MonitoredSite } from './queries';
import { longTime } from '../../kit/longTime';

type Messages = {
  readonly reason: Readonly<Record<UptimeFailure, (detail: string) => string>>;
  readonly duration: (ms: number) => string;
  readonly down: { readonly subject: (site: string) => string; readonly text: (site: string) => string };
  readonly recovered: { readonly subject: (site: string, duration: string) => string; readonly text: (site: string) => string };
  readonly certificate: { readonly subject: (site: string, days: number) => string; readonly text: (site: string, at: string) => string };
  readonly label: Readonly<Record<'reason' | 'since' | 'until' | 'duration' | 'address', string>>;
  readonly action: string;
};

/** `503` becomes ` (503)`; empty stays empty. */
const after = (detail: string): string => (detail === '' ? '' : ` (${detail})`);

export const messages: Readonly<Record<Locale, Messages>> = {
  'zh-CN': {
    reason: {
      dns: () => '域名解析失败',
      refused: () => '连接被拒绝',
      timeout: () => '10 秒内没有响应',
      tls: (detail) => `HTTPS 证书或加密连接有问题${detail === '' ? '' : `（${detail}）`}`,
      network: (detail) => `连接中断${detail === '' ? '' : `（${detail}）`}`,
      redirects: () => '重定向次数过多或目标无效',
      status: (detail) => `返回了状态码 ${detail}`,
      keyword: () => '页面上没有找到关键词',
    },
    duration: (ms) => {
      const minutes = Math.max(1, Math.round(ms / MINUTE));
      if (minutes < 60) return `${minutes} 分钟`;
      const [days, hours, rest] = [Math.floor(ms / DAY), Math.floor((ms % DAY) / HOUR), Math.floor((ms % HOUR) / MINUTE)];
      if (days > 0) return hours === 0 ? `${days} 天` : `${days} 天 ${hours} 小时`;
      return rest === 0 ? `${hours} 小时` : `${hours} 小时 ${rest} 分钟`;
    },
    down: { subject: (site) => `${site} 无法访问`, text: (site) => `${site} 连续两次检查都没有通过，访客现在可能打不开。恢复后会再次通知。` },
    recovered: { subject: (site, duration) => `${site} 已恢复，中断 ${duration}`, text: (site) => `${site} 现在可以正常访问。` },
    certificate: {
      subject: (site, days) => `${site} 的 HTTPS 证书将在 ${days} 天内到期`,
      text: (site, at) => `${site} 的 HTTPS 证书将于 ${at} 到期。到期后，浏览器会拦截访问，请及时续期。`,
    },
    label: { reason: '原因', since: '开始时间', until: '恢复时间', duration: '持续时间', address: '网址' },
    action: '查看站点',
  },
  en: {
    reason: {
      dns: () => 'The host name cannot be resolved',
      refused: () => 'The connection was refused',
      timeout: () => 'No answer within 10 seconds',
      tls: (detail) => `The HTTPS certificate or the encrypted connection has a problem${after(detail)}`,
      network: (detail) => `The connection broke off${after(detail)}`,
      redirects: () => 'Too many redirects, or one that leads nowhere',
      status: (detail) => `The site answered with status ${detail}`,
      keyword: () => 'The keyword was not found on the page',
    },
    duration: (ms) => {
      const minutes = Math.max(1, Math.round(ms / MINUTE));
      if (minutes < 60) return `${minutes} min`;
      const [days, hours, rest] = [Math.floor(ms / DAY), Math.floor((ms % DAY) / HOUR), Math.floor((ms % HOUR) / MINUTE)];
      if (days > 0) return hours === 0 ? `${days} d` : `${days} d ${hours} h`;
      return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
    },
    down: {
      subject: (site) => `${site} is down`,
      text: (site) => `Two checks of ${site} in a row have failed, so visitors may not be able to open it. You will be told when it is back.`,
    },
    recovered: { subject: (site, duration) => `${site} is up again after ${duration}`, text: (site) => `${site} can be opened again.` },
    certificate: {
      subject: (site, days) => `The HTTPS certificate of ${site} expires within ${days === 1 ? 'a day' : `${days} days`}`,
      text: (site, at) => `The HTTPS certificate of ${site} expires on ${at}. From then on browsers will refuse to open the site. Renew it in time.`,
    },
    label: { reason: 'Reason', since: 'Since', until: 'Until', duration: 'Duration', address: 'Address' },
    action: 'Open the site’s dashboard',
  },
};

export type About = { readonly site: MonitoredSite; /** The checked URL without its path. */ readonly address: string };
const leadTo = (ctx: Context, site: MonitoredSite, locale: Locale) => ({
  label: messages[locale].action,
  url: `${ctx.config.publicUrl}/site/${site.id}/dashboard`,
});

export const downNotice =
  (ctx: Context, { site, address }: About, failure: { readonly reason: UptimeFailure; readonly detail: string; readonly startedAt: Date }) =>
  (locale: Locale): NoticeMessage => {
    const { down, label, reason } = messages[locale];
    return {
      subject: down.subject(site.name),
      paragraphs: [down.text(site.name)],
      facts: [
        { label: label.reason, value: reason[failure.reason](failure.detail) },
        { label: label.since, value: longTime(failure.startedAt, locale, site.timeZone) },
        { label: label.address, value: address },
      ],
      action: leadTo(ctx, site, locale),
    };
  };

export const recoveryNotice =
  (
    ctx: Context,
    { site, address }: About,
    incident: { readonly reason: UptimeFailure; readonly detail: string; readonly startedAt: Date; readonly endedAt: Date },
  ) =>
  (locale: Locale): NoticeMessage => {
    const { recovered, label, reason, duration } = messages[locale];
    const lasted = duration(incident.endedAt.getTime() - incident.startedAt.getTime());
    return {
      subject: recovered.subject(site.name, lasted),
      paragraphs: [recovered.text(site.name)],
      facts: [
        { label: label.reason, value: reason[incident.reason](incident.detail) },
        { label: label.since, value: longTime(incident.startedAt, locale, site.timeZone) },
        { label: label.until, value: longTime(incident.endedAt, locale, site.timeZone) },
        { label: label.duration, value: lasted },
        { label: label.address, value: address },
      ],
      action: leadTo(ctx, site, locale),
    };
  };

export const certificateNotice =
  (ctx: Context, { site, address }: About, { days, expiresAt }: { readonly days: number; readonly expiresAt: Date }) =>
  (locale: Locale): NoticeMessage => {
    const { certificate, label } = messages[locale];
    return {
      subject: certificate.subject(site.name, days),
      paragraphs: [certificate.text(site.name, longTime(expiresAt, locale, site.timeZone))],
      facts: [{ label: label.address, value: address }],
      action: leadTo(ctx, site, locale),
    };
  };
