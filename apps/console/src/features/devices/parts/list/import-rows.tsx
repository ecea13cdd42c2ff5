import type { ImportRow } from '@ithings/contract/features/devices/bulk.ts'
import { Alert, Table } from 'antd'

interface Figures {
  total: number
  success: number
  errdata: readonly ImportRow[] | null
}

export function ImportFigures({ answer, done }: { answer: Figures; done: boolean }) {
  const bad = answer.errdata?.length ?? 0
  const figure = (label: string, value: number, tone = '') => (
    <div>
      <dt>{label}</dt>
      <dd className={tone}>{value.toLocaleString()}</dd>
    </div>
  )
  return (
    <dl className="import-figures flex bare gap-16">
      {figure('总行数', answer.total)}
      {figure(done ? '成功' : '可以导入', answer.success, answer.success > 0 ? 'tone-success' : '')}
      {figure(done ? '失败' : '有误', bad, bad > 0 ? 'tone-error' : '')}
    </dl>
  )
}

interface ImportRowsProps {
  rows: readonly ImportRow[]
  total: number
  done: boolean
}

const verdict = ({ rows, total, done }: ImportRowsProps) => {
  if (total === 0) return <Alert type="warning" showIcon title="文件里没有设备，只有表头" />
  if (rows.length > 0) return undefined
  return <Alert type="success" showIcon title={done ? '全部导入成功' : '每一行都正确，还没有写入任何设备'} />
}

/** Each bad row with its number in the file and the reason. */
export function ImportRows(props: ImportRowsProps) {
  const words = verdict(props)
  if (words) return words
  return (
    <Table<ImportRow>
      size="small"
      rowKey="row"
      dataSource={[...props.rows]}
      scroll={{ x: 'max-content' }}
      pagination={
        props.rows.length > 10
          ? { size: 'small', defaultPageSize: 10, showTotal: (count) => `共 ${count} 行有误` }
          : false
      }
      columns={[
        { key: 'row', title: '数据行', dataIndex: 'row', width: 80 },
        { key: 'tips', title: '原因', dataIndex: 'tips', className: 'import-reason' },
        { key: 'productName', title: '产品名称', dataIndex: 'productName' },
        { key: 'deviceName', title: '设备名称', dataIndex: 'deviceName', className: 'mono' },
        { key: 'deviceAlias', title: '设备别名', dataIndex: 'deviceAlias' },
        { key: 'tags', title: '设备标签', dataIndex: 'tags' },
        { key: 'position', title: '设备位置', dataIndex: 'position' },
      ]}
    />
  )
}
