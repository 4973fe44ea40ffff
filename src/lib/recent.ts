/** What the person used last, newest first; stored in this browser. */
export function makeRecentIds(name: string, most = 8) {
  const key = `console:recent:${name}`;
  const read = (): string[] => {
    try {
      const value = JSON.parse(localStorage.getItem(key) ?? '[]') as unknown;
      return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
    } catch {
      return [];
    }
  };
  return {
    read,
    add(id: string): void {
      try {
        localStorage.setItem(key, JSON.stringify([id, ...read().filter((one) => one !== id)].slice(0, most)));
      } catch {
        // Without storage nothing is remembered.
      }
    },
  };
}

export const recentSites = makeRecentIds('sites');
export const recentCommands = makeRecentIds('commands', 5);
