import { useState } from 'react';
import type { KeyboardEvent } from 'react';
import type { CannedReply } from '@contract/support/settings';
import { matchingReplies } from './CannedMenu';
import { typedShortcut } from './shortcut';

/** The canned replies for what is typed, and the keys that choose among them. `onChoose` gets the chosen one. */
export function useCannedMenu(text: string, replies: readonly CannedReply[], onChoose: (reply: CannedReply) => void) {
  const [at, setAt] = useState(0);
  const [dismissed, setDismissed] = useState('');
  const query = typedShortcut(text);
  const isOpen = query !== null && dismissed !== text && replies.length > 0;
  const matches = isOpen ? matchingReplies(replies, query) : [];
  const chosen = Math.min(at, Math.max(0, matches.length - 1));
  /** Whether the key belonged to the menu. */
  const onKey = (event: KeyboardEvent): boolean => {
    if (!isOpen) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && matches.length > 0) {
      event.preventDefault();
      setAt((chosen + step + matches.length) % matches.length);
      return true;
    }
    const reply = matches[chosen];
    if ((event.key === 'Enter' || event.key === 'Tab') && reply !== undefined) {
      event.preventDefault();
      setAt(0);
      onChoose(reply);
      return true;
    }
    if (event.key !== 'Escape') return false;
    event.preventDefault();
    event.stopPropagation();
    setDismissed(text);
    return true;
  };
  return { isOpen, matches, chosen, onKey };
}
