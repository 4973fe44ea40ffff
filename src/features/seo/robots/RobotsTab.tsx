import { Button, OutlinedInput } from '@mui/material';
import { useMemo, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { mayOnSite } from '@contract/permissions';
import { robotsProblemsOf } from '@contract/seo/robotsLint';
import type { RobotsProblem } from '@contract/seo/robotsLint';
import type { Robots, RobotsWhatIf } from '@contract/seo/robotsSchemas';
import { seoLimits } from '@contract/seo/terms';
import type { Site } from '@contract/sites/schemas';
import { ReadOnlyNote } from '@/features/publishing/ReadOnlyNote';
import { useUnsavedWork } from '@/features/session/useUnsavedWork';
import type { ApiFailure } from '@/lib/failure';
import { isFailure } from '@/lib/failure';
import { useLive } from '@/lib/useLive';
import { useAppDispatch } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Field } from '@/ui/form/Field';
import { LeaveDialog } from '@/ui/LeaveDialog';
import { ResultState } from '@/ui/ResultState';
import { SaveBar } from '@/ui/SaveBar';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import { robotsApi, useRobotsQuery } from './robotsApi';
import { RobotsTester } from './RobotsTester';
import { RobotsVersions } from './RobotsVersions';
import { useSaveRobots } from './useSaveRobots';
import { WhatIf } from './WhatIf';

/** Problems of the text, each leading to its line. */
function Problems({ problems, onLine }: { readonly problems: readonly RobotsProblem[]; readonly onLine: (line: number) => void }): ReactElement {
  const { t } = useTranslation('seo');
  if (problems.length === 0) return <p role="status">{t('robots.noProblems')}</p>;
  return (
    <ul className="robots-problems" aria-label={t('robots.problems')}>
      {problems.map(({ code, line }) => (
        <li key={`${code} ${String(line)}`}>
          {t(`robots.problem.${code}`)}{' '}
          {line !== null && (
            <Button size="small" onClick={() => onLine(line)}>
              {t('robots.line', { line })}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Puts the cursor on a line of a text box. */
function selectLine(box: HTMLTextAreaElement | null, line: number): void {
  if (box === null) return;
  const lines = box.value.split('\n');
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  box.focus();
  box.setSelectionRange(start, start + (lines[line - 1] ?? '').length);
}

function Delivered({ stored, changed }: { readonly stored: Robots; readonly changed: boolean }): ReactElement {
  const { t } = useTranslation('seo');
  return (
    <Section title={t('robots.delivered')} note={changed ? t('robots.deliveredBefore') : t('robots.deliveredNote')}>
      <pre className="robots-file">{stored.delivered}</pre>
    </Section>
  );
}

/** The file as it is edited over the stored one. */
function useRobotsDraft(stored: Robots) {
  const [base, setBase] = useState(stored);
  const [text, setText] = useState(stored.text);
  const [note, setNote] = useState('');
  const [result, setResult] = useState<RobotsWhatIf | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null | undefined>(undefined);
  const isDirty = text !== base.text;
  const isOutdated = base.revision < stored.revision;
  const startFrom = (from: Robots): void => {
    setBase(from);
    setText(from.text);
    setNote('');
    setResult(null);
    setFailure(undefined);
  };
  if (isOutdated && !isDirty) startFrom(stored);
  return {
    revision: base.revision,
    text,
    note,
    result,
    failure,
    isDirty,
    isOutdated,
    setText,
    setNote,
    setResult,
    setFailure,
    discard: () => startFrom(stored),
  };
}
type Draft = ReturnType<typeof useRobotsDraft>;

/** Why the file cannot be saved, or was not. */
function Notes({ stored, draft, readOnly }: { readonly stored: Robots; readonly draft: Draft; readonly readOnly: boolean }): ReactElement {
  const { t } = useTranslation('seo');
  return (
    <>
      {stored.closedBy !== null && (
        <p role="note" className="seo-note">
          {t(`robots.closedBy.${stored.closedBy}`)}
        </p>
      )}
      {readOnly && stored.closedBy !== 'elsewhere' && <ReadOnlyNote />}
      {draft.failure !== undefined && <ErrorPanel title={t('robots.failed')} failure={draft.failure} />}
      {draft.isOutdated && draft.isDirty && (
        <p role="alert" className="seo-note">
          {t('robots.changedMeanwhile')} <Button onClick={draft.discard}>{t('robots.takeTheirs')}</Button>
        </p>
      )}
    </>
  );
}

/** The text with its problems, and the reason for a change. */
function FileFields({ draft, readOnly }: { readonly draft: Draft; readonly readOnly: boolean }): ReactElement {
  const { t } = useTranslation('seo');
  const box = useRef<HTMLTextAreaElement>(null);
  const problems = useMemo(() => robotsProblemsOf(draft.text), [draft.text]);
  return (
    <>
      <Field label={t('robots.text')} help={t('robots.textHelp')}>
        {({ id, ...aria }) => (
          <OutlinedInput
            id={id}
            fullWidth
            multiline
            minRows={10}
            maxRows={24}
            className="robots-code"
            readOnly={readOnly}
            value={draft.text}
            inputRef={box}
            placeholder={'User-agent: *\nDisallow: /private'}
            onChange={({ target }) => draft.setText(target.value)}
            slotProps={{ input: { ...aria, maxLength: seoLimits.robots, spellCheck: false } }}
          />
        )}
      </Field>
      <Problems problems={problems} onLine={(line) => selectLine(box.current, line)} />
      {!readOnly && draft.isDirty && (
        <Field label={t('robots.note')} optional>
          {({ id, ...aria }) => (
            <OutlinedInput
              id={id}
              fullWidth
              value={draft.note}
              onChange={({ target }) => draft.setNote(target.value)}
              slotProps={{ input: { ...aria, maxLength: 200 } }}
            />
          )}
        </Field>
      )}
    </>
  );
}

function Editor({ site, stored }: { readonly site: Site; readonly stored: Robots }): ReactElement {
  const { t } = useTranslation('seo');
  const draft = useRobotsDraft(stored);
  const saving = useSaveRobots(site.id);
  const blocker = useUnsavedWork(draft.isDirty);
  const readOnly = !mayOnSite(site.role, 'site.compose') || stored.closedBy === 'elsewhere';
  const { text, isDirty, setFailure } = draft;
  const compare = async (): Promise<void> => {
    setFailure(undefined);
    const { data, error } = await saving.compare(text);
    if (data) draft.setResult(data);
    else setFailure(isFailure(error) ? error : null);
  };
  return (
    <>
      <form
        className="robots-form"
        aria-label="robots.txt"
        onSubmit={(event) => {
          event.preventDefault();
          if (!readOnly && isDirty && !saving.busy) void saving.save(text, draft.note, draft.revision).then(setFailure);
        }}
      >
        <Notes stored={stored} draft={draft} readOnly={readOnly} />
        <FileFields draft={draft} readOnly={readOnly} />
        {mayOnSite(site.role, 'analytics.read') && (
          <Button variant="outlined" disabled={saving.busy || !isDirty} onClick={() => void compare()}>
            {t('robots.compare')}
          </Button>
        )}
        {draft.result && isDirty && <WhatIf result={draft.result} />}
        {!readOnly && <SaveBar dirty={isDirty} saving={saving.busy && isDirty} onDiscard={draft.discard} saveLabel={t('robots.save')} />}
      </form>
      <RobotsTester text={text} />
      {stored.closedBy !== 'elsewhere' && <Delivered stored={stored} changed={isDirty} />}
      <RobotsVersions
        site={site}
        current={stored.revision}
        onRestore={readOnly || isDirty ? null : ({ version, text: earlier }) => void saving.restore(version, earlier).then(setFailure)}
      />
      <LeaveDialog blocker={blocker} />
    </>
  );
}

/** robots.txt of a site: edited, tested and compared with known addresses before it acts. */
export default function RobotsTab({ site }: { readonly site: Site }): ReactElement {
  const dispatch = useAppDispatch();
  const result = useRobotsQuery({ siteId: site.id });
  useLive([`publishing:${site.id}`], () => void dispatch(robotsApi.util.invalidateTags(['Robots'])));
  return (
    <ResultState result={result} skeleton={<RowsSkeleton rows={8} />}>
      {(stored) => <Editor site={site} stored={stored} />}
    </ResultState>
  );
}
