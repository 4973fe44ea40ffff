import type { Locale } from '../http/access';
import { escapeHtml } from '../kit/text/escapeHtml';
import type { MailContent } from './mailContent';

const messages: Record<Locale, { readonly orOpen: string; readonly sentBy: (origin: string) => string; readonly unsubscribe: string; readonly colon: string }> =
  {
    'zh-CN': {
      orOpen: '按钮打不开时，把这个地址复制到浏览器：',
      sentBy: (origin) => `由 ${origin} 上的 Sitewright 自动发送，无需回复。`,
      unsubscribe: '不再接收这类通知',
      colon: '：',
    },
    en: {
      orOpen: 'If the button does not open, copy this address into a browser:',
      sentBy: (origin) => `Sent automatically by Sitewright at ${origin}. Replies are not read.`,
      unsubscribe: 'Stop notices of this kind',
      colon: ': ',
    },
  };

export type RenderedMail = { readonly subject: string; readonly text: string; readonly html: string };

/** One line without control characters: for a header or a line of text. */
// oxlint-disable-next-line no-control-regex -- matches control characters deliberately
export const oneLine = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f\u0085\u2028\u2029]+/g, ' ').trim();

/** Only http(s) URLs become links, regardless of the caller. */
function webAddress(url: string): string {
  const { protocol, href } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') throw new Error(`a letter links to ${protocol}`);
  return href;
}

/** Both parts of a mail. `origin` is the console's URL. Throws if a link is not a web URL. */
export function render(letter: MailContent, origin: string): RenderedMail {
  return { subject: oneLine(letter.subject), text: asText(letter, origin), html: asHtml(letter, origin) };
}

function asText({ locale, paragraphs, facts = [], action, footer, unsubscribeUrl }: MailContent, origin: string): string {
  const w = messages[locale];
  const parts = [
    ...paragraphs,
    facts.map(({ label, value }) => `${oneLine(label)}${w.colon}${oneLine(value)}`).join('\n'),
    action ? `${oneLine(action.label)}${w.colon.trimEnd()}\n${webAddress(action.url)}` : '',
    // RFC 3676: two dashes and a space precede the signature.
    `-- \n${[footer ?? '', w.sentBy(origin)].filter((line) => line !== '').join('\n')}`,
    unsubscribeUrl === undefined ? '' : `${w.unsubscribe}${w.colon.trimEnd()}\n${webAddress(unsubscribeUrl)}`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

const font = `-apple-system,BlinkMacSystemFont,'PingFang SC','Microsoft YaHei','Segoe UI',Arial,sans-serif`;

/**
 * Tables and inline styles, which every mail client supports (Outlook and Foxmail support little else); no images, no external content. Clients that follow the
 * system's dark scheme get separate colours; the layout also works in clients that invert colours themselves.
 */
function asHtml({ locale, subject, paragraphs, facts = [], action, footer, unsubscribeUrl }: MailContent, origin: string): string {
  const w = messages[locale];
  const text = (plain: string): string => escapeHtml(plain).replaceAll('\n', '<br>');
  const paragraph = (plain: string): string => `<p class="ink" style="margin:0 0 16px;color:#1f1f1f;font-size:15px;line-height:24px">${text(plain)}</p>`;
  const fact = ({ label, value }: { readonly label: string; readonly value: string }): string =>
    `<tr><td class="dim" valign="top" style="padding:4px 16px 4px 0;color:#666666;font-size:14px;line-height:20px;white-space:nowrap">${escapeHtml(oneLine(label))}</td>` +
    `<td class="ink" valign="top" style="padding:4px 0;color:#1f1f1f;font-size:14px;line-height:20px;word-break:break-word">${escapeHtml(oneLine(value))}</td></tr>`;
  const small = (inner: string): string =>
    `<p class="dim" style="margin:0 0 8px;color:#666666;font-size:12px;line-height:18px;word-break:break-word">${inner}</p>`;
  const link = (url: string, label: string): string =>
    `<a class="dim" href="${escapeHtml(webAddress(url))}" style="color:#666666;text-decoration:underline">${escapeHtml(label)}</a>`;

  const button = action
    ? `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 16px"><tr><td class="button" bgcolor="#424242" style="background-color:#424242;border-radius:3px">` +
      `<a class="label" href="${escapeHtml(webAddress(action.url))}" style="display:inline-block;padding:11px 20px;color:#ffffff;font-size:15px;line-height:20px;font-weight:600;text-decoration:none">${escapeHtml(oneLine(action.label))}</a>` +
      `</td></tr></table>${small(`${escapeHtml(w.orOpen)}<br>${link(action.url, webAddress(action.url))}`)}`
    : '';
  const list =
    facts.length === 0
      ? ''
      : `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px">${facts.map(fact).join('')}</table>`;
  const end = [
    ...(footer === undefined ? [] : [small(text(footer))]),
    small(escapeHtml(w.sentBy(origin))),
    ...(unsubscribeUrl === undefined ? [] : [small(link(unsubscribeUrl, w.unsubscribe))]),
  ].join('');

  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(oneLine(subject))}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background-color: #141414 !important; }
  .sheet { background-color: #1f1f1f !important; border-color: #3a3a3a !important; }
  .ink { color: #e8e8e8 !important; }
  .dim { color: #a6a6a6 !important; }
  .button { background-color: #bdbdbd !important; }
  .label { color: #141414 !important; }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background-color:#f5f5f5">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#f5f5f5" style="background-color:#f5f5f5">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" class="sheet" width="560" cellpadding="0" cellspacing="0" border="0" bgcolor="#ffffff" style="width:100%;max-width:560px;background-color:#ffffff;border:1px solid #e0e0e0;border-radius:3px">
<tr><td align="left" style="padding:28px 28px 8px;font-family:${font}">
<p class="dim" style="margin:0 0 16px;color:#666666;font-size:13px;line-height:18px;font-weight:600">Sitewright</p>
<h1 class="ink" style="margin:0 0 16px;color:#1f1f1f;font-size:20px;line-height:28px;font-weight:600">${escapeHtml(oneLine(subject))}</h1>
${paragraphs.map(paragraph).join('\n')}
${list}
${button}
</td></tr>
<tr><td align="left" style="padding:16px 28px 20px;font-family:${font}">
${end}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}
