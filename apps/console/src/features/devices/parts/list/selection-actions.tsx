import { DownloadOutlined, DownOutlined, FolderAddOutlined, TagOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import { usePhone } from '#kit/use-phone.ts'
import type { BulkKind } from './bulk-modal.tsx'

interface SelectionActionsProps {
  onBulk: (kind: BulkKind) => void
  onExport: () => void
}

const usual: { key: BulkKind; label: string; icon: React.ReactNode }[] = [
  { key: 'group', label: '加入分组', icon: <FolderAddOutlined /> },
  { key: 'tags', label: '设置标签', icon: <TagOutlined /> },
]
const rare: { key: BulkKind; label: string }[] = [
  { key: 'logLevel', label: '设置日志级别' },
  { key: 'simulate', label: '模拟设备' },
  { key: 'real', label: '停止模拟' },
  { key: 'enable', label: '启用' },
  { key: 'disable', label: '禁用' },
  { key: 'delete', label: '删除' },
]

/** mockup 03: the usual ones as buttons, the rare ones behind 更多; on a phone all of them. */
export function SelectionActions({ onBulk, onExport }: SelectionActionsProps) {
  const phone = usePhone()
  const item = ({ key, label }: { key: BulkKind; label: string }) => ({ key, label, onClick: () => onBulk(key) })
  const items = phone
    ? [...usual.map(item), { key: 'export', label: '导出', onClick: onExport }, ...rare.map(item)]
    : rare.map(item)
  return (
    <>
      {!phone &&
        usual.map(({ key, label, icon }) => (
          <Button key={key} type="text" icon={icon} onClick={() => onBulk(key)}>
            {label}
          </Button>
        ))}
      {!phone && (
        <Button type="text" icon={<DownloadOutlined />} onClick={onExport}>
          导出
        </Button>
      )}
      <Dropdown trigger={['click']} menu={{ items }}>
        <Button type="text">
          {phone ? '操作' : '更多'} <DownOutlined />
        </Button>
      </Dropdown>
    </>
  )
}
