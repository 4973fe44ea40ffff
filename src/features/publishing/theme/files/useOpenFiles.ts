import { useCallback, useRef, useState } from 'react';
import { useDraft } from '@/features/session/useDraft';

type Base = { readonly revision: number; readonly content: string };
/** A file that was opened: its saved version, what the editor contains, and how often that was replaced from outside. */
export type OpenFile = { readonly base: Base; readonly text: string; readonly generation: number };
export const isEdited = ({ base, text }: OpenFile): boolean => base.content !== text;

type Files = ReadonlyMap<string, OpenFile>;
type Drafts = Readonly<Record<string, OpenFile>>;

const draftsOf = (files: Files): Drafts => Object.fromEntries([...files].filter(([, file]) => isEdited(file)));

/** The files that were opened in this tab. Unsaved texts survive switching between files, and a session that ends. */
export function useOpenFiles(siteId: string) {
  const { restored, keep, drop } = useDraft<Drafts>(`theme:${siteId}`);
  const [files, setFiles] = useState<Files>(() => new Map(Object.entries(restored ?? {})));
  /** Undo histories and places of files that are not in the editor at the moment. */
  const [states] = useState(() => new Map<string, unknown>());

  const nextGeneration = useRef(1 + Math.max(0, ...Object.values(restored ?? {}).map(({ generation }) => generation)));

  const update = useCallback(
    (change: (files: Files) => Files): void =>
      setFiles((before) => {
        const after = change(before);
        const drafts = draftsOf(after);
        if (Object.keys(drafts).length > 0) keep(drafts);
        else drop();
        return after;
      }),
    [keep, drop],
  );
  /** Replaces what the editor contains; its undo history begins anew. */
  const replace = useCallback(
    (path: string, base: Base, text = base.content): void => {
      update((before) => new Map(before).set(path, { base, text, generation: nextGeneration.current++ }));
    },
    [update],
  );

  return {
    files,
    states,
    edited: [...files].filter(([, file]) => isEdited(file)).map(([path]) => path),
    replace,
    type: (path: string, text: string): void =>
      update((before) => {
        const file = before.get(path);
        return file ? new Map(before).set(path, { ...file, text }) : before;
      }),
    /** What the editor contains, or contained when it was sent, is now the saved version. */
    saved: (path: string, base: Base): void =>
      update((before) => {
        const file = before.get(path);
        return file ? new Map(before).set(path, { ...file, base }) : before;
      }),
    close: (path: string): void => {
      update((before) => new Map([...before].filter(([one]) => one !== path)));
    },
    closeAll: (): void => {
      update(() => new Map());
    },
  };
}
export type OpenFiles = ReturnType<typeof useOpenFiles>;
