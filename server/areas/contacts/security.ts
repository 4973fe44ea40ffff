import type { Context } from '../../context';
import type { Locale } from '../../http/access';
import { notifyContacts } from './notify';
import type { NoticeMessage } from './notify';
import type { Db } from './queries';

/** Account events that contacts for security are notified of. `person`, `by`: login names; null: the operator of the program. */
export type SecurityEvent =
  | { readonly kind: 'elevated'; readonly person: string; readonly role: 'owner' | 'manager'; readonly by: string }
  | { readonly kind: 'factor_reset' | 'many_failures'; readonly person: string };

type Messages = {
  readonly roles: Record<'owner' | 'manager', string>;
  readonly elevated: (role: string) => { subject: string; text: string };
  readonly factor_reset: { subject: string; text: string };
  readonly many_failures: { subject: string; text: string };
  readonly person: string;
  readonly role: string;
  readonly by: string;
  readonly time: string;
  readonly action: string;
};

const messages: Record<Locale, Messages> = {
  'zh-CN': {
    roles: { owner: '所有者', manager: '管理员' },
    elevated: (role) => ({ subject: `有人成为${role}`, text: `一个账号刚刚获得“${role}”角色。如果这不在计划之中，请尽快核对。` }),
    factor_reset: { subject: '有账号的两步验证被重置', text: '一个账号的两步验证刚刚被重置，重新设置之前只凭密码登录。如果没有人提出过，请尽快核对。' },
    many_failures: { subject: '有账号被多次尝试登录', text: '过去 24 小时内，一个账号出现多次失败的登录。系统已限制陌生设备继续尝试。' },
    person: '账号',
    role: '角色',
    by: '操作人',
    time: '时间',
    action: '查看成员与权限',
  },
  en: {
    roles: { owner: 'owner', manager: 'manager' },
    elevated: (role) => ({
      subject: `Somebody became ${role}`,
      text: `An account was just given the role “${role}”. If that was not planned, look into it soon.`,
    }),
    factor_reset: {
      subject: 'The two-step verification of an account was reset',
      text: 'The two-step verification of an account was just reset; until it is set up again, the password alone signs in. If nobody asked for this, look into it soon.',
    },
    many_failures: {
      subject: 'Many failed attempts to sign in to an account',
      text: 'There were many failed attempts to sign in to an account within a day. Unknown devices are being held off.',
    },
    person: 'Account',
    role: 'Role',
    by: 'By',
    time: 'Time',
    action: 'Review people',
  },
};

function said(ctx: Pick<Context, 'config' | 'now'>, event: SecurityEvent, locale: Locale): NoticeMessage {
  const w = messages[locale];
  const { subject, text } = event.kind === 'elevated' ? w.elevated(w.roles[event.role]) : w[event.kind];
  return {
    subject,
    paragraphs: [text],
    facts: [
      { label: w.person, value: event.person },
      ...(event.kind === 'elevated'
        ? [
            { label: w.role, value: w.roles[event.role] },
            { label: w.by, value: event.by },
          ]
        : []),
      // UTC, because contacts of one installation may be in different time zones.
      { label: w.time, value: `${new Date(ctx.now()).toISOString().slice(0, 16).replace('T', ' ')} UTC` },
    ],
    action: { label: w.action, url: `${ctx.config.publicUrl}/account/users/account_users` },
  };
}

/** Notifies the contacts for security, in the caller's transaction if `db` is one. */
export const tellSecurity = async (ctx: Context, db: Db, event: SecurityEvent): Promise<void> =>
  void (await notifyContacts(ctx, db, { topic: 'security', message: (locale) => said(ctx, event, locale) }));
