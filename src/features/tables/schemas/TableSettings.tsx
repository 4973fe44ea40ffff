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
import { isFailure, isStale } from '@/store/failure';
import { useAppDispatch } from '@/store/hooks';
import { ChooseLine, NumberLine, TextLine, Tick } from '../parts/controls';
import { useChangeTableMutation } from '../parts/designApi';
import { tablesApi } from '../tablesApi';
import { useFaults } from '../tableFields/editing';
import type { Faults } from '../tableFields/editing';
import { Frame } from './Small';

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

/** Only what differs is sent, so that what another person changed meanwhile stays. */
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

/** What a table is called, how its records are published, and where they are pages. */
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
  const dispatch = useAppDispatch();
  const kept = useDraft<{ base: Draft; draft: Draft }>(`table:${table.id}`);
  const latest = useMemo(() => draftOf(table), [table]);
  // What the typing began from: a save sends the difference, so a draft of yesterday undoes nobody's work.
  const [base] = useState(kept.restored?.base ?? latest);
  const [draft, setDraft] = useState(kept.restored?.draft ?? latest);
  const [faults, setFaults] = useState<Faults>({});
  const [stale, setStale] = useState(false);
  const [change, { isLoading, error }] = useChangeTableMutation();
  const fault = useFaults(faults);
  const body = changeOf(base, draft);
  const theirs = Object.keys(changeOf(base, latest));
  /** Parts that others changed too while this was open: they are written over only by who has been told. */
  const both = Object.keys(body).some((part) => theirs.includes(part));
  const [acknowledged, setAcknowledged] = useState<Draft | null>(null);
  const unchanged = Object.keys(body).length === 0;
  const wrongTags = tags(draft.locales).some((tag) => !LocaleTag.safeParse(tag).success);
  const set = (part: Partial<Draft>) => {
    const next = { ...draft, ...part };
    setDraft(next);
    kept.keep({ base, draft: next });
  };
  const save = async () => {
    setFaults({});
    if (both && acknowledged !== latest) {
      setAcknowledged(latest);
      setStale(true);
      return;
    }
    const answer = await change({ siteId, table: table.id, revision: table.revision, body });
    if (answer.data) {
      kept.drop();
      dispatch(noticeShown({ tone: 'good', words: { key: 'tableSchemas:schemas.saved', values: { name: answer.data.title } } }));
      onClose();
    } else if (isFailure(answer.error)) {
      if (isStale(answer.error)) {
        setStale(true);
        dispatch(tablesApi.util.invalidateTags([{ type: 'Table', id: siteId }]));
      } else if (answer.error.code === 'name_taken') setFaults({ key: { code: 'taken' } });
      else setFaults(answer.error.fields ?? {});
    }
  };
  const shownError = isFailure(error) && !stale && Object.keys(faults).length === 0 ? error : undefined;
  return (
    <Frame
      title={t('schemas.settingsTitle', { name: table.title })}
      error={shownError}
      onClose={onClose}
      action={
        <Button variant="contained" disabled={isLoading || unchanged || wrongTags} aria-busy={isLoading} onClick={() => void save()}>
          {t(isLoading ? 'saving' : 'save')}
        </Button>
      }
    >
      {stale && (
        <p role="alert" className="error-panel">
          {t('schemas.stale')}
        </p>
      )}
      <TextLine label={t('schemas.name')} value={draft.title} max={tableLimits.nameLength} error={fault('title')} onChange={(title) => set({ title })} />
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
          error={fault('key')}
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
        error={fault('note')}
        onChange={(note) => set({ note })}
      />
      <ChooseLine
        label={t('schemas.primary')}
        help={t('schemas.primaryHelp')}
        error={fault('primaryField')}
        value={draft.primaryField}
        options={table.fields.map(({ id, title }) => ({ id, name: title }))}
        onChange={(primaryField) => set({ primaryField })}
      />
      <Tick label={t('schemas.draftsLabel')} help={fault('drafts') ?? t('schemas.draftsHelp')} checked={draft.drafts} onChange={(drafts) => set({ drafts })} />
      <TextLine
        label={t('schemas.localesLabel')}
        help={t('schemas.localesHelp')}
        mono
        value={draft.locales}
        max={400}
        error={wrongTags ? t('schemas.localesFault') : fault('locales')}
        onChange={(locales) => set({ locales })}
      />
      <TextLine
        label={t('schemas.pattern')}
        help={t('schemas.patternHelp')}
        optional
        mono
        value={draft.pattern}
        max={300}
        error={fault('pages') === undefined ? undefined : t('schemas.patternFault')}
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
        error={fault('trashDays')}
        onChange={(trashDays) => set({ trashDays })}
      />
    </Frame>
  );
};
