import { Box, Button, Typography } from '@mui/material';
import { useId } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Hostname, Hostnames } from '@contract/hostnames/schemas';
import { useFormat } from '@/lib/format';
import { Caret } from '@/ui/Caret';
import { Tag } from '@/ui/Tag';
import { certificateStatusOf, connectionOf, daysLeft } from './hostnameStatus';
import { HostnameDetails } from './HostnameDetails';

type Props = {
  readonly siteId: string;
  readonly row: Hostname;
  readonly data: Hostnames;
  /** Time in milliseconds at which the list was opened. */
  readonly now: number;
  readonly mayChange: boolean;
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
};

/** What the hostname does, in one line: the main address, a redirect, or the site beside the main address. */
function useRoleText(): (row: Hostname, rows: readonly Hostname[]) => string {
  const { t } = useTranslation('hostnames');
  return (row, rows) => {
    if (row.role !== 'redirect') return t(`role.${row.role}`);
    const target = rows.find(({ id }) => id === row.redirectTo) ?? rows.find(({ role }) => role === 'primary');
    return target === undefined ? t('role.redirect') : t('role.redirectTo', { host: target.unicode });
  };
}

/** One hostname: two statuses, because DNS and certificate turn right at different times; its details open below. */
export function HostnameItem({ siteId, row, data, now, mayChange, isOpen, onToggle }: Props): ReactElement {
  const { t } = useTranslation('hostnames');
  const format = useFormat();
  const roleText = useRoleText();
  const detailsId = useId();
  const connection = connectionOf(row);
  const certificate = certificateStatusOf(row, now);
  return (
    <Box component="li" sx={{ borderBottom: 1, borderColor: 'divider' }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, columnGap: 3, py: 1.5 }}>
        <Box sx={{ flex: '1 1 260px', minWidth: 0, overflowWrap: 'anywhere' }}>
          <Typography variant="body1" component="h2" sx={{ fontWeight: 500 }}>
            {row.unicode} {row.lookAlike && <Tag tone="warning">{t('lookAlike.label')}</Tag>}
          </Typography>
          <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
            {row.unicode === row.host ? roleText(row, data.rows) : `${row.host} · ${roleText(row, data.rows)}`}
          </Typography>
        </Box>
        <Box sx={{ flex: '0 1 340px', display: 'grid', gridTemplateColumns: 'auto minmax(0, 1fr)', columnGap: 1.5, rowGap: 0.5, alignItems: 'center' }}>
          <Typography variant="caption" sx={{ color: 'text.secondary' }}>
            {t('column.connection')}
          </Typography>
          <div>
            <Tag tone={connection.tone}>{t(`connection.${connection.key}`)}</Tag>
          </div>
          <Typography variant="caption" sx={{ color: 'text.secondary' }}>
            {t('column.certificate')}
          </Typography>
          <div>
            <Tag tone={certificate.tone}>
              {certificate.key === 'expiring' && row.certificate
                ? t('certificate.expiring', { count: daysLeft(row.certificate, now) })
                : certificate.key === 'active' && row.certificate
                  ? t('certificate.until', { date: format.date(row.certificate.notAfter, { weekday: false }) })
                  : t(`certificate.state.${certificate.key}`)}
            </Tag>
          </div>
        </Box>
        <Button
          variant="text"
          sx={{ ml: { xs: -1.5, md: 0 } }}
          aria-expanded={isOpen}
          aria-controls={detailsId}
          aria-label={t(isOpen ? 'details.hideNamed' : 'details.showNamed', { host: row.unicode })}
          onClick={() => onToggle(!isOpen)}
          endIcon={<Caret to={isOpen ? 'up' : 'down'} />}
        >
          {t('details.show')}
        </Button>
      </Box>
      <div id={detailsId} hidden={!isOpen}>
        {isOpen && <HostnameDetails siteId={siteId} row={row} data={data} mayChange={mayChange} />}
      </div>
    </Box>
  );
}
