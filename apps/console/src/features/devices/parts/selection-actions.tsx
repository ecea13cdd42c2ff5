import {
  CloudUploadOutlined,
  DownloadOutlined,
  DownOutlined,
  FolderAddOutlined,
  SendOutlined,
  TagOutlined,
} from '@ant-design/icons'
import {
  exportDevices,
  multiDeleteDevices,
  multiUpdateDevices,
  simulateDevices,
} from '@ithings/contract/features/devices/bulk.ts'
import { addGroupDevices } from '@ithings/contract/features/groups.ts'
import { t } from '@ithings/contract/text.ts'
import { Button, Dropdown, Tooltip } from 'antd'
import type { DeviceForm } from '#blocks/chosen-devices.ts'
import { type Right, useHeld } from '#kit/rights.tsx'
import { usePhone } from '#kit/use-phone.ts'
import type { BulkKind } from './bulk-modal.tsx'

export type SelectionAct = BulkKind | DeviceForm | 'export'

interface Act {
  key: SelectionAct
  label: string
  needs: Right
  icon?: React.ReactNode
  /** It belongs to a product, so all devices of a filter must be of one. */
  ofProduct?: true
}

/** By their paths: their schemas would bring the rules of cron and of upgrades to the list of devices. */
const createTask: Right = { path: '/api/v1/things/device/task/create' }
const createOtaTask: Right = { path: '/api/v1/things/ota/task/create' }

const usual: Act[] = [
  { key: 'command', label: '发送指令', needs: createTask, icon: <SendOutlined />, ofProduct: true },
  { key: 'upgrade', label: '升级固件', needs: createOtaTask, icon: <CloudUploadOutlined />, ofProduct: true },
  { key: 'group', label: '加入分组', needs: addGroupDevices, icon: <FolderAddOutlined /> },
  { key: 'tags', label: '设置标签', needs: multiUpdateDevices, icon: <TagOutlined /> },
  { key: 'export', label: '导出', needs: exportDevices, icon: <DownloadOutlined /> },
]
const rare: Act[] = [
  { key: 'logLevel', label: '设置日志级别', needs: multiUpdateDevices },
  { key: 'simulate', label: '模拟设备', needs: simulateDevices },
  { key: 'real', label: '停止模拟', needs: simulateDevices },
  { key: 'enable', label: '启用', needs: multiUpdateDevices },
  { key: 'disable', label: '禁用', needs: multiUpdateDevices },
  { key: 'delete', label: '删除', needs: multiDeleteDevices },
]
export const bulkNeeds: readonly Right[] = [...usual, ...rare].map(({ needs }) => needs)

/** Chinese has one word for the verb and the state: the context tells that the verb is meant. */
const asVerb = { context: 'verb' }

interface SelectionActionsProps {
  /** All devices of a filter are meant that does not name their product. */
  withoutProduct: boolean
  onPick: (act: SelectionAct) => void
}

/** screens.md 5: the usual ones as buttons, the rare ones behind 更多; on a phone all of them. */
export function SelectionActions({ withoutProduct, onPick }: SelectionActionsProps) {
  const phone = usePhone()
  const held = useHeld()
  const isBarred = ({ ofProduct }: Pick<Act, 'ofProduct'>) => withoutProduct && ofProduct === true
  const items = held(phone ? [...usual, ...rare] : rare).map((act) => ({
    key: act.key,
    label: isBarred(act) ? t('{act}（请先按所属产品筛选）', { act: t(act.label, asVerb) }) : t(act.label, asVerb),
    disabled: isBarred(act),
    onClick: () => onPick(act.key),
  }))
  return (
    <>
      {!phone &&
        held(usual).map((act) => (
          <Tooltip key={act.key} title={isBarred(act) && t('请先按所属产品筛选')}>
            <Button type="text" icon={act.icon} disabled={isBarred(act)} onClick={() => onPick(act.key)}>
              {t(act.label, asVerb)}
            </Button>
          </Tooltip>
        ))}
      {items.length > 0 && (
        <Dropdown
          trigger={['click']}
          menu={{ items, style: { maxHeight: 'max(45vh, 100dvh - 380px)', overflowY: 'auto' } }}
        >
          <Button type="text">
            {phone ? t('操作') : t('更多')} <DownOutlined />
          </Button>
        </Dropdown>
      )}
    </>
  )
}
