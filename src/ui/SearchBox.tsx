import type { KeyboardEventHandler, ReactElement, ReactNode, Ref } from 'react';
import { SearchIcon } from './SearchIcon';

type Props = {
  readonly label: string;
  /** The label, unless another text fits better. */
  readonly placeholder?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly maxLength?: number;
  /** As wide as what contains it. */
  readonly wide?: boolean;
  readonly inputRef?: Ref<HTMLInputElement>;
  readonly onKeyDown?: KeyboardEventHandler<HTMLInputElement>;
  /** Shown behind the text. */
  readonly children?: ReactNode;
};

/** The search box of lists and panels. A plain element, because the first screens show it. Browsers add the button that clears it. */
export const SearchBox = ({
  label,
  placeholder = label,
  value,
  onChange,
  maxLength = 100,
  wide = false,
  inputRef,
  onKeyDown,
  children,
}: Props): ReactElement => (
  // A click beside the text focuses it too.
  <label className={wide ? 'search-box wide' : 'search-box'}>
    <SearchIcon />
    <input
      {...(inputRef === undefined ? {} : { ref: inputRef })}
      type="search"
      value={value}
      aria-label={label}
      placeholder={placeholder}
      maxLength={maxLength}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={onKeyDown}
    />
    {children}
  </label>
);
