import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Conversation } from '@contract/support/conversations';
import { conversationPriorities } from '@contract/support/terms';
import { MenuRow, Popup } from '@/ui/Popup';
import { transcriptAddress } from '../supportApi';
import { useBulkAction } from '../useConversationActions';
import type { useConversationActions } from '../useConversationActions';

type Props = {
  readonly anchor: HTMLElement;
  readonly siteId: string;
  readonly conversation: Conversation;
  readonly mayReply: boolean;
  readonly actions: ReturnType<typeof useConversationActions>;
  readonly onClose: () => void;
  readonly onTransfer: () => void;
  readonly onMerge: () => void;
};

/** What is done rarely: transferring, merging, priority, spam, transcript, deleting. */
export function MoreMenu({ anchor, siteId, conversation, mayReply, actions, onClose, onTransfer, onMerge }: Props): ReactElement {
  const { t } = useTranslation('support');
  const act = useBulkAction(siteId);
  const { id, state, priority } = conversation;
  const row = (label: string, run: () => void): ReactElement => (
    <MenuRow
      role="menuitem"
      onClick={() => {
        onClose();
        run();
      }}
    >
      {label}
    </MenuRow>
  );
  return (
    <Popup anchor={anchor} onClose={onClose} label={t('conversation.more')} role="menu" align="end" width={220}>
      {mayReply && (
        <>
          {row(t('more.transfer'), onTransfer)}
          {row(t('more.merge'), onMerge)}
          <div role="group" aria-label={t('priority.label')} className="support-menu-group">
            {conversationPriorities.map((one) => (
              <MenuRow
                key={one}
                role="menuitemradio"
                aria-checked={one === priority}
                onClick={() => {
                  onClose();
                  void actions.change({ priority: one });
                }}
              >
                {t('priority.of', { priority: t(`priority.${one}`) })}
              </MenuRow>
            ))}
          </div>
        </>
      )}
      <a className="menu-row" role="menuitem" href={transcriptAddress({ siteId, id })} download>
        {t('more.transcript')}
      </a>
      {mayReply && (
        <>
          {state !== 'spam' && row(t('more.spam'), () => void actions.spam())}
          {row(t('more.remove'), () => void act({ ids: [id], readSeqs: {} }, 'remove'))}
        </>
      )}
    </Popup>
  );
}
