import { Button } from '@mui/material';
import { useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';
import { redirectPatternLimits } from '@contract/publishing/redirectPattern';
import type { RedirectSite } from '@contract/seo/redirectGraph';
import { FormDialog } from '@/ui/form/FormDialog';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { Toggles } from '@/ui/Toggles';
import { formatOf, importFormats, readRules } from './import/readRules';
import type { ImportFormat } from './import/readRules';
import { isPattern, patternPlaces, putRedirects, withoutLoops } from './redirectRules';
import type { Redirect, RedirectList } from './redirectRules';

const Imported = z.strictObject({ text: z.string().trim().min(1) });
/** Lines that a list names. */
const named = 10;

/** What adding the rules would change. */
function useDryRun(text: string, format: ImportFormat, redirects: RedirectList, site: RedirectSite) {
  return useMemo(() => {
    const { redirects: read, skipped } = readRules(format, text);
    const known = new Set(redirects.map(({ from }) => from));
    const { fitting, loops } = withoutLoops(redirects, read, site);
    const after = putRedirects(redirects, fitting);
    const froms = new Set(fitting.map(({ from }) => from));
    const replaced = [...froms].filter((from) => known.has(from)).length;
    const patterns = { added: fitting.filter(isPattern).length, isTooMany: patternPlaces(after).length > redirectPatternLimits.patterns };
    return { fitting, skipped, added: froms.size - replaced, replaced, patterns, loops };
  }, [text, format, redirects, site]);
}

/** Many redirects at once: lines, CSV, `.htaccess` or nginx. Before anything is added, the dialog says what would change and what is left out. */
export function ImportDialog({
  redirects,
  site,
  onClose,
  onDone,
}: {
  readonly redirects: RedirectList;
  readonly site: RedirectSite;
  readonly onClose: () => void;
  readonly onDone: (added: readonly Redirect[]) => void;
}): ReactElement {
  const { t } = useTranslation('publishing');
  const form = useContractForm(Imported, { defaultValues: { text: '' } });
  const text = useWatch({ control: form.control, name: 'text' });
  const [chosen, setChosen] = useState<ImportFormat | null>(null);
  const format = chosen ?? formatOf(text);
  const { fitting, skipped, added, replaced, patterns, loops } = useDryRun(text, format, redirects, site);
  const canAdd = fitting.length > 0 && !patterns.isTooMany;
  const readFile = async (file: File | undefined): Promise<void> => {
    if (file) form.setValue('text', await file.text(), { shouldDirty: true });
  };
  return (
    <FormDialog
      form={form}
      title={t('redirect.import')}
      lead={t('redirect.importLead')}
      submitLabel={canAdd ? t('redirect.addMany', { count: added + replaced }) : t('redirect.import')}
      canSubmit={canAdd}
      width="md"
      onSubmit={() => onDone(fitting)}
      onClose={onClose}
    >
      <div className="publishing-buttons">
        <Toggles
          label={t('redirect.format')}
          value={format}
          choices={importFormats.map((value) => ({ value, label: t(`redirect.formats.${value}`) }))}
          onChoose={setChosen}
        />
        <Button component="label" variant="outlined">
          {t('redirect.file')}
          <input type="file" className="only-read" accept=".csv,.tsv,.txt,.conf,.htaccess,text/*" onChange={({ target }) => void readFile(target.files?.[0])} />
        </Button>
      </div>
      <div className="publishing-code">
        <TextField
          control={form.control}
          name="text"
          label={t('redirect.lines')}
          multiline
          minRows={8}
          maxRows={16}
          verbatim
          autoFocus
          placeholder={'/old /new\n/blog/* /news/:splat\n/gone 410'}
        />
      </div>
      {text.trim() !== '' && (
        <div role="status">
          <p>{t('redirect.dryRun', { added, replaced, skipped: skipped.length + loops.length })}</p>
          {patterns.added > 0 && <p className="publishing-quiet">{t('redirect.importPatterns', { count: patterns.added })}</p>}
          {patterns.isTooMany && <p className="publishing-failure">{t('redirect.patternsFull', { count: redirectPatternLimits.patterns })}</p>}
          {loops.length > 0 && (
            <p className="publishing-failure">{t('redirect.importLoops', { count: loops.length, list: loops.slice(0, named).join(', ') })}</p>
          )}
          {skipped.length > 0 && (
            <ul aria-label={t('redirect.skipped')}>
              {skipped.slice(0, named).map(({ line, text: skippedText, reason }) => (
                <li key={line}>
                  {t('redirect.line', { line, text: skippedText })} <span className="publishing-quiet">{t(`redirect.reason.${reason}`)}</span>
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </FormDialog>
  );
}
