import { Box, Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { importSteps } from '@contract/siteImport/terms';
import type { SiteImport } from '@contract/siteImport/schemas';
import { notifyFailure } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { href } from '@/routes/paths';
import { addressOf } from '@/store/endpoints';
import { useAppDispatch } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { JobProgress, shareDone } from '@/ui/JobProgress';
import {
  importCalls,
  useCheckSiteImportMutation,
  useRunSiteImportMutation,
  useSiteImportItemsQuery,
  useStopSiteImportMutation,
  useUndoSiteImportMutation,
} from './siteImportApi';

type Props = { readonly it: SiteImport };

function Running({ it }: Props): ReactElement {
  const { t } = useTranslation('siteImport');
  const format = useFormat();
  const [stop, { isLoading }] = useStopSiteImportMutation();
  const isUndo = it.state === 'undoing';
  const step = it.step ?? 'site';
  return (
    <JobProgress
      title={
        isUndo ? t('report.undoing') : t('report.running', { step: t(`report.step.${step}`), number: importSteps.indexOf(step) + 1, of: importSteps.length })
      }
      share={shareDone(it.done, it.total)}
      {...(it.done !== null && it.total !== null && { detail: `${format.number(it.done)} / ${format.number(it.total)}` })}
      note={t('report.leave')}
      {...(!isUndo && { stop: { label: t('report.pause'), busy: isLoading, onStop: () => void stop({ id: it.id, body: { how: 'pause' } }) } })}
    />
  );
}

/** Figures of records and files by outcome. */
function Counts({ it }: Props): ReactElement {
  const { t } = useTranslation('siteImport');
  const format = useFormat();
  return (
    <table className="import-counts">
      <thead>
        <tr>
          <th scope="col">{t('report.what')}</th>
          <th scope="col">{t('report.records')}</th>
          <th scope="col">{t('report.media')}</th>
        </tr>
      </thead>
      <tbody>
        {(['created', 'updated', 'unchanged', 'skipped', 'failed'] as const).map((outcome) => (
          <tr key={outcome}>
            <th scope="row">{t(`outcome.${outcome}`)}</th>
            {[it.records[outcome], it.media[outcome]].map((count, at) => (
              <td key={at === 0 ? 'records' : 'media'} data-bad={outcome === 'failed' && count > 0 ? '' : undefined}>
                {format.number(count)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const archived = ['tables', 'records', 'files', 'pages', 'redirects', 'menus', 'languages', 'themeFiles', 'terms'] as const;

/** What an archive has brought, and what an archive never contains. */
function ArchiveCounts({ archive }: { readonly archive: NonNullable<SiteImport['archive']> }): ReactElement {
  const { t } = useTranslation('siteImport');
  const format = useFormat();
  const lost = archive.archivedFiles - archive.files;
  return (
    <>
      <table className="import-counts">
        <thead>
          <tr>
            <th scope="col">{t('report.archive.content')}</th>
            <th scope="col">{t('report.archive.number')}</th>
          </tr>
        </thead>
        <tbody>
          {archived.map((what) => (
            <tr key={what}>
              <th scope="row">{t(`report.archive.${what}`)}</th>
              <td>{format.number(archive[what])}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">robots.txt</th>
            <td>{t(archive.robots ? 'report.archive.imported' : 'report.archive.absent')}</td>
          </tr>
        </tbody>
      </table>
      {lost > 0 && <p role="alert">{t('report.archive.lost', { count: lost, number: format.number(lost) })}</p>}
      <p className="import-quiet">{t('report.archive.left')}</p>
    </>
  );
}

function Failures({ it }: Props): ReactElement | null {
  const { t } = useTranslation('siteImport');
  const format = useFormat();
  const [skip, setSkip] = useState(0);
  const failed = it.records.failed + it.media.failed;
  const { data } = useSiteImportItemsQuery({ id: it.id, outcome: 'failed', skip }, { skip: failed === 0 });
  if (failed === 0 || !data) return null;
  return (
    <section aria-labelledby="import-failures">
      <h2 id="import-failures">{t('report.failures', { count: data.total, number: format.number(data.total) })}</h2>
      <ul className="import-findings">
        {data.rows.map(({ kind, source, title, reason }) => (
          <li key={`${kind} ${source}`}>
            <b>{kind === 'media' ? source.replace(/^file:\/\/\//, '') : title}</b> {reason}
          </li>
        ))}
      </ul>
      {data.total > data.rows.length && (
        <Box sx={{ display: 'flex', gap: 1 }}>
          <Button disabled={skip === 0} onClick={() => setSkip(skip - 100)}>
            {t('report.earlier')}
          </Button>
          <Button disabled={skip + 100 >= data.total} onClick={() => setSkip(skip + 100)}>
            {t('report.later')}
          </Button>
        </Box>
      )}
    </section>
  );
}

function CheckResult({ it }: Props): ReactElement | null {
  const { t } = useTranslation('siteImport');
  const format = useFormat();
  const { check } = it;
  if (it.source === 'archive') return null;
  if (check === null) return <p>{t('report.notChecked')}</p>;
  return (
    <>
      <p>
        {t('report.check', { requested: format.number(check.requested), answered: format.number(check.answered), redirected: format.number(check.redirected) })}{' '}
        {check.brokenCount === 0 ? t('report.noneBroken') : <b>{t('report.broken', { count: check.brokenCount, number: format.number(check.brokenCount) })}</b>}
      </p>
      {check.broken.length > 0 && (
        <details>
          <summary>{t('report.brokenList')}</summary>
          <ul className="import-findings">
            {check.broken.map((path) => (
              <li key={path}>{path}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function Actions({ it, onNew }: Props & { readonly onNew: () => void }): ReactElement {
  const { t } = useTranslation('siteImport');
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const [run, running] = useRunSiteImportMutation();
  const [undo, undoing] = useUndoSiteImportMutation();
  const [check, checking] = useCheckSiteImportMutation();
  const failed = it.records.failed + it.media.failed;
  const can = (...states: readonly SiteImport['state'][]): boolean => states.includes(it.state);
  const start = (call: Promise<{ error?: unknown }>): void => void call.then(({ error }) => notifyFailure(dispatch, error));
  const takeBack = async (): Promise<void> => {
    if (await confirm({ title: t('report.undoTitle'), body: t('report.undoText'), confirm: t('report.undo'), danger: true })) start(undo({ id: it.id }));
  };
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
      {it.siteId !== null && !can('undone') && (
        <Button variant="contained" component={Link} to={href('site.setting.base.releases', { siteId: it.siteId })}>
          {t('report.publish')}
        </Button>
      )}
      {it.siteId !== null && (
        <Button variant="outlined" component={Link} to={href('site', { siteId: it.siteId })}>
          {t('report.open')}
        </Button>
      )}
      {can('paused', 'failed', 'cancelled') && (
        <Button variant="contained" disabled={running.isLoading} onClick={() => start(run({ id: it.id }))}>
          {t('report.continue')}
        </Button>
      )}
      {failed > 0 && can('done', 'incomplete') && (
        <Button variant="outlined" disabled={running.isLoading} onClick={() => start(run({ id: it.id }))}>
          {t('report.retry')}
        </Button>
      )}
      {it.source !== 'archive' && can('done', 'incomplete') && (
        <Button disabled={checking.isLoading} onClick={() => start(check({ id: it.id }))}>
          {t('report.checkAgain')}
        </Button>
      )}
      {it.records.created + it.media.created > 0 && (
        <Button component="a" href={addressOf(importCalls.siteImportReport, { id: it.id })} download>
          {t('report.csv')}
        </Button>
      )}
      {it.siteId !== null && can('done', 'incomplete', 'paused', 'failed', 'cancelled') && (
        <Button color="error" disabled={undoing.isLoading} onClick={() => void takeBack()}>
          {t('report.undo')}
        </Button>
      )}
      <Button onClick={onNew}>{t('report.another')}</Button>
    </Box>
  );
}

/** The run while it goes on, and what came of it. */
export function ReportStep({ it, onNew }: Props & { readonly onNew: () => void }): ReactElement {
  const { t } = useTranslation('siteImport');
  const busy = it.state === 'running' || it.state === 'undoing';
  return (
    <Box sx={{ display: 'grid', gap: 3 }}>
      {busy ? (
        <Running it={it} />
      ) : (
        <p role="status">
          <b>{t(`state.${it.state}`)}</b>
          {it.error !== null && ` ${it.error}`}
          {it.state === 'undone' && (it.left ?? 0) > 0 && ` ${t('report.left', { count: it.left ?? 0 })}`}
        </p>
      )}
      {it.source === 'archive' ? it.state !== 'undone' && it.archive && <ArchiveCounts archive={it.archive} /> : <Counts it={it} />}
      {!busy && it.state !== 'undone' && (
        <>
          {it.redirects > 0 && <p>{t('report.redirects', { count: it.redirects })}</p>}
          {(it.state === 'done' || it.state === 'incomplete') && <CheckResult it={it} />}
          <Failures it={it} />
        </>
      )}
      {!busy && <Actions it={it} onNew={onNew} />}
    </Box>
  );
}
