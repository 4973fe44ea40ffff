import Check from '@mui/icons-material/CheckOutlined';
import { Box, ButtonBase } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { steps } from './newSite';
import type { Step } from './newSite';

/** The steps by name. Completed steps can be reopened; later ones require the earlier ones. */
export function StepList({ step, onStep }: { readonly step: Step; readonly onStep: (step: Step) => void }): ReactElement {
  const { t } = useTranslation('sites');
  const at = steps.indexOf(step);
  return (
    <Box component="nav" aria-label={t('create.steps.label')} sx={{ mb: 3 }}>
      <Box component="ol" sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 3, rowGap: 0.5, m: 0, p: 0, listStyle: 'none' }}>
        {steps.map((one, index) => {
          const mark = (
            <Box
              component="span"
              aria-hidden
              sx={{
                display: 'inline-grid',
                placeItems: 'center',
                width: 20,
                height: 20,
                mr: 1,
                borderRadius: '50%',
                border: 1,
                borderColor: 'currentcolor',
                fontSize: 'var(--text-secondary)',
                fontVariantNumeric: 'tabular-nums',
              }}
            >
              {index < at ? <Check fontSize="small" /> : index + 1}
            </Box>
          );
          const look = {
            display: 'inline-flex',
            alignItems: 'center',
            py: 0.5,
            fontSize: 'var(--text-table)',
            fontWeight: index === at ? 600 : 400,
            color: index === at ? 'text.primary' : 'text.secondary',
          } as const;
          return (
            <li key={one}>
              {index < at ? (
                <ButtonBase onClick={() => onStep(one)} sx={{ ...look, borderRadius: 1, '&:hover': { color: 'text.primary' } }}>
                  {mark}
                  {t(`create.steps.${one}`)}
                </ButtonBase>
              ) : (
                <Box component="span" aria-current={index === at ? 'step' : undefined} sx={look}>
                  {mark}
                  {t(`create.steps.${one}`)}
                </Box>
              )}
            </li>
          );
        })}
      </Box>
    </Box>
  );
}
