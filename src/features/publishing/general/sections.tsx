import { Alert, Box } from '@mui/material';
import type { ReactElement } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { Resource } from '@contract/resources/schemas';
import type { ResourceKind } from '@contract/resources/terms';
import type { Site } from '@contract/sites/schemas';
import { useLanguageName } from '@/lib/languageName';
import { CheckField } from '@/ui/form/CheckField';
import { FormSection } from '@/ui/form/FormSection';
import { RadioCards } from '@/ui/form/RadioCards';
import { TextField } from '@/ui/form/TextField';
import type { ContractForm } from '@/ui/form/useContractForm';
import type { GeneralInput, GeneralValues } from './generalValues';
import { ResourceField } from './ResourceField';

type Props = { readonly site: Site; readonly form: ContractForm<GeneralInput, GeneralValues>; readonly readOnly: boolean };

/** Title, tagline and description in one language. */
function TextsIn({ form, readOnly, language }: Props & { readonly language: string }): ReactElement {
  const { t } = useTranslation('publishing');
  const field = { control: form.control, readOnly, optional: true } as const;
  return (
    <>
      <TextField {...field} name={`title.${language}`} label={t('general.siteTitle')} help={t('general.titleHelp')} maxLength={120} />
      <TextField {...field} name={`tagline.${language}`} label={t('general.tagline')} maxLength={160} />
      <TextField
        {...field}
        name={`description.${language}`}
        label={t('general.description')}
        help={t('general.descriptionHelp')}
        multiline
        minRows={2}
        maxRows={6}
        maxLength={300}
      />
    </>
  );
}

export function TextsSection({ languages, ...props }: Props & { readonly languages: readonly string[] }): ReactElement {
  const { t } = useTranslation('publishing');
  const languageName = useLanguageName();
  return (
    <FormSection title={t('general.texts')} lead={t('general.textsLead')}>
      {languages.length === 1 ? (
        <TextsIn {...props} language={languages[0] ?? props.site.defaultLang} />
      ) : (
        languages.map((language) => (
          <fieldset key={language} className="field-group publishing-language">
            <legend>{languageName(language)}</legend>
            <TextsIn {...props} language={language} />
          </fieldset>
        ))
      )}
    </FormSection>
  );
}

/** Bytes of an icon, and the least size of the picture that social networks show, in pixels. */
const most = { iconBytes: 512 * 1024 };
const least = { width: 600, height: 315 };
const pictures = ['image', 'svg'] as const satisfies readonly ResourceKind[];

function PictureField({ site, form, readOnly, name }: Props & { readonly name: 'logo' | 'icon' | 'shareImage' }): ReactElement {
  const { t } = useTranslation('publishing');
  const { field } = useController({ control: form.control, name });
  const check = ({ bytes, width, height }: Resource): string | null => {
    if (name === 'icon' && bytes > most.iconBytes) return t('general.iconLarge');
    if (name === 'shareImage' && ((width ?? 0) < least.width || (height ?? 0) < least.height)) return t('general.shareSmall');
    return null;
  };
  return (
    <ResourceField
      siteId={site.id}
      label={t(`general.${name}`)}
      help={t(`general.${name}Help`)}
      kinds={name === 'shareImage' ? ['image'] : pictures}
      value={field.value}
      check={check}
      readOnly={readOnly}
      onChange={field.onChange}
    />
  );
}

export function PicturesSection(props: Props): ReactElement {
  const { t } = useTranslation('publishing');
  return (
    <FormSection title={t('general.pictures')} lead={t('general.picturesLead')}>
      <PictureField {...props} name="logo" />
      <PictureField {...props} name="icon" />
      <PictureField {...props} name="shareImage" />
    </FormSection>
  );
}

export function ContactSection({ form, readOnly }: Props): ReactElement {
  const { t } = useTranslation(['publishing', 'form']);
  const field = { control: form.control, readOnly, optional: true } as const;
  return (
    <FormSection title={t('general.contact')} lead={t('general.contactLead')}>
      <TextField {...field} name="company" label={t('general.company')} maxLength={100} autoComplete="organization" />
      <TextField
        {...field}
        name="email"
        label={t('general.email')}
        inputMode="email"
        maxLength={254}
        verbatim
        messages={{ pattern: t('form:errors.not_an_email') }}
      />
      <TextField {...field} name="phone" label={t('general.phone')} inputMode="tel" maxLength={40} verbatim />
    </FormSection>
  );
}

export function VisibilitySection({ form, readOnly }: Props): ReactElement {
  const { t } = useTranslation('publishing');
  const choices = (['open', 'closed'] as const).map((value) => ({ value, label: t(`general.robots.${value}`), detail: t(`general.robots.${value}Detail`) }));
  return (
    <FormSection title={t('general.found')} lead={t('general.foundLead')}>
      <RadioCards control={form.control} name="robots" label={t('general.robots.label')} choices={choices} />
      <CheckField control={form.control} name="measuring" label={t('general.measuring')} help={t('general.measuringHelp')} disabled={readOnly} />
    </FormSection>
  );
}

export function CodeSection({ form, readOnly }: Props): ReactElement {
  const { t } = useTranslation('publishing');
  const field = { control: form.control, readOnly, optional: true, multiline: true, minRows: 4, maxRows: 16, verbatim: true } as const;
  return (
    <FormSection title={t('general.code')} lead={t('general.codeLead')}>
      <Alert severity="warning" variant="outlined">
        {t('general.codeWarning')}
      </Alert>
      <Box className="publishing-code">
        <TextField {...field} name="headCode" label={t('general.headCode')} maxLength={20_000} placeholder='<meta name="…" content="…">' />
        <TextField {...field} name="bodyCode" label={t('general.bodyCode')} maxLength={20_000} />
      </Box>
    </FormSection>
  );
}
