import { Table, TableBody, TableCell, TableHead, TableRow } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { TranslationOverview } from '@contract/languages/translations';
import { translationStates } from '@contract/languages/translationTerms';
import type { Site } from '@contract/sites/schemas';
import { useFormat } from '@/lib/format';
import { useLanguageName } from '@/lib/languageName';
import { text, whole } from '@/lib/searchState';
import { useListAddress } from '@/lib/useListAddress';
import { EmptyState } from '@/ui/EmptyState';
import { FilterSelect } from '@/ui/FilterSelect';
import { PagedList } from '@/ui/list/PagedList';
import { Section } from '@/ui/Section';
import { groupValue, readGroup, usePlaceNames } from './placeNames';
import { useTranslationMatrixQuery } from './translationsApi';

type Props = { readonly site: Site; readonly overview: TranslationOverview };

/** What share of the texts is reviewed, as a bar. */
const Share = ({ value, label }: { readonly value: number; readonly label: string }): ReactElement => (
  <span className="translation-share" role="img" aria-label={label}>
    <span style={{ inlineSize: `${String(value * 100)}%` }} />
  </span>
);

/** Languages with how complete they are; each leads to what is open in it. */
function Languages({ overview }: Pick<Props, 'overview'>): ReactElement {
  const { t } = useTranslation('translations');
  const { number, percent } = useFormat();
  const languageName = useLanguageName();
  const rows = overview.languages.filter(({ total }) => total > 0);
  if (rows.length === 0)
    return (
      <EmptyState ghost="rows" title={t('noTexts')}>
        {t('noTextsText')}
      </EmptyState>
    );
  return (
    <div className="translation-scroll">
      <Table size="small" className="translation-table" aria-label={t('languages')}>
        <TableHead>
          <TableRow>
            <TableCell>{t('language')}</TableCell>
            <TableCell>{t('state.reviewed')}</TableCell>
            {translationStates.slice(0, 4).map((state) => (
              <TableCell key={state} align="right">
                {t(`state.${state}`)}
              </TableCell>
            ))}
            <TableCell align="right">{t('weighed')}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map((row) => (
            <TableRow key={row.tag}>
              <TableCell component="th" scope="row">
                <Link className="text-link" to={`?tab=translate&tag=${row.tag}`}>
                  {languageName(row.tag)}
                </Link>
              </TableCell>
              <TableCell>
                <Share value={row.reviewed / row.total} label={t('reviewedOf', { reviewed: number(row.reviewed), total: number(row.total) })} />{' '}
                {percent(row.reviewed / row.total, 0)}
              </TableCell>
              {translationStates.slice(0, 4).map((state) => (
                <TableCell key={state} align="right">
                  {number(row[state])}
                </TableCell>
              ))}
              <TableCell align="right">{row.weighed === null ? '–' : percent(row.weighed, 0)}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </div>
  );
}

/** Languages of visitors' browsers; those that the site does not have first stand out. */
function Browsers({ browsers }: { readonly browsers: TranslationOverview['browsers'] }): ReactElement | null {
  const { t } = useTranslation('translations');
  const { number, percent } = useFormat();
  const languageName = useLanguageName();
  if (browsers.length === 0) return null;
  return (
    <Section title={t('browsers')} note={t('browsersNote')}>
      <ul className="translation-browsers">
        {browsers.slice(0, 10).map(({ language, tag, visitors, share }) => (
          <li key={language} data-lacks={tag === null}>
            <span>{languageName(language)}</span>
            <span>{t('visitors', { count: visitors, visitors: number(visitors), share: percent(share) })}</span>
            <span>{tag === null ? t('noVersion') : t('reads', { language: languageName(tag) })}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const address = { what: text(), page: whole(1), size: whole(20, 1, 100) };

/** Everything that can be translated, with what is open in each language, the most visited first. */
function Matrix({ site, overview }: Props): ReactElement {
  const { t } = useTranslation('translations');
  const { number } = useFormat();
  const languageName = useLanguageName();
  const names = usePlaceNames();
  const { state, filter, paging } = useListAddress(address, ['what']);
  const result = useTranslationMatrixQuery({ siteId: site.id, page: paging.page, size: paging.size, ...readGroup(overview.groups, state.what) });
  const targets = overview.languages.filter(({ total }) => total > 0).map(({ tag }) => tag);
  return (
    <Section
      title={t('matrix')}
      note={t('matrixNote')}
      actions={
        <FilterSelect
          label={t('what')}
          value={state.what}
          choices={[{ value: '', label: t('everything') }, ...overview.groups.map((one) => ({ value: groupValue(one), label: names.group(one) }))]}
          onChoose={(what) => filter({ what })}
        />
      }
    >
      <PagedList
        result={result}
        paging={paging}
        empty={
          <EmptyState ghost="rows" title={t('noTexts')}>
            {t('noTextsText')}
          </EmptyState>
        }
      >
        {(rows) => (
          <div className="translation-scroll">
            <Table size="small" className="translation-table" aria-label={t('matrix')}>
              <TableHead>
                <TableRow>
                  <TableCell>{t('place')}</TableCell>
                  <TableCell align="right">{t('visitorsOf30Days')}</TableCell>
                  {targets.map((tag) => (
                    <TableCell key={tag}>{languageName(tag)}</TableCell>
                  ))}
                </TableRow>
              </TableHead>
              <TableBody>
                {rows.map((row) => (
                  <TableRow key={`${row.place.entity}:${row.place.group}:${row.place.id}`}>
                    <TableCell component="th" scope="row">
                      {names.row(row)}
                      {(row.path ?? row.groupName) !== '' && <small className="translation-quiet">{row.path ?? row.groupName}</small>}
                    </TableCell>
                    <TableCell align="right">{row.visitors === null ? '–' : number(row.visitors)}</TableCell>
                    {targets.map((tag) => {
                      const counts = row.states[tag];
                      const open = translationStates.filter((one) => one !== 'reviewed' && (counts?.[one] ?? 0) > 0);
                      const to = `?tab=translate&tag=${tag}&what=${encodeURIComponent(groupValue(row.place))}&id=${row.place.id}&state=all`;
                      return (
                        <TableCell key={tag}>
                          {counts && (
                            <Link to={to} className="text-link">
                              {open.length === 0 ? t('state.reviewed') : open.map((one) => `${t(`state.${one}`)} ${number(counts[one])}`).join(' · ')}
                            </Link>
                          )}
                        </TableCell>
                      );
                    })}
                  </TableRow>
                ))}
              </TableBody>
            </Table>
          </div>
        )}
      </PagedList>
    </Section>
  );
}

/** How complete the languages are, what visitors read, and everything that can be translated. */
export function OverviewTab({ site, overview }: Props): ReactElement {
  const { t } = useTranslation('translations');
  const { list } = useFormat();
  const languageName = useLanguageName();
  const lacking = overview.groups.filter(({ lacks, rows }) => lacks.length > 0 && rows > 0);
  const capped = overview.groups.filter((one) => one.capped);
  return (
    <>
      {lacking.length > 0 && (
        <div role="note" className="translation-note">
          {lacking.map(({ group, name, lacks }) => (
            <div key={group}>{t('lacks', { table: name, languages: list(lacks.map(languageName)) })}</div>
          ))}
        </div>
      )}
      {capped.length > 0 && (
        <p role="note" className="translation-note">
          {t('capped', { tables: list(capped.map(({ name }) => name)) })}
        </p>
      )}
      <Section title={t('languages')} note={t('languagesNote')}>
        <Languages overview={overview} />
      </Section>
      <Browsers browsers={overview.browsers} />
      <Matrix site={site} overview={overview} />
    </>
  );
}
