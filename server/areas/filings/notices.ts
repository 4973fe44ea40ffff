import { displayedNumber } from '../../../contract/filings/numbers';
import type { Deadline } from '../../../contract/filings/deadlines';
import type { DeadlineKind, FilingKind } from '../../../contract/filings/terms';
import type { Context } from '../../context';
import type { Locale } from '../../http/access';
import type { NoticeMessage } from '../contacts';
import type { CheckedSite, FilingRow } from './queries';

type Messages = {
  readonly kind: Readonly<Record<FilingKind, string>>;
  readonly deadline: Readonly<Record<DeadlineKind, { readonly subject: (name: string) => string; readonly text: string }>>;
  readonly overdue: string;
  readonly label: Readonly<Record<'site' | 'filing' | 'on', string>>;
  readonly disclaimer: string;
  readonly action: string;
};

const messages: Readonly<Record<Locale, Messages>> = {
  'zh-CN': {
    kind: { icp: 'ICP 备案', license: 'ICP 许可证', mps: '公安联网备案', app: 'App 备案', mini: '小程序备案' },
    deadline: {
      sms_code: { subject: (name) => `${name}：等待短信核验`, text: '请在收到验证码后 24 小时内，到工信部备案管理系统完成短信核验，否则备案会被退回。' },
      mps_filing: { subject: (name) => `${name}：尽快办理公安联网备案`, text: '网站开通后 30 日内须到公安机关备案：登录全国互联网安全管理服务平台办理。' },
      certificate_expiry: { subject: (name) => `${name}：证件即将到期`, text: '备案主体或负责人的证件即将到期。换证后，请向接入服务商提交变更备案。' },
      domain_expiry: { subject: (name) => `${name}：域名即将到期`, text: '备案域名即将到期。过期的域名无法通过核验，备案可能被注销，请及时续费。' },
      changed_data: {
        subject: (name) => `${name}：提交变更备案`,
        text: '备案主体、网站或负责人的信息已修改，与备案不一致。请在 30 日内通过接入服务商提交变更备案，然后更新备案状态。',
      },
      yearly_review: {
        subject: (name) => `${name}：核对备案信息`,
        text: '请到备案查询页核对主体、网站和负责人的信息，有变动的及时办理变更，然后填写核对日期。',
      },
      footer_missing: {
        subject: (name) => `${name}：网页没有正确显示备案号`,
        text: '检查发现网页底部没有正确显示备案号或链接。未按规定标明的，管局会责令改正并可处罚款。',
      },
    },
    overdue: '期限已过。',
    label: { site: '站点', filing: '备案', on: '期限' },
    disclaimer: '以工信部、当地通信管理局及公安机关的要求为准。',
    action: '查看备案',
  },
  en: {
    kind: { icp: 'ICP filing', license: 'ICP license', mps: 'Public security filing', app: 'App filing', mini: 'Mini program filing' },
    deadline: {
      sms_code: {
        subject: (name) => `${name}: enter the code from the text message`,
        text: 'Enter the code in the filing system of the ministry within 24 hours, or the filing is returned.',
      },
      mps_filing: {
        subject: (name) => `${name}: file the site with public security`,
        text: 'A site has to be filed with public security within 30 days after it opens, at beian.mps.gov.cn.',
      },
      certificate_expiry: {
        subject: (name) => `${name}: a certificate expires soon`,
        text: 'A certificate of the subject or of a responsible person expires. Once it is renewed, have the access provider change the filing.',
      },
      domain_expiry: {
        subject: (name) => `${name}: a domain expires soon`,
        text: 'A domain of the filing expires. Renew it: the filing of an expired domain may be cancelled.',
      },
      changed_data: {
        subject: (name) => `${name}: file the change of data`,
        text: 'Subject, site or people differ from what was filed. Have the access provider change the filing within 30 days, and update its state.',
      },
      yearly_review: {
        subject: (name) => `${name}: compare the filing with the register`,
        text: 'Compare subject, site and people with the register, file what has changed, and enter the day of the comparison.',
      },
      footer_missing: {
        subject: (name) => `${name}: pages do not show the filing number correctly`,
        text: 'A check found that pages lack the filing number or its link. The bureau may order a correction and impose a fine.',
      },
    },
    overdue: 'The deadline has passed.',
    label: { site: 'Site', filing: 'Filing', on: 'Deadline' },
    disclaimer: 'The requirements of the ministry, the local bureau and public security prevail.',
    action: 'Open the filings',
  },
};

/** A reminder of a deadline. */
export const deadlineNotice =
  (
    ctx: Pick<Context, 'config'>,
    site: Pick<CheckedSite, 'id' | 'name'>,
    { kind, number }: Pick<FilingRow, 'kind' | 'number'>,
    deadline: Omit<Deadline, 'filing'>,
  ) =>
  (locale: Locale): NoticeMessage => {
    const texts = messages[locale];
    const { subject, text } = texts.deadline[deadline.kind];
    return {
      subject: subject(site.name),
      paragraphs: [deadline.overdue ? `${text}${locale === 'en' ? ' ' : ''}${texts.overdue}` : text, texts.disclaimer],
      facts: [
        { label: texts.label.site, value: site.name },
        { label: texts.label.filing, value: number === '' ? texts.kind[kind] : displayedNumber(number) },
        { label: texts.label.on, value: deadline.on },
      ],
      action: { label: texts.action, url: `${ctx.config.publicUrl}/site/${site.id}/beian` },
    };
  };
