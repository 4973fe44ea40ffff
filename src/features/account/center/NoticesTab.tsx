import { Box, Checkbox, FormControlLabel, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { User } from '@contract/session/schemas';
import { FieldGroup } from '@/ui/form/Field';
import { FormSection } from '@/ui/form/FormSection';
import { useSecurityQuery } from '../securityApi';
import { useSetPreference } from '../usePreferences';

const kinds = ['newDevice', 'access', 'mention'] as const;
const always = ['password', 'loginName', 'email', 'factor', 'token', 'failures'] as const;

/** Which mails the person receives. A choice applies immediately. */
export default function NoticesTab({ user }: { readonly user: User }): ReactElement {
  const { t } = useTranslation('account');
  const put = useSetPreference();
  const { data: security } = useSecurityQuery();
  const notices = user.notices ?? { newDevice: true, access: true, mention: true };
  const none = security?.mail === false ? 'notices.mailOff' : user.email === null ? 'notices.noAddress' : null;
  return (
    <Box sx={{ '& > section': { pt: 0 } }}>
      {none !== null && (
        <Typography variant="body2" role="status" sx={{ mb: 3, color: 'warning.main' }}>
          {t(none)}
          {none === 'notices.noAddress' && (
            <>
              {' '}
              <Link className="text-link in-text" to="?tab=security" preventScrollReset>
                {t('notices.addAddress')}
              </Link>
            </>
          )}
        </Typography>
      )}
      <FormSection title={t('notices.title')} lead={user.email === null ? t('notices.lead') : t('notices.leadTo', { email: user.email })}>
        <FieldGroup label={t('notices.choose')}>
          <Box sx={{ display: 'grid' }}>
            {kinds.map((kind) => (
              <FormControlLabel
                key={kind}
                sx={{ mr: 0, alignItems: 'flex-start' }}
                control={<Checkbox sx={{ py: 0.75 }} checked={notices[kind]} onChange={(_event, on) => void put({ notices: { ...notices, [kind]: on } })} />}
                label={
                  <Box sx={{ py: 0.625 }}>
                    <Typography variant="body2">{t(`notices.${kind}`)}</Typography>
                    <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
                      {t(`notices.${kind}Detail`)}
                    </Typography>
                  </Box>
                }
              />
            ))}
          </Box>
        </FieldGroup>
        <Box>
          <Typography component="h3" variant="body2" sx={{ fontWeight: 500, mb: 0.5 }}>
            {t('notices.always')}
          </Typography>
          <Box component="ul" sx={{ m: 0, pl: 2.5, color: 'text.secondary' }}>
            {always.map((one) => (
              <Typography component="li" variant="body2" key={one}>
                {t(`notices.alwaysOf.${one}`)}
              </Typography>
            ))}
          </Box>
        </Box>
      </FormSection>
    </Box>
  );
}
