import { Button, NativeSelect, OutlinedInput } from '@mui/material';
import type { ReactElement } from 'react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { GlossaryEntry } from '@contract/languages/translations';
import { isFailure } from '@/lib/failure';
import { useLanguageName } from '@/lib/languageName';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { ResultState } from '@/ui/ResultState';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import { useChangeTranslationGlossaryMutation, useTranslationGlossaryQuery } from './translationsApi';

type Term = GlossaryEntry & { readonly n: number };
type Props = { readonly siteId: string; readonly languages: readonly string[] };

function Terms({ siteId, languages, rows, revision }: Props & { readonly rows: readonly GlossaryEntry[]; readonly revision: number }): ReactElement {
  const { t } = useTranslation('translations');
  const languageName = useLanguageName();
  const [terms, setTerms] = useState<readonly Term[]>(() => rows.map((row, n) => ({ ...row, n })));
  const [change, { isLoading, error }] = useChangeTranslationGlossaryMutation();
  const set = (n: number, part: Partial<GlossaryEntry>): void => setTerms((all) => all.map((term) => (term.n === n ? { ...term, ...part } : term)));
  const add = (): void =>
    setTerms((all) => [...all, { n: Math.max(-1, ...all.map(({ n }) => n)) + 1, from: languages[0] ?? '', to: languages[1] ?? '', source: '', target: '' }]);
  const filled = terms.filter(({ source, target }) => source.trim() !== '' && target.trim() !== '');
  const save = (): void => void change({ siteId, revision, body: { rows: filled.map(({ from, to, source, target }) => ({ from, to, source, target })) } });
  const choice = (term: Term, side: 'from' | 'to'): ReactElement => (
    <NativeSelect
      value={term[side]}
      input={<OutlinedInput size="small" />}
      inputProps={{ 'aria-label': t(side) }}
      onChange={(event) => set(term.n, { [side]: event.target.value })}
    >
      {languages.map((tag) => (
        <option key={tag} value={tag}>
          {languageName(tag)}
        </option>
      ))}
    </NativeSelect>
  );
  return (
    <>
      {terms.map((term) => (
        <div key={term.n} className="translation-terms" role="group" aria-label={term.source || t('newTerm')}>
          {choice(term, 'from')}
          {choice(term, 'to')}
          <OutlinedInput
            size="small"
            value={term.source}
            placeholder={t('term')}
            inputProps={{ 'aria-label': t('term') }}
            onChange={(event) => set(term.n, { source: event.target.value })}
          />
          <OutlinedInput
            size="small"
            value={term.target}
            placeholder={t('termTarget')}
            inputProps={{ 'aria-label': t('termTarget') }}
            onChange={(event) => set(term.n, { target: event.target.value })}
          />
          <Button size="small" onClick={() => setTerms((all) => all.filter(({ n }) => n !== term.n))}>
            {t('removeTerm')}
          </Button>
        </div>
      ))}
      {isFailure(error) && <ErrorPanel failure={error} />}
      <div className="translation-actions">
        <Button variant="outlined" onClick={add}>
          {t('addTerm')}
        </Button>
        <Button variant="contained" disabled={isLoading} onClick={save}>
          {t('saveTerms')}
        </Button>
      </div>
    </>
  );
}

/** Terms with fixed translations, which machine translation uses. */
export function GlossarySection({ siteId, languages }: Props): ReactElement {
  const { t } = useTranslation('translations');
  const result = useTranslationGlossaryQuery({ siteId }, { refetchOnMountOrArgChange: true });
  return (
    <Section title={t('glossary')} note={t('glossaryNote')}>
      <ResultState result={result} skeleton={<RowsSkeleton rows={2} />}>
        {({ rows, revision }) => <Terms key={revision} siteId={siteId} languages={languages} rows={rows} revision={revision} />}
      </ResultState>
    </Section>
  );
}
