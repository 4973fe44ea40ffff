import { Button } from '@mui/material';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Location } from 'react-router-dom';
import type { EditedPart, SiteParts } from '@contract/publishing/schemas';
import { useUnsavedWork } from '@/features/session/useUnsavedWork';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { StaleNotice } from '@/ui/form/StaleNotice';
import type { Difference } from '@/ui/form/StaleNotice';
import { LeaveDialog } from '@/ui/LeaveDialog';
import { SaveBar } from '@/ui/SaveBar';
import { ReadOnlyNote } from './ReadOnlyNote';
import type { PartDraft } from './usePartDraft';
import './publishing.css';

/** Each part of the tab has an address of its own. */
const placeOf = ({ pathname, search }: Location): string => `${pathname} ${new URLSearchParams(search).get('part') ?? ''}`;
const isText = (target: EventTarget | null): boolean => target instanceof HTMLElement && target.matches('input, textarea, select');

/** What is around the editor of a part: undo, saving, conflicts, failures and unsaved changes. */
export function PartForm<P extends EditedPart>({
  label,
  draft,
  readOnly,
  differences,
  tools,
  children,
}: {
  readonly label: string;
  readonly draft: PartDraft<P>;
  readonly readOnly: boolean;
  readonly differences: (mine: SiteParts[P]['content'], theirs: SiteParts[P]['content']) => readonly Difference[];
  /** Above the form, beside the undo button, which is in the save bar otherwise. */
  readonly tools?: ReactNode;
  readonly children: ReactNode;
}): ReactElement {
  const { t } = useTranslation('publishing');
  const blocker = useUnsavedWork(draft.isDirty, placeOf);
  const pending = useRef(false);
  const save = async (): Promise<void> => {
    if (pending.current || !draft.isDirty) return;
    pending.current = true;
    await draft.save();
    pending.current = false;
  };
  const undoByKey = useEffectEvent((event: KeyboardEvent): void => {
    const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey;
    if (!isUndo || readOnly || isText(event.target) || event.defaultPrevented) return;
    event.preventDefault();
    draft.undo();
  });
  useEffect(() => {
    addEventListener('keydown', undoByKey);
    return () => removeEventListener('keydown', undoByKey);
  }, []);
  const undo = (
    <Button disabled={!draft.canUndo} onClick={draft.undo}>
      {t('undo')}
    </Button>
  );
  return (
    <form
      className="publishing-columns"
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!readOnly) void save();
      }}
    >
      {!readOnly && tools !== undefined && (
        <div className="publishing-buttons publishing-tools">
          {tools}
          {undo}
        </div>
      )}
      {readOnly && <ReadOnlyNote />}
      {draft.theirs && (
        <StaleNotice differences={differences(draft.content, draft.theirs.content)} onKeepMine={() => void save()} onTakeTheirs={draft.discard} />
      )}
      {draft.hasFailed && <ErrorPanel title={t('saveFailed')} failure={draft.failure} />}
      {children}
      {!readOnly && (
        <SaveBar dirty={draft.isDirty && !draft.theirs} saving={draft.busy} onDiscard={draft.discard} {...(tools === undefined ? { tools: undo } : {})} />
      )}
      <LeaveDialog blocker={blocker} />
    </form>
  );
}
