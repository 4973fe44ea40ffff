import { Button, Checkbox, FormControlLabel, OutlinedInput } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { indexingValues, seoLimits } from '@contract/seo/terms';
import { FilterSelect } from '@/ui/FilterSelect';
import { FieldGroup } from '@/ui/form/Field';
import { FormSection } from '@/ui/form/FormSection';
import { TextInput } from '../TextInput';
import type { SectionProps, SeoContent } from './sectionProps';

type Rule = SeoContent['indexing'][number];
const newRule: Rule = { pattern: '/', indexing: 'noindex', nofollow: false, header: false, maxSnippet: -1, maxImagePreview: 'large' };
const isPattern = (text: string): boolean => /^[/*]/.test(text);

function RuleRow({ rule, onChange, onRemove }: { readonly rule: Rule; readonly onChange: (rule: Rule) => void; readonly onRemove: () => void }): ReactElement {
  const { t } = useTranslation('seo');
  const label = { pattern: rule.pattern };
  return (
    <li>
      <OutlinedInput
        size="small"
        value={rule.pattern}
        error={!isPattern(rule.pattern)}
        onChange={(event) => onChange({ ...rule, pattern: event.target.value })}
        slotProps={{ input: { 'aria-label': t('settings.pattern'), 'aria-invalid': !isPattern(rule.pattern), maxLength: 200, spellCheck: false } }}
      />
      <FilterSelect
        label={t('settings.indexingOf', label)}
        value={rule.indexing}
        choices={indexingValues.map((value) => ({ value, label: t(`pages.${value}`) }))}
        onChoose={(next) => onChange({ ...rule, indexing: indexingValues.find((one) => one === next) ?? rule.indexing })}
      />
      <Button aria-label={t('settings.removeOf', label)} onClick={onRemove}>
        {t('settings.remove')}
      </Button>
      <span className="seo-rule-options">
        <FormControlLabel
          label={t('settings.nofollow')}
          control={<Checkbox checked={rule.nofollow} onChange={(_event, nofollow) => onChange({ ...rule, nofollow })} />}
        />
        <FormControlLabel
          label={t('settings.header')}
          control={<Checkbox checked={rule.header} onChange={(_event, header) => onChange({ ...rule, header })} />}
        />
      </span>
    </li>
  );
}

/** Which addresses may be indexed. */
export function RulesSection({ content, onChange, readOnly }: SectionProps): ReactElement {
  const { t } = useTranslation('seo');
  const put = (indexing: readonly Rule[]): void => onChange({ ...content, indexing: [...indexing] });
  return (
    <FormSection title={t('settings.rules')} lead={t('settings.rulesLead')}>
      <fieldset className="field-group" disabled={readOnly}>
        {content.indexing.length === 0 && <p className="seo-quiet">{t('settings.noRules')}</p>}
        <ul className="seo-rules" aria-label={t('settings.rules')}>
          {content.indexing.map((rule, at) => (
            <RuleRow
              // The place is the identity: a pattern changes while it is typed.
              key={at}
              rule={rule}
              onChange={(next) => put(content.indexing.map((one, index) => (index === at ? next : one)))}
              onRemove={() => put(content.indexing.filter((_one, index) => index !== at))}
            />
          ))}
        </ul>
        {!readOnly && content.indexing.length < seoLimits.patterns && (
          <Button variant="outlined" onClick={() => put([...content.indexing, newRule])}>
            {t('settings.addRule')}
          </Button>
        )}
      </fieldset>
    </FormSection>
  );
}

/** What sitemaps contain. */
export function SitemapSection({ content, onChange, readOnly }: SectionProps): ReactElement {
  const { t } = useTranslation('seo');
  const { sitemap } = content;
  const put = (change: Partial<SeoContent['sitemap']>): void => onChange({ ...content, sitemap: { ...sitemap, ...change } });
  return (
    <FormSection title={t('tabs.sitemaps')} lead={t('settings.sitemapLead')}>
      <FieldGroup label={t('settings.sitemapContent')}>
        {(['images', 'baidu'] as const).map((name) => (
          <FormControlLabel
            key={name}
            disabled={readOnly}
            label={t(`settings.sitemap.${name}`)}
            control={<Checkbox checked={sitemap[name]} onChange={(_event, on) => put({ [name]: on })} />}
          />
        ))}
      </FieldGroup>
      <TextInput
        label={t('settings.excluded')}
        optional
        multiline
        verbatim
        disabled={readOnly}
        help={t('settings.excludedHelp')}
        error={sitemap.excluded.every((one) => one === '' || isPattern(one)) ? undefined : t('settings.patternWrong')}
        value={sitemap.excluded.join('\n')}
        maxLength={10_000}
        onChange={(text) => put({ excluded: text === '' ? [] : text.split('\n') })}
      />
    </FormSection>
  );
}
