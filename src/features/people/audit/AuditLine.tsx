import { Box, ButtonBase } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { AuditEntry } from '@contract/audit/schemas';
import { selectSites } from '@/features/sites/sitesSlice';
import { useFormat } from '@/lib/format';
import { useAppSelector } from '@/store/hooks';
import { Caret } from '@/ui/Caret';
import { Icon } from '@/ui/Icon';
import { AuditDetail } from './AuditDetail';
import { sentenceOf } from './sentence';
import type { Names } from './sentence';

/** The sentence of an entry with its names and values in bold, marked if it was refused or failed. */
function Sentence({ entry, names }: { readonly entry: AuditEntry; readonly names: Names }): ReactElement {
  const { t } = useTranslation('audit');
  return (
    <Box component="span" sx={{ overflowWrap: 'anywhere', gridRow: { xs: 1, md: 'auto' }, gridColumn: { xs: 2, md: 'auto' } }}>
      {entry.result !== 'done' && (
        <Box
          component="span"
          sx={{ display: 'inline-flex', verticalAlign: '-2px', mr: 0.5, color: entry.result === 'refused' ? 'warning.main' : 'error.main' }}
        >
          <Icon name="warning" size={14} />
          <span className="only-read">{t(`result.${entry.result}`)} </span>
        </Box>
      )}
      {sentenceOf(t, entry, names, (text) => `\u0002${text}\u0002`)
        .split('\u0002')
        .map((part, at) => (at % 2 === 0 ? part : <b key={at}>{part}</b>))}
    </Box>
  );
}

/** Time, sentence and origin in one row; on a phone the time and the origin share a second one. */
function LineSummary({ entry, names, open }: { readonly entry: AuditEntry; readonly names: Names; readonly open: boolean }): ReactElement {
  const format = useFormat();
  const origin = [entry.place, entry.device].filter((one) => one !== '').join(' · ');
  return (
    <>
      <Box
        component="span"
        sx={{
          display: 'inline-flex',
          alignSelf: 'start',
          mt: '2px',
          color: 'text.secondary',
          transform: open ? 'rotate(90deg)' : 'none',
          transition: 'transform 120ms',
        }}
      >
        <Caret to="right" />
      </Box>
      <Box
        component="span"
        sx={{
          color: 'text.secondary',
          fontVariantNumeric: 'tabular-nums',
          gridRow: { xs: 2, md: 'auto' },
          gridColumn: { xs: 2, md: 'auto' },
          fontSize: { xs: 'var(--text-secondary)', md: 'var(--text-table)' },
        }}
      >
        {format.dateTime(entry.at)}
        <Box component="span" sx={{ display: { md: 'none' } }}>
          {origin !== '' && ` · ${origin}`}
        </Box>
      </Box>
      <Sentence entry={entry} names={names} />
      <Box
        component="span"
        sx={{ display: { xs: 'none', md: 'block' }, color: 'text.secondary', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
      >
        {origin}
      </Box>
    </>
  );
}

/** A line of the log: its sentence, and expanded its changes and origin. */
export function AuditLine({
  entry,
  personName,
  onActor,
}: {
  readonly entry: AuditEntry;
  readonly personName: (id: string | null) => string | undefined;
  /** Filters the log by one person; absent: not available. */
  readonly onActor?: (id: string) => void;
}): ReactElement {
  const format = useFormat();
  const id = useId();
  const sites = useAppSelector(selectSites);
  const [open, setOpen] = useState(false);
  const names: Names = {
    siteName: (siteId) => sites.find((site) => site.id === siteId)?.name ?? siteId,
    personName,
    dateTime: (value) => format.dateTime(value),
  };
  return (
    <Box component="li" sx={{ borderBottom: 1, borderColor: 'divider' }}>
      <ButtonBase
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        sx={{
          width: 1,
          display: 'grid',
          gridTemplateColumns: { xs: '14px minmax(0, 1fr)', md: '14px 136px minmax(0, 1fr) minmax(0, 300px)' },
          columnGap: 1.5,
          py: 0.875,
          px: 0.5,
          font: 'inherit',
          fontSize: 'var(--text-table)',
          textAlign: 'left',
          alignItems: 'baseline',
          '&:hover': { bgcolor: 'action.hover' },
          '& b': { fontWeight: 600 },
        }}
      >
        <LineSummary entry={entry} names={names} open={open} />
      </ButtonBase>
      <Box id={id} hidden={!open} sx={{ pl: { xs: 3, md: '178px' }, pr: 1, pb: 2, pt: 0.5 }}>
        {open && <AuditDetail entry={entry} names={names} onActor={onActor} />}
      </Box>
    </Box>
  );
}
