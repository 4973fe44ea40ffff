import { asc } from 'drizzle-orm';
import type { Context } from '../../server/context';
import type { MailContent } from '../../server/mail';
import { outbox } from '../../server/mail/schema';

/** Settings with which mails are queued; without a worker nothing sends them. */
export const withMail = { smtpUrl: 'smtp://127.0.0.1:1', mailFrom: 'Sitewright <console@example.cn>' } as const;

/** The mails in the outbox, oldest first, decrypted. */
export async function mailsOf(ctx: Context): Promise<(MailContent & { readonly kind: string })[]> {
  const rows = await ctx.postgres.db.select().from(outbox).orderBy(asc(outbox.createdAt));
  return rows.map((row) => ({ ...(JSON.parse(ctx.secrets.open('outbox', row.message)) as MailContent), kind: row.kind }));
}

/** The token in the fragment of a one-time link. */
export const tokenIn = (url: string | undefined): string => new URLSearchParams(new URL(url ?? '').hash.slice(1)).get('t') ?? '';
