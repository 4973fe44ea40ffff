import { Box, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Policy } from '@contract/account/factors';
import { selectMay } from '@/features/session/sessionSlice';
import { useAppSelector } from '@/store/hooks';
import { ResultState } from '@/ui/ResultState';
import { FormSection } from '@/ui/form/FormSection';
import { RowsSkeleton } from '@/ui/skeletons';
import { usePolicyQuery } from './peopleApi';
import { PolicyEditor } from './PolicyEditor';
import { Unprotected } from './Unprotected';

function ReadOnly({ policy }: { readonly policy: Policy }): ReactElement {
  const { t } = useTranslation('people');
  return (
    <>
      <Typography variant="body2" role="note" sx={{ mb: 1, p: 1.5, bgcolor: 'action.hover', borderRadius: 1 }}>
        {t('policy.readOnly')}
      </Typography>
      <FormSection title={t('policy.factor')} lead={t('policy.factorLead')}>
        <Typography variant="body2" sx={{ fontWeight: 500 }}>
          {t(`policy.rule.${policy.secondFactor}`)}
        </Typography>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t(`policy.ruleDetail.${policy.secondFactor}`)}
          {policy.secondFactor !== 'off' && t('policy.graceIs', { count: policy.graceDays })}
        </Typography>
        <Unprotected rule={policy.secondFactor} />
      </FormSection>
      <FormSection title={t('policy.rename')}>
        <Typography variant="body2">{t(policy.selfRename ? 'policy.renameOn' : 'policy.renameOff')}</Typography>
      </FormSection>
    </>
  );
}

/** What the installation requires of its people: owners change it, managers read it. */
export default function PolicyTab(): ReactElement {
  const mayWrite = useAppSelector((state) => selectMay(state, 'policy.write'));
  const result = usePolicyQuery(undefined, { refetchOnMountOrArgChange: true });
  return (
    <Box sx={{ maxWidth: 760 }}>
      <ResultState result={result} skeleton={<RowsSkeleton rows={5} />}>
        {(policy) => (mayWrite ? <PolicyEditor policy={policy} /> : <ReadOnly policy={policy} />)}
      </ResultState>
    </Box>
  );
}
