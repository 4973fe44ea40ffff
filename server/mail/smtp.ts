import { createTransport } from 'nodemailer';
import type { Transporter } from 'nodemailer';
import type { Config } from '../config';
import type { Letter } from './letter';
import { render } from './render';
import { Undelivered, cleaned } from './undelivered';

/** How long one letter may take, in milliseconds: to be connected, to be greeted, and between two answers. */
export type Patience = { readonly connect: number; readonly greet: number; readonly answer: number };

const limits = ({ connect, greet, answer: reply }: Patience) => ({
  connectionTimeout: connect,
  greetingTimeout: greet,
  dnsTimeout: connect,
  socketTimeout: reply,
  // A letter is words; nothing in it may make the program read a file or an address.
  disableFileAccess: true,
  disableUrlAccess: true,
});

/** Connections to the mail server that stay open between letters. STARTTLS is used where the server offers it. */
export const openPool = (smtpUrl: string, patience: Patience): Transporter =>
  createTransport({ url: smtpUrl, pool: true, maxConnections: 3, ...limits(patience) });

export const openOnce = (smtpUrl: string, patience: Patience): Transporter => createTransport({ url: smtpUrl, ...limits(patience) });

type SenderConfig = Pick<Config, 'mailFrom' | 'publicUrl'>;

/** `Name <address>` in its parts, so that nothing in them is read as anything else. */
function sender(mailFrom: string): { name: string; address: string } {
  const match = /^(.*)<([^<>]+)>$/.exec(mailFrom.trim());
  return match
    ? { name: (match[1] ?? '').trim().replaceAll(/^"|"$/g, ''), address: (match[2] ?? '').trim() }
    : { name: 'Sitewright', address: mailFrom.trim() };
}

/** One address and nothing else: no second one behind a comma, no header behind a line break. */
const plainAddress = /^[^\s<>()[\]\\,;:"@]+@[^\s<>()[\]\\,;:"@]+$/;

/**
 * Sends a letter and returns what the server answered. `id` becomes its Message-ID: a letter that is sent twice (the process
 * ended between sending and writing it down) can be known as one by the reader's mail program. Throws `Undelivered`.
 */
export async function sendLetter(config: SenderConfig, transport: Transporter, id: string, letter: Letter): Promise<string> {
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
        // RFC 3834: no holiday notes in answer to this.
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
 * A 5xx answer to the recipient or to the letter itself is final (RFC 5321, 4.2.1). To anything before them (greeting, TLS, sign-in, sender)
 * it speaks of how the installation is set up, which somebody may put right within the day.
 */
function asUndelivered(error: unknown): Undelivered {
  const { message, responseCode, response, command, code } = error as SmtpError;
  const forGood =
    (responseCode !== undefined && responseCode >= 500 && /^(RCPT TO|DATA)/.test(command ?? '')) || (responseCode === undefined && code === 'EENVELOPE');
  return new Undelivered(response ?? message, forGood);
}
