import type { RefObject } from 'react';
import { useEffect, useEffectEvent } from 'react';
import { tinykeys } from 'tinykeys';
import type { Conversation } from '@contract/support/conversations';
import { selectSession } from '@/features/session/sessionSlice';
import { useAppSelector } from '@/store/hooks';
import { supportApi } from './supportApi';
import { useBulkAction } from './useConversationActions';

type Options = {
  readonly siteId: string;
  readonly rows: readonly Conversation[];
  readonly open: string;
  readonly mayReply: boolean;
  readonly inputRef: RefObject<HTMLTextAreaElement | null>;
  readonly onOpen: (id: string) => void;
  readonly onSelect: (id: string) => void;
};

/** Not while typing, in a menu, a list of choices, or a dialog. */
const isElsewhere = ({ target, defaultPrevented }: KeyboardEvent): boolean =>
  defaultPrevented ||
  (target instanceof HTMLElement &&
    (target.isContentEditable ||
      ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName) ||
      target.closest('dialog, [role="dialog"], [role="menu"], [role="listbox"]') !== null));

/** j and k move through the list, r answers, e resolves, a assigns to oneself, x selects. */
export function useSupportKeys({ siteId, rows, open, mayReply, inputRef, onOpen, onSelect }: Options): void {
  const me = useAppSelector(selectSession)?.userId;
  const act = useBulkAction(siteId);
  const move = useEffectEvent((step: number) => {
    const at = rows.findIndex(({ id }) => id === open);
    const next = rows[at === -1 ? (step > 0 ? 0 : rows.length - 1) : at + step];
    if (next) onOpen(next.id);
  });
  const reply = useEffectEvent(() => inputRef.current?.focus());
  /** The last message of the open conversation that is on the screen. */
  const { lastSeq } = supportApi.endpoints.supportMessages.useQueryState(
    { siteId, id: open },
    { skip: open === '', selectFromResult: ({ currentData }) => ({ lastSeq: currentData?.rows.at(-1)?.seq ?? 0 }) },
  );
  const resolve = useEffectEvent(() => {
    if (mayReply && open !== '') void act({ ids: [open], readSeqs: { [open]: lastSeq } }, 'resolve');
  });
  const assign = useEffectEvent(() => {
    if (mayReply && open !== '' && me !== undefined) void act({ ids: [open], readSeqs: {} }, 'assign', me);
  });
  const select = useEffectEvent(() => {
    if (mayReply && open !== '') onSelect(open);
  });
  useEffect(() => {
    const quiet = (run: () => void) => (event: KeyboardEvent) => {
      if (isElsewhere(event)) return;
      event.preventDefault();
      run();
    };
    return tinykeys(window, {
      j: quiet(() => move(1)),
      k: quiet(() => move(-1)),
      r: quiet(() => reply()),
      e: quiet(() => resolve()),
      a: quiet(() => assign()),
      x: quiet(() => select()),
    });
  }, []);
}
