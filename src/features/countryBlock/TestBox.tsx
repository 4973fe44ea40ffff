import { Box, Button, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import type { CountryRuleInput, CountryTest } from '@contract/countryBlock/schemas';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { CheckField } from '@/ui/form/CheckField';
import { Form } from '@/ui/form/Form';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import { Section } from '@/ui/Section';
import { Tag } from '@/ui/Tag';
import { useTestCountryRuleMutation } from './countryBlockApi';
import { useCountryNames } from './useCountryNames';

const TestInput = z.object({
  address: z.string().trim().min(2).max(60),
  path: z.string().trim().startsWith('/', 'pattern').max(2000),
  isVerifiedBot: z.boolean(),
});

function Decision({ test }: { readonly test: CountryTest }): ReactElement {
  const { t } = useTranslation('countryBlock');
  const { flagged } = useCountryNames();
  return (
    <Typography variant="body2" component="div" role="status" sx={{ mt: 1.5, overflowWrap: 'anywhere' }}>
      <Tag tone={test.action === 'allow' ? 'good' : test.action === 'log_only' ? 'info' : 'bad'}>{t(`decision.${test.action}`)}</Tag>{' '}
      {t('test.result', { address: test.address, country: flagged(test.country), reason: t(`reason.${test.reason}`, { network: test.network ?? '' }) })}
    </Typography>
  );
}

/** Asks what the rule in the form decides about one request; the answer disappears once either changes. `own`: the reader's address. */
export function TestBox({ siteId, rule, own }: { readonly siteId: string; readonly rule: CountryRuleInput; readonly own: string }): ReactElement {
  const { t } = useTranslation('countryBlock');
  const form = useContractForm(TestInput, { defaultValues: { address: own, path: '/', isVerifiedBot: false } });
  const [test, { data }] = useTestCountryRuleMutation();
  const question = JSON.stringify([rule, useWatch({ control: form.control })]);
  const [tested, setTested] = useState('');
  const { submit, failure } = useSubmit(form, {
    send: (input) => {
      setTested(question);
      return test({ siteId, body: { rule, ...input } });
    },
    onSuccess: () => undefined,
  });
  return (
    <Section title={t('test.title')} note={t('test.lead')}>
      <Form form={form} onSubmit={submit} label={t('test.title')}>
        <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, gap: 2, maxWidth: 720 }}>
          <TextField control={form.control} name="address" label={t('test.address')} messages={{ wrong_type: t('test.noAddress') }} verbatim maxLength={60} />
          <TextField control={form.control} name="path" label={t('test.path')} messages={{ pattern: t('field.openPathsPattern') }} verbatim maxLength={2000} />
        </Box>
        <CheckField control={form.control} name="isVerifiedBot" label={t('test.bot')} />
        <Box>
          <Button type="submit" variant="outlined">
            {t('test.submit')}
          </Button>
        </Box>
        {failure && tested === question && <ErrorPanel failure={failure} title={t('test.failed')} />}
        {data && tested === question && <Decision test={data} />}
      </Form>
    </Section>
  );
}
