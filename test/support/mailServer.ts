import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { callbackify } from 'node:util';
import PostalMime from 'postal-mime';
import type { Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { until } from './until';

/** A received mail: parsed, with the addresses of the envelope and the raw source. */
export type ReceivedMail = {
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** By lower-case name; the last one if repeated. */
  readonly headers: Readonly<Record<string, string>>;
  /** URLs (`http…`) in the text, in order. */
  readonly links: readonly string[];
  readonly email: Email;
  readonly raw: string;
};

export type MailServer = {
  /** For `smtpUrl` of the configuration, or `SMTP_URL`. */
  readonly url: string;
  readonly letters: () => readonly ReceivedMail[];
  /** Waits for the first mail to `to` that satisfies `holds`. */
  readonly waitFor: (to: string, holds?: (letter: ReceivedMail) => boolean) => Promise<ReceivedMail>;
  readonly clear: () => void;
  /** Rejects every recipient for which this returns a code and text, until it is called with null. */
  readonly refuse: (answer: ((to: string) => { readonly code: number; readonly message: string } | null) | null) => void;
  readonly stop: () => Promise<void>;
  /** On the same port, after `stop`. */
  readonly start: () => Promise<void>;
};

export type MailServerOptions = {
  /** Require this user and password. */
  readonly user?: { readonly name: string; readonly password: string };
  /** Offer STARTTLS, with a self-signed certificate. */
  readonly startTls?: boolean;
};

/** A real mail server on loopback that stores what it receives. */
export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  let refusal: ((to: string) => { readonly code: number; readonly message: string } | null) | null = null;
  let port = 0;
  let server: SMTPServer | null = null;

  const keep = callbackify(async (raw: Buffer, from: string, to: readonly string[]) => void received.push(await read(raw, from, to)));
  const make = (): SMTPServer =>
    new SMTPServer({
      disabledCommands: [...(options.startTls ? [] : ['STARTTLS']), ...(options.user ? [] : ['AUTH'])],
      allowInsecureAuth: true,
      authOptional: !options.user,
      disableReverseLookup: true,
      closeTimeout: 100,
      onAuth: ({ username, password }, _session, done) =>
        username === options.user?.name && password === options.user?.password
          ? done(null, { user: username })
          : done(Object.assign(new Error('Wrong name or password'), { responseCode: 535 })),
      onRcptTo: ({ address }, _session, done) => {
        const answer = refusal?.(address) ?? null;
        done(answer ? Object.assign(new Error(answer.message), { responseCode: answer.code }) : null);
      },
      onData: (stream, session, done) => {
        const parts: Buffer[] = [];
        stream.on('data', (part: Buffer) => parts.push(part));
        stream.on('end', () => {
          const { mailFrom, rcptTo } = session.envelope;
          const to = rcptTo.map((one) => one.address);
          keep(Buffer.concat(parts), mailFrom ? mailFrom.address : '', to, (error) => done(error));
        });
      },
    });

  async function start(): Promise<void> {
    server = make();
    // A client that disconnects early is not an error of the test.
    server.on('error', () => undefined);
    server.listen(port, '127.0.0.1');
    await once(server.server, 'listening');
    port = (server.server.address() as AddressInfo).port;
  }
  async function stop(): Promise<void> {
    const running = server;
    server = null;
    if (running) await new Promise<void>((resolve) => running.close(() => resolve()));
  }
  await start();
  const user = options.user ? `${encodeURIComponent(options.user.name)}:${encodeURIComponent(options.user.password)}@` : '';
  return {
    url: `smtp://${user}127.0.0.1:${port}`,
    letters: () => received,
    async waitFor(to, holds = () => true) {
      const find = () => received.find((one) => one.to.includes(to) && holds(one));
      await until(() => find() !== undefined);
      const letter = find();
      if (!letter) throw new Error(`the letter to ${to} was cleared`);
      return letter;
    },
    clear: () => void received.splice(0),
    refuse: (answer) => void (refusal = answer),
    stop,
    start,
  };
}

async function read(raw: Buffer, from: string, to: readonly string[]): Promise<ReceivedMail> {
  const email = await PostalMime.parse(raw);
  const text = email.text ?? '';
  return {
    from,
    to,
    subject: email.subject ?? '',
    text,
    html: email.html ?? '',
    headers: Object.fromEntries(email.headers.map(({ key, value }) => [key, value])),
    links: text.match(/https?:\/\/\S+/g) ?? [],
    email,
    raw: raw.toString('utf8'),
  };
}
