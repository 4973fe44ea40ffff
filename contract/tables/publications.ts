import { z } from 'zod';
import { publicationCalls } from './calls';
import { endpoint } from '../endpoint';
import { fieldCodes } from '../errors';
import { Written } from './records';
import { SiteId } from '../sites/schemas';
import { TableRef } from './schemas';
import { rowId } from '../text';

/** Why a scheduled publication failed: the record is incomplete, its scheduler may no longer publish it, its table is in the bin, or another reason. */
export const publicationFailureReasons = ['invalid', 'forbidden', 'table_deleted', 'error'] as const;
export const PublicationFailure = z.object({
  id: z.uuid(),
  tableId: z.string(),
  /** Title at that time. */
  tableTitle: z.string(),
  recordId: z.uuid(),
  /** Name of the record; null if its table is in the bin. */
  label: z.string().nullable(),
  dueAt: z.iso.datetime(),
  failedAt: z.iso.datetime(),
  /** Who scheduled it; '' if unknown. */
  by: z.string(),
  reason: z.enum(publicationFailureReasons),
  /** For an incomplete record: its errors by field id; only of fields that the reader may see. */
  errors: z.array(
    z.object({ field: z.string(), code: z.enum(fieldCodes), message: z.string().optional(), min: z.number().optional(), max: z.number().optional() }),
  ),
});
export type PublicationFailure = z.infer<typeof PublicationFailure>;

const F = z.object({ siteId: SiteId, failure: rowId });
const write = { access: { site: 'tables.use' }, token: 'tables:write' } as const;
export const publicationEndpoints = {
  publicationFailures: endpoint(publicationCalls.publicationFailures, {
    access: { site: 'tables.use' },
    token: 'tables:read',
    summary: 'Scheduled publications that failed, of records that the caller may publish or has scheduled; newest first, at most 200',
    params: z.object({ siteId: SiteId }),
    query: z.object({ table: TableRef.optional() }),
    response: z.array(PublicationFailure),
    errors: ['not_found'],
  }),
  retryPublication: endpoint(publicationCalls.retryPublication, {
    ...write,
    summary: 'Publish the record now; the failure is gone once that has worked',
    params: F,
    response: Written,
    errors: ['not_found', 'forbidden', 'invalid_fields', 'conflict', 'too_large'],
  }),
  discardPublication: endpoint(publicationCalls.discardPublication, {
    ...write,
    summary: 'Discard a failed publication; the record stays unchanged',
    params: F,
    errors: ['not_found', 'forbidden'],
  }),
} as const;
