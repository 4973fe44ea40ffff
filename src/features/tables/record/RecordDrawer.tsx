import { Button, Drawer, Tab, Tabs } from '@mui/material';
import { useEffect, useEffectEvent, useId, useMemo, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { RecordLabels } from '@contract/tables/records';
import type { ContentTable } from '@contract/tables/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { oneOf, text, useSearchState } from '@/lib/searchState';
import { useLanguageName } from '@/lib/languageName';
import { isFailure } from '@/store/failure';
import { useAppDispatch } from '@/store/hooks';
import { AnswerState } from '@/ui/AnswerState';
import { CopyButton } from '@/ui/CopyButton';
import { useConfirm } from '@/ui/confirmContext';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/PlainButton';
import { RowsSkeleton } from '@/ui/skeletons';
import { FieldEnvProvider, useFieldEnv } from '../fieldTypes/env';
import { useRecordName } from '../records/cards';
import { Labelled } from '../records/Labelled';
import { useRecordQuery } from '../tablesApi';
import { CommentsTab } from './CommentsTab';
import { ConflictPanel } from './ConflictPanel';
import { Content } from './Content';
import type { RecordPresence } from './Content';
import { HistoryTab } from './HistoryTab';
import { JsonTab, LinksTab } from './otherTabs';
import { PublishBar } from './PublishBar';
import './record.css';
import { sameJson, useRecordEdits } from './useRecordEdits';
import type { LabelledRecord } from './useRecordEdits';

type Props = {
  readonly siteId: string;
  readonly tables: readonly ContentTable[];
  readonly table: ContentTable;
  readonly recordId: string;
  /** Administrators may delete anybody's comments. */ readonly mayDesign?: boolean;
  readonly presence?: RecordPresence;
  readonly onClose: () => void;
  /** To the previous or next record in the list; null where there is none. */
  readonly onMove?: { readonly before: (() => void) | null; readonly after: (() => void) | null };
  readonly onBatches?: (batches: readonly string[]) => void;
  readonly onDirty?: (dirty: boolean) => void;
};
const tabs = ['content', 'history', 'comments', 'links', 'json'] as const;
const place = { part: oneOf(tabs, 'content'), side: text('', 40) };
const nobody = (): void => undefined;
type Leaving = { readonly dirty: boolean; readonly discard: () => void };

const Opened = ({
  record,
  titleId,
  onLeaving,
  onGo,
  ...props
}: Props & {
  readonly record: LabelledRecord;
  readonly titleId: string;
  readonly onLeaving: (leaving: Leaving) => void;
  readonly onGo: (to: () => void) => void;
}): ReactElement => {
  const { siteId, tables, table, presence, onMove, onBatches, onDirty } = props;
  const { t } = useTranslation('tableRecord');
  const dispatch = useAppDispatch();
  const env = useFieldEnv();
  const languageName = useLanguageName();
  const name = useRecordName(table)(record);
  const [at, change] = useSearchState(place);
  const others = table.locales.slice(1);
  const requestedLocale = at.side === '-' ? '' : others.includes(at.side) ? at.side : (others[0] ?? '');
  const locale = table.fields.some(({ localized }) => localized) ? requestedLocale : '';
  const translated = useRecordQuery({ siteId, table: table.id, id: record.id, locale }, { skip: locale === '' });
  const translation = translated.currentData;
  const serverValue = (key: string): unknown => {
    const [id = '', language = ''] = key.split('@');
    const own = record.values[id] ?? null;
    if (language === '') return own;
    if (language !== locale || !translation) return null;
    // Without a translation, the value of the first language is returned.
    const value = translation.values[id] ?? null;
    return sameJson(value, own) ? null : value;
  };
  const revisionOf = (key: string): number | undefined => {
    const [, language = ''] = key.split('@');
    return language === '' ? record.revision : language === locale ? translation?.revision : undefined;
  };
  const edits = useRecordEdits({ siteId, table, record, serverValue, revisionOf, onBatches: onBatches ?? nobody });
  const { dirty, discard } = edits;
  const report = useEffectEvent((now: boolean) => {
    onLeaving({ dirty: now, discard });
    onDirty?.(now);
  });
  useEffect(() => {
    report(dirty);
    return () => report(false);
  }, [dirty]);
  const found = useEffectEvent(() => {
    if (edits.wasRestored) dispatch(noticeShown({ message: { key: 'tableRecord:restored' } }));
  });
  useEffect(() => found(), []);
  // Errors appear in the content, whichever part of the drawer made the request.
  const { reveal } = edits;
  const [revealed, setRevealed] = useState(reveal);
  if (revealed !== reveal && at.part === 'content') setRevealed(reveal);
  const toContent = useEffectEvent(() => change({ part: 'content' }, 'replace'));
  useEffect(() => {
    if (reveal > 0) toContent();
  }, [reveal]);
  const save = (): Promise<boolean> => edits.save();
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 's') return;
    event.preventDefault();
    if (dirty) void save();
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => press(event);
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
  const of = { siteId, table: table.id, id: record.id };
  const mayWrite = table.may.includes('update');
  const address = `${location.origin}${location.pathname}?${new URLSearchParams({ table: table.id, record: record.id }).toString()}`;
  return (
    <>
      <header className="rec-head">
        <h2 id={titleId}>{name}</h2>
        <span className="rec-acts">
          {onMove && (
            <>
              <IconButton label={t('before')} disabled={onMove.before === null} onClick={() => onMove.before && onGo(onMove.before)}>
                <span className="rec-up">
                  <Icon name="right" size={16} />
                </span>
              </IconButton>
              <IconButton label={t('after')} disabled={onMove.after === null} onClick={() => onMove.after && onGo(onMove.after)}>
                <span className="rec-down">
                  <Icon name="right" size={16} />
                </span>
              </IconButton>
            </>
          )}
          <CopyButton text={address} label={t('copyLink')} />
          <IconButton label={t('close')} onClick={() => onGo(props.onClose)}>
            <Icon name="close" size={16} />
          </IconButton>
        </span>
      </header>
      {table.drafts && <PublishBar siteId={siteId} table={table} record={record} edits={edits} onBatches={onBatches ?? nobody} />}
      <Tabs
        value={at.part}
        onChange={(_event, part: (typeof tabs)[number]) => change({ part }, 'replace')}
        variant="scrollable"
        aria-label={t('tabs.label')}
        className="rec-tabs"
      >
        {tabs.map((one) => (
          <Tab key={one} value={one} label={t(`tabs.${one}`)} id={`rec-tab-${one}`} aria-controls="rec-panel" />
        ))}
      </Tabs>
      <div className="rec-panel" role="tabpanel" id="rec-panel" aria-labelledby={`rec-tab-${at.part}`}>
        {/* Stays mounted while another tab is shown: editors hold drafts that are not valid values yet. */}
        <div hidden={at.part !== 'content'}>
          <ConflictPanel table={table} edits={edits} />
          {edits.failure && <ErrorPanel title={t('saveFailed')} failure={edits.failure} />}
          {others.length > 0 && table.fields.some(({ localized }) => localized) && (
            <label className="rec-language">
              {t('language')}
              <select
                className="tables-select"
                value={locale === '' ? '-' : locale}
                onChange={(event) => change({ side: event.currentTarget.value }, 'replace')}
              >
                {others.map((one) => (
                  <option key={one} value={one}>
                    {languageName(one)}
                  </option>
                ))}
                <option value="-">{t('noLanguage')}</option>
              </select>
            </label>
          )}
          {locale !== '' && translation === undefined ? (
            translated.error === undefined ? (
              <RowsSkeleton rows={6} />
            ) : (
              <ErrorPanel failure={isFailure(translated.error) ? translated.error : null} onRetry={() => void translated.refetch()} />
            )
          ) : (
            <Content table={table} tables={tables} record={record} edits={edits} reveal={revealed} locale={locale} presence={presence} />
          )}
          {mayWrite && dirty && (
            <div className="rec-save" role="region" aria-label={t('unsaved')}>
              <span>{t('unsaved')}</span>
              <kbd>{t('saveKeys')}</kbd>
              <Button size="small" disabled={edits.busy} onClick={discard}>
                {t('discard')}
              </Button>
              <Button size="small" variant="contained" aria-busy={edits.busy} onClick={() => void save()}>
                {t(edits.busy ? 'saving' : 'save')}
              </Button>
            </div>
          )}
        </div>
        {at.part === 'history' && <HistoryTab of={of} table={table} valueOf={serverValue} />}
        {at.part === 'comments' && <CommentsTab of={of} mayRemove={props.mayDesign === true} />}
        {at.part === 'links' && <LinksTab of={of} />}
        {at.part === 'json' && <JsonTab table={table} record={record} />}
      </div>
      <p className="only-read" aria-live="polite">
        {presence?.others.some(({ rowId }) => rowId === record.id) === true
          ? t('here', {
              names: presence.others
                .filter(({ rowId }) => rowId === record.id)
                .map((one) => one.name)
                .join(env.format.locale.startsWith('zh') ? '、' : ', '),
            })
          : ''}
      </p>
    </>
  );
};

/** One record with its content, history, links and comments, in a drawer at the right; full screen on phones. Asks before leaving with unsaved changes. */
const RecordDrawer = (props: Props): ReactElement => {
  const { siteId, table, recordId, presence, onClose } = props;
  const { t } = useTranslation('tableRecord');
  const titleId = useId();
  const confirm = useConfirm();
  const env = useFieldEnv();
  const [names, setNames] = useState<RecordLabels>({ records: {}, people: {} });
  const answer = useRecordQuery({ siteId, table: table.id, id: recordId }, { refetchOnMountOrArgChange: true });
  const leaving = useRef<Leaving>({ dirty: false, discard: () => undefined });
  const here = useEffectEvent(() => presence?.onActive({ rowId: recordId, column: '' }));
  useEffect(() => here(), [recordId]);
  const go = (to: () => void): void => {
    void (async () => {
      if (leaving.current.dirty) {
        if (!(await confirm({ title: t('closeTitle'), body: t('closeText'), confirm: t('discard'), cancel: t('closeKeep'), danger: true }))) return;
        leaving.current.discard();
      }
      to();
    })();
  };
  const own = useMemo(
    () => ({
      ...env,
      onLabel: (kind: keyof RecordLabels, one: { readonly id: string; readonly label: string }) =>
        setNames((before) => ({ ...before, [kind]: { ...before[kind], [one.id]: one.label } })),
    }),
    [env],
  );
  const labels = useMemo<RecordLabels>(() => {
    const answerLabels = answer.data?.labels;
    return { records: { ...answerLabels?.records, ...names.records }, people: { ...answerLabels?.people, ...names.people } };
  }, [answer.data, names]);
  const close = (
    <IconButton label={t('close')} onClick={onClose}>
      <Icon name="close" size={16} />
    </IconButton>
  );
  return (
    <Drawer
      anchor="right"
      open
      onClose={() => go(onClose)}
      slotProps={{
        paper: {
          role: 'dialog',
          'aria-modal': true,
          'aria-labelledby': titleId,
          className: 'rec-drawer',
          sx: { width: { xs: '100%', sm: 'calc(100% - 48px)' }, maxWidth: { sm: table.locales.length > 1 ? 920 : 720 } },
        },
      }}
    >
      <AnswerState
        answer={answer}
        skeleton={
          <div className="rec-wait">
            <header className="rec-head">
              <h2 id={titleId}>{t('loading')}</h2>
              {close}
            </header>
            <RowsSkeleton rows={8} />
          </div>
        }
        failed={(error, onRetry, retrying) => (
          <div className="rec-wait">
            <header className="rec-head">
              <h2 id={titleId}>{table.title}</h2>
              {close}
            </header>
            {isFailure(error) && error.status === 404 ? (
              <EmptyState title={t('missing')} action={<Button onClick={onClose}>{t('close')}</Button>} />
            ) : (
              <ErrorPanel failure={isFailure(error) ? error : null} onRetry={onRetry} retrying={retrying} />
            )}
          </div>
        )}
      >
        {(record) => (
          <FieldEnvProvider value={own}>
            <Labelled labels={labels}>
              <Opened key={record.id} {...props} record={record} titleId={titleId} onGo={go} onLeaving={(now) => (leaving.current = now)} />
            </Labelled>
          </FieldEnvProvider>
        )}
      </AnswerState>
    </Drawer>
  );
};
export default RecordDrawer;
