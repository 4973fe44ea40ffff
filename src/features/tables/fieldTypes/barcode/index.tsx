import Barcode from '@mui/icons-material/QrCodeScannerOutlined';
import { defineFieldType } from '../definition';
import { asText } from '../env';
import { BarcodeEditor } from './BarcodeEditor';

export const barcode = defineFieldType({
  group: 'text',
  icon: Barcode,
  Editor: BarcodeEditor,
  width: 150,
  cell: ({ value }) => <span className="f-line f-code">{asText(value)}</span>,
});
