import { type Firmware, firmwareModuleLabels, packageKindLabels } from '@ithings/contract/features/ota/firmware.ts'
import { Link } from 'react-router'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import { labelOf, StatusTag } from '#kit/status-tag.tsx'
import { formatTime } from '#kit/time.ts'
import { TimeText } from '#kit/time-text.tsx'
import { signMethodText, sizeText } from '../../labels.ts'
import { firmwareTasksPath, productPath } from '../../paths.ts'

const filesText = ({ fileCount, size }: Firmware) => `${fileCount} 个 · ${sizeText(size)}`

function UseCell({ row }: { row: Firmware }) {
  if (row.taskCount === 0) return <span className="no-value">未使用</span>
  return (
    <span className="inline-row gap-8">
      <Link to={firmwareTasksPath(row)}>{row.taskCount.toLocaleString()} 个任务</Link>
      {row.openTaskCount > 0 && <StatusTag filled text={`${row.openTaskCount} 个进行中`} tone="processing" />}
    </span>
  )
}

/** screens.md 21. */
export const firmwareColumns = (show: (row: Firmware) => void): ListColumn<Firmware>[] => [
  {
    key: 'name',
    title: '固件名称',
    sorter: true,
    hideable: false,
    phone: 'title',
    render: (_value, row) => (
      <button type="button" className="plain-button firmware-name" onClick={() => show(row)} title={row.name}>
        {row.name}
      </button>
    ),
    exportText: (row) => row.name,
  },
  {
    key: 'version',
    title: '版本号',
    sorter: true,
    phone: 'subtitle',
    render: (_value, row) => (
      <span className="mono">
        {row.srcVersion && <span className="quiet">{row.srcVersion} → </span>}
        {row.version}
      </span>
    ),
    exportText: (row) => row.version,
  },
  {
    key: 'productName',
    title: '所属产品',
    phone: 'meta',
    render: (_value, row) => (
      <Link className="firmware-product" to={productPath(row.productID)}>
        {row.productName || row.productID}
      </Link>
    ),
    exportText: (row) => row.productName,
  },
  {
    key: 'module',
    title: '模块',
    phone: 'meta',
    render: (_value, row) => labelOf(firmwareModuleLabels, row.module),
    exportText: (row) => labelOf(firmwareModuleLabels, row.module),
  },
  {
    key: 'isDiff',
    title: '包类型',
    phone: 'hide',
    render: (_value, row) => labelOf(packageKindLabels, row.isDiff),
    exportText: (row) => labelOf(packageKindLabels, row.isDiff),
  },
  {
    key: 'signMethod',
    title: '签名方式',
    phone: 'hide',
    render: (_value, row) => signMethodText(row.signMethod),
    exportText: (row) => signMethodText(row.signMethod),
  },
  {
    key: 'size',
    title: '文件',
    sorter: true,
    phone: 'meta',
    render: (_value, row) => filesText(row),
    exportText: filesText,
  },
  {
    key: 'tasks',
    title: '升级任务',
    phone: 'status',
    render: (_value, row) => <UseCell row={row} />,
    exportText: (row) => row.taskCount,
  },
  {
    key: 'createdTime',
    title: '创建时间',
    sorter: true,
    phone: 'hide',
    render: (_value, row) => <TimeText value={row.createdTime} />,
    exportText: (row) => formatTime(row.createdTime),
  },
  {
    key: 'userName',
    title: '创建人',
    dataIndex: 'userName',
    hiddenAtFirst: true,
    phone: 'hide',
  },
]
