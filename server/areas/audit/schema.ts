import { bigint, index, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { AuditAction, auditResults } from '../../../contract/audit/schemas';

/**
 * Append-only: a trigger (migration 0002) rejects every UPDATE, every TRUNCATE, and a DELETE of anything younger than 400 days. Names are copied, without
 * references: an entry stays correct after the person or thing has been deleted.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    id: bigint({ mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    at: timestamp({ withTimezone: true, precision: 3 }).notNull(),
    actorKind: text('actor_kind').$type<'person' | 'token' | 'system' | 'nobody'>().notNull(),
    actorId: uuid('actor_id'),
    actorName: text('actor_name').notNull(),
    /** The API token that was used. */
    tokenId: uuid('token_id'),
    action: text().$type<AuditAction>().notNull(),
    result: text().$type<(typeof auditResults)[number]>().notNull(),
    targetKind: text('target_kind'),
    targetId: text('target_id'),
    targetName: text('target_name'),
    siteId: text('site_id'),
    address: text().notNull(),
    userAgent: text('user_agent').notNull(),
    requestId: text('request_id').notNull(),
    before: jsonb().$type<Record<string, unknown>>(),
    after: jsonb().$type<Record<string, unknown>>(),
  },
  (t) => [
    index('audit_log_at_index').on(t.at),
    index('audit_log_actor_index').on(t.actorId, t.id),
    index('audit_log_site_index').on(t.siteId, t.id),
    index('audit_log_target_index').on(t.targetKind, t.targetId, t.id),
  ],
);
