import { useEffect, useEffectEvent, useState } from 'react';
import type { ContentTable } from '@contract/tables/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useAppDispatch } from '@/store/hooks';
import { useRecordQuery } from '../tablesApi';
import { sameJson } from './useRecordEdits';
import type { LabelledRecord, RecordEdits } from './useRecordEdits';

/**
 * The record's values in the first language and in the one shown beside it. `requested` is the part of the URL: a language, '-' for none, or '' for the second
 * language of the table. `locale` is '' where no field is localized or no language is shown.
 */
export function useRecordLanguage(siteId: string, table: ContentTable, record: LabelledRecord, requested: string) {
  const others = table.locales.slice(1);
  const visibleLocale = requested === '-' ? '' : others.includes(requested) ? requested : (others[0] ?? '');
  const hasLocalized = table.fields.some(({ localized }) => localized);
  const locale = hasLocalized ? visibleLocale : '';
  const result = useRecordQuery({ siteId, table: table.id, id: record.id, locale }, { skip: locale === '' });
  const translation = result.currentData;
  return {
    /** The languages to choose from. */ others: hasLocalized ? others : [],
    locale,
    result,
    isMissing: locale !== '' && translation === undefined,
    serverValue: (key: string): unknown => {
      const [id = '', language = ''] = key.split('@');
      const own = record.values[id] ?? null;
      if (language === '') return own;
      if (language !== locale || !translation) return null;
      // Without a translation, the value of the first language is returned.
      const value = translation.values[id] ?? null;
      return sameJson(value, own) ? null : value;
    },
    revisionOf: (key: string): number | undefined => {
      const [, language = ''] = key.split('@');
      return language === '' ? record.revision : language === locale ? translation?.revision : undefined;
    },
  };
}
export type RecordLanguage = ReturnType<typeof useRecordLanguage>;

/** Whether the record has unsaved changes, how much of them its draft contains (neither passwords nor invalid input), and how to discard them. */
export type UnsavedEdits = Pick<RecordEdits, 'dirty' | 'draft' | 'discard'>;

/** Reports unsaved changes, and on unmounting that there are none. */
export function useReportDirty({ dirty, draft, discard }: RecordEdits, onLeaving: (leaving: UnsavedEdits) => void, onDirty?: (dirty: boolean) => void): void {
  const report = useEffectEvent((now: boolean) => {
    onLeaving({ dirty: now, draft, discard });
    onDirty?.(now);
  });
  useEffect(() => {
    report(dirty);
    return () => report(false);
  }, [dirty, draft]);
}

/** A notice if the edits come from a draft. */
export function useRestoredNotice({ wasRestored }: RecordEdits): void {
  const dispatch = useAppDispatch();
  const show = useEffectEvent(() => {
    if (wasRestored) dispatch(noticeShown({ message: { key: 'tableRecord:restored' } }));
  });
  useEffect(() => show(), []);
}

/** Errors appear in the content, whichever part of the drawer made the request. Returns the `reveal` for the content, which changes once the content is visible. */
export function useRevealInContent({ reveal }: RecordEdits, isContent: boolean, toContent: () => void): number {
  const [revealed, setRevealed] = useState(reveal);
  if (revealed !== reveal && isContent) setRevealed(reveal);
  const show = useEffectEvent(toContent);
  useEffect(() => {
    if (reveal > 0) show();
  }, [reveal]);
  return revealed;
}

/** Ctrl+S saves. */
export function useSaveKey({ dirty, save }: RecordEdits): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 's') return;
    event.preventDefault();
    if (dirty) void save();
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => press(event);
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}
