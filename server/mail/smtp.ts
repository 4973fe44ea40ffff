import { createRequire } from 'node:module';
import type { createTransport, Transporter } from 'nodemailer';
import type { Config } from '../config';
import type { MailContent } from './mailContent';
import { render } from './render';
import { Undelivered, cleaned } from './undelivered';

const require = createRequire(import.meta.url);
/** Loaded only where a mail server is configured or entered. */
const nodemailer = () => require('nodemailer') as { readonly createTransport: typeof createTransport };

/** Timeouts of one mail in milliseconds: connecting, waiting for the greeting, and between two responses. */
export type Patience = { readonly connect: number; readonly greet: number; readonly response: number };

const limits = ({ connect, greet, response: reply }: Patience) => ({
  connectionTimeout: connect,
  greetingTimeout: greet,
  dnsTimeout: connect,
  socketTimeout: reply,
  // Mails are plain content; nothing in them may make the program read a file or a URL.
  disableFileAccess: true,
  disableUrlAccess: true,
});

/** Connections to the mail server that stay open between mails. STARTTLS is used if the server offers it. */
export const openPool = (smtpUrl: string, patience: Patience): Transporter =>
  nodemailer().createTransport({ url: smtpUrl, pool: true, maxConnections: 3, ...limits(patience) });

export const openOnce = (smtpUrl: string, patience: Patience): Transporter => nodemailer().createTransport({ url: smtpUrl, ...limits(patience) });

type SenderConfig = Pick<Config, 'mailFrom' | 'publicUrl'>;

/** The parts of `Name <address>`, passed separately so that they cannot be misinterpreted. */
function sender(mailFrom: string): { name: string; address: string } {
  const match = /^(.*)<([^<>]+)>$/.exec(mailFrom.trim());
  return match
    ? { name: (match[1] ?? '').trim().replaceAll(/^"|"$/g, ''), address: (match[2] ?? '').trim() }
    : { name: 'Sitewright', address: mailFrom.trim() };
}

/** Exactly one address: no second one after a comma, no header after a line break. */
const plainAddress = /^[^\s<>()[\]\\,;:"@]+@[^\s<>()[\]\\,;:"@]+$/;

/**
 * Sends a mail and returns the server's response. `id` becomes its Message-ID, by which a mail program can recognize a mail that was sent twice (the process
 * ended between sending and recording it). Throws `Undelivered`.
 */
export async function sendMail(config: SenderConfig, transport: Transporter, id: string, letter: MailContent): Promise<string> {
  if (!plainAddress.test(letter.to)) throw new Undelivered(`not a mail address: ${letter.to}`, true);
  const from = sender(config.mailFrom);
  const { subject, text, html } = render(letter, config.publicUrl);
  try {
    const info = (await transport.sendMail({
      from,
      to: { name: '', address: letter.to },
      subject,
      text,
      html,
      messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
      headers: {
        // RFC 3834: prevents automatic replies.
        'Auto-Submitted': 'auto-generated',
        'X-Auto-Response-Suppress': 'All',
        ...(letter.unsubscribeUrl === undefined ? {} : { 'List-Unsubscribe': { prepared: true, value: `<${new URL(letter.unsubscribeUrl).href}>` } }),
      },
    })) as { readonly response?: string };
    return cleaned(info.response ?? '');
  } catch (error) {
    throw asUndelivered(error);
  }
}

type SmtpError = Error & { readonly responseCode?: number; readonly response?: string; readonly command?: string; readonly code?: string };

/**
 * A 5xx response to the recipient or to the content is permanent (RFC 5321, 4.2.1). A 5xx before them (greeting, TLS, authentication, sender) concerns the
 * configuration, which may be corrected within a day.
 */
function asUndelivered(error: unknown): Undelivered {
  const { message, responseCode, response, command, code } = error as SmtpError;
  const forGood =
    (responseCode !== undefined && responseCode >= 500 && /^(RCPT TO|DATA)/.test(command ?? '')) || (responseCode === undefined && code === 'EENVELOPE');
  return new Undelivered(response ?? message, forGood);
}
