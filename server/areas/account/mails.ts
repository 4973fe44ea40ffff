import { deviceTextOf, placeTextOf } from '../../collect/classify';
import type { Locale } from '../../http/access';
import type { MailContent } from '../../mail';

/** The origin of a request. `at`: epoch milliseconds. */
export type Origin = { readonly at: number; readonly address: string; readonly userAgent: string };
export type Recipient = { readonly email: string; readonly locale: Locale; readonly timeZone: string };

type Messages = { readonly subject: string; readonly paragraphs: readonly string[]; readonly action?: string; readonly footer?: string };
type Kind = 'reset' | 'passwordReset' | 'passwordChanged' | 'renamed' | 'confirmEmail' | 'emailAsked' | 'emailChanged' | 'emailRemoved' | 'closed';

const messages: Record<Locale, Record<Kind, Messages>> = {
  'zh-CN': {
    reset: {
      subject: '设置新密码',
      paragraphs: ['有人为你的账号申请了重设密码。点击下面的按钮设置新密码；链接 30 分钟内有效，只能使用一次。', '如果不是你申请的，无需理会，密码不会改变。'],
      action: '设置新密码',
      footer: '收到此邮件，是因为有人在登录页为这个账号选择了“忘记密码”。',
    },
    passwordReset: {
      subject: '密码已重设',
      paragraphs: ['你的账号已通过一次性链接设置了新密码，所有设备都已退出登录。', '如果不是你操作的，请立即重设密码，并联系管理员。'],
      action: '前往登录',
    },
    passwordChanged: {
      subject: '密码已修改',
      paragraphs: ['你的账号修改了密码，其他设备都已退出登录。', '如果不是你操作的，请立即重设密码，并联系管理员。'],
      action: '查看账号安全',
    },
    renamed: {
      subject: '登录名已修改',
      paragraphs: [
        '你的登录名已经改变，下次请用新的登录名登录。原登录名会为你保留 90 天，其他人无法使用。',
        '如果不是你操作的，请立即修改密码，并联系管理员。',
      ],
      action: '查看账号安全',
    },
    confirmEmail: {
      subject: '确认邮箱',
      paragraphs: [
        '请确认这个邮箱属于你。确认后可以用它登录、找回密码，并接收账号通知。链接 24 小时内有效，只能使用一次。',
        '如果你没有填写过这个邮箱，无需理会。',
      ],
      action: '确认邮箱',
      footer: '收到此邮件，是因为有人把这个邮箱填写为自己账号的邮箱。',
    },
    emailAsked: {
      subject: '账号正在更换邮箱',
      paragraphs: ['有人要把你的账号换成另一个邮箱。新邮箱确认之前，这个邮箱继续有效。', '如果不是你操作的，请立即修改密码，并取消待确认的邮箱。'],
      action: '查看账号安全',
    },
    emailChanged: {
      subject: '账号邮箱已更换',
      paragraphs: ['你的账号已换成另一个邮箱，这个邮箱不再用于登录和找回密码。', '如果不是你操作的，请立即修改密码，并联系管理员。'],
      action: '前往登录',
    },
    emailRemoved: {
      subject: '账号邮箱已移除',
      paragraphs: ['这个邮箱已从你的账号移除，不再用于登录和找回密码。', '如果不是你操作的，请立即修改密码，并联系管理员。'],
      action: '查看账号安全',
    },
    closed: {
      subject: '账号已注销',
      paragraphs: ['你的账号已经注销，个人资料、会话和令牌都已删除。你创建的内容仍保留在原站点中。', '如果不是你操作的，请联系管理员。'],
    },
  },
  en: {
    reset: {
      subject: 'Set a new password',
      paragraphs: [
        'Someone requested a reset of the password of your account. Set a new one with the button below; the link works once, within 30 minutes.',
        'If it was not you, ignore this mail: your password stays as it is.',
      ],
      action: 'Set a new password',
      footer: 'You get this mail because somebody chose “Forgot password” for this account on the sign-in page.',
    },
    passwordReset: {
      subject: 'Your password was reset',
      paragraphs: [
        'A new password was set for your account with a one-time link. Every device has been signed out.',
        'If it was not you, reset your password now and inform an administrator.',
      ],
      action: 'Sign in',
    },
    passwordChanged: {
      subject: 'Your password was changed',
      paragraphs: [
        'The password of your account was changed. All other devices have been signed out.',
        'If it was not you, reset your password now and inform an administrator.',
      ],
      action: 'Review your account',
    },
    renamed: {
      subject: 'Your login name was changed',
      paragraphs: [
        'Your account has a new login name; use it the next time you sign in. The old one stays reserved for you for 90 days, and nobody else can take it.',
        'If it was not you, change your password now and inform an administrator.',
      ],
      action: 'Review your account',
    },
    confirmEmail: {
      subject: 'Confirm your e-mail address',
      paragraphs: [
        'Please confirm that this address is yours. You can then sign in with it, recover your password, and get mail about your account. The link works once, within 24 hours.',
        'If you have not entered this address anywhere, ignore this mail.',
      ],
      action: 'Confirm the address',
      footer: 'You get this mail because somebody entered this address for their account.',
    },
    emailAsked: {
      subject: 'Your account is getting another e-mail address',
      paragraphs: [
        'Somebody asked to replace the e-mail address of your account. Until the new one is confirmed, this one keeps working.',
        'If it was not you, change your password now and cancel the waiting address.',
      ],
      action: 'Review your account',
    },
    emailChanged: {
      subject: 'Your e-mail address was changed',
      paragraphs: [
        'Your account now has another e-mail address. This one no longer signs in or recovers the password.',
        'If it was not you, change your password now and inform an administrator.',
      ],
      action: 'Sign in',
    },
    emailRemoved: {
      subject: 'Your e-mail address was removed',
      paragraphs: [
        'This address was removed from your account. It no longer signs in or recovers the password.',
        'If it was not you, change your password now and inform an administrator.',
      ],
      action: 'Review your account',
    },
    closed: {
      subject: 'Your account was deleted',
      paragraphs: [
        'Your account was deleted at your request, with your profile, sessions and tokens. What you made stays with its sites.',
        'If it was not you, inform an administrator.',
      ],
    },
  },
};

const labels = {
  'zh-CN': {
    login: '登录名',
    was: '原登录名',
    email: '邮箱',
    next: '新邮箱',
    time: '时间',
    device: '设备',
    from: '来自',
    unknown: '未知设备',
    safety: '此邮件用于保护账号安全。',
  },
  en: {
    login: 'Login name',
    was: 'Old login name',
    email: 'E-mail address',
    next: 'New address',
    time: 'Time',
    device: 'Device',
    from: 'From',
    unknown: 'Unknown device',
    safety: 'You get this mail to keep your account safe.',
  },
} as const;

type Fact = { readonly label: string; readonly value: string };

/** Time, device and place of the request, in the reader's language and time zone. */
function originFacts({ locale, timeZone }: Recipient, { at, address, userAgent }: Origin): Fact[] {
  const label = labels[locale];
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone }).format(at);
  return [
    { label: label.time, value: `${time} (${timeZone})` },
    { label: label.device, value: deviceTextOf(userAgent) || label.unknown },
    { label: label.from, value: [placeTextOf(address, locale), address].filter((part) => part !== '').join(' · ') },
  ];
}

type Extra = {
  readonly facts?: Partial<Record<'login' | 'was' | 'email' | 'next', string>>;
  /** Target of the button; without it the mail has no button. */
  readonly url?: string;
};

/** A mail about the recipient's own account, in their language. */
export function accountMail(kind: Kind, to: Recipient, origin: Origin, { facts = {}, url }: Extra = {}): MailContent {
  const { subject, paragraphs, action, footer } = messages[to.locale][kind];
  const label = labels[to.locale];
  const details = (['login', 'was', 'email', 'next'] as const).flatMap((name) =>
    facts[name] === undefined ? [] : [{ label: label[name], value: facts[name] }],
  );
  return {
    to: to.email,
    locale: to.locale,
    subject,
    paragraphs,
    facts: [...details, ...originFacts(to, origin)],
    ...(action !== undefined && url !== undefined ? { action: { label: action, url } } : {}),
    footer: footer ?? label.safety,
  };
}
