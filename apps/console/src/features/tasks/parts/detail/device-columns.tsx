import { deviceStatus, deviceStatusLabels } from '@ithings/contract/features/devices/info.ts'
import type { TaskDevice } from '@ithings/contract/features/task-results.ts'
import { deployStatusLabels } from '@ithings/contract/features/tasks.ts'
import { DeviceLink } from '#blocks/device-link.tsx'
import { DeviceStatusTag } from '#blocks/device-status.tsx'
import { Copyable } from '#kit/copyable.tsx'
import type { FilterField, ListColumn } from '#kit/list-page/list-contract.ts'
import { labelOf, StatusTag } from '#kit/status-tag.tsx'
import { formatTime, logFormat } from '#kit/time.ts'
import { TimeText } from '#kit/time-text.tsx'
import { deployLooks, deployOptions } from '../../labels.ts'
import { tookText } from '../../task-words.ts'

const success = 200
const none = <span className="no-value">—</span>
/** Of a device that was deleted. */
const gone = ''
const goneText = '已删除'

export const taskDeviceFields: FilterField[] = [
  { name: 'deviceName', label: '设备名称', control: 'text', placeholder: '输入名称', width: 140 },
  { name: 'status', label: '状态', control: 'select', options: deployOptions, width: 112 },
  { name: 'reason', label: '结果说明', control: 'text', placeholder: '如：超时、离线', width: 140 },
]

/** screens.md 7.2. */
export const taskDeviceColumns = (productID: string): ListColumn<TaskDevice>[] => [
  {
    key: 'deviceName',
    title: '设备名称',
    className: 'task-tight',
    sorter: true,
    hideable: false,
    phone: 'title',
    render: (_value, row) => (
      <span className="task-device">
        <DeviceLink device={{ productID, deviceName: row.deviceName }} />
        {row.deviceAlias && <span className="meta">{row.deviceAlias}</span>}
      </span>
    ),
    exportText: (row) => row.deviceName,
  },
  {
    key: 'isOnline',
    title: '在线状态',
    phone: 'meta',
    render: (_value, row) =>
      row.firstLogin === gone ? <StatusTag text={goneText} tone="default" ring /> : <DeviceStatusTag device={row} />,
    exportText: (row) => (row.firstLogin === gone ? goneText : deviceStatusLabels[deviceStatus(row)]),
  },
  {
    key: 'status',
    title: '状态',
    sorter: true,
    phone: 'status',
    render: (_value, row) => <StatusTag looks={deployLooks} value={row.status} />,
    exportText: (row) => labelOf(deployStatusLabels, row.status),
  },
  {
    key: 'code',
    title: '结果码',
    dataIndex: 'code',
    phone: 'hide',
    render: (_value, { code }) =>
      code === 0 ? none : <StatusTag filled text={String(code)} tone={code === success ? 'success' : 'error'} />,
  },
  { key: 'msg', title: '结果说明', dataIndex: 'msg', truncate: 220, phone: 'subtitle' },
  {
    key: 'attempts',
    title: '尝试次数',
    dataIndex: 'attempts',
    sorter: true,
    align: 'right',
    phone: 'meta',
    render: (_value, { attempts }) => attempts,
  },
  {
    key: 'sentTime',
    title: '下发时间',
    sorter: true,
    phone: 'hide',
    render: (_value, row) => <TimeText value={row.sentTime} mode="log" />,
    exportText: (row) => formatTime(row.sentTime, logFormat),
  },
  {
    key: 'doneTime',
    title: '完成时间',
    sorter: true,
    phone: 'hide',
    hiddenAtFirst: true,
    render: (_value, row) => <TimeText value={row.doneTime} mode="log" />,
    exportText: (row) => formatTime(row.doneTime, logFormat),
  },
  {
    key: 'took',
    title: '耗时',
    align: 'right',
    phone: 'meta',
    render: (_value, row) => tookText(row.sentTime, row.doneTime) || none,
    exportText: (row) => tookText(row.sentTime, row.doneTime),
  },
  {
    key: 'clientToken',
    title: 'clientToken',
    dataIndex: 'clientToken',
    phone: 'hide',
    hiddenAtFirst: true,
    render: (_value, { clientToken }) =>
      clientToken ? (
        <span className="task-token">
          <Copyable text={clientToken} />
        </span>
      ) : (
        none
      ),
  },
]
