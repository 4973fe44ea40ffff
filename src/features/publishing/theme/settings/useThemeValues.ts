import { useEffect, useEffectEvent, useState } from 'react';
import type { SiteParts } from '@contract/publishing/schemas';
import { isFailure, isStale } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { publishingApi } from '../../publishingApi';
import type { SettingValue } from './settingModel';
import { storedValue, withValue } from './settingNames';
import type { SettingScope, Values } from './settingNames';

/** `undefined`: back to the default. */
type Change = { readonly before: SettingValue | undefined; readonly value: SettingValue | undefined };
/** What two people set differently. `name`: as `valueName` forms it. */
export type ValueConflict = { readonly name: string; readonly mine: SettingValue | undefined; readonly theirs: SettingValue | undefined };

/** Time without a change before values are saved, ms. */
const saveAfterMs = 600;
/** Times that a save is repeated on top of what others saved meanwhile. */
const mostAttempts = 3;

const applied = (values: Values, changes: ReadonlyMap<string, Change>, scope: SettingScope): Values =>
  [...changes].reduce((result, [name, { value }]) => withValue(result, name, value, scope), values);

/** The changes that remain after some were saved: those that were not among them, and what somebody has typed since. */
function unsaved(changes: ReadonlyMap<string, Change>, saved: ReadonlyMap<string, Change>): ReadonlyMap<string, Change> {
  const remaining = new Map(changes);
  for (const [key, { value }] of saved) {
    const now = changes.get(key);
    if (now === undefined || now.value === value) remaining.delete(key);
    else remaining.set(key, { before: value, value: now.value });
  }
  return remaining;
}

const { siteParts, changeSitePart } = publishingApi.endpoints;

/** Sends changes, merged with what others have saved in other settings. */
function useSendChanges(siteId: string, scope: SettingScope) {
  const dispatch = useAppDispatch();
  return async (
    parts: SiteParts,
    changes: ReadonlyMap<string, Change>,
  ): Promise<{ readonly failure?: ApiFailure; readonly conflicts?: readonly ValueConflict[] }> => {
    let { settings } = parts;
    for (let attempt = 1; ; attempt += 1) {
      const content = { ...settings.content, theme: applied(settings.content.theme, changes, scope) };
      const { data, error } = await dispatch(changeSitePart.initiate({ siteId, part: 'settings', revision: settings.revision, body: content }));
      if (data) {
        const saved = { content, revision: data.revision };
        dispatch(publishingApi.util.updateQueryData('siteParts', { siteId }, (draft) => ({ ...draft, settings: saved })));
        return {};
      }
      if (!isFailure(error)) return {};
      if (!isStale(error) || attempt === mostAttempts) return { failure: error };
      const fresh = await dispatch(siteParts.initiate({ siteId }, { forceRefetch: true, subscribe: false }));
      if (!fresh.data) return isFailure(fresh.error) ? { failure: fresh.error } : {};
      settings = fresh.data.settings;
      const current = settings.content.theme;
      const conflicts = [...changes].flatMap(([name, { before, value }]) => {
        const theirs = storedValue(current, name, scope);
        return theirs !== before && theirs !== value ? [{ name, mine: value, theirs }] : [];
      });
      if (conflicts.length > 0) return { conflicts };
    }
  };
}

/**
 * Values of the theme's settings as a person edits them. Each change is saved to the working copy after a pause; changes of others in other settings are
 * preserved, and a setting that both changed is a conflict; a text in another language is another setting. `isValid`: whether a value can be stored.
 */
export function useThemeValues(siteId: string, parts: SiteParts, scope: SettingScope, isValid: (name: string, value: SettingValue | undefined) => boolean) {
  const [changes, setChanges] = useState<ReadonlyMap<string, Change>>(new Map());
  const [isSaving, setSaving] = useState(false);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [conflicts, setConflicts] = useState<readonly ValueConflict[]>([]);
  const send = useSendChanges(siteId, scope);
  const saved = parts.settings.content.theme;

  const savable = new Map([...changes].filter(([name, { value }]) => isValid(name, value)));
  const save = useEffectEvent(async (): Promise<void> => {
    setSaving(true);
    const result = await send(parts, savable);
    setSaving(false);
    if (result.failure) setFailure(result.failure);
    else if (result.conflicts) setConflicts(result.conflicts);
    else setChanges((now) => unsaved(now, savable));
  });
  const isWaiting = savable.size > 0 && !isSaving && failure === null && conflicts.length === 0;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => void save(), saveAfterMs);
    return () => clearTimeout(timer);
  }, [changes, isWaiting]);

  return {
    values: applied(saved, changes, scope),
    /** What is typed, else what is stored; undefined: the default. */
    valueOf: (name: string): SettingValue | undefined => {
      const change = changes.get(name);
      return change ? change.value : storedValue(saved, name, scope);
    },
    /** Whether it has a value that is not stored, possibly because it cannot be. */
    isChanged: (name: string): boolean => changes.get(name)?.value !== undefined,
    isDirty: changes.size > 0,
    /** Values that cannot be stored. */
    invalid: [...changes.keys()].filter((name) => !savable.has(name)),
    isSaving: isSaving || isWaiting,
    failure,
    conflicts,
    change: (name: string, value: SettingValue | undefined): void => {
      setFailure(null);
      setChanges((now) => new Map(now).set(name, { before: now.has(name) ? now.get(name)?.before : storedValue(saved, name, scope), value }));
    },
    retry: (): void => setFailure(null),
    keepMine: (): void => {
      setChanges((now) => new Map([...now].map(([name, { value }]) => [name, { before: storedValue(saved, name, scope), value }])));
      setConflicts([]);
    },
    takeTheirs: (): void => {
      setChanges((now) => new Map([...now].filter(([name]) => !conflicts.some((one) => one.name === name))));
      setConflicts([]);
    },
  };
}
export type ThemeValues = ReturnType<typeof useThemeValues>;
