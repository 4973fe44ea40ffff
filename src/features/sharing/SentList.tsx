import { Box, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { SentDigest } from '@contract/digests/schemas';
import { useFormat } from '@/lib/format';
import { Section } from '@/ui/Section';

/** What was sent about the site, newest first. */
export function SentList({ sent }: { readonly sent: readonly SentDigest[] }): ReactElement {
  const { t } = useTranslation('sharing');
  const format = useFormat();
  const said = (one: SentDigest): string => {
    const period = one.period.replace('_', ' – ');
    if (one.rule === null) return one.kind === 'weekly' ? t('sent.weekly', { period }) : t('sent.monthly', { period });
    const when = one.period.split(' ').at(-1)?.replace('T', ' ') ?? '';
    return t('sent.alert', {
      when,
      measure: t(`sent.measures.${one.rule.measure}`),
      value: format.number(one.value ?? 0),
      usual: format.number(one.usual ?? 0),
    });
  };
  return (
    <Box sx={{ mt: 5 }}>
      <Section title={t('sent.title')}>
        {sent.length === 0 ? (
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {t('sent.empty')}
          </Typography>
        ) : (
          <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
            {sent.map((one) => (
              <Box
                component="li"
                key={one.id}
                sx={{
                  display: 'flex',
                  flexWrap: 'wrap',
                  columnGap: 2,
                  py: 0.75,
                  borderBottom: 1,
                  borderColor: 'divider',
                  fontSize: 'var(--text-body)',
                  '& > :nth-of-type(2)': { flex: '1 1 240px' },
                }}
              >
                <Box component="time" dateTime={one.at} sx={{ color: 'text.secondary', minWidth: 150 }}>
                  {format.dateTime(one.at)}
                </Box>
                <span>{said(one)}</span>
                <Box component="span" sx={{ color: 'text.secondary' }}>
                  {one.sent === 0 ? t('sent.none') : t('sent.count', { count: one.sent })}
                </Box>
              </Box>
            ))}
          </Box>
        )}
      </Section>
    </Box>
  );
}
