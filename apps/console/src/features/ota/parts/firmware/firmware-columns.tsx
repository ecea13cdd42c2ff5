import {
  type Firmware,
  type FirmwareModule,
  firmwareModuleLabels,
  packageKindLabels,
} from '@ithings/contract/features/ota/firmware.ts'
import { t } from '@ithings/contract/text.ts'
import { Link } from 'react-router'
import { ProductLink, productField, textColumn, timeColumn } from '#blocks/rollout/columns.tsx'
import { secondsRange } from '#blocks/rollout/words.ts'
import type { FilterField, ListColumn, ListPaging } from '#kit/list-page/list-contract.ts'
import { firmwareTasksPath } from '#kit/paths.ts'
import { sizeText } from '#kit/size-text.ts'
import { labelOf, StatusTag } from '#kit/status-tag.tsx'
import type { TimeChoice } from '#kit/time-choice.ts'
import { moduleOptions, signMethodText } from '../../labels.ts'
import { firmwareListQuery } from '../../queries.ts'

export interface FirmwareFilters {
  productID?: string
  name?: string
  module?: FirmwareModule
  version?: string
  time?: TimeChoice
}

export const firmwareFields: FilterField[] = [
  productField,
  { name: 'name', label: '固件名称', control: 'text', placeholder: '输入名称', width: 160 },
  { name: 'version', label: '版本号', control: 'text', placeholder: '例如 1.2', width: 120 },
  { name: 'module', label: '模块', control: 'select', options: moduleOptions, width: 96 },
  { name: 'time', label: '创建时间', control: 'date-range', advanced: true },
]

export const filteredFirmware = ({ page, filters }: { page: ListPaging; filters: FirmwareFilters }) => {
  const { time, ...rest } = filters
  return firmwareListQuery({ page, ...rest, ...secondsRange(time) })
}

function UseCell({ row }: { row: Firmware }) {
  if (row.taskCount === 0) return <span className="no-value">{t('未使用')}</span>
  return (
    <span className="inline-row gap-8">
      <Link to={firmwareTasksPath(row)}>{t('{count, number} 个任务', { count: row.taskCount })}</Link>
      {row.openTaskCount > 0 && (
        <StatusTag filled text={t('{count} 个进行中', { count: row.openTaskCount })} tone="processing" />
      )}
    </span>
  )
}

/** screens.md 21. */
export const firmwareColumns = (show: (row: Firmware) => void): ListColumn<Firmware>[] => [
  textColumn('name', t('固件名称'), ({ name }) => name, {
    sorter: true,
    hideable: false,
    phone: 'title',
    render: (_value, row) => (
      <button
        type="button"
        className="plain-button rollout-name cut start link inline-block bold"
        onClick={() => show(row)}
        title={row.name}
      >
        {row.name}
      </button>
    ),
  }),
  textColumn('version', t('版本号'), ({ version }) => version, {
    sorter: true,
    phone: 'subtitle',
    render: (_value, row) => (
      <span className="mono">
        {row.srcVersion && <span className="quiet">{row.srcVersion} → </span>}
        {row.version}
      </span>
    ),
  }),
  textColumn('productName', t('所属产品'), ({ productName }) => productName, {
    render: (_value, row) => <ProductLink of={row} />,
  }),
  textColumn('module', t('模块'), ({ module }) => labelOf(firmwareModuleLabels, module)),
  textColumn('isDiff', t('包类型'), ({ isDiff }) => labelOf(packageKindLabels, isDiff), { phone: 'hide' }),
  textColumn('signMethod', t('签名方式'), ({ signMethod }) => signMethodText(signMethod), { phone: 'hide' }),
  textColumn(
    'size',
    t('文件'),
    ({ fileCount, size }) => t('{count} 个 · {size}', { count: fileCount, size: sizeText(size) }),
    { sorter: true },
  ),
  textColumn('tasks', t('升级任务'), ({ taskCount }) => taskCount, {
    phone: 'status',
    render: (_value, row) => <UseCell row={row} />,
  }),
  timeColumn('createdTime', t('创建时间')),
  { key: 'userName', title: t('创建人'), dataIndex: 'userName', hiddenAtFirst: true, phone: 'hide' },
]
