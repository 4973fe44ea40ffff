import { z } from 'zod';
import { endpoint } from './endpoint';
import { RecordComment } from './records';
import { SiteId } from './sites';
import { TableRef, tablesPath } from './tables';
import { rowId, safeText } from './text';

const R = z.object({ siteId: SiteId, table: TableRef, id: rowId });
const of = `${tablesPath}/tables/:table`;
const read = { access: { site: 'tables.use' }, token: 'tables:read', ratePerMinute: 3000 } as const;
const write = { access: { site: 'tables.use' }, token: 'tables:write', ratePerMinute: 3000 } as const;

export const recordCommentEndpoints = {
  comments: endpoint({
    ...read,
    id: 'comments',
    method: 'GET',
    path: `${of}/records/:id/comments`,
    summary: 'Comments on a record, oldest first',
    params: R,
    answer: z.array(RecordComment),
    errors: ['not_found', 'forbidden'],
  }),
  addComment: endpoint({
    ...write,
    id: 'addComment',
    method: 'POST',
    path: `${of}/records/:id/comments`,
    summary: 'Comment on a record',
    params: R,
    body: z.strictObject({ text: safeText(4000).pipe(z.string().min(1)) }),
    answer: RecordComment,
    errors: ['not_found', 'forbidden', 'invalid_fields', 'conflict'],
  }),
  changeComment: endpoint({
    ...write,
    id: 'changeComment',
    method: 'PATCH',
    path: `${of}/records/:id/comments/:comment`,
    ifMatch: 'optional',
    summary: 'Change the own comment (If-Match: its revision), or settle any',
    params: R.extend({ comment: rowId }),
    body: z.strictObject({ text: safeText(4000).pipe(z.string().min(1)).optional(), resolved: z.boolean().optional() }),
    answer: RecordComment,
    errors: ['not_found', 'forbidden', 'invalid_fields', 'precondition_required', 'stale_revision'],
  }),
  removeComment: endpoint({
    ...write,
    id: 'removeComment',
    method: 'DELETE',
    path: `${of}/records/:id/comments/:comment`,
    summary: 'Remove the own comment, or any as an administrator',
    params: R.extend({ comment: rowId }),
    errors: ['not_found', 'forbidden'],
  }),
} as const;
