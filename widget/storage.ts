/** What the widget stores in the browser. Private windows and policies may forbid it; then it lasts as long as the page. */

/** Names of stored values. */
export const stored = { token: 'token', known: 'known', conversation: 'conversation', opened: 'opened', invited: 'invited', draft: 'draft' } as const;

type Keep = 'local' | 'session';

const open = (kind: Keep): Storage | null => {
  try {
    return kind === 'local' ? localStorage : sessionStorage;
  } catch {
    return null;
  }
};

export type Store = {
  readonly get: (name: string, kind?: Keep) => string | null;
  /** Returns whether the browser has stored it. */
  readonly set: (name: string, value: string | null, kind?: Keep) => boolean;
  /** Calls back when another tab changed a value. */
  readonly onChange: (receive: (name: string) => void) => void;
};

export function openStore(site: string): Store {
  const prefix = `_sc.${site}.`;
  const memory = new Map<string, string>();
  return {
    get(name, kind = 'local') {
      try {
        // What did not fit is newer than what is stored.
        return memory.get(name) ?? open(kind)?.getItem(prefix + name) ?? null;
      } catch {
        return memory.get(name) ?? null;
      }
    },
    set(name, value, kind = 'local') {
      memory.delete(name);
      try {
        const storage = open(kind);
        if (storage === null) throw new Error('no storage');
        if (value === null) storage.removeItem(prefix + name);
        else storage.setItem(prefix + name, value);
        return true;
      } catch {
        // Full or forbidden: as long as the page lasts.
        if (value !== null) memory.set(name, value);
        return false;
      }
    },
    onChange: (receive) =>
      addEventListener('storage', ({ key }) => {
        if (!key?.startsWith(prefix)) return;
        const name = key.slice(prefix.length);
        memory.delete(name);
        receive(name);
      }),
  };
}
