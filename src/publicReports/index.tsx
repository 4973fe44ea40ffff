import { createRoot } from 'react-dom/client';
import type { Preferences } from '@/lib/preferences';
import type { AppStore } from '@/store';
import { PublicReportsApp } from './PublicReportsApp';

/** Renders the page of a public link instead of the console. */
export const startPublicReports = (root: HTMLElement, parts: { readonly store: AppStore; readonly nonce: string; readonly preferences: Preferences }): void =>
  createRoot(root).render(<PublicReportsApp {...parts} />);
