import MoreHoriz from '@mui/icons-material/MoreHorizOutlined';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { noticeShown } from '@/features/notices/noticesSlice';
import { copyText } from '@/lib/copyText';
import { phone, useMedia } from '@/lib/useMedia';
import { useAppDispatch } from '@/store/hooks';
import { Caret } from '@/ui/Caret';
import { CopyButton } from '@/ui/CopyButton';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/PlainButton';
import { MenuRow, Popup } from '@/ui/Popup';
import { useMenu } from '@/ui/useMenu';
import { useRecordName } from '../records/cards';
import type { DrawerProps } from './OpenedRecord';
import type { LabelledRecord, RecordEdits } from './useRecordEdits';

type Props = Pick<DrawerProps, 'table' | 'onMove' | 'onClose' | 'onBin'> & {
  readonly record: LabelledRecord;
  readonly edits: RecordEdits;
  readonly titleId: string;
  /** Leaves the record, after a question if there are unsaved changes. */ readonly onGo: (to: () => void) => void;
};

/** Whether everything in the record is saved. */
const SaveState = ({ table, edits }: Pick<Props, 'table' | 'edits'>): ReactElement => {
  const { t } = useTranslation('tableRecord');
  const state = !table.may.includes('update') ? 'readOnly' : edits.busy ? 'saving' : edits.dirty ? 'notSaved' : 'saved';
  return (
    <span role="status" className="rec-state" data-state={state}>
      {t(state)}
    </span>
  );
};

const MoveButtons = ({ onMove, onGo }: Pick<Props, 'onMove' | 'onGo'>): ReactElement | null => {
  const { t } = useTranslation('tableRecord');
  if (!onMove) return null;
  const { before, after } = onMove;
  return (
    <>
      <IconButton label={t('before')} disabled={before === null} onClick={() => before && onGo(before)}>
        <span className="rec-up">
          <Caret to="right" />
        </span>
      </IconButton>
      <IconButton label={t('after')} disabled={after === null} onClick={() => after && onGo(after)}>
        <span className="rec-down">
          <Caret to="right" />
        </span>
      </IconButton>
    </>
  );
};

/** What else can be done with the record; on phones, where the bar has no space for more buttons. */
const RecordMenu = ({ link, edits, onBin, onGo }: Pick<Props, 'edits' | 'onBin' | 'onGo'> & { readonly link: string }): ReactElement => {
  const { t } = useTranslation(['tableRecord', 'tables']);
  const dispatch = useAppDispatch();
  const { anchor, toggle, close } = useMenu();
  const copy = async (): Promise<void> => {
    const copied = await copyText(link);
    dispatch(noticeShown({ tone: copied ? 'good' : 'warning', message: { key: copied ? 'ui:copied' : 'ui:copyFailed' }, for: 3000 }));
  };
  const item = (label: string, onChoose: () => void, color?: string): ReactElement => (
    <MenuRow
      type="button"
      role="menuitem"
      style={{ color }}
      onClick={() => {
        close();
        onChoose();
      }}
    >
      {label}
    </MenuRow>
  );
  return (
    <>
      <IconButton label={t('more')} aria-haspopup="menu" aria-expanded={anchor !== null} onClick={toggle}>
        <MoreHoriz />
      </IconButton>
      {anchor && (
        <Popup anchor={anchor} onClose={close} label={t('more')} role="menu" align="end" width={200}>
          {item(t('copyLink'), () => void copy())}
          {edits.dirty && item(t('discard'), edits.discard)}
          {onBin && item(t('tables:record.bin'), () => onGo(onBin), 'var(--bad)')}
        </Popup>
      )}
    </>
  );
};

/** The bar above the record: its name, and the way to the records before and after it. On phones it is the bar of a page, with the way back. */
export const RecordHead = ({ table, record, edits, titleId, onMove, onBin, onGo, onClose }: Props): ReactElement => {
  const { t } = useTranslation('tableRecord');
  const onPhone = useMedia(phone);
  const name = useRecordName(table)(record);
  const link = `${location.origin}${location.pathname}?${new URLSearchParams({ table: table.id, record: record.id }).toString()}`;
  return (
    <header className="rec-head">
      {onPhone && (
        <IconButton label={t('back')} onClick={() => onGo(onClose)}>
          <Icon name="left" size={20} />
        </IconButton>
      )}
      <div className="rec-name">
        <h2 id={titleId} title={name}>
          {name}
        </h2>
        {onPhone && <SaveState table={table} edits={edits} />}
      </div>
      <span className="rec-acts">
        <MoveButtons onGo={onGo} {...(onMove && { onMove })} />
        {onPhone ? (
          <RecordMenu link={link} edits={edits} onGo={onGo} {...(onBin && { onBin })} />
        ) : (
          <>
            <CopyButton text={link} label={t('copyLink')} />
            <IconButton label={t('close')} onClick={() => onGo(onClose)}>
              <Icon name="close" size={16} />
            </IconButton>
          </>
        )}
      </span>
    </header>
  );
};
