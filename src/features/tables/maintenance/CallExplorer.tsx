import { Button } from '@mui/material';
import { useState } from 'react';
import type { FormEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { bytesText } from '@/lib/bytes';
import { useFormat } from '@/lib/format';
import { useRemembered } from '@/lib/useRemembered';
import { CopyButton } from '@/ui/CopyButton';
import { Segmented } from '@/ui/form/Segmented';
import { ChooseLine, TextLine } from '@/features/tables/parts/controls';
import { requestOf, snippetLanguages, snippetOf } from './callRequest';
import type { CallRequest, Caller, SnippetLanguage } from './callRequest';
import { exampleOf, fieldsOf, typeLabel } from './openApi';
import type { OpenApi, Operation, Parameter, Schema } from './openApi';
import { useCallLabel, useParameterDescription } from './useCallLabels';
import { useCallRequest } from './useCallRequest';
import type { CallResponse } from './useCallRequest';
import { CodeBox, ScrollRegion } from './ScrollRegion';

type Schemas = OpenApi['components']['schemas'];
/** Maximum characters of a response that are shown. */
const shownLength = 50_000;
const languageName: Record<SnippetLanguage, string> = { curl: 'curl', js: 'JavaScript', python: 'Python' };

/** Why a text is not valid JSON; null where it is valid. */
function jsonErrorOf(body: string): string | null {
  try {
    JSON.parse(body);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const ResponseView = ({ response }: { readonly response: CallResponse }): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const format = useFormat();
  if (response.status === 0)
    return (
      <p role="alert" className="admin-bad">
        {t('api.noResponse')}
      </p>
    );
  return (
    <section className="admin-response" aria-label={t('api.response')}>
      <p role="status" className="admin-figures">
        <b data-status={response.status < 400 ? 'good' : 'bad'}>{`${String(response.status)} ${response.statusText}`.trim()}</b>
        <span>
          {t('api.time')} {t('indexes.ms', { n: format.number(Math.round(response.ms)) })}
        </span>
        <span>
          {t('api.size')} {bytesText(response.bytes, format)}
        </span>
        {response.text !== '' && <CopyButton text={response.text} label={t('api.copyResponse')} />}
      </p>
      {response.text === '' ? (
        <p className="admin-note">{t('api.noBody')}</p>
      ) : (
        <CodeBox label={t('api.response')}>{response.text.slice(0, shownLength)}</CodeBox>
      )}
      {response.text.length > shownLength && <p className="admin-note">{t('api.cut', { n: format.number(shownLength) })}</p>}
      <details>
        <summary>{t('api.headers')}</summary>
        <dl className="admin-headers">
          {response.headers.map(([name, value]) => (
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

const Snippet = ({ request, needsToken }: { readonly request: CallRequest; readonly needsToken: boolean }): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const [language, setLanguage] = useRemembered<SnippetLanguage>('snippet', snippetLanguages, 'curl');
  const code = snippetOf(language, request, needsToken, location.origin);
  return (
    <section className="admin-response" aria-label={t('api.snippet')}>
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

/** The draft of a call: its input, the missing parameters, and the resulting request. */
function useCallDraft(operation: Operation, schemas: Schemas) {
  const { t } = useTranslation('tableAdmin');
  const { body: schema, scope } = operation;
  const parameters = operation.parameters.filter(({ in: place }) => place !== 'header');
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [body, setBody] = useState(() => (schema ? JSON.stringify(exampleOf(schema, schemas), null, 2) : ''));
  const [ifMatch, setIfMatch] = useState('');
  const [kind, setKind] = useState<Caller['kind']>(scope === null ? 'nobody' : 'session');
  const [token, setToken] = useState('');
  const needsRevision = operation.parameters.some(({ name }) => name === 'If-Match');
  const isEmpty = (text: string | undefined): boolean => (text ?? '').trim() === '';
  return {
    values,
    setValue: (name: string, value: string): void => setValues({ ...values, [name]: value }),
    body,
    setBody,
    bodyError: schema ? jsonErrorOf(body) : null,
    ifMatch,
    setIfMatch,
    needsRevision,
    kind,
    setKind,
    token,
    setToken,
    caller: kind === 'token' ? { kind, value: token } : { kind },
    parameters,
    /** Names of required inputs that are empty. */
    missing: [
      ...parameters.filter(({ name, in: place, required }) => (place === 'path' || required) && isEmpty(values[name])).map(({ name }) => name),
      ...(needsRevision && isEmpty(ifMatch) ? ['If-Match'] : []),
      ...(kind === 'token' && isEmpty(token) ? [t('api.token')] : []),
    ],
    request: requestOf(operation, values, body, ifMatch),
    /** The request shown as code: with a placeholder for an unknown revision. */
    exampleRequest: requestOf(operation, values, body, needsRevision && isEmpty(ifMatch) ? 'REVISION' : ifMatch),
  };
}
type CallDraft = ReturnType<typeof useCallDraft>;

/** Path and query parameters, and the revision. */
const Parameters = ({ operation, draft }: { readonly operation: Operation; readonly draft: CallDraft }): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const description = useParameterDescription();
  const control = ({ name, required, schema: { enum: choices } }: Parameter) => {
    const shared = {
      label: required || operation.path.includes(`{${name}}`) ? t('api.required', { name }) : name,
      help: description(name),
      value: draft.values[name] ?? '',
      onChange: (value: string) => draft.setValue(name, value),
    };
    if (choices?.every((one) => typeof one === 'string'))
      return <ChooseLine key={name} {...shared} options={[{ id: '', name: '—' }, ...choices.map((id) => ({ id, name: id }))]} />;
    return <TextLine key={name} {...shared} mono max={20_000} />;
  };
  const inPath = draft.parameters.filter(({ in: place }) => place === 'path');
  const inQuery = draft.parameters.filter(({ in: place }) => place === 'query');
  return (
    <>
      {inPath.length > 0 && (
        <fieldset>
          <legend>{t('api.path')}</legend>
          {inPath.map(control)}
        </fieldset>
      )}
      {draft.needsRevision && <TextLine label={t('api.ifMatch')} help={t('api.ifMatchHelp')} mono max={20} value={draft.ifMatch} onChange={draft.setIfMatch} />}
      {inQuery.length > 0 && (
        <fieldset>
          <legend>{t('api.query')}</legend>
          <div className="admin-query">{inQuery.map(control)}</div>
        </fieldset>
      )}
    </>
  );
};

/** Fields of the body, with their types. */
const BodyFields = ({ schema, schemas }: { readonly schema: Schema; readonly schemas: Schemas }): ReactElement | null => {
  const { t } = useTranslation('tableAdmin');
  const fields = fieldsOf(schema, schemas);
  if (fields.length === 0) return null;
  return (
    <details>
      <summary>{t('api.schema')}</summary>
      <ScrollRegion label={t('api.schema')}>
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
                <td>{typeLabel(field, schemas)}</td>
                <td className="admin-wrap">{[field.title, field.description].filter((one) => one !== undefined && one !== '').join('\n')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </details>
  );
};

/** The identity of the caller. */
const CallerChoice = ({ operation, draft }: { readonly operation: Operation; readonly draft: CallDraft }): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const kinds: readonly Caller['kind'][] = operation.scope === null ? ['nobody', 'session', 'token'] : ['session', 'token'];
  const label = { session: 'api.asSession', token: 'api.asToken', nobody: 'api.asNobody' } as const;
  return (
    <>
      <Segmented<Caller['kind']>
        label={t('api.as')}
        value={draft.kind}
        choices={kinds.map((value) => ({ value, label: t(label[value]) }))}
        onChoose={draft.setKind}
      />
      {draft.kind === 'token' && <TextLine label={t('api.token')} help={t('api.tokenHelp')} mono max={200} value={draft.token} onChange={draft.setToken} />}
    </>
  );
};

/** One call: its parameters, a form to try it, and code samples. */
export const CallExplorer = ({ operation, schemas }: { readonly operation: Operation; readonly schemas: Schemas }): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const callLabel = useCallLabel();
  const { body: schema, scope, method } = operation;
  const draft = useCallDraft(operation, schemas);
  const [tried, setTried] = useState(false);
  const { response, busy, send, stop } = useCallRequest();
  const { body, bodyError, missing } = draft;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (missing.length === 0 && bodyError === null) void send(draft.request, draft.caller);
  };
  return (
    <>
      <h2 className="admin-call-title">
        {callLabel(operation)}
        <small>{operation.table}</small>
      </h2>
      <p className="admin-path">
        <code data-method={method}>{method}</code>
        <code>{operation.path}</code>
      </p>
      <p className="admin-note">{scope === null ? t('api.open') : t('api.access', { scope })}</p>
      <form onSubmit={submit} noValidate className="admin-form">
        <Parameters operation={operation} draft={draft} />
        {schema && (
          <TextLine
            label={t('api.body')}
            rows={Math.min(20, Math.max(6, body.split('\n').length))}
            mono
            max={1_000_000}
            value={body}
            error={tried && bodyError !== null ? t('api.bodyFault', { reason: bodyError }) : undefined}
            onChange={draft.setBody}
          />
        )}
        {schema && <BodyFields schema={schema} schemas={schemas} />}
        <CallerChoice operation={operation} draft={draft} />
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
      {response && <ResponseView response={response} />}
      <Snippet request={draft.exampleRequest} needsToken={scope !== null} />
    </>
  );
};
