import { contactTopics } from '../../../contract/contacts/schemas';
import type { ContactTopic } from '../../../contract/contacts/schemas';
import type { Context } from '../../context';
import { countForContacts, mailWorks } from '../../mail';
import { waysTo } from './notify';
import * as queries from './queries';

/** Topics that concern the whole installation; all others concern one site. */
const ofTheWhole: readonly ContactTopic[] = ['notice', 'security', 'billing'];
/** Optional topics: it is no problem if they have no subscriber. */
const wished: readonly ContactTopic[] = ['report', 'traffic'];
const failuresOf = 7 * 24 * 3_600_000;

/** Topics that currently reach no contact, whether mail works, and the numbers of waiting messages and of those that failed within a week. */
export async function contactHealth(ctx: Context): Promise<{ mail: boolean; unheard: ContactTopic[]; waiting: number; failed: number }> {
  const { db } = ctx.postgres;
  const [contacts, counts] = await Promise.all([queries.allContacts(db), countForContacts(db, new Date(ctx.now() - failuresOf))]);
  const hears = (topic: ContactTopic): boolean =>
    contacts.some((contact) => {
      const { mail, webhook } = waysTo(ctx, contact, topic);
      return (mail !== null || webhook !== null) && (contact.siteIds === null || !ofTheWhole.includes(topic));
    });
  return { mail: mailWorks(ctx.config), unheard: contactTopics.filter((topic) => !wished.includes(topic) && !hears(topic)), ...counts };
}
