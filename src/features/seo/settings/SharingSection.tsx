import { Checkbox, FormControlLabel } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { aiAgents, llmsModes, seoLimits } from '@contract/seo/terms';
import { FieldGroup } from '@/ui/form/Field';
import { FormSection } from '@/ui/form/FormSection';
import { Toggles } from '@/ui/Toggles';
import { TextInput } from '../TextInput';
import type { SectionProps, SeoContent } from './sectionProps';

/** What social networks show of a page. */
export function SocialSection({ content, onChange, readOnly }: SectionProps): ReactElement {
  const { t } = useTranslation('seo');
  const { social } = content;
  const put = (change: Partial<SeoContent['social']>): void => onChange({ ...content, social: { ...social, ...change } });
  return (
    <FormSection title={t('settings.social')} lead={t('settings.socialLead')}>
      <FormControlLabel
        disabled={readOnly}
        label={t('settings.drawn')}
        control={<Checkbox checked={social.drawn} onChange={(_event, drawn) => put({ drawn })} />}
      />
      <TextInput
        label={t('settings.twitter')}
        optional
        verbatim
        disabled={readOnly}
        value={social.twitter}
        error={/^\w{0,15}$/.test(social.twitter) ? undefined : t('settings.twitterWrong')}
        maxLength={16}
        onChange={(twitter) => put({ twitter: twitter.replace(/^@/, '') })}
      />
    </FormSection>
  );
}

/** What programs of AI services may read. */
export function AgentsSection({ content, onChange, readOnly }: SectionProps): ReactElement {
  const { t } = useTranslation('seo');
  const { agents } = content;
  const put = (change: Partial<SeoContent['agents']>): void => onChange({ ...content, agents: { ...agents, ...change } });
  return (
    <FormSection title={t('settings.agents')} lead={t('settings.agentsLead')}>
      <FieldGroup label={t('settings.refused')} help={t('settings.refusedHelp')}>
        <div className="seo-agents">
          {aiAgents.map((agent) => (
            <FormControlLabel
              key={agent}
              disabled={readOnly}
              label={agent}
              control={
                <Checkbox
                  checked={agents.refused.includes(agent)}
                  onChange={(_event, on) => put({ refused: aiAgents.filter((one) => (one === agent ? on : agents.refused.includes(one))) })}
                />
              }
            />
          ))}
        </div>
      </FieldGroup>
      <FieldGroup label="llms.txt" help={t('settings.llmsHelp')}>
        {readOnly ? (
          <p>{t(`settings.llms.${agents.llms}`)}</p>
        ) : (
          <Toggles
            label="llms.txt"
            value={agents.llms}
            choices={llmsModes.map((value) => ({ value, label: t(`settings.llms.${value}`) }))}
            onChoose={(llms) => put({ llms })}
          />
        )}
      </FieldGroup>
      {agents.llms === 'text' && (
        <TextInput
          label={t('settings.llmsText')}
          multiline
          verbatim
          disabled={readOnly}
          value={agents.text}
          maxLength={seoLimits.llms}
          onChange={(text) => put({ text })}
        />
      )}
    </FormSection>
  );
}
