import { createRoot } from 'react-dom/client';
import type { Preferences } from '@/lib/preferences';
import type { AppStore } from '@/store';
import { SharedApp } from './SharedApp';

/** Renders the page of a share instead of the console. */
export const startShared = (root: HTMLElement, parts: { readonly store: AppStore; readonly nonce: string; readonly preferences: Preferences }): void =>
  createRoot(root).render(<SharedApp {...parts} />);
