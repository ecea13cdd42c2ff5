import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'

/** At the foot of a picker: what is missing is made on the spot. */
export const PickerCreate = ({ text, onClick }: { text: string; onClick: () => void }) => (
  <div className="picker-foot">
    <Button type="link" size="small" icon={<PlusOutlined />} onClick={onClick}>
      {text}
    </Button>
  </div>
)
