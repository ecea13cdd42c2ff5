import { httpMethodLabels } from '@ithings/contract/endpoint.ts'
import { Table } from 'antd'
import { BusinessTypeTag } from '#blocks/business-type.tsx'
import { labelOf, type StatusLooks, StatusTag } from '#kit/status-tag.tsx'
import { type ImportRow, ImportState } from '../openapi-import.ts'

const looks: StatusLooks = {
  [ImportState.added]: { text: '新增', tone: 'success' },
  [ImportState.changed]: { text: '有变化', tone: 'warning' },
  [ImportState.same]: { text: '相同', tone: 'default' },
  [ImportState.builtIn]: { text: '内置', tone: 'default' },
  [ImportState.refused]: { text: '不能导入', tone: 'error' },
}

export const canTake = (row: ImportRow): boolean => row.state === ImportState.added || row.state === ImportState.changed

interface ImportTableProps {
  rows: readonly ImportRow[]
  chosen: readonly string[]
  onChoose: (keys: string[]) => void
}

/** What the document holds beside what is registered; only new and changed rows can be chosen. */
export function ImportTable({ rows, chosen, onChoose }: ImportTableProps) {
  return (
    <Table<ImportRow>
      size="small"
      dataSource={[...rows]}
      rowKey="key"
      scroll={{ x: 'max-content' }}
      pagination={{ pageSize: 20, hideOnSinglePage: true, showSizeChanger: false }}
      rowSelection={{
        selectedRowKeys: [...chosen],
        onChange: (keys) => onChoose(keys.map(String)),
        getCheckboxProps: (row) => ({ disabled: !canTake(row) }),
      }}
      columns={[
        { key: 'state', title: '对比', render: (_value, row) => <StatusTag looks={looks} value={row.state} /> },
        {
          key: 'route',
          title: '接口',
          render: (_value, row) => (
            <>
              <div>{row.api.name}</div>
              <div className="mono-payload import-route">
                {labelOf(httpMethodLabels, row.api.method)} {row.api.route}
              </div>
              {row.note && <div className="meta">{row.note}</div>}
            </>
          ),
        },
        { key: 'group', title: '分组', render: (_value, row) => row.api.group },
        { key: 'type', title: '业务类型', render: (_value, row) => <BusinessTypeTag value={row.api.businessType} /> },
      ]}
    />
  )
}
