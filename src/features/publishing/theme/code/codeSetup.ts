import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { css } from '@codemirror/lang-css';
import { html } from '@codemirror/lang-html';
import { javascript } from '@codemirror/lang-javascript';
import { json } from '@codemirror/lang-json';
import { closePercentBrace, liquid } from '@codemirror/lang-liquid';
import { HighlightStyle, bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import type { LanguageSupport } from '@codemirror/language';
import { lintGutter, lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  rectangularSelection,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { CodePhrases } from './codePhrases';

/** Closing tags are typed: what CodeMirror adds by itself would stand there twice. */
const markup = () => html({ autoCloseTags: false });

const plainLanguage = (name: string): LanguageSupport | null => {
  if (/\.(?:html?|svg|xml)$/.test(name)) return markup();
  if (name.endsWith('.css')) return css();
  if (name.endsWith('.json') || name.endsWith('.webmanifest')) return json();
  return /\.m?js$/.test(name) ? javascript() : null;
};

/** The language of a theme's file by its name; Liquid is in HTML, or in what the name without `.liquid` says. */
function languageOf(path: string): Extension {
  if (!path.endsWith('.liquid')) return plainLanguage(path) ?? [];
  return [liquid({ base: plainLanguage(path.slice(0, -'.liquid'.length)) ?? markup() }), closePercentBrace];
}

/** Colours of code are the console's: each has enough contrast in both schemes. */
const highlighting = HighlightStyle.define([
  { tag: [tags.keyword, tags.controlKeyword, tags.operatorKeyword, tags.modifier, tags.tagName, tags.definitionKeyword], color: 'var(--info)' },
  { tag: [tags.string, tags.special(tags.string), tags.attributeValue, tags.regexp], color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.unit, tags.color, tags.escape], color: 'var(--warning)' },
  { tag: [tags.attributeName, tags.propertyName, tags.className, tags.labelName, tags.constant(tags.name)], color: 'var(--code-name)' },
  { tag: [tags.comment, tags.docComment, tags.processingInstruction, tags.documentMeta], color: 'var(--ink-2)', fontStyle: 'italic' },
  { tag: [tags.punctuation, tags.angleBracket, tags.brace, tags.separator], color: 'var(--ink-2)' },
  { tag: tags.invalid, color: 'var(--bad)' },
]);

const look = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--canvas)', fontSize: 'var(--text-table)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '8px 0' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--canvas)', color: 'var(--ink-2)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--n-1)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground, & ::selection': { backgroundColor: 'var(--code-selection) !important' },
  '.cm-selectionMatch, .cm-searchMatch': { backgroundColor: 'var(--warning-ground)', outline: '1px solid var(--warning)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--code-selection)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--code-selection)' },
  '.cm-panels': { backgroundColor: 'var(--n-1)', color: 'var(--ink)', fontFamily: 'var(--font)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search': { padding: '8px', fontSize: 'var(--text-table)' },
  '.cm-panel.cm-search label': { fontSize: 'var(--text-secondary)' },
  '.cm-textfield': {
    backgroundColor: 'var(--canvas)',
    color: 'var(--ink)',
    border: '1px solid var(--n-4)',
    borderRadius: 'var(--radius)',
    fontSize: 'var(--text-table)',
    padding: '3px 6px',
  },
  '.cm-button': {
    backgroundImage: 'none',
    backgroundColor: 'transparent',
    color: 'var(--ink)',
    border: '1px solid var(--n-4)',
    borderRadius: 'var(--radius)',
    fontSize: 'var(--text-table)',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--n-1)',
    color: 'var(--ink)',
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius)',
    boxShadow: 'var(--shadow)',
  },
  '.cm-diagnostic': { fontFamily: 'var(--font)', padding: '6px 8px' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--bad)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--warning)' },
  '.cm-changedLine': { backgroundColor: 'var(--good-ground)' },
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: 'var(--bad-ground)' },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': { background: 'var(--code-removed)', borderBottom: '1px solid var(--bad)' },
  '&.cm-merge-b .cm-changedText, .cm-changedText': { background: 'var(--code-added)', borderBottom: '1px solid var(--good)' },
  '.cm-collapsedLines': { background: 'var(--n-1)', color: 'var(--ink-2)', fontFamily: 'var(--font)' },
});

/** The page's policy admits style elements with its nonce only. */
const nonceOf = (): string => document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

/** What an editor and both sides of a comparison have in common. */
export const commonExtensions = (path: string, phrases: CodePhrases): Extension => [
  EditorView.cspNonce.of(nonceOf()),
  EditorState.phrases.of(phrases),
  lineNumbers(),
  highlightSpecialChars(),
  syntaxHighlighting(highlighting),
  languageOf(path),
  look,
];

/** Text that cannot be changed, but read, selected and searched with the keyboard. */
export const readingExtensions = (label: string): Extension => [
  EditorState.readOnly.of(true),
  EditorView.contentAttributes.of({ 'aria-label': label, 'aria-readonly': 'true', tabindex: '0' }),
  search({ top: true }),
  keymap.of([...searchKeymap, ...defaultKeymap]),
];

export const editingExtensions = (label: string): Extension => [
  EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
  history(),
  drawSelection(),
  rectangularSelection(),
  indentOnInput(),
  bracketMatching(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  highlightSelectionMatches(),
  search({ top: true }),
  lintGutter(),
  keymap.of([...searchKeymap, ...lintKeymap, ...historyKeymap, indentWithTab, ...defaultKeymap]),
];
