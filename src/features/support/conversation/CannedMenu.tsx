import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { matchScore } from '@/lib/match';
import type { CannedReply } from '@contract/support/settings';

/** At most this many: whoever types on finds the rest. */
const most = 8;

/** Canned replies that match what is typed after `/`, the best match and the most used first. */
export const matchingReplies = (replies: readonly CannedReply[], query: string): CannedReply[] =>
  replies
    .map((reply) => ({ reply, score: query === '' ? 1 : matchScore(query, reply.shortcut, [reply.title]) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.reply.uses - a.reply.uses)
    .slice(0, most)
    .map(({ reply }) => reply);

/** The list above the composer; the focus stays in the text, which moves `at` with the arrow keys. */
export function CannedMenu({
  id,
  replies,
  at,
  onChoose,
}: {
  readonly id: string;
  readonly replies: readonly CannedReply[];
  readonly at: number;
  readonly onChoose: (reply: CannedReply) => void;
}): ReactElement {
  const { t } = useTranslation('support');
  return (
    <div className="support-canned">
      <div id={id} role="listbox" aria-label={t('canned.label')}>
        {replies.map((reply, index) => (
          <button
            type="button"
            tabIndex={-1}
            key={reply.id}
            id={`${id}-${String(index)}`}
            role="option"
            aria-selected={index === at}
            // The composer keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(reply)}
          >
            <code>/{reply.shortcut}</code>
            <b>{reply.title}</b>
            <small>{reply.body}</small>
          </button>
        ))}
      </div>
      {replies.length === 0 && <p role="status">{t('canned.noMatch')}</p>}
    </div>
  );
}
