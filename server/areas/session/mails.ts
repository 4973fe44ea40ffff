import type { FastifyRequest } from 'fastify';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { deviceTextOf, placeTextOf } from '../../collect/classify';
import type { Context } from '../../context';
import type { Locale } from '../../http/access';
import { clientAddress } from '../../http/address';
import { queueMail } from '../../mail';
import type { MailContent } from '../../mail';
import type { UserRecord } from './queries';

type Messages = { readonly subject: string; readonly text: string };
/** Security notices to people about their own account. */
export type SecurityNotice =
  | 'new_device'
  | 'many_failures'
  | 'totp_added'
  | 'totp_removed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'codes_made'
  | 'recovery_used'
  | 'factor_reset';

const messages: Record<
  Locale,
  { readonly [K in SecurityNotice]: Messages } & Record<'advice' | 'time' | 'device' | 'from' | 'name' | 'left' | 'unknown' | 'action' | 'footer', string>
> = {
  'zh-CN': {
    new_device: { subject: '你的账号在新设备上登录', text: '你的 Sitewright 账号刚刚在一台没有用过的设备或浏览器上登录。' },
    many_failures: {
      subject: '有人多次尝试登录你的账号',
      text: '过去 24 小时内，你的账号出现多次失败的登录。系统已限制陌生设备继续尝试，你常用的设备不受影响。',
    },
    totp_added: { subject: '已开启身份验证器', text: '你的账号刚刚开启了身份验证器，以后登录时需要输入它显示的验证码。' },
    totp_removed: { subject: '已关闭身份验证器', text: '你的账号刚刚关闭了身份验证器。' },
    passkey_added: { subject: '已添加通行密钥', text: '你的账号刚刚添加了一个通行密钥，可以用它登录。' },
    passkey_removed: { subject: '已移除通行密钥', text: '你的账号刚刚移除了一个通行密钥，它不能再用来登录。' },
    codes_made: { subject: '已生成新的恢复码', text: '你的账号刚刚生成了一组新的恢复码，之前的恢复码全部失效。' },
    recovery_used: { subject: '有人用恢复码登录了你的账号', text: '刚才的登录用掉了一个恢复码。恢复码只能使用一次，剩余不多时请生成一组新的。' },
    factor_reset: { subject: '两步验证已被重置', text: '所有者重置了你账号的两步验证，身份验证器、通行密钥和恢复码均已移除。请登录后重新设置。' },
    advice: '如果不是你本人操作，请立即修改密码，结束其他会话，并联系管理员。',
    time: '时间',
    device: '设备',
    from: '来自',
    name: '名称',
    left: '剩余恢复码',
    unknown: '未知设备',
    action: '查看账号安全',
    footer: '此邮件用于保护账号安全。',
  },
  en: {
    new_device: {
      subject: 'Your account was used on a new device',
      text: 'Someone just signed in to your Sitewright account from a device or browser not used before.',
    },
    many_failures: {
      subject: 'Many failed attempts to sign in to your account',
      text: 'There were many failed attempts to sign in to your account within a day. Unknown devices are blocked for now; the ones you use are not affected.',
    },
    totp_added: { subject: 'Authenticator turned on', text: 'An authenticator app was just turned on for your account. Signing in will ask for its code.' },
    totp_removed: { subject: 'Authenticator turned off', text: 'The authenticator app of your account was just turned off.' },
    passkey_added: { subject: 'Passkey added', text: 'A passkey was just added to your account. It can be used to sign in.' },
    passkey_removed: { subject: 'Passkey removed', text: 'A passkey was just removed from your account. It no longer signs in.' },
    codes_made: { subject: 'New recovery codes', text: 'New recovery codes were just made for your account. The ones before no longer work.' },
    recovery_used: {
      subject: 'A recovery code was used to sign in',
      text: 'Signing in just used up one of your recovery codes. Make new ones before they run out.',
    },
    factor_reset: {
      subject: 'Your two-step verification was reset',
      text: 'An owner has reset the two-step verification of your account: authenticator, passkeys and recovery codes are gone. Set them up again when you sign in.',
    },
    advice: 'If this was not you, change your password now, end your other sessions and inform an administrator.',
    time: 'Time',
    device: 'Device',
    from: 'From',
    name: 'Name',
    left: 'Codes left',
    unknown: 'Unknown device',
    action: 'Review account security',
    footer: 'You get this mail to keep your account safe.',
  },
};

/** `name`: of the passkey; `left`: recovery codes. */
export type NoticeFacts = { readonly name?: string; readonly left?: number };

function mailOf(ctx: Context, user: UserRecord, email: string, notice: SecurityNotice, request: FastifyRequest | null, facts: NoticeFacts): MailContent {
  const word = messages[user.locale];
  const time = new Intl.DateTimeFormat(user.locale, { dateStyle: 'long', timeStyle: 'short', timeZone: user.timeZone }).format(ctx.now());
  const address = request && clientAddress(request);
  return {
    to: email,
    locale: user.locale,
    subject: word[notice].subject,
    paragraphs: [word[notice].text, word.advice],
    facts: [
      ...(facts.name === undefined ? [] : [{ label: word.name, value: facts.name }]),
      ...(facts.left === undefined ? [] : [{ label: word.left, value: String(facts.left) }]),
      { label: word.time, value: `${time} (${user.timeZone})` },
      ...(request && address !== null
        ? [
            { label: word.device, value: deviceTextOf(request.headers['user-agent'] ?? '') || word.unknown },
            { label: word.from, value: [placeTextOf(address, user.locale), address].filter((part) => part !== '').join(' · ') },
          ]
        : []),
    ],
    action: { label: word.action, url: `${ctx.config.publicUrl}/account/center/account_center?tab=security` },
    footer: word.footer,
  };
}

/**
 * Mails a person a security notice about their account, in their language, in the caller's transaction if `db` is one. Does nothing without a verified address
 * or a mail server. `request` null: the request came from another person, so its origin is not shown.
 */
export async function tellPerson(
  ctx: Context,
  db: Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete' | 'execute'>,
  user: UserRecord,
  notice: SecurityNotice,
  request: FastifyRequest | null,
  facts: NoticeFacts = {},
): Promise<void> {
  if (user.email === null || user.emailVerifiedAt === null) return;
  await queueMail(ctx, db, mailOf(ctx, user, user.email, notice, request, facts), { kind: `security.${notice}` });
}
