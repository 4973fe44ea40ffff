import { Box, Table, TableBody, TableCell, TableHead, TableRow, Typography } from '@mui/material';
import { Fragment } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Hostname, RecordCheck } from '@contract/hostnames/schemas';
import { useFormat } from '@/lib/format';
import { phone, useMedia } from '@/lib/useMedia';
import { CopyButton } from '@/ui/CopyButton';
import { Tag } from '@/ui/Tag';
import { recordTones, visibleRecords } from './hostnameStatus';

const mono = { fontFamily: 'var(--mono)', overflowWrap: 'anywhere' } as const;

const Values = ({ values, label }: { readonly values: readonly string[]; readonly label?: string }): ReactElement => (
  <>
    {values.map((value) => (
      <Box key={value} sx={{ display: 'flex', alignItems: 'center', gap: 0.5, minWidth: 0 }}>
        <Box component="span" sx={mono}>
          {value}
        </Box>
        {label !== undefined && <CopyButton text={value} label={`${label} ${value}`} />}
      </Box>
    ))}
  </>
);

/** What is needed; nothing, if the record has to go. */
function Expected({ record }: { readonly record: RecordCheck }): ReactElement {
  const { t } = useTranslation('hostnames');
  if (record.expected.length > 0) return <Values values={record.expected} label={t('records.copyValue')} />;
  return (
    <Typography variant="body2" component="span" sx={{ color: 'text.secondary' }}>
      {t('records.notNeeded')}
    </Typography>
  );
}

/** What is found now; values that have to be deleted are named. */
function Found({ record }: { readonly record: RecordCheck }): ReactElement {
  const { t } = useTranslation('hostnames');
  const format = useFormat();
  if (record.found.length === 0)
    return (
      <Typography variant="body2" component="span" sx={{ color: 'text.secondary' }}>
        {record.state === 'unreachable' ? t('records.noAnswer') : t('records.none')}
      </Typography>
    );
  const conflicts = record.state === 'conflict' || record.state === 'wrong' ? record.conflicts : [];
  return (
    <>
      <Values values={record.found} />
      {conflicts.length > 0 && (
        <Typography variant="caption" component="div" sx={{ color: 'error.main', overflowWrap: 'anywhere' }}>
          {t(record.state === 'conflict' ? 'records.delete' : 'records.replace', { values: format.list(conflicts) })}
        </Typography>
      )}
    </>
  );
}

/** The records of a hostname: what to create, beside what resolvers find now. */
export function RecordsTable({ row }: { readonly row: Hostname }): ReactElement {
  const { t } = useTranslation('hostnames');
  const isPhone = useMedia(phone);
  const records = visibleRecords(row);
  const stateOf = (record: RecordCheck): ReactElement => {
    const tone = recordTones[record.state];
    return <Tag {...(tone && { tone })}>{t(`records.state.${record.state}`)}</Tag>;
  };
  if (isPhone)
    return (
      <Box component="ul" aria-label={t('records.label')} sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 2 }}>
        {records.map((record) => (
          <Box component="li" key={`${record.type} ${record.name}`} sx={{ display: 'grid', gap: 0.5 }}>
            <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
              <strong>{record.type}</strong> {stateOf(record)}
            </Box>
            <Box component="dl" sx={{ m: 0, display: 'grid', gridTemplateColumns: 'auto minmax(0, 1fr)', columnGap: 2, rowGap: 0.5, '& dd': { m: 0 } }}>
              {(
                [
                  ['name', <Values key="name" values={[record.label]} label={t('records.copyName')} />],
                  ['expected', <Expected key="expected" record={record} />],
                  ['found', <Found key="found" record={record} />],
                ] as const
              ).map(([name, content]) => (
                <Fragment key={name}>
                  <Typography component="dt" variant="caption" sx={{ color: 'text.secondary', pt: 0.25 }}>
                    {t(`records.${name}`)}
                  </Typography>
                  <dd>{content}</dd>
                </Fragment>
              ))}
            </Box>
          </Box>
        ))}
      </Box>
    );
  return (
    <Table size="small" aria-label={t('records.label')} sx={{ tableLayout: 'fixed', '& td': { verticalAlign: 'top' } }}>
      <TableHead>
        <TableRow>
          <TableCell sx={{ width: 76 }}>{t('records.type')}</TableCell>
          <TableCell sx={{ width: '22%' }}>{t('records.name')}</TableCell>
          <TableCell>{t('records.expected')}</TableCell>
          <TableCell>{t('records.found')}</TableCell>
          <TableCell sx={{ width: 110 }}>{t('records.status')}</TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {records.map((record) => (
          <TableRow key={`${record.type} ${record.name}`}>
            <TableCell>{record.type}</TableCell>
            <TableCell>
              <Values values={[record.label]} label={t('records.copyName')} />
            </TableCell>
            <TableCell>
              <Expected record={record} />
            </TableCell>
            <TableCell>
              <Found record={record} />
            </TableCell>
            <TableCell>{stateOf(record)}</TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
