import { contacts } from '../../server/areas/contacts/schema';
import type { Context } from '../../server/context';

export type Subscriber = typeof contacts.$inferInsert;

/** Inserts a contact with a confirmed address who subscribes to topics. */
export const addSubscriber = async (ctx: Context, subscriptions: Subscriber['subscriptions'], change: Partial<Subscriber> = {}): Promise<void> => {
  const now = new Date(ctx.now());
  await ctx.postgres.db.insert(contacts).values({
    name: '王敏',
    company: '',
    title: 'owner',
    email: `${Math.random().toString(36).slice(2)}@example.com`,
    emailVerifiedAt: now,
    wechat: '',
    address: '',
    kinds: [],
    locale: 'zh-CN',
    subscriptions,
    note: '',
    createdAt: now,
    updatedAt: now,
    ...change,
  });
};
