import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { ReactElement } from 'react';
import { useWidth } from '@/ui/chart/useWidth';
import { commonExtensions, readingExtensions } from './codeSetup';
import { useCodePhrases } from './codePhrases';

/** One version of a file and what it is called. */
export type Version = { readonly label: string; readonly text: string };

/** Lines around a change that stay visible, and the fewest that are folded. */
const folding = { margin: 3, minSize: 6 };

/** Width in px below which two columns of code cannot be read. */
const leastWidth = 720;

/** Two versions of a file side by side; without space for that one below the other, in one text. */
function CodeDifference({ path, before, after }: { readonly path: string; readonly before: Version; readonly after: Version }): ReactElement {
  const box = useRef<HTMLDivElement>(null);
  const phrases = useCodePhrases();
  const isNarrow = useWidth(box, 1000) < leastWidth;
  const { text: beforeText, label: beforeLabel } = before;
  const { text: afterText, label: afterLabel } = after;
  useEffect(() => {
    const parent = box.current;
    if (parent === null) return;
    const side = (text: string, label: string) => ({
      doc: text,
      extensions: [commonExtensions(path, phrases), readingExtensions(label), EditorView.lineWrapping],
    });
    if (isNarrow) {
      const { doc, extensions } = side(afterText, afterLabel);
      const merged = unifiedMergeView({ original: beforeText, mergeControls: false, collapseUnchanged: folding });
      const view = new EditorView({ doc, extensions: [extensions, merged], parent });
      return () => view.destroy();
    }
    const view = new MergeView({ a: side(beforeText, beforeLabel), b: side(afterText, afterLabel), parent, collapseUnchanged: folding, gutter: true });
    return () => view.destroy();
  }, [path, beforeText, beforeLabel, afterText, afterLabel, phrases, isNarrow]);
  return (
    <div className="theme-difference">
      <div className="theme-difference-heads" aria-hidden="true">
        <span>{before.label}</span>
        <span>{after.label}</span>
      </div>
      <div ref={box} className="theme-difference-code" />
    </div>
  );
}
export default CodeDifference;
