import { Icon } from './Icon';

/** The magnifier in front of what can be searched. */
export const SearchIcon = () => <Icon name="search" size={16} />;
