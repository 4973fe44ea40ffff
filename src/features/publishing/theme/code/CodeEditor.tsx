import { historyField, redo, redoDepth, undo, undoDepth } from '@codemirror/commands';
import { setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { ReactElement } from 'react';
import { commonExtensions, editingExtensions, readingExtensions } from './codeSetup';
import { useCodePhrases } from './codePhrases';

/** Something wrong in a file; `line` and `column` count from 1. */
export type CodeProblem = { readonly line: number; readonly column: number; readonly message: string; readonly severity: 'error' | 'warning' };
export type CodeHandle = { readonly undo: () => void; readonly redo: () => void; readonly goTo: (line: number, column: number) => void };

type Props = {
  readonly path: string;
  readonly label: string;
  readonly text: string;
  readonly readOnly: boolean;
  readonly problems: readonly CodeProblem[];
  /** Another one each time that the text was replaced from outside, which ends its undo history. */
  readonly generation: number;
  /** States of files that were open before, so that undo and place survive switching between them. */
  readonly states: Map<string, unknown>;
  readonly onChange: (text: string) => void;
  readonly onUndoable: (can: { readonly undo: boolean; readonly redo: boolean }) => void;
  readonly onSave: () => void;
  readonly onReady: (handle: CodeHandle | null) => void;
};

const positionOf = (state: EditorState, line: number, column: number): number => {
  const found = state.doc.line(Math.min(Math.max(line, 1), state.doc.lines));
  return Math.min(found.from + Math.max(column, 1) - 1, found.to);
};

/** The word at a place, or the rest of its line. */
function diagnosticOf(state: EditorState, { line, column, message, severity }: CodeProblem) {
  const from = positionOf(state, line, column);
  const word = state.wordAt(from);
  const { to } = state.doc.lineAt(from);
  return { from, to: word?.to ?? to, severity, message };
}

/** One file in CodeMirror. It is uncontrolled: `text` and `path` are read when it mounts, so give it a `key` of both. */
function CodeEditor({ path, generation, label, text, readOnly, problems, states, onChange, onUndoable, onSave, onReady }: Props): ReactElement {
  const box = useRef<HTMLDivElement>(null);
  const stateKey = `${path} ${String(generation)}`;
  const view = useRef<EditorView | null>(null);
  const phrases = useCodePhrases();
  const save = useEffectEvent(onSave);
  const change = useEffectEvent(onChange);
  const report = useEffectEvent((state: EditorState) => onUndoable({ undo: undoDepth(state) > 0, redo: redoDepth(state) > 0 }));
  const ready = useEffectEvent(onReady);
  const create = useEffectEvent((parent: HTMLElement): EditorView => {
    const extensions = [
      keymap.of([{ key: 'Mod-s', preventDefault: true, run: () => (save(), true) }]),
      commonExtensions(path, phrases),
      readOnly ? readingExtensions(label) : editingExtensions(label),
      EditorView.updateListener.of((update) => {
        if (!update.docChanged) return;
        change(update.state.doc.toString());
        report(update.state);
      }),
    ];
    const stored = states.get(stateKey);
    const state =
      stored === undefined ? EditorState.create({ doc: text, extensions }) : EditorState.fromJSON(stored, { extensions }, { history: historyField });
    return new EditorView({ state, parent });
  });

  useEffect(() => {
    if (box.current === null) return;
    const editor = create(box.current);
    view.current = editor;
    report(editor.state);
    ready({
      undo: () => void undo(editor),
      redo: () => void redo(editor),
      goTo: (line, column) => {
        const anchor = positionOf(editor.state, line, column);
        editor.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
        editor.focus();
      },
    });
    return () => {
      if (!editor.state.readOnly) states.set(stateKey, editor.state.toJSON({ history: historyField }));
      ready(null);
      editor.destroy();
      view.current = null;
    };
  }, [stateKey, states]);

  useEffect(() => {
    const editor = view.current;
    if (editor)
      editor.dispatch(
        setDiagnostics(
          editor.state,
          problems.map((problem) => diagnosticOf(editor.state, problem)),
        ),
      );
  }, [problems, path]);

  return <div ref={box} className="theme-code" />;
}
export default CodeEditor;
