import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { BulkAction, ConversationList } from '@contract/support/terms';
import { selectSession } from '@/features/session/sessionSlice';
import { useAppSelector } from '@/store/hooks';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/PlainButton';
import { useBulkAction } from '../useConversationActions';
import type { useSelected } from './useSelected';

/** What can be done with the chosen conversations, by their list. */
const actionsOf = (list: ConversationList): readonly BulkAction[] =>
  list === 'spam' ? ['not_spam', 'remove'] : list === 'resolved' ? ['reopen', 'remove'] : ['resolve', 'assign', 'spam', 'remove'];

export function BulkBar({
  siteId,
  list,
  selected,
}: {
  readonly siteId: string;
  readonly list: ConversationList;
  readonly selected: ReturnType<typeof useSelected>;
}): ReactElement {
  const { t } = useTranslation('support');
  const me = useAppSelector(selectSession)?.userId ?? null;
  const act = useBulkAction(siteId);
  return (
    <div className="support-bulk" role="toolbar" aria-label={t('bulk.label')}>
      <b role="status">{t('bulk.selected', { count: selected.ids.length })}</b>
      {actionsOf(list).map((action) => (
        <Button
          key={action}
          size="small"
          onClick={() => void act(selected, action, action === 'assign' ? me : undefined).then((done) => done && selected.clear())}
        >
          {t(`bulk.${action}`)}
        </Button>
      ))}
      <IconButton label={t('bulk.clear')} onClick={selected.clear}>
        <Icon name="close" size={16} />
      </IconButton>
    </div>
  );
}
