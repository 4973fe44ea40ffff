import { Box } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '@/ui/CopyButton';

/** Text to copy, unformatted. `displayedText`: its beginning, where the whole text is too long for the screen. */
export const CodeBlock = ({
  label,
  text,
  displayedText = text,
}: {
  readonly label: string;
  readonly text: string;
  readonly displayedText?: string;
}): ReactElement => {
  const { t } = useTranslation('tableHooks');
  return (
    <div className="hook-code">
      <div>
        <b>{label}</b>
        <CopyButton text={text} label={t('secret.copyNamed', { what: label })}>
          {t('secret.copy')}
        </CopyButton>
      </div>
      <Box component="pre" tabIndex={0} aria-label={label}>
        {displayedText}
      </Box>
    </div>
  );
};
