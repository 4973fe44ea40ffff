import { randomBytes } from 'node:crypto';
import { users } from '../../server/areas/account/schema';
import { apiTokens } from '../../server/areas/tokens/schema';
import type { Bench } from '../harness';
import type { Target } from './shots';
import { hashPassword } from '../../server/kit/passwords';
import { hashToken } from '../../server/kit/tokens';

export const owner = { login: 'bench', password: 'a password for the benchmark only' } as const;

/**
 * Creates the owner and 300 API tokens of theirs. A token may make 600 calls per minute and an address slightly more; these limits are not what is measured, so
 * calls take turns among the tokens and each comes from its own address.
 */
export async function openCalls({ url, stores }: Bench): Promise<Target> {
  const tokens = Array.from({ length: 300 }, () => `sck_${randomBytes(32).toString('base64url')}`);
  const [createdUser] = await stores.postgres.db
    .insert(users)
    .values({ loginName: owner.login, displayName: 'Bench', passwordHash: await hashPassword(owner.password), role: 'owner', createdAt: new Date() })
    .returning({ id: users.id });
  await stores.postgres.db.insert(apiTokens).values(
    tokens.map((value) => ({
      tokenHash: hashToken(value),
      ending: value.slice(-4),
      userId: createdUser?.id ?? '',
      name: 'bench',
      scopes: ['tables:read' as const, 'tables:write' as const, 'tables:design' as const],
      addresses: [],
      createdAt: new Date(),
      expiresAt: new Date(Date.now() + 86_400_000),
    })),
  );
  let calls = 0;
  return {
    name: 'Sitewright',
    url,
    headers: () => {
      calls += 1;
      const from = `10.${(calls >> 16) & 255}.${(calls >> 8) & 255}.${calls & 255}`;
      return { authorization: `Bearer ${tokens[calls % tokens.length] ?? ''}`, 'x-forwarded-for': from };
    },
  };
}
