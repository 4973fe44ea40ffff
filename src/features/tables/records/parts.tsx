import { Suspense, useEffect, useRef, useState } from 'react';
import type { ReactElement, ReactNode, Ref, SelectHTMLAttributes } from 'react';
import { useMenu } from '@/ui/useMenu';
import { Popup } from '@/ui/Popup';
import { preloadPanels } from './lazyParts';

export type Option<T extends string> = { readonly id: T; readonly name: string; readonly group?: string };

/** A native select: fast, and familiar on phones. */
export const Choose = <T extends string>({
  label,
  value,
  options,
  onChange,
  ...rest
}: {
  readonly label: string;
  readonly value: T;
  readonly options: readonly Option<T>[];
  readonly onChange: (value: T) => void;
} & Omit<SelectHTMLAttributes<HTMLSelectElement>, 'value' | 'onChange'>): ReactElement => {
  const groups = [...new Set(options.map(({ group }) => group))];
  const list = (some: readonly Option<T>[]) =>
    some.map(({ id, name }) => (
      <option key={id} value={id}>
        {name}
      </option>
    ));
  return (
    <select className="tables-select" aria-label={label} value={value} onChange={(event) => onChange(event.target.value as T)} {...rest}>
      {groups.map((group) =>
        group === undefined ? (
          list(options.filter((one) => one.group === undefined))
        ) : (
          <optgroup key={group} label={group}>
            {list(options.filter((one) => one.group === group))}
          </optgroup>
        ),
      )}
    </select>
  );
};

/** A toolbar button with its panel. `count`: how many of its settings are active. */
export const ToolPanel = ({
  name,
  icon,
  count = 0,
  width = 360,
  bare = false,
  opened = false,
  onClosed,
  children,
}: {
  readonly name: string;
  readonly icon: ReactNode;
  readonly count?: number;
  readonly width?: number;
  /** Only the icon is visible. */ readonly bare?: boolean;
  /** Opened from elsewhere. */ readonly opened?: boolean;
  readonly onClosed?: () => void;
  readonly children: (close: () => void) => ReactNode;
}): ReactElement => {
  const menu = useMenu();
  const [button, setButton] = useState<HTMLElement | null>(null);
  const anchor = menu.anchor ?? (opened ? button : null);
  const close = () => {
    menu.close();
    onClosed?.();
  };
  return (
    <>
      <ToolButton
        buttonRef={setButton}
        name={name}
        icon={icon}
        count={count}
        bare={bare}
        open={anchor !== null}
        onNear={preloadPanels}
        onPress={(event) => (anchor ? close() : menu.toggle(event))}
      />
      {/* Around the popup, which gives the focus to what it contains. */}
      <Suspense fallback={null}>
        {anchor && (
          <Popup anchor={anchor} onClose={close} label={name} width={width}>
            <Inside>{children(close)}</Inside>
          </Popup>
        )}
      </Suspense>
    </>
  );
};

/** The content of an open panel. If pressing a button removes it, the panel takes its focus, so that Tab and Escape continue from there. */
export const Inside = ({ children }: { readonly children: ReactNode }): ReactElement => {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const watch = new MutationObserver(() => {
      if (document.activeElement === document.body) element.focus({ preventScroll: true });
    });
    watch.observe(element, { childList: true, subtree: true });
    return () => watch.disconnect();
  }, []);
  return (
    <div ref={box} tabIndex={-1} className="tables-panel">
      {children}
    </div>
  );
};

export const ToolButton = ({
  name,
  icon,
  count = 0,
  bare = false,
  open,
  pressed,
  disabled = false,
  hint,
  buttonRef,
  onNear,
  onPress,
}: {
  readonly name: string;
  readonly icon: ReactNode;
  readonly count?: number;
  readonly bare?: boolean;
  /** Whether what it controls is open. */ readonly open?: boolean;
  readonly pressed?: boolean;
  readonly disabled?: boolean;
  readonly hint?: string;
  readonly buttonRef?: Ref<HTMLButtonElement>;
  /** The pointer or the focus has come to the button. */ readonly onNear?: () => void;
  readonly onPress: (event: { currentTarget: HTMLElement }) => void;
}): ReactElement => (
  <button
    type="button"
    className="bare-button tables-tool"
    ref={buttonRef}
    onPointerEnter={onNear}
    onFocus={onNear}
    disabled={disabled}
    data-on={count > 0 || pressed === true ? '' : undefined}
    title={hint ?? name}
    onClick={onPress}
    {...(open === undefined ? {} : { 'aria-expanded': open, 'aria-haspopup': 'dialog' as const })}
    {...(pressed === undefined ? {} : { 'aria-pressed': pressed })}
  >
    {icon}
    <span className={bare ? 'only-read' : ''}>{name}</span>
    {count > 0 && <span className="tables-count">{count}</span>}
  </button>
);
