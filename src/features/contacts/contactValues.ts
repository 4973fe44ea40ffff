import type { z } from 'zod';
import { contactChannels, contactTopics } from '@contract/contacts/schemas';
import type { Contact, ContactChannel, ContactInput, ContactTopic, Subscriptions } from '@contract/contacts/schemas';

/** Values of the form. */
export type ContactValues = z.output<typeof ContactInput>;

/** In the contract's order and without topics that have no channel, so that equal choices are equal as JSON. */
export function ordered(subscriptions: Subscriptions): Subscriptions {
  return Object.fromEntries(
    contactTopics.flatMap((topic): [ContactTopic, ContactChannel[]][] => {
      const chosen = contactChannels.filter((channel) => subscriptions[topic]?.includes(channel));
      return chosen.length === 0 ? [] : [[topic, chosen]];
    }),
  );
}

/** The same choices with one of them toggled. */
export function withChoice(subscriptions: Subscriptions, topic: ContactTopic, channel: ContactChannel, on: boolean): Subscriptions {
  const rest = (subscriptions[topic] ?? []).filter((one) => one !== channel);
  return ordered({ ...subscriptions, [topic]: on ? [...rest, channel] : rest });
}

export const blankContact = (locale: string): ContactValues => ({
  name: '',
  company: '',
  title: 'other',
  email: null,
  phone: null,
  wechat: '',
  address: '',
  kinds: [],
  locale: locale === 'en' ? 'en' : 'zh-CN',
  siteIds: null,
  subscriptions: {},
  webhook: null,
  quietHours: null,
  note: '',
});

/** The editable values of a contact, as the form starts with them. */
export function valuesOf(contact: Contact): ContactValues {
  const { name, company, title, email, phone, wechat, address, kinds, locale, siteIds, subscriptions, webhook, quietHours, note } = contact;
  return {
    name,
    company,
    title,
    email,
    phone,
    wechat,
    address,
    kinds,
    locale,
    siteIds,
    subscriptions: ordered(subscriptions),
    webhook,
    quietHours: quietHours && { timeZone: quietHours.timeZone, from: quietHours.from, to: quietHours.to },
    note,
  };
}

const union = <T>(one: readonly T[], other: readonly T[]): T[] => [...new Set([...one, ...other])];
const noteLimit = 1000;

/** The values of a contact after a merge: the same rules as on the server (server/areas/contacts/changes.ts). */
export function mergedValues(kept: ContactValues, other: ContactValues): ContactValues {
  const note =
    other.note === '' || kept.note.includes(other.note)
      ? kept.note
      : [kept.note, other.note]
          .filter((one) => one !== '')
          .join('\n')
          .slice(0, noteLimit);
  const both = (topic: ContactTopic) => union(kept.subscriptions[topic] ?? [], other.subscriptions[topic] ?? []);
  return {
    name: kept.name,
    company: kept.company || other.company,
    title: kept.title === 'other' ? other.title : kept.title,
    email: kept.email ?? other.email,
    phone: kept.phone ?? other.phone,
    wechat: kept.wechat || other.wechat,
    address: kept.address || other.address,
    kinds: union(kept.kinds, other.kinds),
    locale: kept.locale,
    siteIds: kept.siteIds === null || other.siteIds === null ? null : union(kept.siteIds, other.siteIds),
    subscriptions: ordered(Object.fromEntries(contactTopics.map((topic) => [topic, both(topic)]))),
    webhook: kept.webhook ?? other.webhook,
    quietHours: kept.quietHours ?? other.quietHours,
    note,
  };
}
