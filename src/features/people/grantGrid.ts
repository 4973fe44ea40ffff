import type { SiteRole } from '@contract/permissions';

export const nameWidth = 208;
export const cellWidth = 112;
export const rowHeight = 36;
const twoLines = 52;
/** Estimated width of a name in pixels at 12 px, rather too large than too small: Han characters are square. */
const widthOf = (name: string) => [...name].reduce((sum, letter) => sum + (letter > '\u2e7f' ? 12 : 8), 0);
/** Room for a second line only if a name needs it: otherwise there would be an empty band above the names. */
export const headHeightOf = (sites: readonly { readonly name: string }[]): number =>
  sites.some((site) => widthOf(site.name) > cellWidth - 16) ? twoLines : rowHeight;

/** One key per role, the same in both languages. */
export const roleKeys: Readonly<Record<string, SiteRole>> = { m: 'admin', e: 'editor', a: 'analyst', s: 'support', v: 'viewer' };
export const keyOfRole = Object.fromEntries(Object.entries(roleKeys).map(([key, role]) => [role, key])) as Record<SiteRole, string>;

export type CellPosition = { readonly row: number; readonly column: number };

const clamp = (value: number, most: number): number => Math.min(most, Math.max(0, value));

/** The cell that a key leads to from `at`, as in a spreadsheet; null for a key that does not move. `whole`: Ctrl or ⌘ is pressed. */
export function cellAfter(key: string, whole: boolean, at: CellPosition, last: CellPosition): CellPosition | null {
  const moves: Readonly<Record<string, readonly [number, number]>> = {
    ArrowDown: [at.row + 1, at.column],
    ArrowUp: [at.row - 1, at.column],
    ArrowRight: [at.row, at.column + 1],
    ArrowLeft: [at.row, at.column - 1],
    Home: [whole ? 0 : at.row, 0],
    End: [whole ? last.row : at.row, last.column],
    PageDown: [at.row + 10, at.column],
    PageUp: [at.row - 10, at.column],
  };
  const move = moves[key];
  return move ? { row: clamp(move[0], last.row), column: clamp(move[1], last.column) } : null;
}
