import { z } from 'zod';
import { guestbookCalls } from './calls';
import { endpoint } from '../endpoint';
import { SiteId } from '../sites/schemas';
import { safeText } from '../text';

export const GuestbookEntry = z.object({ id: z.string(), text: z.string(), createdAt: z.iso.datetime() });
const params = z.object({ siteId: SiteId });

export const guestbookEndpoints = {
  guestbook: endpoint(guestbookCalls.guestbook, { access: 'public', summary: 'The newest entries of a guestbook', params, response: z.array(GuestbookEntry) }),
  addGuestbookEntry: endpoint(guestbookCalls.addGuestbookEntry, {
    access: { site: 'guestbook.write' },
    summary: 'Write into the guestbook',
    params,
    body: z.object({ text: safeText(200) }),
    response: GuestbookEntry,
  }),
  clearGuestbook: endpoint(guestbookCalls.clearGuestbook, { access: { site: 'guestbook.write' }, summary: 'Remove all entries', params }),
};
