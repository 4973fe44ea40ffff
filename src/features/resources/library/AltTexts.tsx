import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Resource } from '@contract/resources/schemas';
import { resourceLimits } from '@contract/resources/terms';
import type { ResourceKind } from '@contract/resources/terms';
import type { Site } from '@contract/sites/schemas';
import { selectLanguages } from '@/features/languages/languagesSlice';
import { useLanguageName } from '@/lib/languageName';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { useFailureMessage } from '@/ui/ErrorPanel';
import { FilterSelect } from '@/ui/FilterSelect';
import { PlainButton } from '@/ui/PlainButton';
import { ResultState } from '@/ui/ResultState';
import { RowsSkeleton } from '@/ui/skeletons';
import { Toggles } from '@/ui/Toggles';
import { useResourcesToDescribeInfiniteQuery } from '../libraryApi';
import { resourcesChanged } from '../resourcesApi';
import { Thumbnail } from '../Thumbnail';
import './library.css';
import { useAltText } from './useAltText';

/** Moves from a text to the one in the same language of the next or previous picture. */
function moveOn(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
  event.preventDefault();
  const { list, index = '', language } = event.currentTarget.dataset;
  const next = Number(index) + (event.shiftKey ? -1 : 1);
  const target = document.querySelector<HTMLInputElement>(`input[data-list="${list ?? ''}"][data-index="${String(next)}"][data-language="${language ?? ''}"]`);
  if (target) target.focus();
  // At the end there is nothing to move to: the text is saved all the same.
  else event.currentTarget.blur();
}

type RowProps = {
  readonly siteId: string;
  readonly resource: Resource;
  readonly languages: readonly string[];
  readonly list: string;
  readonly index: number;
};

/** A picture and its alternative text in each language. A text is saved when it is left. */
function Row({ siteId, resource, languages, list, index }: RowProps): ReactElement {
  const { t } = useTranslation('resources');
  const languageName = useLanguageName();
  const messageOf = useFailureMessage();
  const { texts, type, save, status, failure, theirs, keepMine, takeTheirs } = useAltText(siteId, resource);
  return (
    <li>
      <span className="resource-picture">
        <Thumbnail siteId={siteId} resource={resource} alt="" />
      </span>
      <div>
        <b>{resource.name}</b>
        {languages.map((language) => (
          <label key={language}>
            <small>{languageName(language)}</small>
            <input
              type="text"
              lang={language}
              value={texts[language] ?? ''}
              maxLength={resourceLimits.text}
              data-list={list}
              data-index={index}
              data-language={language}
              aria-label={t('altTexts.of', { name: resource.name, language: languageName(language) })}
              onChange={(event) => type(language, event.target.value)}
              onBlur={save}
              onKeyDown={moveOn}
            />
          </label>
        ))}
        {theirs && (
          <p role="alert">
            {t('altTexts.conflict', { text: languages.map((language) => theirs.alt[language] ?? '').find((text) => text !== '') ?? t('altTexts.nothing') })}{' '}
            <PlainButton onClick={keepMine}>{t('altTexts.keepMine')}</PlainButton> <PlainButton onClick={takeTheirs}>{t('altTexts.takeTheirs')}</PlainButton>
          </p>
        )}
        {failure && (
          <p role="alert">
            {messageOf(failure)} <PlainButton onClick={save}>{t('altTexts.again')}</PlainButton>
          </p>
        )}
      </div>
      <small role="status">{status === 'saving' ? t('item.saving') : status === 'saved' ? t('altTexts.saved') : ''}</small>
    </li>
  );
}

const pageSize = 60;

/** Title, list and buttons are one column in the middle of a wide window. */
const inColumn = { width: '100%', maxWidth: 1100, margin: '0 auto' } as const;

/** Writes the alternative texts of many pictures one after the other. */
export default function AltTexts({ site, kind, onClose }: { readonly site: Site; readonly kind: ResourceKind; readonly onClose: () => void }): ReactElement {
  const { t } = useTranslation('resources');
  const titleId = useId();
  const list = useId();
  const dispatch = useAppDispatch();
  const languageName = useLanguageName();
  const all = useAppSelector(selectLanguages);
  const [filter, setFilter] = useState<'noAlt' | 'any'>('noAlt');
  const [added, setAdded] = useState<readonly string[]>([]);
  const content = useRef<HTMLDivElement>(null);
  const result = useResourcesToDescribeInfiniteQuery({ siteId: site.id, kind, size: pageSize, ...(filter === 'any' ? {} : { filter }) });
  const pages = result.currentData?.pages;
  const rows = useMemo(() => pages?.flatMap((page) => page.rows) ?? [], [pages]);
  const languages = useMemo(() => [...new Set([site.defaultLang, ...rows.flatMap(({ alt }) => Object.keys(alt)), ...added])], [site.defaultLang, rows, added]);
  const isLoaded = rows.length > 0;
  useEffect(() => content.current?.querySelector('input')?.focus(), [isLoaded, filter]);
  const close = (): void => {
    // The text that is being typed is saved, as when it is left.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    dispatch(resourcesChanged(site.id));
    onClose();
  };
  const others = all.filter(({ code }) => !languages.includes(code));
  return (
    <Dialog open onClose={close} aria-labelledby={titleId} fullScreen>
      <DialogTitle id={titleId} sx={inColumn}>
        {t('altTexts.title')}
      </DialogTitle>
      <DialogContent ref={content} sx={inColumn}>
        <div className="resource-tools">
          <Toggles
            label={t('tools.filter')}
            value={filter}
            choices={[
              { value: 'noAlt', label: t('filter.noAlt') },
              { value: 'any', label: t('filter.any') },
            ]}
            onChoose={setFilter}
          />
          {others.length > 0 && (
            <FilterSelect
              label={t('item.addLanguage')}
              value=""
              choices={[{ value: '', label: t('item.addLanguage') }, ...others.map(({ code }) => ({ value: code, label: languageName(code) }))]}
              onChoose={(code) => setAdded([...added, code])}
            />
          )}
          <small className="resource-note">{t('altTexts.keys')}</small>
        </div>
        <ResultState result={result} skeleton={<RowsSkeleton rows={8} />}>
          {() =>
            rows.length === 0 ? (
              <p className="resource-note">{t(filter === 'noAlt' ? 'altTexts.complete' : 'empty.noMatch')}</p>
            ) : (
              <ol className="resource-alts">
                {rows.map((resource, index) => (
                  <Row key={resource.id} siteId={site.id} resource={resource} languages={languages} list={list} index={index} />
                ))}
              </ol>
            )
          }
        </ResultState>
        {result.hasNextPage && (
          <Button aria-busy={result.isFetchingNextPage} onClick={() => void result.fetchNextPage()}>
            {t(result.isFetchingNextPage ? 'list.loadingMore' : 'list.loadMore')}
          </Button>
        )}
      </DialogContent>
      <DialogActions sx={{ ...inColumn, padding: '8px 24px 16px' }}>
        <Button variant="contained" onClick={close}>
          {t('altTexts.done')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
