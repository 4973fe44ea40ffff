import { useState } from 'react';
import type { EditedPart, SiteParts } from '@contract/publishing/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import type { ApiFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { useSavePart } from './useSavePart';

/** Earlier states that undo can return to. */
const undoSteps = 100;
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** A part that is edited as a whole: changes with undo, saving, and what somebody else has saved meanwhile (`theirs`). */
export type PartDraft<P extends EditedPart> = {
  readonly content: SiteParts[P]['content'];
  readonly isDirty: boolean;
  readonly busy: boolean;
  readonly theirs: SiteParts[P] | null;
  readonly failure: ApiFailure | null;
  readonly hasFailed: boolean;
  readonly canUndo: boolean;
  readonly change: (content: SiteParts[P]['content']) => void;
  readonly undo: () => void;
  /** Saves over the stored version, or over `theirs`. */
  readonly save: () => Promise<void>;
  readonly discard: () => void;
};

export function usePartDraft<P extends EditedPart>(siteId: string, part: P, stored: SiteParts[P]): PartDraft<P> {
  type Working = SiteParts[P];
  const dispatch = useAppDispatch();
  const { save, busy } = useSavePart(siteId, part);
  const [base, setBase] = useState<Working>(stored);
  const [content, setContent] = useState<Working['content']>(stored.content);
  const [past, setPast] = useState<readonly Working['content'][]>([]);
  const [theirs, setTheirs] = useState<Working | null>(null);
  const [outcome, setOutcome] = useState<{ readonly failure: ApiFailure | null } | null>(null);
  const isDirty = !same(content, base.content);

  const startFrom = (from: Working): void => {
    setBase(from);
    setContent(from.content);
    setPast([]);
    setTheirs(null);
    setOutcome(null);
  };
  if (!isDirty && base.revision < stored.revision) startFrom(stored);

  return {
    content,
    isDirty,
    busy,
    theirs,
    failure: outcome?.failure ?? null,
    hasFailed: outcome !== null,
    canUndo: past.length > 0,
    change: (next) => {
      if (same(next, content)) return;
      setPast([...past, content].slice(-undoSteps));
      setContent(next);
    },
    undo: () => {
      const before = past.at(-1);
      if (before === undefined) return;
      setPast(past.slice(0, -1));
      setContent(before);
    },
    save: async () => {
      setOutcome(null);
      const result = await save((theirs ?? base).revision, content);
      if ('revision' in result) {
        startFrom({ content, revision: result.revision } as Working);
        dispatch(noticeShown({ tone: 'good', message: { key: 'publishing:saved' } }));
      } else if ('theirs' in result) setTheirs(result.theirs);
      else setOutcome({ failure: result.failure });
    },
    discard: () => startFrom(theirs ?? (stored.revision >= base.revision ? stored : base)),
  };
}
