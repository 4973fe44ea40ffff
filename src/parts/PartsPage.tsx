import { ThemeProvider } from '@mui/material/styles';
import { useEffect, useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { changeLocale } from '@/i18n';
import { makeTheme } from '@/theme/theme';
import { ConfirmHost } from '@/ui/ConfirmHost';
import { Segmented } from '@/ui/form/Segmented';
import { PageHeader } from '@/ui/PageHeader';
import { Actions } from './Actions';
import { Data } from './Data';
import { Dates } from './Dates';
import { Dialogs } from './Dialogs';
import { Fields } from './Fields';
import { Marks } from './Marks';
import { States } from './States';
import { useTexts } from './texts';
import { Type } from './Type';

type Scheme = 'light' | 'dark';

/** All parts below each other, with a switch for scheme and language. */
export function PartsPage({ initial }: { readonly initial: Scheme }): ReactElement {
  const { i18n } = useTranslation();
  const texts = useTexts();
  const [scheme, setScheme] = useState<Scheme>(initial);
  const theme = useMemo(() => makeTheme('grey'), []);
  useEffect(() => document.documentElement.setAttribute('data-scheme', scheme), [scheme]);
  return (
    <ThemeProvider key={scheme} theme={theme} defaultMode={scheme} storageManager={null} noSsr>
      <ConfirmHost>
        <main className="parts">
          <PageHeader
            title={texts.title}
            note={texts.note}
            actions={
              <>
                <Segmented
                  label={texts.scheme}
                  value={scheme}
                  choices={[
                    { value: 'light', label: texts.light },
                    { value: 'dark', label: texts.dark },
                  ]}
                  onChoose={setScheme}
                />
                <Segmented
                  label={texts.language}
                  value={i18n.language === 'en' ? 'en' : 'zh-CN'}
                  choices={[
                    { value: 'zh-CN', label: '中文', lang: 'zh-CN' },
                    { value: 'en', label: 'English', lang: 'en' },
                  ]}
                  onChoose={(locale) => void changeLocale(locale)}
                />
              </>
            }
          />
          <Type />
          <Marks />
          <Actions />
          <Dialogs />
          <Fields />
          <Dates />
          <Data />
          <States />
        </main>
      </ConfirmHost>
    </ThemeProvider>
  );
}
