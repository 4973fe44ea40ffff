import Palette from '@/features/palette/Palette';
import { usePaletteEntries } from './usePaletteEntries';

const PaletteHost = ({ onClose, onHelp }: { onClose: () => void; onHelp: () => void }) => <Palette entries={usePaletteEntries(onHelp)} onClose={onClose} />;

export default PaletteHost;
