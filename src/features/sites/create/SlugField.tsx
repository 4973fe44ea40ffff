import { Box, Button, Typography } from '@mui/material';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { SiteInput } from '@contract/sites/schemas';
import { useDebounced } from '@/lib/useDebounced';
import { TextField } from '@/ui/form/TextField';
import type { ContractForm } from '@/ui/form/useContractForm';
import { useSlugQuery } from '../sitePagesApi';
import type { NewSiteDraft } from './newSite';

/** Milliseconds without typing before the server is queried. */
const settleMs = 300;

/** The slug follows the name until it is edited; from then on it is checked while typing. The check is advisory: the creation itself decides. */
export function SlugField({ form }: { readonly form: ContractForm<NewSiteDraft, SiteInput> }): ReactElement {
  const { t } = useTranslation('siteCreate');
  const [name, slug] = useWatch({ control: form.control, name: ['name', 'slug'] });
  const [own, setOwn] = useState(slug !== '');
  const query = useDebounced(own ? `slug:${slug.trim()}` : `name:${name.trim()}`, settleMs);
  const kind = query.slice(0, 4);
  const what = query.slice(5);
  const { currentData } = useSlugQuery(kind === 'slug' ? { slug: what } : { name: what }, { skip: what === '' });

  const proposed = !own && kind === 'name' && what !== '' ? currentData?.slug : undefined;
  const { setValue } = form;
  useEffect(() => {
    if (proposed !== undefined) setValue('slug', proposed);
  }, [proposed, setValue]);

  const take = (value: string) => {
    setOwn(true);
    form.setValue('slug', value, { shouldDirty: true });
    form.clearErrors('slug');
  };
  const checked = currentData !== undefined && currentData.slug === slug.trim().toLowerCase();
  const inUse = checked && !currentData.free;
  return (
    <TextField
      control={form.control}
      name="slug"
      label={t('slug')}
      help={checked ? t('slugAddress', { host: currentData.systemHost }) : t('slugHelp')}
      messages={{ pattern: t('slugPattern') }}
      verbatim
      maxLength={40}
      autoComplete="off"
      onTyped={(typed) => setOwn(typed !== '')}
      below={
        slug !== '' && (
          <Typography
            variant="caption"
            component="div"
            role="status"
            sx={{
              display: 'flex',
              flexWrap: 'wrap',
              alignItems: 'center',
              gap: 0.5,
              color: inUse ? 'warning.main' : checked ? 'success.main' : 'text.secondary',
            }}
          >
            {!checked && t('slugChecking')}
            {checked && (currentData.free ? `✓ ${t('slugFree')}` : t('slugTaken'))}
            {inUse && currentData.suggestions.length > 0 && (
              <Box component="span" sx={{ display: 'inline-flex', flexWrap: 'wrap', alignItems: 'center', gap: 0.5, color: 'text.secondary' }}>
                {t('slugTry')}
                {currentData.suggestions.map((one) => (
                  <Button key={one} variant="outlined" onClick={() => take(one)} sx={{ minHeight: 24, py: 0, px: 1, fontSize: 'var(--text-secondary)' }}>
                    {one}
                  </Button>
                ))}
              </Box>
            )}
          </Typography>
        )
      }
    />
  );
}
