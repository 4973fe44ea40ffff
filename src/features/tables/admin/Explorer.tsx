import { Button } from '@mui/material';
import { useState } from 'react';
import type { FormEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { bytesText } from '@/lib/bytes';
import { useFormat } from '@/lib/format';
import { useRemembered } from '@/lib/useRemembered';
import { CopyButton } from '@/ui/CopyButton';
import { Segmented } from '@/ui/form/Segmented';
import { ChooseLine, TextLine } from '../parts/controls';
import { askedOf, exampleOf, fieldsOf, snippetLanguages, snippetOf, typeWord } from './operations';
import type { As, Asked, OpenApi, Operation, Parameter, SnippetLanguage } from './operations';
import { useCallWords, useParameterWords } from './useCallWords';
import { useSending } from './useSending';
import type { Heard } from './useSending';
import { CodeBox, Scroll } from './Scroll';

type Schemas = OpenApi['components']['schemas'];
/** More of an answer than this is not drawn; characters. */
const shown = 50_000;
const languageName: Record<SnippetLanguage, string> = { curl: 'curl', js: 'JavaScript', python: 'Python' };

/** Why a text is no JSON, or null. */
function faultOf(body: string): string | null {
  try {
    JSON.parse(body);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const Answer = ({ heard }: { readonly heard: Heard }): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const format = useFormat();
  if (heard.status === 0)
    return (
      <p role="alert" className="admin-bad">
        {t('api.noAnswer')}
      </p>
    );
  return (
    <section className="admin-answer" aria-label={t('api.answer')}>
      <p role="status" className="admin-figures">
        <b data-status={heard.status < 400 ? 'good' : 'bad'}>{`${String(heard.status)} ${heard.statusText}`.trim()}</b>
        <span>
          {t('api.time')} {t('indexes.ms', { n: format.number(Math.round(heard.ms)) })}
        </span>
        <span>
          {t('api.size')} {bytesText(heard.bytes, format)}
        </span>
        {heard.text !== '' && <CopyButton text={heard.text} label={t('api.copyAnswer')} />}
      </p>
      {heard.text === '' ? <p className="admin-note">{t('api.noBody')}</p> : <CodeBox label={t('api.answer')}>{heard.text.slice(0, shown)}</CodeBox>}
      {heard.text.length > shown && <p className="admin-note">{t('api.cut', { n: format.number(shown) })}</p>}
      <details>
        <summary>{t('api.headers')}</summary>
        <dl className="admin-headers">
          {heard.headers.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  );
};

const Snippet = ({ asked, needsToken }: { readonly asked: Asked; readonly needsToken: boolean }): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const [language, setLanguage] = useRemembered<SnippetLanguage>('snippet', snippetLanguages, 'curl');
  const code = snippetOf(language, asked, needsToken, location.origin);
  return (
    <section className="admin-answer" aria-label={t('api.snippet')}>
      <div className="admin-tools">
        <Segmented<SnippetLanguage>
          label={t('api.snippet')}
          value={language}
          choices={snippetLanguages.map((value) => ({ value, label: languageName[value] }))}
          onChoose={setLanguage}
        />
        <CopyButton text={code} label={t('api.copySnippet')} />
      </div>
      <CodeBox label={t('api.snippet')}>{code}</CodeBox>
    </section>
  );
};

/** One call: what it takes, trying it, and the code that makes it. */
export const Explorer = ({ operation, schemas }: { readonly operation: Operation; readonly schemas: Schemas }): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const words = useCallWords();
  const meaning = useParameterWords();
  const { body: schema, scope, method } = operation;
  const parameters = operation.parameters.filter(({ in: place }) => place !== 'header');
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [body, setBody] = useState(() => (schema ? JSON.stringify(exampleOf(schema, schemas), null, 2) : ''));
  const [ifMatch, setIfMatch] = useState('');
  const [kind, setKind] = useState<As['kind']>(scope === null ? 'nobody' : 'session');
  const [token, setToken] = useState('');
  const [tried, setTried] = useState(false);
  const { heard, busy, send, stop } = useSending();

  const revised = operation.parameters.some(({ name }) => name === 'If-Match');
  const fault = schema ? faultOf(body) : null;
  const missing = [
    ...parameters.filter(({ name, in: place, required }) => (place === 'path' || required) && (values[name] ?? '').trim() === '').map(({ name }) => name),
    ...(revised && ifMatch.trim() === '' ? ['If-Match'] : []),
    ...(kind === 'token' && token.trim() === '' ? [t('api.token')] : []),
  ];
  const asked = askedOf(operation, values, body, ifMatch);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (missing.length > 0 || fault !== null) return;
    void send(asked, kind === 'token' ? { kind, value: token } : { kind });
  };
  const line = ({ name, required, schema: { enum: choices } }: Parameter) => {
    const shared = {
      label: required || operation.path.includes(`{${name}}`) ? t('api.required', { name }) : name,
      help: meaning(name),
      value: values[name] ?? '',
      onChange: (value: string) => setValues({ ...values, [name]: value }),
    };
    if (choices?.every((one) => typeof one === 'string'))
      return <ChooseLine key={name} {...shared} options={[{ id: '', name: '—' }, ...choices.map((id) => ({ id, name: id }))]} />;
    return <TextLine key={name} {...shared} mono max={20_000} />;
  };
  const inPath = parameters.filter(({ in: place }) => place === 'path');
  const inQuery = parameters.filter(({ in: place }) => place === 'query');
  const fields = schema ? fieldsOf(schema, schemas) : [];
  const kinds: readonly As['kind'][] = scope === null ? ['nobody', 'session', 'token'] : ['session', 'token'];
  const kindWord = { session: 'api.asSession', token: 'api.asToken', nobody: 'api.asNobody' } as const;
  return (
    <>
      <h2 className="admin-call-title">
        {words(operation)}
        <small>{operation.table}</small>
      </h2>
      <p className="admin-path">
        <code data-method={method}>{method}</code>
        <code>{operation.path}</code>
      </p>
      <p className="admin-note">{scope === null ? t('api.open') : t('api.access', { scope })}</p>
      <form onSubmit={submit} noValidate className="admin-form">
        {inPath.length > 0 && (
          <fieldset>
            <legend>{t('api.path')}</legend>
            {inPath.map(line)}
          </fieldset>
        )}
        {revised && <TextLine label={t('api.ifMatch')} help={t('api.ifMatchHelp')} mono max={20} value={ifMatch} onChange={setIfMatch} />}
        {inQuery.length > 0 && (
          <fieldset>
            <legend>{t('api.query')}</legend>
            <div className="admin-query">{inQuery.map(line)}</div>
          </fieldset>
        )}
        {schema && (
          <TextLine
            label={t('api.body')}
            rows={Math.min(20, Math.max(6, body.split('\n').length))}
            mono
            max={1_000_000}
            value={body}
            error={tried && fault !== null ? t('api.bodyFault', { reason: fault }) : undefined}
            onChange={setBody}
          />
        )}
        {fields.length > 0 && (
          <details>
            <summary>{t('api.schema')}</summary>
            <Scroll label={t('api.schema')}>
              <table className="admin-table">
                <thead>
                  <tr>
                    <th scope="col">{t('api.field')}</th>
                    <th scope="col">{t('api.type')}</th>
                    <th scope="col">{t('api.explain')}</th>
                  </tr>
                </thead>
                <tbody>
                  {fields.map(([name, field]) => (
                    <tr key={name}>
                      <th scope="row">
                        <code>{name}</code>
                      </th>
                      <td>{typeWord(field, schemas)}</td>
                      <td className="admin-wrap">{[field.title, field.description].filter((one) => one !== undefined && one !== '').join('\n')}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Scroll>
          </details>
        )}
        <Segmented<As['kind']> label={t('api.as')} value={kind} choices={kinds.map((value) => ({ value, label: t(kindWord[value]) }))} onChoose={setKind} />
        {kind === 'token' && <TextLine label={t('api.token')} help={t('api.tokenHelp')} mono max={200} value={token} onChange={setToken} />}
        <div className="admin-send">
          <Button type="submit" variant="contained" disabled={busy} aria-busy={busy}>
            {t(busy ? 'api.sending' : 'api.send')}
          </Button>
          {busy && <Button onClick={stop}>{t('api.stop')}</Button>}
          {method !== 'GET' && <span className="admin-warn">{t('api.writes')}</span>}
        </div>
        {tried && missing.length > 0 && (
          <p role="alert" className="admin-bad">
            {t('api.missing', { names: missing.join(t('comma')) })}
          </p>
        )}
      </form>
      {heard && <Answer heard={heard} />}
      <Snippet asked={askedOf(operation, values, body, revised && ifMatch.trim() === '' ? 'REVISION' : ifMatch)} needsToken={scope !== null} />
    </>
  );
};
