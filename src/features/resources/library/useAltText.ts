import { useEffect, useRef, useState } from 'react';
import type { Resource } from '@contract/resources/schemas';
import { notifyFailure } from '@/features/notices/noticesSlice';
import { isFailure, isStale } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { libraryApi } from '../libraryApi';

type Texts = Readonly<Record<string, string>>;
const { describeResource } = libraryApi.endpoints;

/** Languages in which texts differ; an empty text is none. */
const changedIn = (a: Texts, b: Texts): readonly string[] =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((code) => (a[code] ?? '') !== (b[code] ?? ''));

/**
 * The alternative texts of one resource while somebody types. What others changed meanwhile is kept; `theirs` is their version if they wrote other texts in the
 * same languages. After the row has gone, failures become notices.
 */
export function useAltText(siteId: string, resource: Resource) {
  const dispatch = useAppDispatch();
  const [saved, setSaved] = useState(resource);
  const [texts, setTexts] = useState<Texts>(resource.alt);
  const [status, setStatus] = useState<'idle' | 'saving' | 'saved'>('idle');
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [theirs, setTheirs] = useState<Resource | null>(null);
  const visible = useRef(true);
  useEffect(() => {
    visible.current = true;
    return () => {
      visible.current = false;
    };
  }, []);

  async function send(base: Resource, changed: readonly string[], again: boolean): Promise<void> {
    setStatus('saving');
    setFailure(null);
    const alt = { ...base.alt, ...Object.fromEntries(changed.map((code) => [code, texts[code] ?? ''])) };
    const { data, error } = await dispatch(describeResource.initiate({ siteId, id: base.id, revision: base.revision, body: { alt } }));
    if (data) {
      setSaved(data);
      setTheirs(null);
      setStatus('saved');
      return;
    }
    setStatus('idle');
    const newer = isFailure(error) && isStale(error) ? (error.current as Resource | undefined) : undefined;
    // They changed something else: this change goes on top.
    if (newer && !again && !changedIn(newer.alt, base.alt).some((code) => changed.includes(code))) return send(newer, changed, true);
    if (newer && visible.current) setTheirs(newer);
    else if (!visible.current) notifyFailure(dispatch, error);
    else if (isFailure(error)) setFailure(error);
  }

  return {
    texts,
    status,
    failure,
    theirs,
    type: (language: string, text: string): void => {
      setTexts({ ...texts, [language]: text });
      setStatus('idle');
    },
    save: (): void => {
      const changed = changedIn(texts, saved.alt);
      if (changed.length > 0 && status !== 'saving' && theirs === null) void send(saved, changed, false);
    },
    keepMine: (): void => void (theirs && send(theirs, changedIn(texts, theirs.alt), true)),
    takeTheirs: (): void => {
      if (!theirs) return;
      setSaved(theirs);
      setTexts(theirs.alt);
      setTheirs(null);
    },
  };
}
