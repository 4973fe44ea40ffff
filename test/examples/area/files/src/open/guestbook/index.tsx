import { createRoot } from 'react-dom/client';
import { guestbookCalls } from '@contract/guestbook/calls';
import type { GuestbookEntry } from '@contract/guestbook/schemas';
import type { z } from 'zod';

type Entries = { readonly data: readonly z.infer<typeof GuestbookEntry>[] };

async function showEntries(root: HTMLElement, siteId: string): Promise<void> {
  const response = await fetch(guestbookCalls.guestbook.path.replace(':siteId', siteId), { credentials: 'omit' });
  const { data } = (await response.json()) as Entries;
  createRoot(root).render(data.map(({ id, text }) => <p key={id}>{text}</p>));
}

const root = document.getElementById('root');
if (root) void showEntries(root, location.pathname.split('/').at(-1) ?? '');
