import { z } from 'zod';
import { auditCalls } from './calls';
import { endpoint } from '../endpoint';
import { mostRows } from '../page';

/** Actions that the audit log records. The part before the dot is the kind of object, for filters. */
export const auditActions = [
  'sign.in',
  'sign.second',
  'sign.out',
  'sign.reauth',
  'sign.forgot',
  'sign.reset',
  'sign.set_up',
  'sign.denied',
  'session.ended',
  'account.renamed',
  'account.password_changed',
  'account.email_asked',
  'account.email_changed',
  'account.profile_changed',
  'account.avatar_changed',
  'account.avatar_removed',
  'account.closed',
  'account.exported',
  'factor.totp_added',
  'factor.totp_removed',
  'factor.passkey_added',
  'factor.passkey_renamed',
  'factor.passkey_removed',
  'factor.codes_made',
  'factor.reset',
  'token.made',
  'token.renamed',
  'token.removed',
  'person.invited',
  'person.invite_resent',
  'person.invite_revoked',
  'person.joined',
  'person.role_changed',
  'person.grants_changed',
  'person.signed_out',
  'person.disabled',
  'person.enabled',
  'person.link_made',
  'person.deleted',
  'policy.changed',
  'contact.added',
  'contact.changed',
  'contact.removed',
  'contact.merged',
  'contact.imported',
  'contact.verified',
  'contact.unsubscribed',
  'site.created',
  'site.changed',
  'site.moved',
  'publishing.part_changed',
  'publishing.theme_changed',
  'publishing.scheduled',
  'publishing.cancelled',
  'publishing.released',
  'seo.robots_changed',
  'hostname.added',
  'hostname.changed',
  'hostname.removed',
  'uptime.changed',
  'measuring.changed',
  'measuring.erase_asked',
  'measuring.erased',
  'goal.added',
  'goal.changed',
  'goal.removed',
  'goal.restored',
  'funnel.added',
  'funnel.changed',
  'funnel.removed',
  'funnel.restored',
  'resource.removed',
  'resource.restored',
  'resource.purged',
  'resource.limits_changed',
  'import.started',
  'import.removed',
  'trade.order_made',
  'trade.order_changed',
  'trade.order_removed',
  'trade.order_restored',
  'trade.order_moved',
  'trade.payment_added',
  'trade.payment_moved',
  'trade.refund_added',
  'trade.refund_moved',
  'trade.invoice_added',
  'trade.invoice_moved',
  'share.made',
  'share.changed',
  'share.taken_over',
  'share.removed',
  'share.restored',
  'digest.changed',
  'table.added',
  'table.changed',
  'table.removed',
  'table.restored',
  'table.rules_changed',
  'table.imported',
  'table.exported',
  'table.shared',
  'table.share_changed',
  'table.share_taken_over',
  'table.unshared',
  'table.share_restored',
  'table.purged',
  'table.maintained',
  'webhook.added',
  'webhook.changed',
  'webhook.removed',
  'webhook.restored',
  'audit.exported',
] as const;
export type AuditAction = (typeof auditActions)[number];

export const auditResults = ['done', 'refused', 'failed'] as const;

/** One entry of the audit log: who, when, from where, what, and what changed. */
export const AuditEntry = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  actor: z.object({ kind: z.enum(['person', 'token', 'system', 'nobody']), id: z.uuid().nullable(), name: z.string() }),
  action: z.enum(auditActions),
  result: z.enum(auditResults),
  target: z.object({ kind: z.string(), id: z.string(), name: z.string() }).nullable(),
  siteId: z.string().nullable(),
  address: z.string(),
  place: z.string(),
  device: z.string(),
  /** Only the changed fields; never a secret. */
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/** Cursor paging: `before` is the `next` of the preceding page. */
export const auditPaging = {
  before: z
    .string()
    .regex(/^\d{1,18}$/)
    .optional(),
  size: z.coerce.number().int().min(1).max(mostRows).default(50),
};
export const AuditPage = z.object({ rows: z.array(AuditEntry), next: z.string().nullable() });

const filters = {
  /** First and last day, inclusive, in the reader's time zone. */
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  actor: z.uuid().optional(),
  /** An action, or its first part (`sign`). */
  action: z.string().max(40).optional(),
  result: z.enum(auditResults).optional(),
  siteId: z.string().max(20).optional(),
  /** Search text for names, addresses and ids. */
  q: z.string().max(100).optional(),
};

export const auditEndpoints = {
  audit: endpoint(auditCalls.audit, {
    access: { instance: 'audit.read' },
    token: 'account:read',
    summary: 'The audit log, latest first, a page at a time by cursor',
    query: z.object({
      ...filters,
      ...auditPaging,
    }),
    response: AuditPage,
  }),
  auditExport: endpoint(auditCalls.auditExport, {
    access: { instance: 'audit.read' },
    token: 'account:read',
    summary: 'The same as a file, whole',
    query: z.object({ ...filters, format: z.enum(['csv', 'json']).default('csv') }),
    kind: 'file',
  }),
} as const;
