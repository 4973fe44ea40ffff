import { and, eq, gt } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { fail } from '../../http/failure';
import type { Area } from '../area';
import { findUser } from './queries';
import { avatars, heldNames } from './schema';

type Db = Pick<NodePgDatabase, 'select'>;

const ownHeldNames = (db: Db, userId: string, now: Date) =>
  db
    .select({ loginName: heldNames.loginName, until: heldNames.until })
    .from(heldNames)
    .where(and(eq(heldNames.userId, userId), gt(heldNames.until, now)));

const ownPicture = async (db: Db, userId: string): Promise<Buffer | null> =>
  (await db.select({ png: avatars.png }).from(avatars).where(eq(avatars.userId, userId)))[0]?.png ?? null;

/** The profile and earlier login names. Throws `not_found` for a deleted person. */
export const exportPerson: NonNullable<Area['exportPerson']> = async (db, userId, now) => {
  const user = (await findUser(db, userId)) ?? fail('not_found');
  const picture = await ownPicture(db, userId);
  return {
    profile: {
      id: user.id,
      loginName: user.loginName,
      loginNameChangedAt: user.loginNameChangedAt,
      displayName: user.displayName,
      email: user.email,
      emailVerifiedAt: user.emailVerifiedAt,
      pendingEmail: user.pendingEmail,
      role: user.role,
      locale: user.locale,
      timeZone: user.timeZone,
      colorScheme: user.colorScheme,
      primary: user.primary,
      notices: user.notices,
      passwordChangedAt: user.passwordChangedAt,
      createdAt: user.createdAt,
      avatar: picture && `data:image/png;base64,${picture.toString('base64')}`,
    },
    heldLoginNames: await ownHeldNames(db, userId, now),
  };
};

export const erasePerson: NonNullable<Area['erasePerson']> = async (tx, userId) => {
  await tx.delete(avatars).where(eq(avatars.userId, userId));
};
