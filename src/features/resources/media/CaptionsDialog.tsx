import { Alert, Button, Dialog, DialogActions, DialogContent, DialogTitle, NativeSelect, OutlinedInput } from '@mui/material';
import { useDeferredValue, useId, useMemo, useRef, useState } from 'react';
import type { DragEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Caption } from '@contract/resources/media';
import type { Resource } from '@contract/resources/schemas';
import { captionUses } from '@contract/resources/terms';
import type { CaptionUse } from '@contract/resources/terms';
import { formatVtt, parseCaptions, parseVtt, vttLimits } from '@contract/resources/vtt';
import type { VttProblem } from '@contract/resources/vtt';
import type { Site } from '@contract/sites/schemas';
import { selectLanguages } from '@/features/languages/languagesSlice';
import { useUnsavedWork } from '@/features/session/useUnsavedWork';
import { isFailure } from '@/lib/failure';
import { useLanguageName } from '@/lib/languageName';
import { readText } from '@/lib/readText';
import { phone, useMedia } from '@/lib/useMedia';
import { useAppSelector } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Field } from '@/ui/form/Field';
import { LeaveDialog } from '@/ui/LeaveDialog';
import { useFileDrop } from '@/ui/useFileDrop';
import { CueList } from './CueList';
import { cuesOf, problemOf, rowOf } from './cueRows';
import type { CueRow } from './cueRows';
import { useSaveResourceCaptionMutation } from './mediaApi';
import { VideoPlayer } from './VideoPlayer';

const keepHere = (event: DragEvent): void => event.stopPropagation();

/** Problems of a file that are listed. */
const mostListed = 8;

/** What an imported file could not be read as. */
function Problems({ problems }: { readonly problems: readonly VttProblem[] }): ReactElement {
  const { t } = useTranslation('resources');
  return (
    <Alert severity="warning" variant="outlined">
      {t('media.imported')}
      <ul className="cue-problems">
        {problems.slice(0, mostListed).map(({ line, code }) => (
          <li key={line}>{t(`media.vtt.${code}`, { line, most: vttLimits.cues })}</li>
        ))}
      </ul>
      {problems.length > mostListed && t('media.moreProblems', { count: problems.length - mostListed })}
    </Alert>
  );
}

type Track = { readonly language: string; readonly use: CaptionUse; readonly label: string };

/** A choice under its label. A value that is not among the choices stays selected. */
function TrackSelect({
  label,
  value,
  choices,
  onChoose,
}: {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly onChoose: (value: string) => void;
}): ReactElement {
  return (
    <Field label={label}>
      {({ id, ...aria }) => (
        <NativeSelect fullWidth id={id} value={value} input={<OutlinedInput />} inputProps={aria} onChange={(event) => onChoose(event.target.value)}>
          {!choices.some((choice) => choice.value === value) && <option value={value}>{value}</option>}
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </NativeSelect>
      )}
    </Field>
  );
}

/** Language, use and name of captions. Those that exist keep language and use, which are their address. */
function TrackFields({ track, isNew, onChange }: { readonly track: Track; readonly isNew: boolean; readonly onChange: (track: Track) => void }): ReactElement {
  const { t } = useTranslation('resources');
  const languageName = useLanguageName();
  const languages = useAppSelector(selectLanguages);
  return (
    <div className="caption-track">
      {isNew && (
        <>
          <TrackSelect
            label={t('media.language')}
            value={track.language}
            choices={languages.map(({ code }) => ({ value: code, label: languageName(code) }))}
            onChoose={(language) => onChange({ ...track, language, label: languageName(language) })}
          />
          <TrackSelect
            label={t('media.kind')}
            value={track.use}
            choices={captionUses.map((value) => ({ value, label: t(`media.use.${value}`) }))}
            onChoose={(value) => onChange({ ...track, use: captionUses.find((use) => use === value) ?? track.use })}
          />
        </>
      )}
      <Field label={t('media.label')}>
        {(control) => (
          <OutlinedInput
            fullWidth
            value={track.label}
            inputProps={{ ...control, maxLength: vttLimits.label }}
            onChange={(event) => onChange({ ...track, label: event.target.value })}
          />
        )}
      </Field>
    </div>
  );
}

type Props = {
  readonly site: Site;
  readonly resource: Resource;
  /** Null for new ones. */
  readonly caption: Caption | null;
  readonly others: readonly Caption[];
  readonly onClose: () => void;
};

/** Cues and track as they are edited, and how they are saved. */
function useCaptions({ site, resource, caption, onClose }: Props) {
  const languageName = useLanguageName();
  const [track, setTrack] = useState<Track>(() => caption ?? { language: site.defaultLang, use: 'subtitles', label: languageName(site.defaultLang) });
  const [rows, setRows] = useState<readonly CueRow[]>(() => (caption ? parseVtt(caption.source).cues.map(rowOf) : []));
  const [problems, setProblems] = useState<readonly VttProblem[]>([]);
  const [dirty, setDirty] = useState(false);
  const [save, { error, isLoading }] = useSaveResourceCaptionMutation();
  const edit =
    <T,>(set: (value: T) => void) =>
    (value: T): void => {
      set(value);
      setDirty(true);
    };
  const changeRows = edit(setRows);
  return {
    track,
    setTrack: edit(setTrack),
    rows,
    setRows: changeRows,
    problems,
    dirty,
    busy: isLoading,
    failure: isFailure(error) ? error : null,
    importFile: async (file: File): Promise<void> => {
      const parsed = parseCaptions(await readText(file));
      setProblems(parsed.problems);
      if (parsed.cues.length > 0) changeRows(parsed.cues.map(rowOf));
    },
    save: async (): Promise<void> => {
      const { language, use, label } = track;
      const body = { label: label.trim(), source: formatVtt(cuesOf(rows)), revision: caption?.revision ?? 0 };
      const { data } = await save({ siteId: site.id, id: resource.id, language, use, body });
      if (data) onClose();
    },
  };
}

/** Edits captions beside the player, which shows them as they are typed. */
function CaptionsDialog(props: Props): ReactElement {
  const { site, resource, caption, others, onClose } = props;
  const { t } = useTranslation(['resources', 'ui']);
  const titleId = useId();
  const fullScreen = useMedia(phone);
  const confirm = useConfirm();
  const player = useRef<HTMLVideoElement>(null);
  const { track, setTrack, rows, setRows, problems, dirty, busy, failure, importFile, save } = useCaptions(props);
  const blocker = useUnsavedWork(dirty);
  const choice = useFileDrop(([file]) => file && void importFile(file));
  const edited = useDeferredValue(rows);
  const tracks = useMemo(() => [{ ...track, cues: cuesOf(edited) }], [track, edited]);
  const exists = caption === null && others.some(({ language, use }) => language === track.language && use === track.use);
  const isComplete = track.label.trim() !== '' && rows.length > 0 && rows.length <= vttLimits.cues && !exists && rows.every((row) => problemOf(row) === null);
  const close = async (): Promise<void> => {
    const question = { title: t('item.discardTitle'), body: t('item.discardText'), confirm: t('item.discard'), danger: true };
    if (!dirty || (await confirm(question))) onClose();
  };
  return (
    <Dialog
      open
      fullScreen={fullScreen}
      fullWidth
      maxWidth="lg"
      aria-labelledby={titleId}
      onClose={() => void close()}
      // The drawer around it would take a file for a new version of the video.
      onDragOver={keepHere}
      onDrop={keepHere}
    >
      <DialogTitle id={titleId}>{caption ? t('media.editTitle', { label: caption.label }) : t('media.add')}</DialogTitle>
      <DialogContent>
        <div className="caption-editor" {...choice.place}>
          <div>
            <VideoPlayer siteId={site.id} resource={resource} player={player} tracks={tracks} />
            <TrackFields track={track} isNew={caption === null} onChange={setTrack} />
            {exists && <p role="alert">{t('media.exists')}</p>}
            <div className="resource-actions">
              <Button onClick={choice.choose}>{t('media.import')}</Button>
              <input {...choice.input} accept=".vtt,.srt,text/vtt" aria-label={t('media.import')} />
            </div>
            <p className="caption-help">{t('media.importHelp')}</p>
            {problems.length > 0 && <Problems problems={problems} />}
            {failure && <ErrorPanel failure={failure} />}
          </div>
          <CueList
            rows={rows}
            onChange={setRows}
            now={() => Math.round((player.current?.currentTime ?? 0) * 1000)}
            seek={(ms) => {
              if (player.current) player.current.currentTime = ms / 1000;
            }}
          />
        </div>
      </DialogContent>
      <DialogActions>
        <Button onClick={() => void close()}>{t('ui:cancel')}</Button>
        <Button variant="contained" disabled={!dirty || !isComplete} aria-busy={busy} onClick={() => void save()}>
          {t('item.save')}
        </Button>
      </DialogActions>
      <LeaveDialog blocker={blocker} />
    </Dialog>
  );
}

export default CaptionsDialog;
