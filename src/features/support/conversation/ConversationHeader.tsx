import { Button } from '@mui/material';
import { useEffect, useRef, useState } from 'react';
import type { ReactElement, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { Agent, Conversation } from '@contract/support/conversations';
import { isActive } from '@contract/support/terms';
import { FilterSelect } from '@/ui/FilterSelect';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/PlainButton';
import { Tag } from '@/ui/Tag';
import { useMenu } from '@/ui/useMenu';
import type { useConversationActions } from '../useConversationActions';
import { useConversationLabels } from '../useConversationLabels';
import type { PaneProps } from './ConversationPane';
import { MergeDialog } from './MergeDialog';
import { MoreMenu } from './MoreMenu';
import { SnoozeMenu } from './SnoozeMenu';
import { TransferDialog } from './TransferDialog';

const tones = { open: 'warning', waiting: 'info', snoozed: 'info', resolved: 'good', spam: 'bad' } as const;

type Actions = ReturnType<typeof useConversationActions>;
type Props = Pick<PaneProps, 'site' | 'agents' | 'mayReply' | 'onBack' | 'onVisitor'> & {
  readonly conversation: Conversation;
  readonly actions: Actions;
};

/** Who answers; the choice applies at once. */
function AssigneeSelect({
  conversation,
  agents,
  actions,
}: {
  readonly conversation: Conversation;
  readonly agents: readonly Agent[];
  readonly actions: Actions;
}): ReactElement {
  const { t } = useTranslation('support');
  const { assignee } = conversation;
  const listed = assignee === null || agents.some(({ id }) => id === assignee.id) ? agents : [...agents, { ...assignee, online: false }];
  return (
    <FilterSelect
      label={t('conversation.assignee')}
      value={assignee?.id ?? ''}
      choices={[
        { value: '', label: t('conversation.nobody') },
        ...listed.map(({ id, name, online }) => ({ value: id, label: online && id !== assignee?.id ? t('conversation.agentOnline', { name }) : name })),
      ]}
      onChoose={(id) => void actions.assign(id === '' ? null : id)}
    />
  );
}

export function BackButton({ onBack }: { readonly onBack: () => void }): ReactElement {
  const { t } = useTranslation('support');
  return (
    <IconButton label={t('conversation.back')} onClick={onBack}>
      <Icon name="left" />
    </IconButton>
  );
}

/** The heading takes the focus that goes with what was pressed: a button of the former state, and on a phone the list. */
function useHeadingFocus(state: string, onPhone: boolean): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const known = useRef(onPhone ? null : state);
  useEffect(() => {
    if (known.current !== state && document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
    known.current = state;
  }, [state]);
  return heading;
}

/** Name and state of a conversation, and what can be done with it. */
export function ConversationHeader({ site, agents, mayReply, onBack, onVisitor, conversation, actions }: Props): ReactElement {
  const { t } = useTranslation('support');
  const labels = useConversationLabels();
  const [dialog, setDialog] = useState<'transfer' | 'merge' | null>(null);
  const snooze = useMenu();
  const more = useMenu();
  const { state, number, subject, visitor } = conversation;
  const heading = useHeadingFocus(state, onBack !== null);
  const close = (): void => setDialog(null);
  return (
    <header className="support-header">
      {onBack && <BackButton onBack={onBack} />}
      <div>
        <h2 ref={heading} tabIndex={-1}>
          <bdi>{labels.name(conversation)}</bdi>
        </h2>
        <small>
          #{number}
          {subject !== '' && ` · ${subject}`}
          {visitor.online && ` · ${t('visitor.online')}`}
        </small>
      </div>
      <Tag tone={tones[state]}>{t(`state.${state}`)}</Tag>
      <div className="support-header-tools">
        {mayReply && (
          <>
            <AssigneeSelect conversation={conversation} agents={agents} actions={actions} />
            {isActive(state) && (
              <>
                <Button size="small" aria-haspopup="menu" aria-expanded={snooze.anchor !== null} onClick={snooze.toggle}>
                  {t('conversation.snooze')}
                </Button>
                <Button size="small" variant="outlined" onClick={() => void actions.resolve()}>
                  {t('conversation.resolve')}
                </Button>
              </>
            )}
            {state === 'spam' && (
              <Button size="small" variant="outlined" onClick={() => void actions.notSpam()}>
                {t('conversation.notSpam')}
              </Button>
            )}
            {(state === 'resolved' || state === 'snoozed') && (
              <Button size="small" variant="outlined" onClick={() => void actions.reopen()}>
                {t('conversation.reopen')}
              </Button>
            )}
          </>
        )}
        <IconButton label={t('conversation.more')} aria-haspopup="menu" aria-expanded={more.anchor !== null} onClick={more.toggle}>
          <Icon name="more" />
        </IconButton>
        {onVisitor && (
          <IconButton label={t('visitor.show')} onClick={onVisitor}>
            <Icon name="person" />
          </IconButton>
        )}
      </div>
      {snooze.anchor && <SnoozeMenu anchor={snooze.anchor} onClose={snooze.close} onChoose={(until) => void actions.snooze(until)} />}
      {more.anchor && (
        <MoreMenu
          anchor={more.anchor}
          siteId={site.id}
          conversation={conversation}
          mayReply={mayReply}
          actions={actions}
          onClose={more.close}
          onTransfer={() => setDialog('transfer')}
          onMerge={() => setDialog('merge')}
        />
      )}
      {dialog === 'transfer' && <TransferDialog siteId={site.id} conversation={conversation} agents={agents} onClose={close} />}
      {dialog === 'merge' && <MergeDialog siteId={site.id} conversation={conversation} onClose={close} />}
    </header>
  );
}
