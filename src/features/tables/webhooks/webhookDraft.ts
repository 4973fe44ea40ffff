import { z } from 'zod';
import { NewWebhook, webhookEvents } from '@contract/tables/webhooks';
import type { Webhook, WebhookChange, WebhookEvent } from '@contract/tables/webhooks';
import type { RecordFilter } from '@contract/tables/recordFilter';
import { emptyGroup, fromFilter, isDraft, toFilter } from '@/features/tables/records/filterModel';
import type { Group } from '@/features/tables/records/filterModel';

/** Conditions reference the fields of a single table. */
export const mayLimit = ({ reach, tables }: { readonly reach: 'all' | 'some'; readonly tables: readonly string[] }): boolean =>
  reach === 'some' && tables.length === 1;

/** The values of the editor, with conditions that may be incomplete. */
export const WebhookDraft = z
  .object({
    name: NewWebhook.shape.name,
    url: NewWebhook.shape.url,
    events: z.array(z.enum(webhookEvents)).min(1),
    reach: z.enum(['all', 'some']),
    tables: z.array(z.string()),
    limited: z.boolean(),
    conditions: z.custom<Group>(isDraft),
  })
  .refine(({ reach, tables }) => reach === 'all' || tables.length > 0, { path: ['tables'] })
  .refine((draft) => !mayLimit(draft) || !draft.limited || toFilter(draft.conditions) !== null, { path: ['conditions'] });
export type WebhookDraft = z.output<typeof WebhookDraft>;

export const draftOf = (hook: Webhook | null): WebhookDraft => ({
  name: hook?.name ?? '',
  url: hook?.url ?? '',
  events: hook?.events ?? ['record.created', 'record.updated', 'record.deleted'],
  reach: hook === null || hook.tables === null ? 'all' : 'some',
  tables: hook?.tables ?? [],
  limited: hook?.filter != null,
  conditions: hook?.filter == null ? emptyGroup() : fromFilter(hook.filter as RecordFilter),
});

type Body = {
  readonly name: string;
  readonly url: string;
  readonly events: WebhookEvent[];
  readonly tables: string[] | null;
  readonly filter: RecordFilter | null;
};
/** The draft as the server accepts it. */
export const bodyOf = (draft: WebhookDraft): Body => ({
  name: draft.name,
  url: draft.url,
  events: draft.events,
  tables: draft.reach === 'all' ? null : draft.tables,
  filter: mayLimit(draft) && draft.limited ? toFilter(draft.conditions) : null,
});

/** Only changed values, so that concurrent changes by others are preserved. Tables and conditions are sent together. */
export function changeOf(before: Webhook, draft: WebhookDraft): WebhookChange {
  const is = bodyOf(draft);
  const was: Body = { name: before.name, url: before.url, events: before.events, tables: before.tables, filter: before.filter as RecordFilter | null };
  const differs = (part: keyof Body): boolean => JSON.stringify(is[part]) !== JSON.stringify(was[part]);
  const scope = differs('tables') || differs('filter');
  return {
    ...(differs('name') ? { name: is.name } : {}),
    ...(differs('url') ? { url: is.url } : {}),
    ...(differs('events') ? { events: is.events } : {}),
    ...(scope ? { tables: is.tables, filter: is.filter } : {}),
  };
}
