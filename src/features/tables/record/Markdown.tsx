import { Lexer } from 'marked';
import type { Token, Tokens } from 'marked';
import { Fragment } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { safeHref } from '../fieldTypes/env';
import { decodeEntities } from './html';

/** Elements nested deeper are shown as source, and a text nested deeper is not parsed at all. */
const depthLimit = 16;
const lengthLimit = 200_000;
/** Markers of quotes and lists that each open one level; the lexer recurses once per level. */
const nestedMarkers = /^[ \t]*(?:>[ \t]*|(?:[-*+]|\d{1,9}[.)])[ \t]+){17}/m;

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const;
const alignments = { left: 'md-left', center: 'md-center', right: 'md-right' } as const;

type Children = readonly Token[] | undefined;
const keyed = <T,>(list: readonly T[], render: (one: T) => ReactNode): ReactNode =>
  // oxlint-disable-next-line react/no-array-index-key -- a token has no name but its place
  list.map((one, at) => <Fragment key={at}>{render(one)}</Fragment>);

const linkOf = ({ href, tokens }: Tokens.Link, depth: number): ReactNode => {
  const address = safeHref(decodeEntities(href));
  const label = inlineOf(tokens, depth);
  return address === null ? (
    label
  ) : (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {label}
    </a>
  );
};
const imageOf = ({ href, text }: Tokens.Image): ReactNode => {
  const address = safeHref(decodeEntities(href));
  return address === null ? text : <img src={address} alt={text} loading="lazy" />;
};

function inline(token: Token, depth: number): ReactNode {
  if (depth > depthLimit) return token.raw;
  switch (token.type) {
    case 'strong':
      return <strong>{inlineOf(token.tokens, depth + 1)}</strong>;
    case 'em':
      return <em>{inlineOf(token.tokens, depth + 1)}</em>;
    case 'del':
      return <del>{inlineOf(token.tokens, depth + 1)}</del>;
    case 'codespan':
      return <code>{(token as Tokens.Codespan).text}</code>;
    case 'br':
      return <br />;
    case 'link':
      return linkOf(token as Tokens.Link, depth + 1);
    case 'image':
      return imageOf(token as Tokens.Image);
    case 'escape':
      return (token as Tokens.Escape).text;
    case 'text':
      return token.tokens ? inlineOf(token.tokens, depth + 1) : decodeEntities((token as Tokens.Text).text);
    default:
      return token.raw;
  }
}
const inlineOf = (tokens: Children, depth: number): ReactNode => keyed(tokens ?? [], (token) => inline(token, depth));

const Item = ({ item, depth }: { readonly item: Tokens.ListItem; readonly depth: number }): ReactElement => (
  <li>
    {item.task && <input type="checkbox" checked={item.checked === true} readOnly disabled aria-label={item.text} />}
    {blocksOf(
      item.tokens.filter(({ type }) => type !== 'checkbox'),
      depth,
    )}
  </li>
);
const Table = ({ table, depth }: { readonly table: Tokens.Table; readonly depth: number }): ReactElement => {
  const cell = (Cell: 'th' | 'td') => (one: Tokens.TableCell) => (
    <Cell className={one.align ? alignments[one.align] : undefined}>{inlineOf(one.tokens, depth)}</Cell>
  );
  return (
    <table>
      <thead>
        <tr>{keyed(table.header, cell('th'))}</tr>
      </thead>
      <tbody>
        {keyed(table.rows, (row) => (
          <tr>{keyed(row, cell('td'))}</tr>
        ))}
      </tbody>
    </table>
  );
};

function block(token: Token, depth: number): ReactNode {
  if (depth > depthLimit) return token.raw;
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading': {
      const Heading = headings[(token as Tokens.Heading).depth - 1] ?? 'h6';
      return <Heading>{inlineOf(token.tokens, depth)}</Heading>;
    }
    case 'paragraph':
      return <p>{inlineOf(token.tokens, depth)}</p>;
    case 'code':
      return (
        <pre>
          <code>{(token as Tokens.Code).text}</code>
        </pre>
      );
    case 'hr':
      return <hr />;
    case 'blockquote': {
      const [only, ...others] = token.tokens ?? [];
      return (
        <blockquote>{only?.type === 'paragraph' && others.length === 0 ? inlineOf(only.tokens, depth + 1) : blocksOf(token.tokens, depth + 1)}</blockquote>
      );
    }
    case 'list': {
      const { ordered, start, items } = token as Tokens.List;
      const children = keyed(items, (item) => <Item item={item} depth={depth + 1} />);
      return ordered ? <ol start={start === 1 || start === '' ? undefined : start}>{children}</ol> : <ul>{children}</ul>;
    }
    case 'table':
      return <Table table={token as Tokens.Table} depth={depth + 1} />;
    case 'html':
      return <p>{token.raw.trim()}</p>;
    default:
      return inline(token, depth);
  }
}
const blocksOf = (tokens: Children, depth: number): ReactNode => keyed(tokens ?? [], (token) => block(token, depth));

/** Markdown as React elements; HTML in it is shown as text. */
export const Markdown = ({ text }: { readonly text: string }): ReactElement => {
  if (text.length > lengthLimit || nestedMarkers.test(text)) return <p className="md-source">{text}</p>;
  return <>{blocksOf(new Lexer({ gfm: true }).lex(text), 0)}</>;
};
