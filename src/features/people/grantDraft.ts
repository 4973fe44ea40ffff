import type { Grants } from '@contract/people/schemas';
import type { SiteRole } from '@contract/permissions';
import type { GrantChange } from './peopleApi';

/** An unsaved cell: its role before the edit, and the new one. null: no access. */
export type GrantEdit = { readonly was: SiteRole | null; readonly role: SiteRole | null };
/** Unsaved cells by `keyOf`. Plain data, so that it can be stored as a draft. */
export type GrantDraft = Readonly<Record<string, GrantEdit>>;
/** Saved roles by `keyOf`. */
export type GrantTable = ReadonlyMap<string, SiteRole>;

/** Maximum number of changes per save. */
export const mostChanges = 500;

export const keyOf = (userId: string, siteId: string): string => `${userId} ${siteId}`;
export const tableOf = (grants: Grants['grants']): GrantTable => new Map(grants.map((one) => [keyOf(one.userId, one.siteId), one.role]));

export const shownRole = (table: GrantTable, draft: GrantDraft, key: string): SiteRole | null => {
  const edit = draft[key];
  return edit === undefined ? (table.get(key) ?? null) : edit.role;
};

/** The draft with this cell set; a cell set to its saved role is no longer a change. */
export function withEdit(table: GrantTable, draft: GrantDraft, key: string, role: SiteRole | null): GrantDraft {
  const { [key]: before, ...rest } = draft;
  const saved = table.get(key) ?? null;
  return role === saved ? rest : { ...rest, [key]: { was: before?.was ?? saved, role } };
}

/** Drops edits that have been saved meanwhile, by anybody, or whose person or site is gone. */
export function withoutSavedEdits(table: GrantTable, draft: GrantDraft, exists: (key: string) => boolean): GrantDraft {
  const left = Object.entries(draft).filter(([key, edit]) => exists(key) && edit.role !== (table.get(key) ?? null));
  return left.length === Object.keys(draft).length ? draft : Object.fromEntries(left);
}

/** Cells that somebody else changed after they were edited here. */
export const conflictingCells = (table: GrantTable, draft: GrantDraft): readonly string[] =>
  Object.entries(draft)
    .filter(([key, edit]) => edit.was !== (table.get(key) ?? null))
    .map(([key]) => key);

export const changesOf = (draft: GrantDraft): GrantChange[] =>
  Object.entries(draft).map(([key, { role }]) => {
    const [userId = '', siteId = ''] = key.split(' ');
    return { userId, siteId, role };
  });
