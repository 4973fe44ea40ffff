import { Button, Checkbox, FormControlLabel, NativeSelect, OutlinedInput } from '@mui/material';
import type { ReactElement } from 'react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TranslationEngine, TranslationOverview } from '@contract/languages/translations';
import { isSigned, serviceKinds, translationLimits } from '@contract/languages/translationTerms';
import type { EngineKind, ServiceKind } from '@contract/languages/translationTerms';
import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import { notifyFailure } from '@/features/notices/noticesSlice';
import { isFailure } from '@/lib/failure';
import { useFormat } from '@/lib/format';
import { useLanguageName } from '@/lib/languageName';
import { useAppDispatch } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Field } from '@/ui/form/Field';
import { ListContent } from '@/ui/list/ListContent';
import { Section } from '@/ui/Section';
import { GlossarySection } from './GlossarySection';
import { groupValue, readGroup, usePlaceNames } from './placeNames';
import { RunList } from './RunList';
import {
  useChangeTranslationEngineMutation,
  useRemoveTranslationEngineMutation,
  useTranslateTextsMutation,
  useTranslationCostQuery,
  useTranslationEnginesQuery,
} from './translationsApi';

type Props = { readonly site: Site; readonly overview: TranslationOverview };

/** What to translate by which engine, how much that is, and the button that starts it. */
function Start({ site, overview, engines }: Props & { readonly engines: readonly TranslationEngine[] }): ReactElement {
  const { t } = useTranslation('translations');
  const { number } = useFormat();
  const languageName = useLanguageName();
  const names = usePlaceNames();
  const targets = overview.languages.filter(({ total }) => total > 0).map(({ tag }) => tag);
  const [engine, setEngine] = useState<EngineKind>('opencc');
  const [tag, setTag] = useState(targets.find((one) => one.startsWith('zh')) ?? targets[0] ?? '');
  const [what, setWhat] = useState('');
  const [outdated, setOutdated] = useState(false);
  const body = { engine, tag, outdated, ...readGroup(overview.groups, what) };
  const cost = useTranslationCostQuery({ siteId: site.id, body }, { skip: tag === '', refetchOnMountOrArgChange: true });
  const [start, { isLoading, error }] = useTranslateTextsMutation();
  const nothing = cost.data?.texts === 0;
  const tooMuch = cost.data !== undefined && cost.data.remaining !== null && cost.data.remaining < cost.data.characters;
  return (
    <div className="translation-form">
      <Field label={t('engineLabel')} help={t(`engineHelp.${engine}`)}>
        {({ id, ...aria }) => (
          <NativeSelect
            id={id}
            fullWidth
            inputProps={aria}
            value={engine}
            input={<OutlinedInput />}
            onChange={(event) => setEngine(event.target.value as EngineKind)}
          >
            {engines.map((one) => (
              <option key={one.kind} value={one.kind} disabled={!one.ready}>
                {t(`engine.${one.kind}`)}
              </option>
            ))}
          </NativeSelect>
        )}
      </Field>
      <Field label={t('into')}>
        {({ id, ...aria }) => (
          <NativeSelect id={id} fullWidth inputProps={aria} value={tag} input={<OutlinedInput />} onChange={(event) => setTag(event.target.value)}>
            {targets.map((one) => (
              <option key={one} value={one}>
                {languageName(one)}
              </option>
            ))}
          </NativeSelect>
        )}
      </Field>
      <Field label={t('what')}>
        {({ id, ...aria }) => (
          <NativeSelect id={id} fullWidth inputProps={aria} value={what} input={<OutlinedInput />} onChange={(event) => setWhat(event.target.value)}>
            <option value="">{t('everything')}</option>
            {overview.groups.map((one) => (
              <option key={groupValue(one)} value={groupValue(one)}>
                {names.group(one)}
              </option>
            ))}
          </NativeSelect>
        )}
      </Field>
      <FormControlLabel control={<Checkbox checked={outdated} onChange={(event) => setOutdated(event.target.checked)} />} label={t('alsoOutdated')} />
      <p role="status">
        {cost.data &&
          (nothing ? t('costNothing') : t('cost', { count: cost.data.texts, texts: number(cost.data.texts), characters: number(cost.data.characters) }))}
        {tooMuch && ` ${t('costLimit', { remaining: number(cost.data?.remaining ?? 0) })}`}
        {(cost.data?.characters ?? 0) >= translationLimits.characters && ` ${t('costLimit', { remaining: number(translationLimits.characters) })}`}
      </p>
      {isFailure(cost.error) && <ErrorPanel failure={cost.error} />}
      {isFailure(error) && <ErrorPanel failure={error} />}
      <div>
        <Button variant="contained" disabled={isLoading || cost.data === undefined || nothing} onClick={() => void start({ siteId: site.id, body })}>
          {t('start')}
        </Button>
      </div>
    </div>
  );
}

/** One service: address, key and limit. A stored key is never sent back; it goes only to the address that it was entered for. */
function Service({ siteId, engine }: { readonly siteId: string; readonly engine: TranslationEngine & { readonly kind: ServiceKind } }): ReactElement {
  const { t } = useTranslation('translations');
  const { number } = useFormat();
  const dispatch = useAppDispatch();
  const [url, setUrl] = useState(engine.url ?? '');
  const [key, setKey] = useState('');
  const [limit, setLimit] = useState(engine.dailyLimit === null ? '' : String(engine.dailyLimit));
  const [change, { isLoading, error }] = useChangeTranslationEngineMutation();
  const [remove] = useRemoveTranslationEngineMutation();
  const save = async (): Promise<void> => {
    const body = { url: url.trim() === '' ? null : url.trim(), key: key === '' ? null : key, dailyLimit: limit === '' ? null : Number(limit) };
    const { error: failure } = await change({ siteId, kind: engine.kind, body });
    if (failure === undefined) setKey('');
  };
  const disconnect = async (): Promise<void> => notifyFailure(dispatch, (await remove({ siteId, kind: engine.kind })).error);
  const name = t(`engine.${engine.kind}`);
  return (
    <details className="translation-service">
      <summary>
        {name} <span className="translation-quiet">{engine.ready ? t('connected', { used: number(engine.usedToday) }) : t('notConnected')}</span>
      </summary>
      <div className="translation-form">
        <Field
          label={t('key')}
          help={engine.hasKey ? t('keyStored') : isSigned(engine.kind) ? t('keySigned') : engine.kind === 'libre' ? t('keyOptional') : undefined}
        >
          {({ id, ...aria }) => (
            <OutlinedInput
              id={id}
              inputProps={aria}
              fullWidth
              type="password"
              autoComplete="off"
              value={key}
              onChange={(event) => setKey(event.target.value)}
            />
          )}
        </Field>
        <Field label={t('url')} optional help={t('urlHelp')}>
          {({ id, ...aria }) => <OutlinedInput id={id} inputProps={aria} fullWidth type="url" value={url} onChange={(event) => setUrl(event.target.value)} />}
        </Field>
        <Field label={t('dailyLimit')} optional help={t('dailyLimitHelp')}>
          {({ id, ...aria }) => (
            <OutlinedInput
              id={id}
              inputProps={{ ...aria, inputMode: 'numeric' }}
              fullWidth
              value={limit}
              onChange={(event) => setLimit(event.target.value.replaceAll(/\D/g, ''))}
            />
          )}
        </Field>
        {isFailure(error) && <ErrorPanel failure={error} />}
        <div className="translation-actions">
          <Button variant="contained" disabled={isLoading} onClick={() => void save()}>
            {t('connect', { name })}
          </Button>
          {engine.ready && (
            <Button variant="outlined" onClick={() => void disconnect()}>
              {t('disconnect', { name })}
            </Button>
          )}
        </div>
      </div>
    </details>
  );
}

const isService = (engine: TranslationEngine): engine is TranslationEngine & { readonly kind: ServiceKind } =>
  (serviceKinds as readonly EngineKind[]).includes(engine.kind);

/** Machine translation: start it, undo it, connect services, and fix terms. */
export function MachineTab({ site, overview }: Props): ReactElement {
  const { t } = useTranslation('translations');
  const result = useTranslationEnginesQuery({ siteId: site.id }, { refetchOnMountOrArgChange: true });
  return (
    <>
      <ListContent result={result} rowsOf={({ rows }) => rows} skeletonRows={4} empty={null}>
        {(engines) => (
          <>
            <Section title={t('machine')} note={t('machineNote')}>
              <Start site={site} overview={overview} engines={engines} />
            </Section>
            <RunList siteId={site.id} kind="machine" />
            {mayOnSite(site.role, 'site.compose') && (
              <Section title={t('services')} note={t('servicesNote')}>
                {engines.filter(isService).map((engine) => (
                  <Service key={engine.kind} siteId={site.id} engine={engine} />
                ))}
              </Section>
            )}
          </>
        )}
      </ListContent>
      <GlossarySection siteId={site.id} languages={overview.languages.map(({ tag }) => tag)} />
    </>
  );
}
