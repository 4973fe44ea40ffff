import { nanoid } from '@reduxjs/toolkit';
import { useEffect, useRef, useState } from 'react';
import { selectSession } from '@/features/session/sessionSlice';
import { useThrottled } from '@/lib/useThrottled';
import { useAppSelector } from '@/store/hooks';
import { useOutgoing } from '../useOutgoing';
import { readReplyDraft, storeReplyDraft } from './replyDrafts';

/** At most one announcement that somebody is typing in this time, in milliseconds. */
const typingMs = 3000;

type Options = {
  readonly siteId: string;
  readonly conversation: string;
  /** The last place of the conversation that is on the screen. */
  readonly lastSeq: number;
  readonly onTyping: () => void;
};

/** The text of a reply or note, which is stored while it is typed, and its way into the queue. Mounted once for each conversation (`key`). */
export function useReply({ siteId, conversation, lastSeq, onTyping }: Options) {
  const userId = useAppSelector(selectSession)?.userId ?? '';
  const queue = useOutgoing();
  const [draft, setDraft] = useState(() => readReplyDraft(userId, conversation) ?? { text: '', note: false });
  useEffect(() => storeReplyDraft(userId, conversation, draft), [userId, conversation, draft]);
  const announce = useThrottled(onTyping, typingMs, { fresh: false });
  const canned = useRef<string | null>(null);
  const add = (kind: 'text' | 'note', body: string, file?: File): void => {
    const cannedId = file === undefined ? canned.current : null;
    queue.add({ clientId: nanoid(), siteId, conversation, kind, body, at: Date.now(), readSeq: lastSeq, ...(cannedId !== null && { cannedId }) }, file);
    if (file === undefined) canned.current = null;
  };
  return {
    text: draft.text,
    isNote: draft.note,
    type(text: string): void {
      setDraft((before) => ({ ...before, text }));
      if (!draft.note && text.trim() !== '') announce();
    },
    switchNote: (note: boolean): void => setDraft((before) => ({ ...before, note })),
    send(): void {
      add(draft.note ? 'note' : 'text', draft.text.trim());
      setDraft({ text: '', note: false });
    },
    sendFiles: (files: readonly File[]): void => files.forEach((file) => add('text', '', file)),
    cannedChosen(id: string): void {
      canned.current = id;
    },
  };
}
