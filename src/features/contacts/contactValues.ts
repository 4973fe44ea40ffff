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
export function mergedValues(target: ContactValues, other: ContactValues): ContactValues {
  const note =
    other.note === '' || target.note.includes(other.note)
      ? target.note
      : [target.note, other.note]
          .filter((one) => one !== '')
          .join('\n')
          .slice(0, noteLimit);
  const both = (topic: ContactTopic) => union(target.subscriptions[topic] ?? [], other.subscriptions[topic] ?? []);
  return {
    name: target.name,
    company: target.company || other.company,
    title: target.title === 'other' ? other.title : target.title,
    email: target.email ?? other.email,
    phone: target.phone ?? other.phone,
    wechat: target.wechat || other.wechat,
    address: target.address || other.address,
    kinds: union(target.kinds, other.kinds),
    locale: target.locale,
    siteIds: target.siteIds === null || other.siteIds === null ? null : union(target.siteIds, other.siteIds),
    subscriptions: ordered(Object.fromEntries(contactTopics.map((topic) => [topic, both(topic)]))),
    webhook: target.webhook ?? other.webhook,
    quietHours: target.quietHours ?? other.quietHours,
    note,
  };
}
