import fc from 'fast-check';
import { siteRoles } from '@contract/permissions';
import type { SiteRole } from '@contract/permissions';
import { changesOf, keyOf, conflictingCells, withoutSavedEdits, shownRole, tableOf, withEdit } from './grantDraft';
import type { GrantDraft } from './grantDraft';

const users = ['u1', 'u2', 'u3'];
const sites = ['s1', 's2', 's3'];
const role = fc.constantFrom<SiteRole | null>(null, ...siteRoles);
const cell = fc.record({ userId: fc.constantFrom(...users), siteId: fc.constantFrom(...sites), role });
const saved = fc.uniqueArray(fc.record({ userId: fc.constantFrom(...users), siteId: fc.constantFrom(...sites), role: fc.constantFrom(...siteRoles) }), {
  selector: (one) => keyOf(one.userId, one.siteId),
});
const keys = users.flatMap((userId) => sites.map((siteId) => keyOf(userId, siteId)));
const always = () => true;

test('saving sends exactly the differences shown', () => {
  fc.assert(
    fc.property(saved, fc.array(cell), (grants, edits) => {
      const table = tableOf(grants);
      const draft = edits.reduce<GrantDraft>((now, one) => withEdit(table, now, keyOf(one.userId, one.siteId), one.role), {});
      const after = new Map(table);
      for (const change of changesOf(draft)) {
        const key = keyOf(change.userId, change.siteId);
        expect(change.role).not.toBe(table.get(key) ?? null);
        if (change.role === null) after.delete(key);
        else after.set(key, change.role);
      }
      for (const key of keys) expect(after.get(key) ?? null).toBe(shownRole(table, draft, key));
      expect(withoutSavedEdits(after, draft, always)).toEqual({});
      expect(conflictingCells(table, draft)).toEqual([]);
    }),
  );
});

test('a concurrent change is marked, and an equal one removes the edit', () => {
  const mine = tableOf([{ userId: 'u1', siteId: 's1', role: 'editor' }]);
  const draft = withEdit(mine, withEdit(mine, {}, keyOf('u1', 's1'), 'admin'), keyOf('u2', 's2'), 'viewer');
  const theirs = tableOf([
    { userId: 'u1', siteId: 's1', role: 'analyst' },
    { userId: 'u2', siteId: 's2', role: 'viewer' },
  ]);
  expect(conflictingCells(theirs, withoutSavedEdits(theirs, draft, always))).toEqual([keyOf('u1', 's1')]);
  expect(changesOf(withoutSavedEdits(theirs, draft, always))).toEqual([{ userId: 'u1', siteId: 's1', role: 'admin' }]);
  expect(withoutSavedEdits(theirs, draft, () => false)).toEqual({});
});
