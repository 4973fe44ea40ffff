const keys = ['ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowUp', 'Home', 'End'] as const;
type Key = (typeof keys)[number];
const isMove = (key: string): key is Key => (keys as readonly string[]).includes(key);

const centre = (element: HTMLElement) => {
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top };
};

/** The horizontally closest item in the nearest row above or below. */
function vertical(items: readonly HTMLElement[], from: HTMLElement, down: boolean): HTMLElement | undefined {
  const here = centre(from);
  const beyond = items.map((item) => ({ item, at: centre(item) })).filter(({ at }) => (down ? at.y > here.y + 1 : at.y < here.y - 1));
  const row = down ? Math.min(...beyond.map(({ at }) => at.y)) : Math.max(...beyond.map(({ at }) => at.y));
  return beyond.filter(({ at }) => Math.abs(at.y - row) <= 1).sort((a, b) => Math.abs(a.at.x - here.x) - Math.abs(b.at.x - here.x))[0]?.item;
}

/**
 * Arrow keys between the items of a list or a grid, by their position on the screen. Returns whether the focus moved. A list without layout (all
 * items at one position) is traversed in order.
 */
export function moveFocus(items: readonly HTMLElement[], from: HTMLElement, key: string): boolean {
  if (!isMove(key)) return false;
  const index = items.indexOf(from);
  if (index === -1) return false;
  const grid = items.some((item) => centre(item).y !== centre(from).y);
  const next: Record<Key, () => HTMLElement | undefined> = {
    ArrowRight: () => items[index + 1],
    ArrowLeft: () => items[index - 1],
    ArrowDown: () => (grid ? vertical(items, from, true) : items[index + 1]),
    ArrowUp: () => (grid ? vertical(items, from, false) : items[index - 1]),
    Home: () => items[0],
    End: () => items[items.length - 1],
  };
  const target = next[key]();
  target?.focus();
  return target !== undefined;
}
