/**
 * Half-written forms, kept for the tab (`sessionStorage`) until they are saved or thrown away: a session that ends in mid-work costs nothing.
 * Passwords are never handed to this module. A draft belongs to one person, so another one who signs in does not find it.
 */
const prefix = 'console:draft:';
const maxAgeMs = 24 * 3600 * 1000;

type Kept = { at: number; value: unknown };

export function keepDraft(owner: string, key: string, value: unknown): void {
  try {
    sessionStorage.setItem(`${prefix}${owner}:${key}`, JSON.stringify({ at: Date.now(), value } satisfies Kept));
  } catch {
    // Full or forbidden: the form itself still holds what was typed.
  }
}

export function readDraft(owner: string, key: string): unknown {
  try {
    const text = sessionStorage.getItem(`${prefix}${owner}:${key}`);
    if (text === null) return undefined;
    const kept = JSON.parse(text) as Kept;
    return Date.now() - kept.at < maxAgeMs ? kept.value : undefined;
  } catch {
    return undefined;
  }
}

export function dropDraft(owner: string, key: string): void {
  try {
    sessionStorage.removeItem(`${prefix}${owner}:${key}`);
  } catch {
    // Nothing was kept either.
  }
}

/** At sign-out: everything, whoever it belongs to. */
export function clearDrafts(): void {
  try {
    for (const name of Object.keys(sessionStorage)) if (name.startsWith(prefix)) sessionStorage.removeItem(name);
  } catch {
    // Nothing was kept either.
  }
}
