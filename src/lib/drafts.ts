import { clearedName, draftPrefix } from './clearDrafts';

/**
 * Unsaved forms, stored for the tab (`sessionStorage`) until they are saved or discarded: a session that expires loses no work. Passwords are never
 * passed to this module. A draft belongs to one person, so the next person who signs in does not see it.
 */
const maxAgeMs = 24 * 3600 * 1000;

type StoredDraft = { at: number; value: unknown };

export function keepDraft(owner: string, key: string, value: unknown): void {
  try {
    sessionStorage.setItem(`${draftPrefix}${owner}:${key}`, JSON.stringify({ at: Date.now(), value } satisfies StoredDraft));
  } catch {
    // Full or blocked: the form itself still has the input.
  }
}

export function readDraft(owner: string, key: string): unknown {
  try {
    const text = sessionStorage.getItem(`${draftPrefix}${owner}:${key}`);
    if (text === null) return undefined;
    const stored = JSON.parse(text) as StoredDraft;
    return Date.now() - stored.at < maxAgeMs && stored.at >= Number(localStorage.getItem(clearedName)) ? stored.value : undefined;
  } catch {
    return undefined;
  }
}

export function dropDraft(owner: string, key: string): void {
  try {
    sessionStorage.removeItem(`${draftPrefix}${owner}:${key}`);
  } catch {
    // Without storage nothing was stored.
  }
}
