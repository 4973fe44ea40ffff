import { blockOf, clipType, printBlock } from './clipboardBlock';
import type { Block } from './clipboardBlock';
import { indexesOf, maxGestureRows } from './gestureRows';
import type { GridModel } from './gridModel';
import { activeRange, allRanges } from './selection';
import type { Range, Selection } from './selection';
import { printHtml, printTsv } from './tsv';
import { reasonOf } from './useRowLoader';
import type { RowLoader } from './useRowLoader';

/** Ranges below one another in the same columns are copied as one; otherwise only the last range is copied. */
export function copiedRanges(selection: Selection): readonly Range[] {
  const last = activeRange(selection);
  const ranges = allRanges(selection);
  return ranges.every(({ left, right }) => left === last.left && right === last.right) ? [...ranges].sort((a, b) => a.top - b.top) : [last];
}

/** Writes a block that is still loading: browsers allow writing only during the gesture, so the clipboard gets promises that resolve later. */
async function writeLater(ready: Promise<Block>, refused: string): Promise<void> {
  if (typeof ClipboardItem === 'undefined') throw new Error(refused);
  const blob = (type: string, print: (texts: Block['texts']) => string): Promise<Blob> => ready.then(({ texts }) => new Blob([print(texts)], { type }));
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob('text/plain', printTsv), 'text/html': blob('text/html', printHtml) })]);
}

/**
 * Handles a copy or cut event of the browser, or of a menu, which has no `clipboard`. `onCopied` runs after a successful copy. false: there is nothing to copy.
 */
export function copySelection(
  { props, labels, layout, displayRows }: GridModel,
  selection: Selection,
  loader: RowLoader,
  clipboard: DataTransfer | null,
  announce: (text: string) => void,
  onCopied: () => void,
): boolean {
  const ranges = copiedRanges(selection);
  const last = ranges.at(-1);
  if (!last || last.bottom < 0) return false;
  const lists = ranges.map((range) => indexesOf(displayRows, range));
  const indexes = [...new Set(lists.flatMap((list) => list ?? []))];
  if (lists.includes(null) || indexes.length > maxGestureRows) {
    loader.notifyTooMany();
    return true;
  }
  const columns = layout.all.slice(last.left, last.right + 1).map(({ column }) => column);
  const complete = ({ texts, kinds }: Block): void => {
    announce(labels.t('copied', { rows: texts.length, columns: kinds.length }));
    onCopied();
  };
  const { rows, signal } = loader.load(indexes);
  if (!(rows instanceof Promise) && clipboard) {
    const block = blockOf(rows, columns);
    clipboard.setData('text/plain', printTsv(block.texts));
    clipboard.setData('text/html', printHtml(block.texts));
    clipboard.setData(clipType, printBlock(block));
    complete(block);
    return true;
  }
  announce(labels.t('copying', { rows: labels.number(indexes.length) }));
  const ready = Promise.resolve(rows).then((found) => blockOf(found, columns));
  writeLater(ready, labels.t('copyRefused'))
    .then(async () => complete(await ready))
    .catch((error: unknown) => {
      const isRefused = error instanceof DOMException && error.name === 'NotAllowedError';
      if (!signal.aborted) props.onNotice?.(labels.t('copyFailed', { reason: isRefused ? labels.t('copyRefused') : reasonOf(error) }));
    });
  return true;
}
