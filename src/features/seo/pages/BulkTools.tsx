import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { SeoPage } from '@contract/seo/schemas';
import type { Site } from '@contract/sites/schemas';
import { notifyFailure } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { useAppDispatch } from '@/store/hooks';
import { originOf } from '../originOf';
import { PasteDialog } from './PasteDialog';
import { TemplateDialog } from './TemplateDialog';
import { useBulkChange } from './useBulkChange';

type Props = { readonly site: Site; readonly tag: string; readonly selected: readonly SeoPage[]; readonly onClear: () => void };

/** Changes of many pages at once: pasted texts, and templates for those that are selected. */
export function BulkTools({ site, tag, selected, onClear }: Props): ReactElement {
  const { t } = useTranslation('seo');
  const format = useFormat();
  const dispatch = useAppDispatch();
  const change = useBulkChange(site.id, tag);
  const [open, setOpen] = useState<'paste' | 'template' | null>(null);
  const close = (): void => setOpen(null);
  const own = selected.filter(({ override }) => override !== null && (override.title[tag] !== undefined || override.description[tag] !== undefined));
  const reset = async (): Promise<void> => {
    const result = await change?.(own.map(({ path }) => ({ path, title: '', description: '' })));
    if (result?.error !== undefined) notifyFailure(dispatch, result.error);
    else onClear();
  };
  return (
    <div className="seo-filters" role="toolbar" aria-label={t('pages.bulk.label')}>
      {selected.length > 0 && (
        <>
          <b role="status">{t('pages.bulk.selected', { count: selected.length, countText: format.number(selected.length) })}</b>
          <Button size="small" disabled={change === undefined} onClick={() => setOpen('template')}>
            {t('pages.bulk.template')}
          </Button>
          <Button size="small" disabled={change === undefined || own.length === 0} onClick={() => void reset()}>
            {t('pages.bulk.reset')}
          </Button>
          <Button size="small" onClick={onClear}>
            {t('pages.bulk.clear')}
          </Button>
        </>
      )}
      <Button size="small" disabled={change === undefined} onClick={() => setOpen('paste')}>
        {t('pages.bulk.paste')}
      </Button>
      {open === 'paste' && change && <PasteDialog origin={originOf(site)} change={change} onClose={close} />}
      {open === 'template' && change && (
        <TemplateDialog
          siteId={site.id}
          tag={tag}
          paths={selected.map(({ path }) => path)}
          change={change}
          onDone={() => {
            close();
            onClear();
          }}
          onClose={close}
        />
      )}
    </div>
  );
}
