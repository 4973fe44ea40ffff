import { Box, Button, ButtonBase, Table, TableBody, TableCell, TableHead, TableRow, Typography } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { AuditEntry } from '@contract/audit/schemas';
import { selectSites } from '@/features/sites/sitesSlice';
import { useFormat } from '@/lib/format';
import { useAppSelector } from '@/store/hooks';
import { Icon } from '@/ui/Icon';
import { actorLabel, fieldLabel, sentenceOf, valueText } from './sentence';

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
  const { t } = useTranslation('audit');
  const format = useFormat();
  const id = useId();
  const sites = useAppSelector(selectSites);
  const [open, setOpen] = useState(false);
  const names = {
    siteName: (siteId: string) => sites.find((site) => site.id === siteId)?.name ?? siteId,
    personName,
    dateTime: (value: string) => format.dateTime(value),
  };
  const keys = [...new Set([...Object.keys(entry.before ?? {}), ...Object.keys(entry.after ?? {})])];
  const both = entry.before !== null && entry.after !== null;
  const { actor } = entry;
  const facts: readonly (readonly [string, string])[] = [
    [t('detail.time'), format.dateTime(entry.at, { seconds: true })],
    [t('detail.actor'), [actorLabel(t, actor, names), personName(actor.id) === undefined ? '' : actor.name].filter((one) => one !== '').join(' · ')],
    [
      t('detail.target'),
      [entry.target?.kind === 'person' ? (personName(entry.target.id) ?? '') : '', entry.target?.name ?? ''].filter((one) => one !== '').join(' · '),
    ],
    [t('detail.site'), entry.siteId === null ? '' : names.siteName(entry.siteId)],
    [t('detail.place'), entry.place],
    [t('detail.address'), entry.address],
    [t('detail.device'), entry.device],
    [t('detail.action'), entry.action],
  ];
  const aside = [entry.place, entry.device].filter((one) => one !== '').join(' · ');
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
          fontSize: 13,
          textAlign: 'left',
          alignItems: 'baseline',
          '&:hover': { bgcolor: 'action.hover' },
          '& b': { fontWeight: 600 },
        }}
      >
        <Box
          component="span"
          sx={{ display: 'inline-flex', color: 'text.secondary', transform: open ? 'rotate(90deg)' : 'none', transition: 'transform 120ms' }}
        >
          <Icon name="right" size={12} />
        </Box>
        <Box
          component="span"
          sx={{
            color: 'text.secondary',
            fontVariantNumeric: 'tabular-nums',
            gridRow: { xs: 2, md: 'auto' },
            gridColumn: { xs: 2, md: 'auto' },
            fontSize: { xs: 12, md: 13 },
          }}
        >
          {format.dateTime(entry.at)}
          <Box component="span" sx={{ display: { md: 'none' } }}>
            {aside !== '' && ` · ${aside}`}
          </Box>
        </Box>
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
        <Box
          component="span"
          sx={{ display: { xs: 'none', md: 'block' }, color: 'text.secondary', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
        >
          {aside}
        </Box>
      </ButtonBase>
      <Box id={id} hidden={!open} sx={{ pl: { xs: 3, md: '178px' }, pr: 1, pb: 2, pt: 0.5 }}>
        {open && (
          <Box sx={{ display: 'grid', gap: 1.5, justifyItems: 'start' }}>
            {keys.length > 0 && (
              <Box sx={{ overflowX: 'auto', maxWidth: 1 }}>
                <Table size="small" sx={{ width: 'auto', '& td, & th': { py: 0.5, verticalAlign: 'top' } }}>
                  <TableHead>
                    <TableRow>
                      <TableCell sx={{ pl: 0 }}>{t('detail.field')}</TableCell>
                      {both ? (
                        <>
                          <TableCell>{t('detail.before')}</TableCell>
                          <TableCell>{t('detail.after')}</TableCell>
                        </>
                      ) : (
                        <TableCell>{t(entry.after === null ? 'detail.before' : 'detail.value')}</TableCell>
                      )}
                    </TableRow>
                  </TableHead>
                  <TableBody>
                    {keys.map((key) => (
                      <TableRow key={key}>
                        <TableCell component="th" scope="row" sx={{ pl: 0, color: 'text.secondary', whiteSpace: 'nowrap' }}>
                          {fieldLabel(t, key)}
                        </TableCell>
                        {entry.before !== null && (
                          <TableCell sx={{ overflowWrap: 'anywhere', minWidth: 80 }}>{valueText(t, entry.before[key], names, key)}</TableCell>
                        )}
                        {entry.after !== null && (
                          <TableCell sx={{ overflowWrap: 'anywhere', minWidth: 80 }}>{valueText(t, entry.after[key], names, key)}</TableCell>
                        )}
                      </TableRow>
                    ))}
                  </TableBody>
                </Table>
              </Box>
            )}
            <Box component="dl" sx={{ display: 'grid', gridTemplateColumns: 'max-content minmax(0, 1fr)', columnGap: 2, rowGap: 0.25, m: 0, fontSize: 12 }}>
              {facts
                .filter(([, value]) => value !== '')
                .map(([label, value]) => (
                  <Box key={label} sx={{ display: 'contents' }}>
                    <Box component="dt" sx={{ color: 'text.secondary' }}>
                      {label}
                    </Box>
                    <Box component="dd" sx={{ m: 0, overflowWrap: 'anywhere' }}>
                      {value}
                    </Box>
                  </Box>
                ))}
            </Box>
            {actor.id !== null && onActor && (
              <Button variant="outlined" onClick={() => actor.id !== null && onActor(actor.id)}>
                <Typography component="span" variant="body2">
                  {t('filter.actorOnly', { name: actorLabel(t, { ...actor, kind: 'person' }, names) })}
                </Typography>
              </Button>
            )}
          </Box>
        )}
      </Box>
    </Box>
  );
}
