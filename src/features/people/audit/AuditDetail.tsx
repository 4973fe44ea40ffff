import { Box, Button, Table, TableBody, TableCell, TableHead, TableRow, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { AuditEntry } from '@contract/audit/schemas';
import { useFormat } from '@/lib/format';
import { actorLabel, fieldLabel, valueText } from './sentence';
import type { Names } from './sentence';

type Props = { readonly entry: AuditEntry; readonly names: Names };

/** The values before and after, one row per field; only one column if something was created or removed. */
function ChangeTable({ entry: { before, after }, names }: Props): ReactElement | null {
  const { t } = useTranslation('audit');
  const keys = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  if (keys.length === 0) return null;
  const valueStyle = { overflowWrap: 'anywhere', minWidth: 80 } as const;
  return (
    <Box sx={{ overflowX: 'auto', maxWidth: 1 }}>
      <Table size="small" sx={{ width: 'auto', '& td, & th': { py: 0.5, verticalAlign: 'top' } }}>
        <TableHead>
          <TableRow>
            <TableCell sx={{ pl: 0 }}>{t('detail.field')}</TableCell>
            {before !== null && after !== null ? (
              <>
                <TableCell>{t('detail.before')}</TableCell>
                <TableCell>{t('detail.after')}</TableCell>
              </>
            ) : (
              <TableCell>{t(after === null ? 'detail.before' : 'detail.value')}</TableCell>
            )}
          </TableRow>
        </TableHead>
        <TableBody>
          {keys.map((key) => (
            <TableRow key={key}>
              <TableCell component="th" scope="row" sx={{ pl: 0, color: 'text.secondary', whiteSpace: 'nowrap' }}>
                {fieldLabel(t, key)}
              </TableCell>
              {before !== null && <TableCell sx={valueStyle}>{valueText(t, before[key], names, key)}</TableCell>}
              {after !== null && <TableCell sx={valueStyle}>{valueText(t, after[key], names, key)}</TableCell>}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
  );
}

const joined = (...parts: readonly string[]): string => parts.filter((one) => one !== '').join(' · ');

/** When, by whom, to what and from where; facts that are not known are absent. */
function OriginFacts({ entry, names }: Props): ReactElement {
  const { t } = useTranslation('audit');
  const format = useFormat();
  const { actor, target } = entry;
  const facts: readonly (readonly [string, string])[] = [
    [t('detail.time'), format.dateTime(entry.at, { seconds: true })],
    [t('detail.actor'), joined(actorLabel(t, actor, names), names.personName(actor.id) === undefined ? '' : actor.name)],
    [t('detail.target'), joined(target?.kind === 'person' ? (names.personName(target.id) ?? '') : '', target?.name ?? '')],
    [t('detail.site'), entry.siteId === null ? '' : names.siteName(entry.siteId)],
    [t('detail.place'), entry.place],
    [t('detail.address'), entry.address],
    [t('detail.device'), entry.device],
    [t('detail.action'), entry.action],
  ];
  return (
    <Box
      component="dl"
      sx={{ display: 'grid', gridTemplateColumns: 'max-content minmax(0, 1fr)', columnGap: 2, rowGap: 0.25, m: 0, fontSize: 'var(--text-secondary)' }}
    >
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
  );
}

/** An expanded line: its changes, its origin, and a button that filters the log by its actor. */
export function AuditDetail({ entry, names, onActor }: Props & { readonly onActor: ((id: string) => void) | undefined }): ReactElement {
  const { t } = useTranslation('audit');
  const { actor } = entry;
  return (
    <Box sx={{ display: 'grid', gap: 1.5, justifyItems: 'start' }}>
      <ChangeTable entry={entry} names={names} />
      <OriginFacts entry={entry} names={names} />
      {actor.id !== null && onActor && (
        <Button variant="outlined" onClick={() => actor.id !== null && onActor(actor.id)}>
          <Typography component="span" variant="body2">
            {t('filter.actorOnly', { name: actorLabel(t, { ...actor, kind: 'person' }, names) })}
          </Typography>
        </Button>
      )}
    </Box>
  );
}
