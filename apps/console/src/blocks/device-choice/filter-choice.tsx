import { Alert, Button } from 'antd'

/** The devices of a filter instead of chosen ones; the server names them when the form is sent. */
export const FilterChoice = ({ onDrop }: { onDrop: () => void }) => (
  <Alert
    type="info"
    showIcon
    title="设备列表中符合筛选条件的全部设备"
    description="提交时由平台确定名单，之后才符合条件的设备不包括在内。"
    action={
      <Button size="small" onClick={onDrop}>
        改为逐台选择
      </Button>
    }
  />
)
