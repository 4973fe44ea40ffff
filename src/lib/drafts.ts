/**
 * Unsaved forms, stored for the tab (`sessionStorage`) until they are saved or discarded: a session that expires loses no work. Passwords are never
 * passed to this module. A draft belongs to one person, so the next person who signs in does not see it.
 */
const prefix = 'console:draft:';
const maxAgeMs = 24 * 3600 * 1000;

type StoredDraft = { at: number; value: unknown };

export function keepDraft(owner: string, key: string, value: unknown): void {
  try {
    sessionStorage.setItem(`${prefix}${owner}:${key}`, JSON.stringify({ at: Date.now(), value } satisfies StoredDraft));
  } catch {
    // Full or blocked: the form itself still has the input.
  }
}

export function readDraft(owner: string, key: string): unknown {
  try {
    const text = sessionStorage.getItem(`${prefix}${owner}:${key}`);
    if (text === null) return undefined;
    const stored = JSON.parse(text) as StoredDraft;
    return Date.now() - stored.at < maxAgeMs ? stored.value : undefined;
  } catch {
    return undefined;
  }
}

export function dropDraft(owner: string, key: string): void {
  try {
    sessionStorage.removeItem(`${prefix}${owner}:${key}`);
  } catch {
    // Without storage nothing was stored.
  }
}

/** At sign-out: clears all drafts of every person. */
export function clearDrafts(): void {
  try {
    for (const name of Object.keys(sessionStorage)) if (name.startsWith(prefix)) sessionStorage.removeItem(name);
  } catch {
    // Without storage nothing was stored.
  }
}
