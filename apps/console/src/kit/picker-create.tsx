import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'

/** At the foot of a picker: what is missing is made on the spot. */
export const PickerCreate = ({ text, onClick }: { text: string; onClick: () => void }) => (
  <div className="line-above above-4" style={{ padding: '8px 12px 4px' }}>
    <Button type="link" size="small" icon={<PlusOutlined />} onClick={onClick}>
      {text}
    </Button>
  </div>
)
