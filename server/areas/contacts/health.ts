import { contactTopics } from '../../../contract/contacts/schemas';
import type { ContactTopic } from '../../../contract/contacts/schemas';
import type { Context } from '../../context';
import { countForContacts, mailWorks } from '../../mail';
import { waysTo } from './notify';
import * as queries from './queries';

/** Topics that speak of the whole installation; others of one site. */
const ofTheWhole: readonly ContactTopic[] = ['notice', 'security', 'billing'];
/** For who wants them: nobody misses a report that nobody asked for. */
const wished: readonly ContactTopic[] = ['report', 'traffic'];
const failuresOf = 7 * 24 * 3_600_000;

/** Which topics reach nobody now, whether mail works, and what waits for contacts or did not reach them in a week. */
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
