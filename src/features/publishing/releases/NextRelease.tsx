import { Alert, Button, OutlinedInput } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { mayOnSite } from '@contract/permissions';
import { publishingLimits } from '@contract/publishing/terms';
import type { PartName } from '@contract/publishing/terms';
import type { Site } from '@contract/sites/schemas';
import { useUnsavedWork } from '@/features/session/useUnsavedWork';
import { href } from '@/routes/paths';
import { DateInput } from '@/ui/date/DateInput';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Field } from '@/ui/form/Field';
import { LeaveDialog } from '@/ui/LeaveDialog';
import { ResultState } from '@/ui/ResultState';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import { useUnreleasedQuery } from '../publishingApi';
import { releasedRecords } from './selection';
import { RefusedRecords, TableRecords } from './TableRecords';
import type { Unreleased } from './types';
import { emptyDraft, useCreateRelease } from './useCreateRelease';
import type { ReleaseDraft } from './useCreateRelease';

/** The screen on which a part is edited. */
const screenOf = {
  settings: 'site.setting.base',
  theme: 'site.setting.base.theme',
  menus: 'site.setting.base.menus',
  routes: 'site.setting.base.menus',
  redirects: 'site.setting.base.menus',
  languages: 'site.setting.base',
  seo: 'site.seo',
} as const satisfies Readonly<Record<PartName, string>>;
const sectionOf: Partial<Record<PartName, string>> = { routes: '?part=addresses', redirects: '?part=redirects' };

type DraftProps = { readonly draft: ReleaseDraft; readonly onDraft: (draft: ReleaseDraft) => void };

/** What the release would change: parts of the site in words, and records of each table. */
function Changes({
  site,
  unreleased,
  draft,
  onDraft,
  mayPublish,
}: DraftProps & { readonly site: Site; readonly unreleased: Unreleased; readonly mayPublish: boolean }): ReactElement {
  const { t } = useTranslation('publishing');
  return (
    <ul className="publishing-changes">
      {unreleased.parts.map((part) => (
        <li key={part}>
          <b>{t(`part.${part}`)}</b>
          <Link
            className="text-link"
            to={`${href(screenOf[part], { siteId: site.id })}${sectionOf[part] ?? ''}`}
            aria-label={t('next.viewOf', { part: t(`part.${part}`) })}
          >
            {t('next.view')}
          </Link>
        </li>
      ))}
      {unreleased.tables.map((table) => (
        <TableRecords
          key={table.table}
          site={site}
          table={table}
          leftOut={draft.leftOut}
          onChange={mayPublish ? (leftOut) => onDraft({ ...draft, leftOut }) : null}
        />
      ))}
    </ul>
  );
}

/** Note and time of the release. */
function ReleaseFields({ site, draft, onDraft, timeError }: DraftProps & { readonly site: Site; readonly timeError: string | undefined }): ReactElement {
  const { t } = useTranslation('publishing');
  return (
    <>
      <Field label={t('next.note')} optional>
        {({ id, ...aria }) => (
          <OutlinedInput
            id={id}
            fullWidth
            multiline
            maxRows={6}
            value={draft.note}
            placeholder={t('next.noteExample')}
            onChange={(event) => onDraft({ ...draft, note: event.target.value })}
            slotProps={{ input: { ...aria, maxLength: publishingLimits.note } }}
          />
        )}
      </Field>
      {draft.publishAt !== null && (
        <Field label={t('next.at')} help={t('next.zone', { zone: site.timeZone })} error={timeError}>
          {(aria) => <DateInput {...aria} kind="datetime" value={draft.publishAt ?? ''} onChange={(publishAt) => onDraft({ ...draft, publishAt })} />}
        </Field>
      )}
    </>
  );
}

function ReleaseForm({ site, unreleased }: { readonly site: Site; readonly unreleased: Unreleased }): ReactElement {
  const { t } = useTranslation('publishing');
  const [draft, setDraft] = useState(emptyDraft);
  const { send, busy, failure, refused, isOutdated, timeError, clearTimeError } = useCreateRelease(site, () => setDraft(emptyDraft));
  const mayPublish = mayOnSite(site.role, 'site.publish');
  const blocker = useUnsavedWork(draft.note.trim() !== '' || draft.publishAt !== null || Object.values(draft.leftOut).some((ids) => ids.length > 0));
  const isEmpty = unreleased.parts.length === 0 && releasedRecords(draft.leftOut, unreleased.tables).length === 0;
  const isScheduled = draft.publishAt !== null;
  const change = (next: ReleaseDraft): void => {
    if (next.publishAt !== draft.publishAt) clearTimeError();
    setDraft(next);
  };
  return (
    <form
      className="publishing-next"
      aria-label={t('next.title')}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy && !isEmpty) void send(unreleased, draft);
      }}
    >
      <Changes site={site} unreleased={unreleased} draft={draft} onDraft={change} mayPublish={mayPublish} />
      {isOutdated && (
        <Alert severity="warning" variant="outlined">
          {t('next.outdated')}
        </Alert>
      )}
      {failure && (
        <ErrorPanel title={t('next.failed')} failure={failure}>
          {refused.map((one) => (
            <RefusedRecords key={one.table} site={site} {...one} />
          ))}
        </ErrorPanel>
      )}
      {mayPublish ? (
        <>
          <ReleaseFields site={site} draft={draft} onDraft={change} timeError={timeError} />
          <div className="publishing-buttons">
            <Button type="submit" variant="contained" disabled={isEmpty} aria-busy={busy}>
              {t(busy ? 'next.publishing' : isScheduled ? 'next.schedule' : 'next.publish')}
            </Button>
            <Button onClick={() => change({ ...draft, publishAt: isScheduled ? null : '' })}>{t(isScheduled ? 'next.atOnce' : 'next.later')}</Button>
            {isEmpty && <span className="publishing-quiet">{t('next.nothingChosen')}</span>}
          </div>
        </>
      ) : (
        <p className="publishing-note">{t('next.noRight')}</p>
      )}
      <LeaveDialog blocker={blocker} />
    </form>
  );
}

/** What visitors do not see yet, and publishing it. */
export function NextRelease({ site }: { readonly site: Site }): ReactElement {
  const { t } = useTranslation('publishing');
  const result = useUnreleasedQuery({ siteId: site.id });
  return (
    <Section title={t('next.title')}>
      <ResultState result={result} skeleton={<RowsSkeleton rows={4} />}>
        {(unreleased) =>
          unreleased.parts.length === 0 && unreleased.tables.length === 0 ? (
            <EmptyState title={t('next.none')}>{t('next.noneText')}</EmptyState>
          ) : (
            <ReleaseForm site={site} unreleased={unreleased} />
          )
        }
      </ResultState>
    </Section>
  );
}
