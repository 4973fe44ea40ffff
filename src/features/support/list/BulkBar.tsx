import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { BulkAction, ConversationList } from '@contract/support/terms';
import { selectSession } from '@/features/session/sessionSlice';
import { useAppSelector } from '@/store/hooks';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/PlainButton';
import { useBulkAction } from '../useConversationActions';

/** What can be done with the chosen conversations, by their list. */
const actionsOf = (list: ConversationList): readonly BulkAction[] =>
  list === 'spam' ? ['not_spam', 'remove'] : list === 'resolved' ? ['reopen', 'remove'] : ['resolve', 'assign', 'spam', 'remove'];

export function BulkBar({
  siteId,
  list,
  ids,
  onDone,
}: {
  readonly siteId: string;
  readonly list: ConversationList;
  readonly ids: readonly string[];
  readonly onDone: () => void;
}): ReactElement {
  const { t } = useTranslation('support');
  const me = useAppSelector(selectSession)?.userId ?? null;
  const act = useBulkAction(siteId);
  return (
    <div className="support-bulk" role="toolbar" aria-label={t('bulk.label')}>
      <b role="status">{t('bulk.selected', { count: ids.length })}</b>
      {actionsOf(list).map((action) => (
        <Button key={action} size="small" onClick={() => void act(ids, action, action === 'assign' ? me : undefined).then((done) => done && onDone())}>
          {t(`bulk.${action}`)}
        </Button>
      ))}
      <IconButton label={t('bulk.clear')} onClick={onDone}>
        <Icon name="close" size={16} />
      </IconButton>
    </div>
  );
}
