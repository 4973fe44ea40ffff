import { Alert, Box, Typography } from '@mui/material';
import type { AlertColor } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { CountryRuleState } from '@contract/countryBlock/schemas';
import type { RuleWarning } from '@contract/countryBlock/terms';
import { useFormat } from '@/lib/format';
import { DatabaseUpdate } from './DatabaseUpdate';
import { useCountryNames } from './useCountryNames';
import { useRulePreview } from './useRulePreview';

/** While one of these lasts, the rule has no effect, only a part of it, or decides by wrong addresses. */
const grave: ReadonlySet<RuleWarning> = new Set(['no_database', 'database_old', 'no_tor_list', 'tor_list_old', 'proxy_untrusted']);
const severityOf = (warning: RuleWarning): AlertColor => (grave.has(warning) ? 'error' : warning === 'private_addresses' ? 'info' : 'warning');

function Warnings({ warnings }: { readonly warnings: readonly RuleWarning[] }): ReactElement {
  const { t } = useTranslation('countryBlock');
  return (
    <>
      {warnings.map((warning) => (
        <Alert key={warning} severity={severityOf(warning)} variant="outlined">
          {t(`warning.${warning}`)}
        </Alert>
      ))}
    </>
  );
}

type NewWarningsProps = { readonly siteId: string; readonly input: unknown; readonly known: readonly RuleWarning[] };

/** Warnings about the rule in the form that do not apply to the stored one. */
export function NewWarnings({ siteId, input, known }: NewWarningsProps): ReactElement | null {
  const { result } = useRulePreview(siteId, input);
  const found = result.data?.warnings.filter((warning) => !known.includes(warning)) ?? [];
  return found.length === 0 ? null : (
    <Box role="status" sx={{ display: 'grid', gap: 1, mt: 3, maxWidth: 960 }}>
      <Warnings warnings={found} />
    </Box>
  );
}

/** What is wrong with the rule or with how requests arrive, and where the reader's own request came from. */
export function RuleNotices({ state, onUpdated }: { readonly state: CountryRuleState; readonly onUpdated: () => void }): ReactElement {
  const { t, i18n } = useTranslation('countryBlock');
  const format = useFormat();
  const { flagged } = useCountryNames();
  const { warnings, diagnosis, databaseDay, databaseUpdate, torDay } = state;
  const dayText = (day: string): string => format.date(`${day}T00:00:00Z`, { timeZone: 'UTC', weekday: false });
  const share = diagnosis.privateShare;
  return (
    <Box sx={{ display: 'grid', gap: 1, mt: 2 }}>
      <Warnings warnings={warnings} />
      <Typography variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
        {[
          t('diagnosis.address', { address: diagnosis.address, country: flagged(diagnosis.country) }),
          diagnosis.untrustedHeader ? t('diagnosis.untrusted') : t('diagnosis.proxies', { count: diagnosis.proxies }),
          ...(share !== null && share > 0.5 ? [t('diagnosis.private', { share: format.percent(share, 0) })] : []),
          ...(databaseDay === null ? [] : [t('diagnosis.database', { date: dayText(databaseDay) })]),
          ...(torDay === null ? [] : [t('diagnosis.tor', { date: dayText(torDay) })]),
        ].join(i18n.language === 'en' ? ' ' : '')}
      </Typography>
      {databaseUpdate !== null && <DatabaseUpdate update={databaseUpdate} onEnd={onUpdated} />}
    </Box>
  );
}
