import type { Locale } from '../../http/access';
import type { MailContent } from '../../mail';

const messages = {
  'zh-CN': {
    subject: '你的账号新建了一个 API 令牌',
    text: '刚才有人用你的账号新建了一个 API 令牌，持有它的程序可以代表你访问 Sitewright。',
    advice: '如果不是你本人操作，请立即删除该令牌、修改密码，并结束其他会话。',
    name: '名称',
    ending: '末四位',
    expires: '有效期至',
    from: '来自',
    action: '查看令牌',
    footer: '此邮件用于保护账号安全，无法退订。',
  },
  en: {
    subject: 'A new API token on your account',
    text: 'An API token was just created for your account. A program that has it can use Sitewright on your behalf.',
    advice: 'If this was not you, delete the token now, change your password and end your other sessions.',
    name: 'Name',
    ending: 'Ends in',
    expires: 'Valid until',
    from: 'From',
    action: 'Review tokens',
    footer: 'You get this mail to keep your account safe; it cannot be turned off.',
  },
} as const;

export type MadeToken = { readonly name: string; readonly ending: string; readonly expiresAt: Date };

/** Notifies a person that a token was created in their name. `from`: place and address. */
export function newTokenMail(to: { email: string; locale: Locale; timeZone: string }, token: MadeToken, from: string, publicUrl: string): MailContent {
  const word = messages[to.locale];
  const until = new Intl.DateTimeFormat(to.locale, { dateStyle: 'long', timeZone: to.timeZone }).format(token.expiresAt);
  return {
    to: to.email,
    locale: to.locale,
    subject: word.subject,
    paragraphs: [word.text, word.advice],
    facts: [
      { label: word.name, value: token.name },
      { label: word.ending, value: token.ending },
      { label: word.expires, value: until },
      { label: word.from, value: from },
    ],
    action: { label: word.action, url: `${publicUrl}/account/center/account_center?tab=tokens` },
    footer: word.footer,
  };
}
