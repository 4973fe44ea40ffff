import { z } from 'zod';
import { endpoint } from '../endpoint';
import { SiteId } from '../sites/schemas';
import { rowId } from '../text';
import { noticeCalls } from './calls';

/**
 * What a notice is about: a traffic alert, the availability of a site, a comment that mentions the person, a release that they scheduled, a deadline of a filing, a run
 * of a crawler, or a country rule that does nothing.
 */
export const noticeKinds = ['alert', 'uptime', 'mention', 'release', 'filing', 'crawl', 'country_block'] as const;
export type NoticeKind = (typeof noticeKinds)[number];
/** Maximum number of notices in a response; older ones are not listed. */
export const mostNotices = 50;

/** A notice behind the bell, in the reader's language. */
export const StoredNotice = z.object({
  id: z.uuid(),
  kind: z.enum(noticeKinds),
  siteId: SiteId,
  title: z.string(),
  text: z.string(),
  /** Address in the console of what the notice is about, with its range and filters; begins with `/`. */
  path: z.string(),
  at: z.iso.datetime(),
  read: z.boolean(),
});
export type StoredNotice = z.infer<typeof StoredNotice>;

/** Newest first, only of sites that the person may currently see. */
export const StoredNotices = z.object({ rows: z.array(StoredNotice), /** Unread ones among `rows`. */ unread: z.int() });
export type StoredNotices = z.infer<typeof StoredNotices>;

export const noticeEndpoints = {
  notices: endpoint(noticeCalls.notices, {
    access: 'session',
    summary: 'The caller’s own notices, newest first',
    response: StoredNotices,
  }),
  readNotices: endpoint(noticeCalls.readNotices, {
    access: 'session',
    summary: 'Mark one’s own notices as read: those named, or all',
    body: z.strictObject({ /** Absent: all. */ ids: z.array(rowId).min(1).max(mostNotices).optional() }),
    response: StoredNotices,
    errors: ['not_found'],
  }),
} as const;
