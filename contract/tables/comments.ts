import { z } from 'zod';
import { recordCommentCalls } from './calls';
import { endpoint } from '../endpoint';
import { RecordComment } from './records';
import { SiteId } from '../sites/schemas';
import { TableRef } from './schemas';
import { rowId, safeText } from '../text';

const R = z.object({ siteId: SiteId, table: TableRef, id: rowId });
const read = { access: { site: 'tables.use' }, token: 'tables:read', ratePerMinute: 3000 } as const;
const write = { access: { site: 'tables.use' }, token: 'tables:write', ratePerMinute: 3000 } as const;

export const recordCommentEndpoints = {
  comments: endpoint(recordCommentCalls.comments, {
    ...read,
    summary: 'Comments on a record, oldest first',
    params: R,
    response: z.array(RecordComment),
    errors: ['not_found', 'forbidden'],
  }),
  addComment: endpoint(recordCommentCalls.addComment, {
    ...write,
    summary: 'Comment on a record',
    params: R,
    body: z.strictObject({ text: safeText(4000).pipe(z.string().min(1)) }),
    response: RecordComment,
    errors: ['not_found', 'forbidden', 'invalid_fields', 'conflict'],
  }),
  changeComment: endpoint(recordCommentCalls.changeComment, {
    ...write,
    ifMatch: 'optional',
    summary: 'Change the own comment (If-Match: its revision), or settle any',
    params: R.extend({ comment: rowId }),
    body: z.strictObject({ text: safeText(4000).pipe(z.string().min(1)).optional(), resolved: z.boolean().optional() }),
    response: RecordComment,
    errors: ['not_found', 'forbidden', 'invalid_fields', 'precondition_required', 'stale_revision'],
  }),
  removeComment: endpoint(recordCommentCalls.removeComment, {
    ...write,
    summary: 'Remove the own comment, or any as an administrator',
    params: R.extend({ comment: rowId }),
    errors: ['not_found', 'forbidden'],
  }),
} as const;
