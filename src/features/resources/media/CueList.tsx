import { Button, OutlinedInput } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '@/ui/Icon';
import { Pager } from '@/ui/Pager';
import { IconButton } from '@/ui/PlainButton';
import { newRow, problemOf, splitRow } from './cueRows';
import type { CueRow } from './cueRows';
import { readTime } from '@contract/resources/vtt';

/** Rows of a page: fields of thousands of cues would take seconds to draw. */
const pageSize = 50;

export type PlayerTime = {
  /** Where the player is, in ms. */
  readonly now: () => number;
  readonly seek: (ms: number) => void;
};

type RowProps = PlayerTime & {
  readonly row: CueRow;
  readonly number: number;
  readonly onChange: (rows: readonly CueRow[]) => void;
};

function CueFields({ row, number, now, seek, onChange }: RowProps): ReactElement {
  const { t } = useTranslation('resources');
  const problem = problemOf(row);
  const put = (change: Partial<CueRow>): void => onChange([{ ...row, ...change }]);
  const time = (field: 'start' | 'end') => (
    <OutlinedInput
      size="small"
      value={row[field]}
      error={problem === field}
      inputProps={{ 'aria-label': t(`media.cue.${field}`, { number }), 'aria-invalid': problem === field, spellCheck: false }}
      onChange={(event) => put({ [field]: event.target.value })}
    />
  );
  return (
    <li className="cue">
      <div>
        <IconButton label={t('media.cue.play', { number })} onClick={() => seek(readTime(row.start) ?? 0)}>
          <Icon name="play" size={16} />
        </IconButton>
        {time('start')}
        <span aria-hidden="true">–</span>
        {time('end')}
        <Button
          size="small"
          aria-label={t('media.cue.splitNamed', { number })}
          onClick={() => {
            const parts = splitRow(row, now());
            if (parts) onChange(parts);
          }}
        >
          {t('media.cue.split')}
        </Button>
        <IconButton label={t('media.cue.remove', { number })} onClick={() => onChange([])}>
          <Icon name="close" size={16} />
        </IconButton>
      </div>
      <OutlinedInput
        multiline
        maxRows={4}
        fullWidth
        size="small"
        value={row.text}
        error={problem === 'text'}
        inputProps={{ 'aria-label': t('media.cue.text', { number }), 'aria-invalid': problem === 'text' }}
        onChange={(event) => put({ text: event.target.value })}
      />
      {problem !== null && <small role="alert">{t(`media.problem.${problem}`)}</small>}
    </li>
  );
}

/** Cues as fields; times may be typed, or taken from the player. */
export function CueList({
  rows,
  onChange,
  ...player
}: PlayerTime & { readonly rows: readonly CueRow[]; readonly onChange: (rows: readonly CueRow[]) => void }): ReactElement {
  const { t } = useTranslation('resources');
  const [page, setPage] = useState(1);
  const last = Math.max(1, Math.ceil(rows.length / pageSize));
  const first = (Math.min(page, last) - 1) * pageSize;
  const replaceAt = (at: number, by: readonly CueRow[]): void => onChange(rows.toSpliced(at, 1, ...by));
  const add = (): void => {
    const start = player.now();
    const after = rows.findIndex((one) => (readTime(one.start) ?? 0) > start);
    const at = after < 0 ? rows.length : after;
    onChange(rows.toSpliced(at, 0, newRow(start)));
    setPage(Math.floor(at / pageSize) + 1);
  };
  return (
    <div className="cues">
      <Button variant="outlined" onClick={add}>
        {t('media.cue.add')}
      </Button>
      {rows.length === 0 && <p className="caption-help">{t('media.cue.none')}</p>}
      <ol>
        {rows.slice(first, first + pageSize).map((row, at) => (
          <CueFields key={row.key} {...player} row={row} number={first + at + 1} onChange={(by) => replaceAt(first + at, by)} />
        ))}
      </ol>
      <Pager page={Math.min(page, last)} size={pageSize} count={rows.length} sizes={[pageSize]} onPage={setPage} onSize={() => undefined} />
    </div>
  );
}
