import { Button } from '@mui/material';
import { useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import type { ContentTable, TableChange } from '@contract/tables/schemas';
import { tableLimits } from '@contract/tables/terms';
import { LocaleTag } from '@contract/text';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useDraft } from '@/features/session/useDraft';
import { isFailure, isStale } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { ChooseLine, NumberLine, TextLine, Tick } from '@/features/tables/parts/controls';
import { useChangeTableMutation } from '@/features/tables/parts/designApi';
import { tablesApi } from '@/features/tables/tablesApi';
import { useErrorAt } from './fields/editing';
import type { FieldErrors } from './fields/editing';
import { SchemaDialog } from './SchemaDialog';

const icons = ['plain', 'articles', 'products', 'pages', 'faq', 'team'] as const;
type Change = z.input<typeof TableChange>;
type Draft = {
  readonly title: string;
  readonly icon: string;
  readonly key: string;
  readonly note: string;
  readonly primaryField: string;
  readonly drafts: boolean;
  readonly locales: string;
  readonly pattern: string;
  readonly titleField: string;
  readonly trashDays: number | undefined;
};
const draftOf = (table: ContentTable): Draft => ({
  title: table.title,
  icon: table.icon,
  key: table.key,
  note: table.note,
  primaryField: table.primaryField ?? '',
  drafts: table.drafts,
  locales: table.locales.join(', '),
  pattern: table.pages?.pattern ?? '',
  titleField: table.pages?.titleField ?? '',
  trashDays: table.trashDays,
});
const tags = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,，、\s]+/)
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  ),
];
const hasInvalidTag = (text: string): boolean => tags(text).some((tag) => !LocaleTag.safeParse(tag).success);

/** Only differences are sent, so that concurrent changes by others are preserved. */
function changeOf(from: Draft, to: Draft): Change {
  const pages = to.pattern.trim() === '' ? null : { pattern: to.pattern.trim(), titleField: to.titleField === '' ? null : to.titleField };
  return {
    ...(from.title === to.title.trim() ? {} : { title: to.title.trim() }),
    ...(from.icon === to.icon ? {} : { icon: to.icon }),
    ...(from.key === to.key.trim() ? {} : { key: to.key.trim() }),
    ...(from.note === to.note.trim() ? {} : { note: to.note.trim() }),
    ...(from.primaryField === to.primaryField || to.primaryField === '' ? {} : { primaryField: to.primaryField }),
    ...(from.drafts === to.drafts ? {} : { drafts: to.drafts }),
    ...(tags(from.locales).join() === tags(to.locales).join() ? {} : { locales: tags(to.locales) }),
    ...(from.pattern === to.pattern.trim() && from.titleField === to.titleField ? {} : { pages }),
    ...(from.trashDays === to.trashDays || to.trashDays === undefined ? {} : { trashDays: to.trashDays }),
  };
}

/** Editing of a table's settings: the draft that the tab keeps, and saving its differences from the base. */
function useTableSettings(siteId: string, table: ContentTable, onSaved: () => void) {
  const dispatch = useAppDispatch();
  const stored = useDraft<{ base: Draft; draft: Draft }>(`table:${table.id}`);
  const latest = useMemo(() => draftOf(table), [table]);
  // Saves send the difference from this base, so that an old draft does not revert other people's changes.
  const [base] = useState(stored.restored?.base ?? latest);
  const [draft, setDraft] = useState(stored.restored?.draft ?? latest);
  const [fieldErrors, setFieldErrors] = useState<FieldErrors>({});
  const [stale, setStale] = useState(false);
  const [change, { isLoading, error }] = useChangeTableMutation();
  const body = changeOf(base, draft);
  const theirParts = Object.keys(changeOf(base, latest));
  /** Others changed the same parts meanwhile: they are overwritten only after a warning. */
  const isConflict = Object.keys(body).some((part) => theirParts.includes(part));
  const [acknowledged, setAcknowledged] = useState<Draft | null>(null);
  const save = async () => {
    setFieldErrors({});
    if (isConflict && acknowledged !== latest) {
      setAcknowledged(latest);
      setStale(true);
      return;
    }
    const result = await change({ siteId, table: table.id, revision: table.revision, body });
    if (result.data) {
      stored.drop();
      dispatch(noticeShown({ tone: 'good', message: { key: 'tableSchemas:schemas.saved', values: { name: result.data.title } } }));
      onSaved();
    } else if (isFailure(result.error)) {
      if (isStale(result.error)) {
        setStale(true);
        dispatch(tablesApi.util.invalidateTags([{ type: 'Table', id: siteId }]));
      } else if (result.error.code === 'name_taken') setFieldErrors({ key: { code: 'taken' } });
      else setFieldErrors(result.error.fields ?? {});
    }
  };
  return {
    draft,
    stale,
    saving: isLoading,
    unchanged: Object.keys(body).length === 0,
    errorAt: useErrorAt(fieldErrors),
    /** A failure that belongs to no field. */
    error: isFailure(error) && !stale && Object.keys(fieldErrors).length === 0 ? error : undefined,
    set: (part: Partial<Draft>): void => {
      const next = { ...draft, ...part };
      setDraft(next);
      stored.keep({ base, draft: next });
    },
    save,
  };
}

type FieldsProps = Pick<ReturnType<typeof useTableSettings>, 'draft' | 'errorAt' | 'set'> & { readonly table: ContentTable };

/** The title of the table, and its primary field. */
const NameFields = ({ table, draft, errorAt, set }: FieldsProps): ReactElement => {
  const { t } = useTranslation('tableSchemas');
  return (
    <>
      <TextLine label={t('schemas.name')} value={draft.title} max={tableLimits.nameLength} error={errorAt('title')} onChange={(title) => set({ title })} />
      <div className="design-two">
        <ChooseLine
          label={t('schemas.icon')}
          value={draft.icon === '' ? 'plain' : draft.icon}
          options={[...icons, ...(draft.icon === '' || icons.some((id) => id === draft.icon) ? [] : [draft.icon])].map((id) => ({
            id,
            name: icons.some((one) => one === id) ? t(`schemas.icons.${id as 'plain'}`) : id,
          }))}
          onChange={(icon) => set({ icon: icon === 'plain' ? '' : icon })}
        />
        <TextLine
          label={t('schemas.key')}
          help={t('schemas.keyHelp')}
          mono
          value={draft.key}
          max={tableLimits.keyLength}
          error={errorAt('key')}
          onChange={(key) => set({ key })}
        />
      </div>
      <TextLine
        label={t('schemas.note')}
        help={t('schemas.noteHelp')}
        optional
        rows={2}
        max={1000}
        value={draft.note}
        error={errorAt('note')}
        onChange={(note) => set({ note })}
      />
      <ChooseLine
        label={t('schemas.primary')}
        help={t('schemas.primaryHelp')}
        error={errorAt('primaryField')}
        value={draft.primaryField}
        options={table.fields.map(({ id, title }) => ({ id, name: title }))}
        onChange={(primaryField) => set({ primaryField })}
      />
    </>
  );
};

/** Drafts, languages, pages, and retention of the bin. */
const PublishingFields = ({ table, draft, errorAt, set }: FieldsProps): ReactElement => {
  const { t } = useTranslation('tableSchemas');
  return (
    <>
      <Tick
        label={t('schemas.draftsLabel')}
        help={errorAt('drafts') ?? t('schemas.draftsHelp')}
        checked={draft.drafts}
        onChange={(drafts) => set({ drafts })}
      />
      <TextLine
        label={t('schemas.localesLabel')}
        help={t('schemas.localesHelp')}
        mono
        value={draft.locales}
        max={400}
        error={hasInvalidTag(draft.locales) ? t('schemas.localesFault') : errorAt('locales')}
        onChange={(locales) => set({ locales })}
      />
      <TextLine
        label={t('schemas.pattern')}
        help={t('schemas.patternHelp')}
        optional
        mono
        value={draft.pattern}
        max={300}
        error={errorAt('pages') === undefined ? undefined : t('schemas.patternFault')}
        onChange={(pattern) => set({ pattern })}
      />
      {draft.pattern.trim() !== '' && (
        <ChooseLine
          label={t('schemas.titleField')}
          value={draft.titleField}
          options={[{ id: '', name: t('schemas.primary') }, ...table.fields.map(({ id, title }) => ({ id, name: title }))]}
          onChange={(titleField) => set({ titleField })}
        />
      )}
      <NumberLine
        label={t('schemas.trashDays')}
        whole
        least={1}
        most={365}
        value={draft.trashDays}
        error={errorAt('trashDays')}
        onChange={(trashDays) => set({ trashDays })}
      />
    </>
  );
};

/** The title of a table, how its records are published, and where they are pages. */
export const TableSettings = ({
  siteId,
  table,
  onClose,
}: {
  readonly siteId: string;
  readonly table: ContentTable;
  readonly onClose: () => void;
}): ReactElement => {
  const { t } = useTranslation('tableSchemas');
  const { draft, stale, saving, unchanged, errorAt, error, set, save } = useTableSettings(siteId, table, onClose);
  const fields = { table, draft, errorAt, set };
  return (
    <SchemaDialog
      title={t('schemas.settingsTitle', { name: table.title })}
      error={error}
      onClose={onClose}
      action={
        <Button variant="contained" disabled={saving || unchanged || hasInvalidTag(draft.locales)} aria-busy={saving} onClick={() => void save()}>
          {t(saving ? 'saving' : 'save')}
        </Button>
      }
    >
      {stale && (
        <p role="alert" className="error-panel">
          {t('schemas.stale')}
        </p>
      )}
      <NameFields {...fields} />
      <PublishingFields {...fields} />
    </SchemaDialog>
  );
};
