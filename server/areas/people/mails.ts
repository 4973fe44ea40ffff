import type { InstanceRole, SiteRole } from '../../../contract/permissions';
import type { Locale } from '../../http/access';
import type { MailContent } from '../../mail';

const roles: Record<Locale, Record<InstanceRole, string>> = {
  'zh-CN': { owner: '所有者', manager: '管理员', finance: '财务', member: '成员' },
  en: { owner: 'Owner', manager: 'Manager', finance: 'Finance', member: 'Member' },
};
const siteRoles: Record<Locale, Record<SiteRole, string>> = {
  'zh-CN': { admin: '站点管理员', editor: '编辑', analyst: '分析', support: '客服', viewer: '只读' },
  en: { admin: 'Admin', editor: 'Editor', analyst: 'Analyst', support: 'Support', viewer: 'Viewer' },
};

const messages = {
  'zh-CN': {
    invite: {
      subject: (by: string) => `${by} 邀请你加入 Sitewright`,
      text: (by: string) => `${by} 邀请你一起管理网站。点击下面的按钮，设置登录名和密码即可加入。`,
      message: (by: string, message: string) => `${by} 留言：“${message}”`,
      once: '链接只能使用一次，请勿转发。如果你不认识邀请人，忽略此邮件即可。',
      action: '接受邀请',
      footer: '收到此邮件，是因为有人用这个邮箱邀请你。',
    },
    resetLink: {
      subject: '有人为你生成了设置密码的链接',
      text: (by: string) => `${by} 为你的账号生成了一条设置新密码的一次性链接，会通过其他方式交给你。`,
      advice: '如果你没有请对方这样做，请立即登录检查账号，并联系所有者。',
      action: '查看账号安全',
    },
    roleChanged: {
      subject: '你的角色已变更',
      text: (by: string) => `${by} 变更了你在 Sitewright 中的角色。`,
      action: '打开 Sitewright',
    },
    accessChanged: {
      subject: '你的站点权限已变更',
      text: (by: string) => `${by} 变更了你可以访问的站点。`,
      action: '打开 Sitewright',
    },
    role: '角色',
    roleChange: (before: string, after: string) => `${before} → ${after}`,
    sites: '站点',
    until: '有效期至',
    none: '无权限',
    safety: '此邮件用于保护账号安全，无法退订。',
    optional: '可以在“个人中心 → 通知”里关闭这类邮件。',
  },
  en: {
    invite: {
      subject: (by: string) => `${by} invites you to Sitewright`,
      text: (by: string) => `${by} invites you to work on websites together. Choose a login name and a password to join.`,
      message: (by: string, message: string) => `${by} writes: “${message}”`,
      once: 'The link works once; please do not forward it. If you do not know who invites you, ignore this mail.',
      action: 'Accept the invitation',
      footer: 'You get this mail because somebody entered this address to invite you.',
    },
    resetLink: {
      subject: 'A link that sets your password was made',
      text: (by: string) => `${by} made a one-time link that sets a new password for your account, to hand it over to you.`,
      advice: 'If you did not ask for this, sign in to check your account now and inform an owner.',
      action: 'Review your account',
    },
    roleChanged: { subject: 'Your role was changed', text: (by: string) => `${by} changed your role in Sitewright.`, action: 'Open Sitewright' },
    accessChanged: {
      subject: 'Your access to sites was changed',
      text: (by: string) => `${by} changed which sites you can work on.`,
      action: 'Open Sitewright',
    },
    role: 'Role',
    roleChange: (before: string, after: string) => `${before} → ${after}`,
    sites: 'Sites',
    until: 'Valid until',
    none: 'No access',
    safety: 'You get this mail to keep your account safe; it cannot be turned off.',
    optional: 'You can turn these mails off under Profile → Notices.',
  },
} as const;

export type Recipient = { readonly email: string; readonly locale: Locale; readonly timeZone: string };

const moment = (at: Date, { locale, timeZone }: Recipient): string =>
  new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
    timeZoneName: 'short',
  }).format(at);

export type Invitation = {
  readonly by: string;
  readonly role: InstanceRole;
  readonly sites: readonly string[];
  readonly message: string;
  readonly expiresAt: Date;
  readonly url: string;
};

/** In the inviter's language, because only the guest's address is known. */
export function inviteMail(to: Recipient, { by, role, sites, message, expiresAt, url }: Invitation): MailContent {
  const word = messages[to.locale];
  const { invite } = word;
  return {
    to: to.email,
    locale: to.locale,
    subject: invite.subject(by),
    paragraphs: [invite.text(by), ...(message === '' ? [] : [invite.message(by, message)]), invite.once],
    facts: [
      { label: word.role, value: roles[to.locale][role] },
      ...(sites.length > 0 ? [{ label: word.sites, value: sites.join(to.locale === 'zh-CN' ? '、' : ', ') }] : []),
      { label: word.until, value: moment(expiresAt, to) },
    ],
    action: { label: invite.action, url },
    footer: invite.footer,
  };
}

/** Notice that an owner created a link that sets the recipient's password. It cannot be disabled. */
export function resetLinkMail(to: Recipient, by: string, publicUrl: string): MailContent {
  const word = messages[to.locale];
  const { subject, text, advice, action } = word.resetLink;
  const url = `${publicUrl}/account/center/account_center?tab=security`;
  return { to: to.email, locale: to.locale, subject, paragraphs: [text(by), advice], action: { label: action, url }, footer: word.safety };
}

export function roleMail(to: Recipient, by: string, before: InstanceRole, after: InstanceRole, publicUrl: string): MailContent {
  const word = messages[to.locale];
  const name = roles[to.locale];
  return {
    to: to.email,
    locale: to.locale,
    subject: word.roleChanged.subject,
    paragraphs: [word.roleChanged.text(by)],
    facts: [{ label: word.role, value: word.roleChange(name[before], name[after]) }],
    action: { label: word.roleChanged.action, url: `${publicUrl}/home` },
    footer: word.optional,
  };
}

/** `sites`: each changed site with the new role; null if access was removed. */
export function accessMail(
  to: Recipient,
  by: string,
  sites: readonly { readonly name: string; readonly role: SiteRole | null }[],
  publicUrl: string,
): MailContent {
  const word = messages[to.locale];
  return {
    to: to.email,
    locale: to.locale,
    subject: word.accessChanged.subject,
    paragraphs: [word.accessChanged.text(by)],
    facts: sites.map(({ name, role }) => ({ label: name, value: role === null ? word.none : siteRoles[to.locale][role] })),
    action: { label: word.accessChanged.action, url: `${publicUrl}/home` },
    footer: word.optional,
  };
}
