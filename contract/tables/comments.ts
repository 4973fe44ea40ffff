import { z } from 'zod';
import { recordCommentCalls } from './calls';
import { endpoint } from '../endpoint';
import { RecordComment } from './records';
import { SiteId } from '../sites/schemas';
import { TableRef } from './schemas';
import { rowId, safeText } from '../text';
import { longestComment, mostReaders } from './mentions';

const R = z.object({ siteId: SiteId, table: TableRef, id: rowId });
const read = { access: { site: 'tables.use' }, token: 'tables:read', ratePerMinute: 3000 } as const;
const text = safeText(longestComment).pipe(z.string().min(1));
const write = { access: { site: 'tables.use' }, token: 'tables:write', ratePerMinute: 3000 } as const;

/** Somebody whom a comment may mention. */
export const RecordReader = z.object({ id: z.uuid(), name: z.string(), /** Address of the picture. */ avatar: z.string().nullable() });
export type RecordReader = z.infer<typeof RecordReader>;

export const recordCommentEndpoints = {
  recordReaders: endpoint(recordCommentCalls.recordReaders, {
    ...read,
    // An access rule may need a query for each person.
    ratePerMinute: 120,
    summary: 'Other people who may read the record and be mentioned in its comments, searched by name; by name',
    params: R,
    query: z.object({ q: z.string().max(200).optional(), limit: z.coerce.number().pipe(z.int().min(1).max(mostReaders)).default(mostReaders) }),
    response: z.array(RecordReader),
    errors: ['not_found', 'forbidden'],
  }),
  comments: endpoint(recordCommentCalls.comments, {
    ...read,
    summary: 'Comments on a record, oldest first',
    params: R,
    response: z.array(RecordComment),
    errors: ['not_found', 'forbidden'],
  }),
  addComment: endpoint(recordCommentCalls.addComment, {
    ...write,
    summary: 'Comment on a record; `@[id]` in the text mentions and notifies somebody who may read it',
    params: R,
    body: z.strictObject({ text }),
    response: RecordComment,
    errors: ['not_found', 'forbidden', 'invalid_fields', 'conflict'],
  }),
  changeComment: endpoint(recordCommentCalls.changeComment, {
    ...write,
    ifMatch: 'optional',
    summary: 'Change the own comment (If-Match: its revision), or settle any',
    params: R.extend({ comment: rowId }),
    body: z.strictObject({ text: text.optional(), resolved: z.boolean().optional() }),
    response: RecordComment,
    errors: ['not_found', 'forbidden', 'invalid_fields', 'precondition_required', 'stale_revision'],
  }),
  removeComment: endpoint(recordCommentCalls.removeComment, {
    ...write,
    summary: 'Remove the own comment, or any as an administrator; it can be restored for an hour',
    params: R.extend({ comment: rowId }),
    errors: ['not_found', 'forbidden'],
  }),
  restoreComment: endpoint(recordCommentCalls.restoreComment, {
    ...write,
    summary: 'Restore a removed comment with its id and its notices: the own one, or any as an administrator',
    params: R.extend({ comment: rowId }),
    response: RecordComment,
    errors: ['not_found', 'forbidden', 'conflict'],
  }),
} as const;
