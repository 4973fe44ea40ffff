import { desc, eq } from 'drizzle-orm';
import { users } from '../../server/areas/account/schema';
import { auditLog } from '../../server/areas/audit/schema';
import { outbox } from '../../server/mail/schema';
import type { MailContent } from '../../server/mail';
import { makeTestApp } from '../support/app';
import type { Browser, Person, TestApp } from '../support/app';
import { stepMs } from '../support/factors';

/** The owner's login name. */
export const login = 'lin.owner';

/** A program that can send mail, with its owner, in the middle of a time step: none ends between a code and its check. */
export async function openAtHalfStep(): Promise<{ t: TestApp; owner: Person }> {
  const t = await makeTestApp({ config: { smtpUrl: 'smtp://127.0.0.1:1' } });
  const owner = await t.signUpOwner();
  t.pass(stepMs + stepMs / 2 - (t.ctx.now() % stepMs));
  return { t, owner };
}

export const security = async (b: Browser) => (await b.get('/api/acc/security')).json<{ data: Record<string, unknown> }>().data;
export const plain = (value: unknown): string => JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? String(part) : part));

/** The clock, the audit log (newest first) and the mails of the current program. */
export function sessionRecords(current: () => TestApp) {
  const now = (): number => current().ctx.now();
  const lines = () => current().ctx.postgres.db.select().from(auditLog).orderBy(desc(auditLog.id));
  const letters = async (): Promise<{ kind: string; letter: MailContent }[]> =>
    (await current().ctx.postgres.db.select().from(outbox).orderBy(outbox.createdAt)).map(({ kind, message }) => ({
      kind,
      letter: JSON.parse(current().ctx.secrets.open('outbox', message)) as MailContent,
    }));
  const verifyMail = (userId: string) =>
    current().ctx.postgres.db.update(users).set({ email: 'lin@example.cn', emailVerifiedAt: new Date() }).where(eq(users.id, userId));
  return { now, lines, letters, verifyMail };
}
