import { readFileSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { parseSync } from '@swc/core';
import { tokenScopes } from '@contract/permissions';
import openMessages from '@/open/messages.zh-CN';
import viewMessages from '@/open/view/messages.zh-CN';
import formMessages from '@/open/form/messages.zh-CN';
import publicReportsMessages from '@/publicReports/messages.zh-CN';
import signMessages from '@/sign/messages.zh-CN';
import coreZh from './core.zh-CN';
import { namespaces } from './namespaces.zh-CN';

type Messages = { readonly [key: string]: string | Messages };
/** The texts in a file: whole strings, names of properties, and templates as patterns in which `*` stands for an expression. */
type Written = { readonly file: string; readonly strings: ReadonlySet<string>; readonly names: ReadonlySet<string>; readonly patterns: readonly string[] };

const src = join(__dirname, '..');
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll(sep, '/'))
  .filter((file) => /\.tsx?$/.test(file) && !/\.(test|d)\.tsx?$/.test(file) && !/messages\.(zh-CN|en)\.ts$/.test(file));

function readStrings(file: string): Written {
  const strings = new Set<string>();
  const names = new Set<string>();
  const patterns: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (node === null || typeof node !== 'object') return;
    const { type, value, quasis } = node as { type?: string; value?: unknown; quasis?: readonly { readonly cooked?: string }[] };
    if (type === 'StringLiteral' && typeof value === 'string') strings.add(value);
    if (type === 'Identifier' && typeof value === 'string') names.add(value);
    if (type === 'TemplateLiteral' || type === 'TsTemplateLiteralType') patterns.push((quasis ?? []).map(({ cooked = '' }) => cooked).join('*'));
    Object.values(node).forEach(visit);
  };
  visit(parseSync(readFileSync(join(src, file), 'utf8'), { syntax: 'typescript', tsx: file.endsWith('x') }).body);
  return { file, strings, names, patterns };
}

const plural = /_(zero|one|two|few|many|other)$/;
const keysOf = (messages: Messages, prefix = ''): string[] =>
  Object.entries(messages).flatMap(([key, value]) => (typeof value === 'string' ? [`${prefix}${key.replace(plural, '')}`] : keysOf(value, `${prefix}${key}.`)));

const written = files.map(readStrings);
const folderOf = (file: string): string =>
  file
    .split('/')
    .slice(0, file.startsWith('features/') ? 2 : 1)
    .join('/');

/** The files that can use keys of a namespace: those of a folder in which a file names it. */
function writersOf(namespace: string): readonly Written[] {
  const folders = new Set(
    written.filter(({ strings }) => [...strings].some((text) => text === namespace || text.startsWith(`${namespace}:`))).map(({ file }) => folderOf(file)),
  );
  return written.filter(({ file }) => folders.has(folderOf(file)));
}

const bundles: [string, () => Promise<Messages>][] = [
  ...Object.entries(coreZh).map(([name, messages]): [string, () => Promise<Messages>] => [name, () => Promise.resolve(messages)]),
  ...Object.entries(namespaces).map(([name, load]): [string, () => Promise<Messages>] => [name, async () => (await load()).default]),
];

/** Whether one of the texts is this key, or a pattern that matches it. */
function matcherOf(texts: readonly string[]): (key: string) => boolean {
  const plain = new Set(texts.filter((text) => !text.includes('*')));
  const patterns = texts
    .filter((text) => /^[\w.*]*[\w.]{2,}[\w.*]*$/.test(text) && text.includes('*'))
    .map((text) => new RegExp(`^${text.replaceAll('.', '\\.').replaceAll('*', '[\\w.-]+')}$`));
  return (key) => plain.has(key) || patterns.some((pattern) => pattern.test(key));
}

test.each(bundles)('every message of %s is used', async (namespace, load) => {
  const isUsed = matcherOf(writersOf(namespace).flatMap(({ strings, patterns }) => [...strings, ...patterns].map((text) => text.replace(`${namespace}:`, ''))));
  expect([...new Set(keysOf(await load()))].filter((key) => !isUsed(key))).toEqual([]);
});

/** Scopes of tokens look like keys with a namespace. */
const scopes = new Set<string>(tokenScopes);

/** Keys with their namespace are data (notices, jobs), which the typed `t` cannot check. */
test.each(bundles)('every key in the namespace %s has a message', async (namespace, load) => {
  const keys = [...new Set(keysOf(await load()))];
  const named = written
    .flatMap(({ strings, patterns }) => [...strings, ...patterns])
    .filter((text) => new RegExp(`^${namespace}:[\\w.*-]+$`).test(text) && !scopes.has(text));
  const missing = named.map((text) => text.slice(namespace.length + 1)).filter((text) => !keys.some(matcherOf([text])) && text !== '*');
  expect(missing).toEqual([]);
});

/** Keys that are values of the contract, such as roles of invitations and topics of notices. */
const readByValue = /^(invite\.(roles|siteRoles)|contact\.topics)\./;

/** These pages bundle their messages and read them as properties. */
test.each([
  ['sign', signMessages],
  ['open', openMessages],
  ['open/view', viewMessages],
  ['open/form', formMessages],
  ['publicReports', publicReportsMessages],
] satisfies [string, Messages][])('every message of the page %s is used', (folder, messages) => {
  const writers = written.filter(({ file }) => file.startsWith(`${folder}/`));
  const isUsed = matcherOf(writers.flatMap(({ strings, names, patterns }) => [...strings, ...names, ...patterns]));
  expect(keysOf(messages).filter((key) => !readByValue.test(key) && !key.split('.').every(isUsed))).toEqual([]);
});
