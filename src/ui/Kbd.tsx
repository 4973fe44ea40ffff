import { Fragment } from 'react';

const mac = /Mac|iPhone|iPad/.test(navigator.platform);
const glyph = (key: string): string =>
  key === 'mod'
    ? mac
      ? '⌘'
      : 'Ctrl'
    : key === 'shift'
      ? mac
        ? '⇧'
        : 'Shift'
      : key === 'enter'
        ? '↵'
        : key === 'esc'
          ? 'Esc'
          : key.length === 1
            ? key.toUpperCase()
            : key;

/** Keys as labelled on the reader's keyboard: `mod+k`, or a sequence `g h`. */
export const Kbd = ({ keys, spoken = false }: { keys: string; /** No other text says it: not hidden from screen readers. */ spoken?: boolean }) => (
  <span aria-hidden={!spoken} className="kbd">
    {keys.split(/[+ ]/).map((key, at) => (
      <Fragment key={`${key}${String(at)}`}>
        <kbd>{glyph(key)}</kbd>
      </Fragment>
    ))}
  </span>
);
