import { Button, Tab, Tabs } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentTable } from '@contract/tables/schemas';
import { useLanguageName } from '@/lib/languageName';
import { oneOf, text, useSearchState } from '@/lib/searchState';
import { isFailure } from '@/lib/failure';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { RowsSkeleton } from '@/ui/skeletons';
import { useFieldEnv } from '../fieldTypes/env';
import { CommentsTab } from './CommentsTab';
import { ConflictPanel } from './ConflictPanel';
import { Content } from './Content';
import type { RecordPresence } from './Content';
import { HistoryTab } from './HistoryTab';
import { JsonTab, LinksTab } from './otherTabs';
import { PublishBar } from './PublishBar';
import { RecordHead } from './RecordHead';
import { useRecordLanguage, useReportDirty, useRestoredNotice, useRevealInContent, useSaveKey } from './recordHooks';
import type { UnsavedEdits, RecordLanguage } from './recordHooks';
import { useRecordEdits } from './useRecordEdits';
import type { LabelledRecord, RecordEdits } from './useRecordEdits';

export type DrawerProps = {
  readonly siteId: string;
  readonly tables: readonly ContentTable[];
  readonly table: ContentTable;
  readonly recordId: string;
  /** Administrators may delete anybody's comments. */ readonly mayDesign?: boolean;
  readonly presence?: RecordPresence;
  readonly onClose: () => void;
  /** Moves the record to the bin; absent where that is not allowed. */ readonly onBin?: () => void;
  /** To the previous or next record in the list; null where there is none. */
  readonly onMove?: { readonly before: (() => void) | null; readonly after: (() => void) | null };
  readonly onBatches?: (batches: readonly string[]) => void;
  readonly onDirty?: (dirty: boolean) => void;
};
const tabs = ['content', 'history', 'comments', 'links', 'json'] as const;
const place = { part: oneOf(tabs, 'content'), side: text('', 40) };
const nobody = (): void => undefined;

const LanguageSelect = ({ language, onChange }: { readonly language: RecordLanguage; readonly onChange: (side: string) => void }): ReactElement => {
  const { t } = useTranslation('tableRecord');
  const languageName = useLanguageName();
  return (
    <label className="rec-language">
      {t('language')}
      <select className="tables-select" value={language.locale === '' ? '-' : language.locale} onChange={(event) => onChange(event.currentTarget.value)}>
        {language.others.map((one) => (
          <option key={one} value={one}>
            {languageName(one)}
          </option>
        ))}
        <option value="-">{t('noLanguage')}</option>
      </select>
    </label>
  );
};

/** In place of the content while its translation is loading, or where that failed. */
const TranslationState = ({ result: { error, refetch } }: Pick<RecordLanguage, 'result'>): ReactElement =>
  error === undefined ? <RowsSkeleton rows={6} /> : <ErrorPanel failure={isFailure(error) ? error : null} onRetry={() => void refetch()} />;

const SaveBar = ({ edits }: { readonly edits: RecordEdits }): ReactElement => {
  const { t } = useTranslation('tableRecord');
  return (
    <div className="rec-save" role="region" aria-label={t('unsaved')}>
      <span>{t('unsaved')}</span>
      <kbd>{t('saveKeys')}</kbd>
      <Button disabled={edits.busy} onClick={edits.discard}>
        {t('discard')}
      </Button>
      <Button variant="contained" aria-busy={edits.busy} onClick={() => void edits.save()}>
        {t(edits.busy ? 'saving' : 'save')}
      </Button>
    </div>
  );
};

/** Announces who else has the record open. */
const PresenceNote = ({ recordId, presence }: Pick<DrawerProps, 'recordId' | 'presence'>): ReactElement => {
  const { t } = useTranslation('tableRecord');
  const { format } = useFieldEnv();
  const here = presence?.others.filter(({ rowId }) => rowId === recordId) ?? [];
  return (
    <p className="only-read" aria-live="polite">
      {here.length > 0 ? t('here', { names: format.list(here.map(({ name }) => name)) }) : ''}
    </p>
  );
};

type Props = DrawerProps & {
  readonly record: LabelledRecord;
  readonly titleId: string;
  readonly onLeaving: (leaving: UnsavedEdits) => void;
  readonly onGo: (to: () => void) => void;
};

/** The loaded record with its tabs. */
export const OpenedRecord = ({ record, titleId, onLeaving, onGo, ...props }: Props): ReactElement => {
  const { siteId, tables, table, presence, onMove, onBin, onBatches = nobody, onDirty, onClose } = props;
  const { t } = useTranslation('tableRecord');
  const [at, change] = useSearchState(place);
  const language = useRecordLanguage(siteId, table, record, at.side);
  const { locale, serverValue, revisionOf } = language;
  const edits = useRecordEdits({ siteId, table, record, serverValue, revisionOf, onBatches });
  useReportDirty(edits, onLeaving, onDirty);
  useRestoredNotice(edits);
  const reveal = useRevealInContent(edits, at.part === 'content', () => change({ part: 'content' }, 'replace'));
  useSaveKey(edits);
  const of = { siteId, table: table.id, id: record.id };
  return (
    <>
      <RecordHead
        table={table}
        record={record}
        edits={edits}
        titleId={titleId}
        onGo={onGo}
        onClose={onClose}
        {...(onMove && { onMove })}
        {...(onBin && { onBin })}
      />
      {table.drafts && <PublishBar siteId={siteId} table={table} record={record} edits={edits} onBatches={onBatches} />}
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
          {language.others.length > 0 && <LanguageSelect language={language} onChange={(side) => change({ side }, 'replace')} />}
          {language.isMissing ? (
            <TranslationState result={language.result} />
          ) : (
            <Content table={table} tables={tables} record={record} edits={edits} reveal={reveal} locale={locale} presence={presence} />
          )}
          {table.may.includes('update') && edits.dirty && <SaveBar edits={edits} />}
        </div>
        {at.part === 'history' && <HistoryTab of={of} table={table} valueOf={serverValue} />}
        {at.part === 'comments' && <CommentsTab of={of} mayRemove={props.mayDesign === true} />}
        {at.part === 'links' && <LinksTab of={of} />}
        {at.part === 'json' && <JsonTab table={table} record={record} />}
      </div>
      <PresenceNote recordId={record.id} {...(presence && { presence })} />
    </>
  );
};
