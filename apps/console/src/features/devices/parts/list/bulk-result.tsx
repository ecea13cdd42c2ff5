import { DownloadOutlined } from '@ant-design/icons'
import type { rowResult } from '@ithings/contract/features/devices/bulk.ts'
import { Button, Table } from 'antd'
import type * as z from 'zod'
import { downloadText } from '#kit/download.ts'
import { toCsv } from '#kit/list-page/csv.ts'

type Row = z.output<typeof rowResult>

const heads = ['产品ID', '设备名称', '错误码', '原因']

/** Which rows failed and why; also as a file. */
export function BulkResult({ failed, name }: { failed: readonly Row[]; name: string }) {
  const save = () =>
    downloadText(
      toCsv([heads, ...failed.map((row) => [row.productID, row.deviceName, row.code, row.msg])]),
      `${name}-失败.csv`,
      'text/csv',
    )
  return (
    <div className="bulk-body">
      <Table<Row>
        size="small"
        rowKey={(row) => `${row.productID}/${row.deviceName}`}
        dataSource={[...failed]}
        pagination={failed.length > 10 ? { size: 'small', pageSize: 10, showSizeChanger: false } : false}
        columns={[
          { key: 'deviceName', title: '设备名称', dataIndex: 'deviceName', className: 'mono' },
          { key: 'msg', title: '原因', dataIndex: 'msg', className: 'import-reason' },
        ]}
      />
      <div>
        <Button icon={<DownloadOutlined />} onClick={save}>
          下载失败的行
        </Button>
      </div>
    </div>
  )
}
