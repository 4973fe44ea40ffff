import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useFieldArray, useWatch } from 'react-hook-form';
import type { Control } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { supportLimits } from '@contract/support/terms';
import { TextField } from '@/ui/form/TextField';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/PlainButton';
import type { SettingsInput } from './settingsInput';

type Props = {
  readonly control: Control<SettingsInput, unknown, SettingsInput>;
  readonly language: string;
  /** Whether it is the site's default language, whose names agents read. */
  readonly isMain: boolean;
};

/** Topics that visitors choose from, in one language. */
export function TopicFields({ control, language, isMain }: Props): ReactElement {
  const { t } = useTranslation('support');
  const { fields, append, remove } = useFieldArray({ control, name: 'prechat.topics' });
  const topics = useWatch({ control, name: 'prechat.topics' });
  return (
    <div role="group" aria-label={t('prechat.topics')} className="support-topics">
      <b>{t('prechat.topics')}</b>
      <p className="support-quiet">{t(isMain ? 'prechat.topicsHelp' : 'prechat.topicsOther')}</p>
      {fields.map((row, at) => (
        <div key={row.id}>
          <TextField
            key={language}
            control={control}
            name={isMain ? `prechat.topics.${at}.name` : `prechat.topics.${at}.labels.${language}`}
            label={t('prechat.topic', { number: at + 1 })}
            maxLength={supportLimits.topicName}
            optional={!isMain}
            {...(!isMain && { placeholder: topics[at]?.name })}
          />
          <IconButton label={t('prechat.removeTopic', { number: at + 1 })} onClick={() => remove(at)}>
            <Icon name="close" size={16} />
          </IconButton>
        </div>
      ))}
      <Button
        variant="outlined"
        sx={{ justifySelf: 'start' }}
        disabled={!isMain || fields.length >= supportLimits.topics}
        onClick={() => append({ name: '', labels: {} })}
      >
        {t('prechat.addTopic')}
      </Button>
    </div>
  );
}
