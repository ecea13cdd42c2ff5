import { t } from '@ithings/contract/text.ts'
import { Alert, Button } from 'antd'
import { DeviceChoice } from './device-choice.tsx'
import type { DeviceRowsFilter } from './device-rows-query.ts'

interface NamedDevicesProps {
  productID: string
  /** The devices of a filter instead of names; the server names them when the form is sent. */
  filter: DeviceRowsFilter | undefined
  onDropFilter: () => void
  names: readonly string[]
  onNames: (names: string[]) => void
  max: number
  /** Chosen names that the server's preview did not find. */
  unknown?: readonly string[] | undefined
}

/** Devices of a product, chosen one by one, or those that a list of devices was filtered by. */
export function NamedDevices({ filter, onDropFilter, names, onNames, unknown = [], ...props }: NamedDevicesProps) {
  if (!filter) return <DeviceChoice {...props} value={names} onChange={onNames} unknown={unknown} />
  return (
    <Alert
      type="info"
      showIcon
      title={t('设备列表中符合筛选条件的全部设备')}
      description={t('提交时由平台确定名单，之后才符合条件的设备不包括在内。')}
      action={
        <Button size="small" onClick={onDropFilter}>
          {t('改为逐台选择')}
        </Button>
      }
    />
  )
}
