import { Box } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { checkNumber, displayedNumber, numberExamples } from '@contract/filings/numbers';
import { numberKindOf } from '@contract/filings/terms';
import type { FilingKind } from '@contract/filings/terms';

/** While a number is typed: the form in which it is stored and shown, and what is wrong or odd about it. */
export function NumberNote({ kind, text }: { readonly kind: FilingKind; readonly text: string }): ReactElement | null {
  const { t } = useTranslation('filings');
  if (text.trim() === '') return null;
  const { number, error, warnings } = checkNumber(numberKindOf[kind], text);
  const displayed = displayedNumber(number);
  return (
    <Box role="status" sx={{ fontSize: 'var(--text-secondary)', color: 'text.secondary', overflowWrap: 'anywhere' }}>
      {error === null && <div>{t(displayed === number ? 'number.stored' : 'number.storedAndShown', { number, displayed })}</div>}
      {error !== null && <Box sx={{ color: 'error.main' }}>{t(`number.error.${error}`, { example: numberExamples[numberKindOf[kind]] })}</Box>}
      {warnings.map((warning) => (
        <div key={warning}>{t(`warning.${warning}`)}</div>
      ))}
    </Box>
  );
}
