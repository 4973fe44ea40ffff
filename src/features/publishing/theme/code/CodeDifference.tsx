import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { ReactElement } from 'react';
import { phone, useMedia } from '@/lib/useMedia';
import { commonExtensions, readingExtensions } from './codeSetup';
import { useCodePhrases } from './codePhrases';

/** One version of a file and what it is called. */
export type Version = { readonly label: string; readonly text: string };

/** Lines around a change that stay visible, and the fewest that are folded. */
const folding = { margin: 3, minSize: 6 };

/** Two versions of a file side by side; on a phone one below the other, in one text. */
function CodeDifference({ path, before, after }: { readonly path: string; readonly before: Version; readonly after: Version }): ReactElement {
  const box = useRef<HTMLDivElement>(null);
  const phrases = useCodePhrases();
  const isPhone = useMedia(phone);
  useEffect(() => {
    const parent = box.current;
    if (parent === null) return;
    const side = ({ label, text }: Version) => ({
      doc: text,
      extensions: [commonExtensions(path, phrases), readingExtensions(label), EditorView.lineWrapping],
    });
    if (isPhone) {
      const { doc, extensions } = side(after);
      const merged = unifiedMergeView({ original: before.text, mergeControls: false, collapseUnchanged: folding });
      const view = new EditorView({ doc, extensions: [extensions, merged], parent });
      return () => view.destroy();
    }
    const view = new MergeView({ a: side(before), b: side(after), parent, collapseUnchanged: folding, gutter: true });
    return () => view.destroy();
    // The texts of a version do not change while it is compared; their labels and the folded lines follow the language.
  }, [path, before.text, before.label, after.text, after.label, phrases, isPhone]);
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
