import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { copyText } from '@/lib/copyText';
import { Icon } from './Icon';

/** Copies `text` and confirms it visibly and to screen readers. `label` names what is copied if the button has no text. */
export const CopyButton = ({ text, label, children }: { text: string; label?: string; children?: string }) => {
  const { t } = useTranslation('ui');
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), 2000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => setState((await copyText(text)) ? 'copied' : 'failed');
  const said = state === 'copied' ? t('copied') : state === 'failed' ? t('copyFailed') : '';
  return (
    <button
      className={children === undefined ? 'copy-button' : 'copy-button labelled'}
      type="button"
      onClick={() => void copy()}
      aria-label={said === '' ? (label ?? children ?? t('copy')) : said}
      title={said === '' ? (label ?? t('copy')) : said}
    >
      <Icon name={state === 'copied' ? 'check' : 'copy'} size={15} />
      {children && <span>{said === '' ? children : said}</span>}
      <span role="status" className="only-read">
        {said}
      </span>
    </button>
  );
};
