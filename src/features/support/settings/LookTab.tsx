import type { ReactElement } from 'react';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { contrastOf, launcherSides, supportLimits, supportModes, textColorOn } from '@contract/support/terms';
import { useLanguageName } from '@/lib/languageName';
import { CheckboxGroup } from '@/ui/form/CheckboxGroup';
import { CheckField } from '@/ui/form/CheckField';
import { FormSection } from '@/ui/form/FormSection';
import { RadioCards } from '@/ui/form/RadioCards';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import type { TabProps } from './SettingsForm';
import { textNames } from './settingsInput';
import { TextLanguage } from './TextLanguage';
import { WidgetPreview } from './WidgetPreview';

/** Texts that are a sentence or more. */
const long = ['greeting', 'offlineText', 'sent', 'consent', 'invite'] as const;
const isLong = (name: string): boolean => (long as readonly string[]).includes(name);

function ColorField({ form }: TabProps): ReactElement {
  const { t } = useTranslation('support');
  const color = useWatch({ control: form.control, name: 'brand.color' });
  const valid = /^#[0-9a-f]{6}$/i.test(color);
  const text = valid ? textColorOn(color) : '#ffffff';
  return (
    <div className="support-color">
      <TextField
        control={form.control}
        name="brand.color"
        label={t('look.color')}
        verbatim
        maxLength={7}
        help={valid && t('look.contrast', { ratio: contrastOf(color, text).toFixed(1), text: t(text === '#ffffff' ? 'look.white' : 'look.black') })}
        startAdornment={
          <input
            type="color"
            aria-label={t('look.pickColor')}
            value={valid ? color : '#1f6feb'}
            onChange={(event) => form.setValue('brand.color', event.target.value, { shouldDirty: true, shouldValidate: true })}
          />
        }
      />
    </div>
  );
}

/** How the widget looks, what it says, and on which pages it is; beside it as visitors see it. */
export function LookTab(props: TabProps): ReactElement {
  const { form, languages, siteName, onAddLanguage } = props;
  const { t } = useTranslation('support');
  const [language, setLanguage] = useState(languages[0] ?? 'en');
  const { control } = form;
  const languageName = useLanguageName();
  return (
    <div className="support-with-preview">
      <div>
        <FormSection title={t('look.start')}>
          <RadioCards
            control={control}
            name="mode"
            label={t('look.mode')}
            choices={supportModes.map((mode) => ({ value: mode, label: t(`mode.${mode}.name`), detail: t(`mode.${mode}.text`) }))}
          />
        </FormSection>
        <FormSection title={t('look.brand')} lead={t('look.brandLead')}>
          <TextField control={control} name="brand.name" label={t('look.name')} placeholder={siteName} optional maxLength={supportLimits.name} />
          <ColorField {...props} />
          <SelectField
            control={control}
            name="brand.side"
            label={t('look.side')}
            choices={launcherSides.map((side) => ({ value: side, label: t(`look.sides.${side}`) }))}
          />
          <TextField control={control} name="brand.offset" label={t('look.offset')} inputMode="numeric" maxLength={3} />
          <TextField control={control} name="brand.zIndex" label={t('look.zIndex')} help={t('look.zIndexHelp')} inputMode="numeric" maxLength={10} />
        </FormSection>
        <FormSection title={t('look.texts')} lead={t('look.textsLead')}>
          <TextLanguage languages={languages} value={language} onChoose={setLanguage} onAdd={onAddLanguage} />
          {textNames.map((name) => (
            <TextField
              key={`${language} ${name}`}
              control={control}
              name={`texts.${language}.${name}`}
              label={t(`text.${name}`)}
              optional
              {...(isLong(name) && { multiline: true, minRows: 2 })}
            />
          ))}
        </FormSection>
        <FormSection title={t('look.invite')} lead={t('look.inviteLead')}>
          <CheckField control={control} name="invite.enabled" label={t('look.inviteOn')} />
          <TextField control={control} name="invite.afterSeconds" label={t('look.inviteAfter')} inputMode="numeric" maxLength={4} />
          <TextField control={control} name="invite.path" label={t('look.invitePath')} optional verbatim placeholder="/products/*" />
        </FormSection>
        <FormSection title={t('look.pages')} lead={t('look.pagesLead')}>
          <TextField control={control} name="include" label={t('look.include')} optional verbatim multiline minRows={2} placeholder="/*" />
          <TextField control={control} name="exclude" label={t('look.exclude')} optional verbatim multiline minRows={2} placeholder="/checkout/*" />
          {languages.length > 1 && (
            <CheckboxGroup
              control={control}
              name="languages"
              label={t('look.languages')}
              help={t('look.languagesHelp')}
              choices={languages.map((one) => ({ value: one, label: languageName(one) }))}
            />
          )}
        </FormSection>
      </div>
      <WidgetPreview control={control} language={language} siteName={siteName} />
    </div>
  );
}
